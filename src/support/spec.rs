//! Spec strings: `name` or `name(parameter=value, …)`, where a value may be a spec string itself.

use std::fmt;
use std::str::FromStr;

/// The maximum nesting depth of a spec. An agent whose playout policy has parameters has depth 3.
const MAX_DEPTH: usize = 16;

/// A name and the values of some of its parameters: `mcts(c=0.6, playout=forward-jump(cap=2))`.
///
/// Specs that differ only in blanks or empty parentheses are equal. A [`Registry`](crate::agent::Registry) lists the
/// names and parameters that exist.
///
/// ```
/// use halma::agent::Spec;
///
/// let mut spec: Spec = "mcts( playout=forward-jump() ,c = 1)".parse().unwrap();
/// spec.set("playout.cap", "4".parse().unwrap());
/// assert_eq!(spec.to_string(), "mcts(playout=forward-jump(cap=4), c=1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// The name of an agent or a part, or a plain value such as `0.6`.
    pub name: String,
    /// The parameters and their values, in the order given, each once.
    pub settings: Vec<(String, Spec)>,
}

/// An error in a spec: in its syntax, a name, a parameter, or a file that a parameter names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    message: String,
}

impl SpecError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> SpecError {
        SpecError { message: message.into() }
    }

    fn syntax(part: &str) -> SpecError {
        SpecError::new(format!("cannot read '{}': an agent is written name(parameter=value, …)", part.trim()))
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// A name without parameters.
    pub fn of(name: impl Into<String>) -> Spec {
        Spec { name: name.into(), settings: Vec::new() }
    }

    /// The value of the parameter `name`, if this spec sets it.
    pub fn get(&self, name: &str) -> Option<&Spec> {
        self.settings.iter().find(|(parameter, _)| parameter == name).map(|(_, value)| value)
    }

    /// This spec as a plain value; `None` if it has parameters.
    pub fn plain(&self) -> Option<&str> {
        self.settings.is_empty().then_some(&self.name)
    }

    /// Sets the parameter at `path` to `value`. A dot in a path leads to a parameter of a part: `playout.cap`.
    ///
    /// # Panics
    /// If this spec does not set the parameter before a dot.
    pub fn set(&mut self, path: &str, value: Spec) {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let place = self.settings.iter_mut().find(|(parameter, _)| parameter == first);
        match (place, rest) {
            (Some((_, part)), Some(rest)) => part.set(rest, value),
            (Some((_, old)), None) => *old = value,
            (None, None) => self.settings.push((path.to_string(), value)),
            (None, Some(_)) => panic!("{self} does not name its {first}"),
        }
    }

    /// Sets every parameter called `name` that this spec writes out, at any depth, to `value`.
    pub fn replace(&mut self, name: &str, value: &Spec) {
        for (known, old) in &mut self.settings {
            if known == name {
                *old = value.clone();
            }
            old.replace(name, value);
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let mut separator = "(";
        for (parameter, value) in &self.settings {
            write!(f, "{separator}{parameter}={value}")?;
            separator = ", ";
        }
        if self.settings.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        parse(text, MAX_DEPTH)
    }
}

fn parse(text: &str, depth: usize) -> Result<Spec, SpecError> {
    let text = text.trim();
    let (name, list) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => {
            (name.trim(), Some(rest.strip_suffix(')').ok_or_else(|| SpecError::syntax(text))?.trim()))
        }
    };
    if depth == 0 {
        return Err(SpecError::new(format!("a spec can be nested at most {MAX_DEPTH} levels deep")));
    }
    if name.is_empty() || name.contains([')', '=', ',', ' ']) {
        return Err(SpecError::syntax(text));
    }
    let mut spec = Spec::of(name);
    for part in list.map(split_list).transpose()?.unwrap_or_default() {
        let (parameter, value) = part.split_once('=').ok_or_else(|| SpecError::syntax(part))?;
        let parameter = parameter.trim();
        if parameter.is_empty() || parameter.contains(['(', ')', '.', ' ']) || value.trim().is_empty() {
            return Err(SpecError::syntax(part));
        }
        if spec.get(parameter).is_some() {
            return Err(SpecError::new(format!("parameter '{parameter}' is given twice")));
        }
        spec.settings.push((parameter.to_string(), parse(value, depth - 1)?));
    }
    Ok(spec)
}

/// Splits a list at its commas, except those in parentheses.
fn split_list(list: &str) -> Result<Vec<&str>, SpecError> {
    let unbalanced = || SpecError::syntax(list);
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0u32);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or_else(unbalanced)?,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(unbalanced());
    }
    if !list.is_empty() {
        parts.push(&list[start..]);
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_specs_read_back_the_same() {
        for (text, written) in [
            ("mcts", "mcts"),
            (" mcts ( ) ", "mcts"),
            ("mcts( c = 1 ,final_visits=8 )", "mcts(c=1, final_visits=8)"),
            ("mcts(playout=uniform(cap=8),c=1)", "mcts(playout=uniform(cap=8), c=1)"),
            ("a(b=c(d=e(f=-1.5), g=h))", "a(b=c(d=e(f=-1.5), g=h))"),
        ] {
            let spec: Spec = text.parse().expect(text);
            assert_eq!(spec.to_string(), written);
            assert_eq!(written.parse(), Ok(spec));
        }
    }

    #[test]
    fn errors_name_the_part_at_fault() {
        for (text, part) in [
            ("", "''"),
            ("mcts(", "'mcts('"),
            ("mcts)", "'mcts)'"),
            ("mcts(c)", "'c'"),
            ("mcts(c=)", "'c='"),
            ("mcts(c=1,)", "''"),
            ("mcts(c=1)x", "'mcts(c=1)x'"),
            ("mcts(c=(1))", "'(1)'"),
            ("mcts(c=a(b=1)", "'c=a(b=1'"),
            ("mcts(c=1))(", "cannot read"),
            ("mcts(playout.cap=2)", "'playout.cap=2'"),
            ("mcts(c=1, c=2)", "'c' is given twice"),
        ] {
            let error = text.parse::<Spec>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let deep = format!("{}x{}", "a(b=".repeat(100_000), ")".repeat(100_000));
        let error = deep.parse::<Spec>().expect_err("too deep").to_string();
        assert_eq!(error, "a spec can be nested at most 16 levels deep");
    }

    #[test]
    fn a_setting_keeps_its_place_when_changed() {
        let mut spec: Spec = "mcts(c=1, playout=uniform)".parse().expect("a spec");
        spec.set("c", Spec::of("2"));
        spec.set("playout.cap", Spec::of("4"));
        spec.set("fpu", Spec::of("0"));
        assert_eq!(spec.to_string(), "mcts(c=2, playout=uniform(cap=4), fpu=0)");
    }
}
