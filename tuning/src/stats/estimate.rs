//! The strength of the first agent, estimated with its error.

use super::bounded_mean;
use super::elo::{elo_of_score, elo_text, normalized_elo_of_t};
use super::interval::Interval;
use super::pairs::PairCounts;
use serde::Serialize;

/// The 97.5 % quantile of the normal distribution.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The 95 % interval of the normalized Elo difference: the score's interval in units of the observed spread, widened
/// because that spread is uncertain too.
///
/// It excludes 0 exactly when the score's interval excludes ½: a score from 0 to 1 with the mean `μ` has at most the
/// spread `√(μ(1 − μ))`, so if `μ > ½` is known, `t` is at least `(μ − ½)/√(μ(1 − μ))`, which grows with `μ`.
///
/// With many pairs the variance of `t = (μ − ½)/σ` is `(1 − γt + (κ − 1)t²/4)/N` (by the delta method; `γ` skewness,
/// `κ` kurtosis). The score's interval accounts for the first term.
fn normalized_elo_interval(pairs: PairCounts, score: Interval) -> Interval {
    let Some((skewness, kurtosis)) = pairs.shape() else {
        return Interval { from: f64::NEG_INFINITY, to: f64::INFINITY };
    };
    let (mean, deviation) = (pairs.mean(), pairs.variance().sqrt());
    let t = (mean - 0.5) / deviation;
    let widen = (1.0 - skewness * t + (kurtosis - 1.0) * t * t / 4.0).max(1.0).sqrt();
    score.map(|end| {
        let wider = t + widen * (end - mean) / deviation;
        let least = (end - 0.5) / (end * (1.0 - end)).sqrt();
        normalized_elo_of_t(if 0.5 < end && end < mean {
            wider.max(least)
        } else if mean < end && end < 0.5 {
            wider.min(least)
        } else {
            wider
        })
    })
}

/// The score of the first agent, and the statistics that follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean score per game, 0…1.
    pub score: f64,
    /// The 95 % confidence interval of the score, within 0…1.
    pub score_interval: Interval,
    /// The score as an Elo difference; infinite if one side won all points.
    pub elo: f64,
    /// The 95 % confidence interval of the Elo difference: the score's interval converted to Elo.
    pub elo_interval: Interval,
    /// The difference in normalized Elo, which measures the lead in units of the spread of a game's score. The number of
    /// games needed to tell two agents apart depends on nothing else. Without any spread it is infinite, or 0 if the
    /// score is even.
    pub normalized_elo: f64,
    /// The 95 % interval of [`normalized_elo`](Self::normalized_elo); both ends are infinite if there is no spread.
    pub normalized_elo_interval: Interval,
    /// The likelihood of superiority: the probability, 0…1, that the first agent is the stronger one.
    pub los: f64,
}

impl Estimate {
    /// The estimate from `pairs`. The interval and the likelihood of superiority use Gaffke's bounds of a mean
    /// (`bounded_mean.rs`), which are valid for few pairs too.
    ///
    /// ```
    /// use halma_lab::stats::{Estimate, PairCounts};
    ///
    /// let estimate = Estimate::of(PairCounts::new([0, 0, 10, 10, 20]));
    /// assert_eq!(estimate.score, 0.8125);
    /// assert!((estimate.elo - 254.7).abs() < 0.1);
    /// assert!(estimate.elo_interval.from > 100.0 && estimate.los > 0.999);
    /// ```
    pub fn of(pairs: PairCounts) -> Estimate {
        let score = pairs.mean();
        let lead = score - 0.5;
        let score_interval = bounded_mean::interval(pairs);
        let normalized_elo = match pairs.all_alike() {
            true if lead == 0.0 => 0.0,
            true => lead * f64::INFINITY,
            false => normalized_elo_of_t(lead / pairs.variance().sqrt()),
        };
        Estimate {
            score,
            score_interval,
            elo: elo_of_score(score),
            elo_interval: score_interval.map(elo_of_score),
            normalized_elo,
            normalized_elo_interval: normalized_elo_interval(pairs, score_interval),
            los: bounded_mean::likelihood_of_superiority(pairs),
        }
    }

    /// The Elo difference with its interval: `+5 (-10 … +20)`.
    pub(crate) fn elo_text(&self) -> String {
        elo_text(self.elo, self.elo_interval)
    }
}
