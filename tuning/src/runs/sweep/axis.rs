//! One parameter of a sweep and its values.

use crate::play::whole_number::optional_in_file;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use toml::Spanned;

/// The maximum number of values of an axis.
const MAX_VALUES: u64 = 100;
/// By default an axis is logarithmic if its greatest number is at least this many times its least.
const WIDE: f64 = 6.0;

/// The layout of values in a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AxisScale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal ratios are equally far apart.
    Log,
    /// Neighbouring values are equally far apart; used for words.
    Even,
}

/// A parameter and its values, as written in specs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The parameter's name.
    pub parameter: String,
    /// Its values.
    pub values: Vec<String>,
    /// Their layout in plots.
    pub scale: AxisScale,
    /// The parameter's default, if known.
    pub default: Option<String>,
}

impl Axis {
    /// The values as numbers, if all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        numbers(&self.values)
    }
}

fn numbers<S: AsRef<str>>(values: &[S]) -> Option<Vec<f64>> {
    values.iter().map(|value| value.as_ref().parse().ok()).collect()
}

/// An axis in a file: a list of values, `{ from, to, steps, scale }` or `{ values, scale }`.
#[derive(Clone, Debug)]
pub struct AxisText {
    /// The values and their positions in the file.
    pub values: Vec<Spanned<Scalar>>,
    /// The layout given in the file.
    scale: Option<AxisScale>,
}

impl AxisText {
    /// The file's layout, or by default `Log` for numbers that spread widely, `Linear` for others, and `Even` for
    /// words.
    ///
    /// # Errors
    /// The file's layout does not fit the values.
    pub fn scale(&self) -> Result<AxisScale, String> {
        let texts: Vec<&str> = self.values.iter().map(|value| value.get_ref().0.as_str()).collect();
        let numbers = numbers(&texts);
        let least = numbers.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        match (self.scale, numbers.is_some()) {
            (Some(AxisScale::Even), _) | (None, false) => Ok(AxisScale::Even),
            (Some(_), false) => Err("a linear or log scale needs numbers; use 'even' for words".to_string()),
            (Some(AxisScale::Log), true) if least <= 0.0 => {
                Err("a log scale needs values above 0".to_string())
            }
            (Some(scale), true) => Ok(scale),
            (None, true) if least > 0.0 && most >= WIDE * least => Ok(AxisScale::Log),
            (None, true) => Ok(AxisScale::Linear),
        }
    }
}

/// A number or a word, as written in specs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "NumberOrWord")]
pub struct Scalar(pub String);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a word")]
enum NumberOrWord {
    Integer(i64),
    Float(f64),
    Word(String),
}

impl From<NumberOrWord> for Scalar {
    fn from(value: NumberOrWord) -> Scalar {
        Scalar(match value {
            NumberOrWord::Integer(number) => number.to_string(),
            // -0 is 0.
            NumberOrWord::Float(number) => (number + 0.0).to_string(),
            NumberOrWord::Word(word) => word,
        })
    }
}

/// An axis given as a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisTable {
    values: Option<Vec<Spanned<Scalar>>>,
    from: Option<Spanned<f64>>,
    to: Option<f64>,
    #[serde(default, deserialize_with = "optional_in_file")]
    steps: Option<u64>,
    scale: Option<AxisScale>,
}

impl AxisTable {
    fn axis(self) -> Result<AxisText, String> {
        let AxisTable { values, from, to, steps, scale } = self;
        match (values, from, to, steps) {
            (Some(values), None, None, None) => Ok(AxisText { values, scale }),
            (None, Some(from), Some(to), Some(steps)) => {
                let numbers = between(*from.get_ref(), to, steps, scale)?;
                let text = |number: f64| Spanned::new(from.span(), Scalar(number.to_string()));
                Ok(AxisText { values: numbers.into_iter().map(text).collect(), scale })
            }
            _ => Err("expected { from, to, steps } or { values }, with or without a scale".to_string()),
        }
    }
}

/// `steps` numbers from `from` to `to` at equal differences or, on a log scale, equal ratios. The inner ones are
/// rounded to four digits, so that they are easy to read and type.
fn between(from: f64, to: f64, steps: u64, scale: Option<AxisScale>) -> Result<Vec<f64>, String> {
    if !(from.is_finite() && to.is_finite() && from < to) {
        return Err(format!("from {from} to {to}: expected two numbers, the lower one first"));
    }
    if !(2..=MAX_VALUES).contains(&steps) {
        return Err(format!("{steps} steps: expected 2 to {MAX_VALUES}"));
    }
    let log = scale == Some(AxisScale::Log);
    if log && from <= 0.0 {
        return Err("a log scale needs values above 0".to_string());
    }
    let last = (steps - 1) as f64;
    let number = |step: u64| match step as f64 / last {
        _ if step == 0 => from,
        part if step < steps - 1 && log => four_digits(from * (to / from).powf(part)),
        part if step < steps - 1 => four_digits(from + (to - from) * part),
        _ => to,
    };
    Ok((0..steps).map(number).collect())
}

fn four_digits(number: f64) -> f64 {
    format!("{number:.3e}").parse().unwrap_or(number)
}

impl<'de> Deserialize<'de> for AxisText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AxisText, D::Error> {
        struct ListOrTable;
        impl<'de> Visitor<'de> for ListOrTable {
            type Value = AxisText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of values or { from, to, steps }")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<AxisText, A::Error> {
                let values = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                Ok(AxisText { values, scale: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AxisText, A::Error> {
                AxisTable::deserialize(MapAccessDeserializer::new(map))?.axis().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(ListOrTable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(text: &str) -> Result<(Vec<String>, AxisScale), String> {
        let text: std::collections::BTreeMap<String, AxisText> =
            toml::from_str(&format!("axis = {text}")).map_err(|error| error.message().to_string())?;
        let axis = &text["axis"];
        Ok((axis.values.iter().map(|value| value.get_ref().0.clone()).collect(), axis.scale()?))
    }

    fn ok(values: &[&str], scale: AxisScale) -> Result<(Vec<String>, AxisScale), String> {
        Ok((values.iter().map(|value| value.to_string()).collect(), scale))
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(axis("[0.5, 1, 2.0]"), ok(&["0.5", "1", "2"], AxisScale::Linear));
        assert_eq!(axis("[1, 2, 8]"), ok(&["1", "2", "8"], AxisScale::Log));
        assert_eq!(axis("[0, 2, 8]"), ok(&["0", "2", "8"], AxisScale::Linear));
        assert_eq!(axis("['puct', 'uct']"), ok(&["puct", "uct"], AxisScale::Even));
        assert_eq!(
            axis("{ values = [1, 2, 4000], scale = 'even' }"),
            ok(&["1", "2", "4000"], AxisScale::Even)
        );
        assert_eq!(axis("{ from = 1, to = 2, steps = 3 }"), ok(&["1", "1.5", "2"], AxisScale::Linear));
        assert_eq!(
            axis("{ from = 0.25, to = 2, steps = 7, scale = 'log' }"),
            ok(&["0.25", "0.3536", "0.5", "0.7071", "1", "1.414", "2"], AxisScale::Log)
        );
    }

    #[test]
    fn bad_axes_are_refused() {
        let refused = |text: &str, part: &str| {
            let message = axis(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        };
        refused("{ from = 2, to = 1, steps = 3 }", "the lower one first");
        refused("{ from = 1, to = inf, steps = 3 }", "expected two numbers");
        refused("{ from = 1, to = 2, steps = 1 }", "expected 2 to 100");
        refused("{ from = 0, to = 2, steps = 3, scale = 'log' }", "above 0");
        refused("{ from = 1, to = 2 }", "expected { from, to, steps }");
        refused("{ values = ['a'], scale = 'log' }", "needs numbers");
        refused("{ values = [0, 1], scale = 'log' }", "above 0");
        refused("[true]", "a number or a word");
        refused("3", "a list of values");
    }
}
