//! Ranges of numbers.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub from: f64,
    /// The upper end.
    pub to: f64,
}

impl Interval {
    /// Whether `number` lies inside.
    pub fn contains(self, number: f64) -> bool {
        self.from <= number && number <= self.to
    }

    /// The interval of `mean` give or take `error`.
    pub fn around(mean: f64, error: f64) -> Interval {
        Interval { from: mean - error, to: mean + error }
    }

    /// The interval of what `convert`, which grows with its argument, makes of a number.
    pub(super) fn map(self, convert: impl Fn(f64) -> f64) -> Interval {
        Interval { from: convert(self.from), to: convert(self.to) }
    }
}

/// As texts have it, with signs: `+147 … +1408`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        write!(f, "{:+.digits$} … {:+.digits$}", self.from, self.to)
    }
}
