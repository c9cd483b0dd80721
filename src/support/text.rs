//! Errors in text, with line and column.
//!
//! All parsers of text files and boards in this crate return a [`TextError`].

use std::fmt;

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected, and what was found instead.
    pub message: String,
}

impl TextError {
    /// An error at this line and column.
    pub fn new(line: usize, column: usize, message: impl Into<String>) -> TextError {
        TextError { line, column, message: message.into() }
    }

    /// This error with its line and column in a larger text, in which this text begins at `line` and `column`.
    pub fn within(self, line: usize, column: usize) -> TextError {
        let column = if self.line == 1 { self.column + column - 1 } else { self.column };
        TextError { line: self.line + line - 1, column, ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// `text` without the byte order mark that some editors write before UTF-8.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The beginning of `text`, short enough to quote in a message.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 20;
    let mut excerpt: String = text.chars().take(MAX_CHARS).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

/// Checks that `lines`, which start at line `number` of a text, are blank. `message` receives the rest of the offending
/// line from its first non-blank character.
///
/// # Errors
/// The error is at the first character that is not blank.
pub(crate) fn expect_blank<'t>(
    lines: impl Iterator<Item = &'t str>,
    number: usize,
    message: impl FnOnce(&'t str) -> String,
) -> Result<(), TextError> {
    let mut lines = lines.zip(number..).map(|(line, number)| (line.trim_start(), line, number));
    match lines.find(|(found, ..)| !found.is_empty()) {
        None => Ok(()),
        Some((found, line, number)) => {
            let blanks = line.chars().count() - found.chars().count();
            Err(TextError::new(number, blanks + 1, message(found.trim_end())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_placed_in_the_larger_text() {
        let fault = TextError::new(1, 3, "wrong");
        assert_eq!(fault.to_string(), "line 1, column 3: wrong");
        assert_eq!(fault.within(5, 10), TextError::new(5, 12, "wrong"));
        assert_eq!(TextError::new(2, 3, "wrong").within(5, 10), TextError::new(6, 3, "wrong"));
    }

    #[test]
    fn long_texts_are_cut_in_messages() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"ä".repeat(1000)), "ä".repeat(20) + "…");
    }

    #[test]
    fn the_first_non_blank_character_is_found() {
        let check = |text: &str| expect_blank(text.lines(), 7, |found| format!("found {found:?}"));
        assert_eq!(check(""), Ok(()));
        assert_eq!(check("\n \u{3000}\r\n\t"), Ok(()));
        assert_eq!(check("\n \u{3000}x y \nz"), Err(TextError::new(8, 3, "found \"x y\"")));
    }
}
