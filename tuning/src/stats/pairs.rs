//! Counts of pair results.

use serde::{Deserialize, Serialize};

/// How many pairs of games ended with each score.
///
/// ```
/// use halma_lab::stats::PairCounts;
///
/// let mut pairs = PairCounts::default();
/// pairs.add(3); // A win and a draw, in half points.
/// pairs.add(2);
/// assert_eq!(pairs.counts(), [0, 0, 1, 1, 0]);
/// assert_eq!(pairs.mean(), 0.625);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts([u64; 5]);

impl PairCounts {
    /// The possible scores per game, in the order of the counts.
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// The counts of pairs with 0, ½, 1, 1½ and 2 points.
    pub const fn new(counts: [u64; 5]) -> PairCounts {
        PairCounts(counts)
    }

    /// Counts a pair whose two games together scored `half_points`, 0…4.
    ///
    /// # Panics
    /// Panics if the half points exceed four.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points)] += 1;
    }

    /// Adds the counts of `other`.
    pub fn join(&mut self, other: PairCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    /// The counts of pairs with 0, ½, 1, 1½ and 2 points.
    pub fn counts(self) -> [u64; 5] {
        self.0
    }

    /// The same pairs from the second agent's point of view.
    pub fn reversed(self) -> PairCounts {
        let mut counts = self.0;
        counts.reverse();
        PairCounts(counts)
    }

    /// The number of pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score per game, 0…1; ½ without pairs.
    pub fn mean(self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            pairs => self.sum(|score| score) / pairs as f64,
        }
    }

    /// The unbiased variance of a pair's score per game; 0 for fewer than two pairs.
    pub fn variance(self) -> f64 {
        match self.pairs() {
            0 | 1 => 0.0,
            pairs => {
                let mean = self.mean();
                self.sum(|score| (score - mean).powi(2)) / (pairs - 1) as f64
            }
        }
    }

    /// The skewness and the kurtosis (3 for a normal distribution) of a pair's score; `None` if there is no spread.
    pub fn shape(self) -> Option<(f64, f64)> {
        let (mean, pairs) = (self.mean(), self.pairs() as f64);
        let moment = |power| self.sum(|score| (score - mean).powi(power)) / pairs;
        (!self.all_alike()).then(|| (moment(3) / moment(2).powf(1.5), moment(4) / moment(2).powi(2)))
    }

    /// Whether all pairs have the same score, so that there is no spread.
    pub fn all_alike(self) -> bool {
        self.0.iter().filter(|&&count| count > 0).count() <= 1
    }

    /// The sum of `term` over all pairs.
    fn sum(self, term: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().zip(Self::SCORES).map(|(&count, score)| count as f64 * term(score)).sum()
    }
}
