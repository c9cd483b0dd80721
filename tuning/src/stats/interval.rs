//! Ranges of numbers.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A range of numbers including both ends.
///
/// ```
/// use halma_lab::stats::Interval;
///
/// let interval = Interval::around(20.0, 15.0);
/// assert!(interval.contains(5.0));
/// assert_eq!(interval.to_string(), "+5 … +35");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
}

impl Interval {
    /// Whether `number` is in the range.
    pub fn contains(self, number: f64) -> bool {
        self.from <= number && number <= self.to
    }

    /// The interval from `mean - error` to `mean + error`.
    pub fn around(mean: f64, error: f64) -> Interval {
        Interval { from: mean - error, to: mean + error }
    }

    /// Applies `convert`, an increasing function, to both ends.
    pub(super) fn map(self, convert: impl Fn(f64) -> f64) -> Interval {
        Interval { from: convert(self.from), to: convert(self.to) }
    }
}

/// Writes both ends with their signs: `+147 … +1408`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        write!(f, "{:+.digits$} … {:+.digits$}", self.from, self.to)
    }
}
