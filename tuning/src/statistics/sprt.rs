//! The sequential probability ratio test: play until one of two hypotheses is beyond doubt.

use super::elo::score_of_elo;
use super::pairs::PairCounts;
use serde::{Deserialize, Serialize};

/// The probability of each of the two errors that the test may make: to find a gain where there is
/// none, and none where there is one.
const ERROR: f64 = 0.05;

/// What stands for a count of 0, so that no result is taken to be impossible (as Fishtest does).
const UNSEEN: f64 = 1e-3;

/// The two hypotheses: the first agent is `elo0` points stronger than the second, or `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hypotheses {
    /// The lower one, in Elo; the null hypothesis.
    pub elo0: f64,
    /// The higher one, in Elo.
    pub elo1: f64,
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It needs more games.
    Undecided,
    /// The lower hypothesis is accepted.
    H0,
    /// The higher hypothesis is accepted.
    H1,
}

impl Hypotheses {
    /// The log-likelihood ratios at which the test ends, by Wald's approximation:
    /// `ln(β/(1−α))` accepts the lower and `ln((1−β)/α)` the higher hypothesis, `α = β = 5 %`.
    pub fn bounds() -> (f64, f64) {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        (-bound, bound)
    }

    /// The log of how much likelier `pairs` are under the higher hypothesis than under the lower.
    ///
    /// Neither hypothesis says more than the mean score of a pair. In the *generalized* test each
    /// is represented by the distribution with that mean under which the results are likeliest
    /// (Van den Bergh, "A Practical Introduction to the GSPRT", section 4); see [`tilt`].
    pub fn log_likelihood_ratio(&self, pairs: PairCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { UNSEEN } else { count as f64 });
        log_likelihood(&counts, score_of_elo(self.elo1)) - log_likelihood(&counts, score_of_elo(self.elo0))
    }

    /// What the test says after a sequence of pairs whose counts are `pairs`, if it has not ended
    /// before.
    pub fn verdict(&self, pairs: PairCounts) -> Verdict {
        let ratio = self.log_likelihood_ratio(pairs);
        match Hypotheses::bounds() {
            (low, _) if ratio <= low => Verdict::H0,
            (_, high) if ratio >= high => Verdict::H1,
            _ => Verdict::Undecided,
        }
    }
}

/// The log-likelihood of `counts` under the likeliest distribution with mean `mean`, up to a term
/// that does not depend on the mean.
fn log_likelihood(counts: &[f64; 5], mean: f64) -> f64 {
    let tilt = tilt(counts, mean);
    -terms(counts, mean).map(|(count, distance)| count * (tilt * distance).ln_1p()).sum::<f64>()
}

/// The `θ` by which the likeliest distribution with mean `s` follows from the frequencies `f`:
/// `p_i = f_i / (1 + θ·(x_i − s))`, where `Σ f_i·(x_i − s)/(1 + θ·(x_i − s)) = 0`.
///
/// The sum falls as `θ` grows, between the poles `−1/(1 − s)` and `1/s`: found by bisection.
fn tilt(counts: &[f64; 5], mean: f64) -> f64 {
    let excess = |tilt: f64| -> f64 {
        terms(counts, mean).map(|(count, distance)| count * distance / (1.0 + tilt * distance)).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Each count, with how far its score is from `mean`.
fn terms(counts: &[f64; 5], mean: f64) -> impl Iterator<Item = (f64, f64)> {
    counts.iter().zip(PairCounts::SCORES).map(move |(&count, score)| (count, score - mean))
}
