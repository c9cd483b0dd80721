//! Spec strings: `name` or `name(parameter=value, …)`, where a value may be such a string itself.

use crate::support::parameters::{ParameterError, ParameterValue, Range};
use std::fmt;
use std::str::FromStr;

/// How deep a spec may be nested: an agent, its playout policy, and some more.
const MOST_DEPTH: usize = 8;

/// A name, and the values of some of its parameters: `mcts(c=0.6, playout=forward-jump(cap=2))`.
///
/// Two specs that differ only in blanks or empty brackets are equal. A [`Registry`](super::Registry)
/// knows which names and parameters there are.
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
    /// The name of an agent or of a part, or a plain value such as `0.6`.
    pub name: String,
    /// Its parameters and their values, in the order given, each once.
    pub settings: Vec<(String, Spec)>,
}

/// What is wrong with a spec string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// The string is not of the form `name` or `name(parameter=value, …)`.
    BadForm {
        /// The part that does not fit.
        part: String,
    },
    /// Nothing of this kind has this name.
    UnknownName {
        /// What was looked for: "agent", "playout policy", …
        kind: String,
        /// The name.
        name: String,
        /// The names that there are, the nearest first.
        known: Vec<&'static str>,
    },
    /// A parameter was given twice.
    Twice {
        /// Its name.
        name: String,
    },
    /// A parameter could not be set.
    Parameter {
        /// The name of the agent or part whose parameter it is.
        of: String,
        /// What is wrong.
        error: ParameterError,
        /// The parameters that there are, the nearest first.
        known: Vec<&'static str>,
    },
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::BadForm { part } => {
                write!(f, "'{part}' does not fit: an agent is written name(parameter=value, …)")
            }
            SpecError::UnknownName { kind, name, known } => {
                write!(f, "there is no {kind} '{name}'; there are {}", known.join(", "))
            }
            SpecError::Twice { name } => write!(f, "parameter '{name}' is given twice"),
            SpecError::Parameter { of, error: ParameterError::Unknown { name }, known } => {
                write!(f, "{of} has no parameter '{name}'")?;
                match known[..] {
                    [] => write!(f, "; it has none"),
                    _ => write!(f, "; it has {}", known.join(", ")),
                }
            }
            SpecError::Parameter { error, .. } => error.fmt(f),
        }
    }
}

impl std::error::Error for SpecError {}

impl Spec {
    /// A name without parameters.
    pub fn of(name: &str) -> Spec {
        Spec { name: name.to_string(), settings: Vec::new() }
    }

    /// The value given for the parameter called `name`.
    pub fn get(&self, name: &str) -> Option<&Spec> {
        self.settings.iter().find(|(parameter, _)| parameter == name).map(|(_, value)| value)
    }

    /// Gives `value` to the parameter at `path`: its name, or the parameter that holds a part, a dot and
    /// the name of the part's own parameter, as in `playout.cap`.
    ///
    /// # Panics
    /// Panics if the path leads through a part that is not named here.
    pub fn set(&mut self, path: &str, value: Spec) {
        match path.split_once('.') {
            None => match self.settings.iter_mut().find(|(parameter, _)| parameter == path) {
                Some((_, old)) => *old = value,
                None => self.settings.push((path.to_string(), value)),
            },
            Some((first, rest)) => {
                let inner = self.settings.iter_mut().find(|(parameter, _)| parameter == first);
                inner.expect("a part that is named").1.set(rest, value);
            }
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
        parse(text, MOST_DEPTH)
    }
}

fn parse(text: &str, depth: usize) -> Result<Spec, SpecError> {
    let text = text.trim();
    let bad = |part: &str| SpecError::BadForm { part: part.trim().to_string() };
    let (name, list) = match text.split_once('(') {
        None => (text, None),
        Some((name, rest)) => (name.trim(), Some(rest.strip_suffix(')').ok_or_else(|| bad(text))?.trim())),
    };
    if depth == 0 || name.is_empty() || name.contains([')', '=', ',', ' ']) {
        return Err(bad(text));
    }
    let mut spec = Spec::of(name);
    for part in list.map(split_list).transpose().map_err(bad)?.unwrap_or_default() {
        let (parameter, value) = part.split_once('=').ok_or_else(|| bad(part))?;
        let parameter = parameter.trim();
        if parameter.is_empty() || parameter.contains(['(', ')', '.', ' ']) {
            return Err(bad(part));
        }
        if spec.get(parameter).is_some() {
            return Err(SpecError::Twice { name: parameter.to_string() });
        }
        let value = parse(value, depth - 1).map_err(|error| match error {
            SpecError::BadForm { part: inner } if inner.is_empty() => bad(part),
            error => error,
        })?;
        spec.settings.push((parameter.to_string(), value));
    }
    Ok(spec)
}

/// Splits a list at its commas, except those within brackets.
///
/// # Errors
/// The list, if its brackets don't pair.
fn split_list(list: &str) -> Result<Vec<&str>, &str> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0u32);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or(list)?,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(list);
    }
    if !list.is_empty() {
        parts.push(&list[start..]);
    }
    Ok(parts)
}

impl ParameterValue for Spec {
    fn parse(text: &str, range: &Range) -> Option<Spec> {
        matches!(range, Range::Part(_)).then(|| text.parse().ok()).flatten()
    }

    fn print(&self) -> String {
        self.to_string()
    }
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
    fn errors_name_the_part_that_does_not_fit() {
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
            ("mcts(c=1))(", "does not fit"),
            ("mcts(playout.cap=2)", "'playout.cap=2'"),
            ("mcts(c=1, c=2)", "'c' is given twice"),
        ] {
            let error = text.parse::<Spec>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let deep = format!("{}x{}", "a(b=".repeat(100_000), ")".repeat(100_000));
        assert!(deep.parse::<Spec>().is_err());
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
