//! Lists in messages.

/// The first `max` of `names`, and how many more there are: with `" or "`, `a or b or 3 more`.
pub(super) fn first_few(names: &[String], max: usize, separator: &str) -> String {
    let mut text = names[..names.len().min(max)].join(separator);
    if names.len() > max {
        let last = if separator == ", " { " and " } else { separator };
        text += &format!("{last}{} more", names.len() - max);
    }
    text
}
