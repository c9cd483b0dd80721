//! Counts of pair results.

use serde::{Deserialize, Serialize};

/// How many pairs of games ended with each score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts([u64; 5]);

impl PairCounts {
    /// A pair's possible scores per game, by their place in the counts.
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// These counts: pairs that brought 0, ½, 1, 1½ and 2 points.
    pub const fn new(counts: [u64; 5]) -> PairCounts {
        PairCounts(counts)
    }

    /// Counts one more pair, in which the games brought these half points (0, 1 or 2 each).
    ///
    /// # Panics
    /// Panics if there are more than four half points.
    pub fn add(&mut self, first: u8, second: u8) {
        self.0[usize::from(first + second)] += 1;
    }

    /// Adds other pairs.
    pub fn join(&mut self, other: PairCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// The counts of pairs with 0, ½, 1, 1½ and 2 points.
    pub fn counts(self) -> [u64; 5] {
        self.0
    }

    /// The same pairs as the second agent sees them.
    pub fn reversed(self) -> PairCounts {
        let mut counts = self.0;
        counts.reverse();
        PairCounts(counts)
    }

    /// How many pairs there are.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score per game, 0…1; ½ if there is no pair.
    pub fn mean(self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.sum(|score| score) / pairs as f64,
        }
    }

    /// The unbiased variance of a pair's score per game; 0 if there are fewer than two pairs.
    pub fn variance(self) -> f64 {
        match self.pairs() {
            0 | 1 => 0.0,
            pairs => {
                let mean = self.mean();
                self.sum(|score| (score - mean).powi(2)) / (pairs - 1) as f64
            }
        }
    }

    /// The skewness of a pair's score and its kurtosis (3 for a normal distribution), `None` if there is no spread.
    pub fn shape(self) -> Option<(f64, f64)> {
        let (mean, pairs) = (self.mean(), self.pairs() as f64);
        let moment = |power| self.sum(|score| (score - mean).powi(power)) / pairs;
        (!self.all_alike()).then(|| (moment(3) / moment(2).powf(1.5), moment(4) / moment(2).powi(2)))
    }

    /// Whether all pairs ended alike, so that the counts show no spread.
    pub fn all_alike(self) -> bool {
        self.0.iter().filter(|&&count| count > 0).count() <= 1
    }

    /// The sum of `term` over all pairs.
    fn sum(self, term: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * term(score)).sum()
    }
}
