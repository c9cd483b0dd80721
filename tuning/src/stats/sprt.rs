//! The sequential probability ratio test: play until the data favour one of two hypotheses strongly enough.

use super::elo::{score_of_elo, t_of_normalized_elo};
use super::pairs::PairCounts;
use serde::{Deserialize, Serialize};

/// The default probability of each of the two possible errors: accepting a gain that is not real, and
/// rejecting one that is.
pub const ERROR: f64 = 0.05;

/// Replaces a count of 0, so that no result is considered impossible (as in Fishtest).
const UNSEEN: f64 = 1e-3;

/// The two hypotheses: the first agent is `elo0` or `elo1` points stronger than the second.
///
/// ```
/// use halma_lab::stats::{Hypotheses, PairCounts, Verdict};
///
/// let test = Hypotheses::logistic(0.0, 20.0);
/// assert_eq!(test.verdict(PairCounts::new([1, 2, 4, 3, 1])), Verdict::Undecided);
/// assert_eq!(test.verdict(PairCounts::new([10, 80, 200, 150, 40])), Verdict::H1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hypotheses {
    /// The lower one, the null hypothesis.
    pub elo0: f64,
    /// The higher one.
    pub elo1: f64,
    /// The unit of both.
    pub scale: Scale,
    /// The probability of accepting the higher one when the lower one is true. Files omit the default.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub alpha: f64,
    /// The probability of accepting the lower one when the higher one is true. Files omit the default.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub beta: f64,
}

const fn usual() -> f64 {
    ERROR
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_usual(error: &f64) -> bool {
    *error == ERROR
}

/// The unit of the difference between two agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Elo points, a measure of the mean score.
    #[default]
    Logistic,
    /// Normalized Elo points, the mean score in units of its spread. The length of the test then does not depend on
    /// how many games are drawn or decided by the opening.
    Normalized,
}

impl Scale {
    /// The name of the unit.
    pub const fn unit(self) -> &'static str {
        match self {
            Scale::Logistic => "Elo",
            Scale::Normalized => "normalized Elo",
        }
    }

    /// The largest difference allowed in a hypothesis. (From about 232 normalized points on, the iteration that finds
    /// the likeliest distribution has no first step.)
    pub const fn max_elo(self) -> f64 {
        match self {
            Scale::Logistic => 1000.0,
            Scale::Normalized => 200.0,
        }
    }
}

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More games are needed.
    Undecided,
    /// The lower hypothesis is accepted.
    H0,
    /// The higher hypothesis is accepted.
    H1,
}

impl Hypotheses {
    /// The hypotheses `elo0` and `elo1`, in Elo points, with errors of 5 %.
    pub const fn logistic(elo0: f64, elo1: f64) -> Hypotheses {
        Hypotheses { elo0, elo1, scale: Scale::Logistic, alpha: ERROR, beta: ERROR }
    }

    /// The hypotheses `elo0` and `elo1`, in normalized Elo points, with errors of 5 %.
    pub const fn normalized(elo0: f64, elo1: f64) -> Hypotheses {
        Hypotheses { elo0, elo1, scale: Scale::Normalized, alpha: ERROR, beta: ERROR }
    }

    /// The log-likelihood ratios at which the test ends by A. Wald's approximation ("Sequential Tests of Statistical
    /// Hypotheses", Annals of Mathematical Statistics 16, 1945): `ln(β/(1−α))` accepts the lower and `ln((1−β)/α)`
    /// the higher hypothesis.
    pub fn bounds(&self) -> (f64, f64) {
        let Hypotheses { alpha, beta, .. } = *self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log-likelihood ratio of the higher to the lower hypothesis, given `pairs`.
    ///
    /// A hypothesis gives only the strength. The *generalized* test represents it by the distribution of that
    /// strength under which the results are likeliest (Van den Bergh, "A Practical Introduction to the GSPRT").
    pub fn log_likelihood_ratio(&self, pairs: PairCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let likeliest = |elo| match self.scale {
            Scale::Logistic => likeliest_with_mean(&counts, score_of_elo(elo)),
            Scale::Normalized => likeliest_with_t(&counts, t_of_normalized_elo(elo)),
        };
        let (lower, higher) = (likeliest(self.elo0), likeliest(self.elo1));
        (0..5).map(|score| counts[score] * (higher[score] / lower[score]).ln()).sum()
    }

    /// The result of the test after `pairs`, if it did not end earlier.
    pub fn verdict(&self, pairs: PairCounts) -> Verdict {
        let ratio = self.log_likelihood_ratio(pairs);
        match self.bounds() {
            (low, _) if ratio <= low => Verdict::H0,
            (_, high) if ratio >= high => Verdict::H1,
            _ => Verdict::Undecided,
        }
    }
}

/// The distribution of pair scores with mean `mean` under which `counts` are likeliest.
fn likeliest_with_mean(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    likeliest(counts, &PairCounts::SCORES.map(|score| score - mean))
}

/// The distribution of pair scores with `(mean − ½)/σ = t` under which `counts` are likeliest.
///
/// For the `μ` and `σ` of the distribution itself the condition is linear, `Σ p_i·d_i = 0` with `d_i = x_i − ½ −
/// t·σ·(1 + ((μ − x_i)/σ)²)/2`. This fixed point is found by iteration (Van den Bergh, "Normalized Elo", the
/// practical part, section 4.1).
fn likeliest_with_t(counts: &[f64; 5], t: f64) -> [f64; 5] {
    let mut distribution = [0.2; 5];
    for _ in 0..100 {
        let (mean, deviation) = mean_and_deviation(&distribution);
        let distances = PairCounts::SCORES
            .map(|score| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0);
        let next = likeliest(counts, &distances);
        let settled = (0..5).all(|score| (next[score] - distribution[score]).abs() < 1e-13);
        distribution = next;
        if settled {
            break;
        }
    }
    distribution
}

/// The distribution `p` with `Σ p_i·d_i = 0` under which `counts` are likeliest.
///
/// It is `p_i = f_i / (1 + θ·d_i)` with the frequencies `f_i` and the only `θ` between the poles that solves the
/// secular equation `Σ f_i·d_i/(1 + θ·d_i) = 0` (Van den Bergh, "The MLE for a multinomial distribution"). The sum
/// decreases in `θ`, so bisection finds it.
fn likeliest(counts: &[f64; 5], distances: &[f64; 5]) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let tilted = |tilt: f64, score: usize| counts[score] / total / (1.0 + tilt * distances[score]);
    let excess = |tilt: f64| (0..5).map(|score| tilted(tilt, score) * distances[score]).sum::<f64>();
    let [least, most] = [f64::min, f64::max].map(|pick| distances.iter().copied().fold(0.0, pick));
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return [0, 1, 2, 3, 4].map(|score| tilted(middle, score));
        }
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

fn mean_and_deviation(distribution: &[f64; 5]) -> (f64, f64) {
    let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
        distribution.iter().zip(PairCounts::SCORES).map(|(share, score)| share * term(score)).sum()
    };
    let mean = sum(&|score| score);
    (mean, sum(&|score| (score - mean).powi(2)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [[f64; 5]; 4] = [
        [UNSEEN, UNSEEN, UNSEEN, UNSEEN, 1.0],
        [1.0, UNSEEN, 13.0, UNSEEN, 6.0],
        [39.0, 2226.0, 31451.0, 2412.0, 40.0],
        [500.0, UNSEEN, UNSEEN, UNSEEN, 300.0],
    ];

    #[test]
    fn the_likeliest_distributions_have_the_given_strength() {
        for counts in COUNTS {
            for elo in [-199.0, -50.0, 0.0, 1.0, 20.0, 199.0] {
                let (mean, _) = mean_and_deviation(&checked(likeliest_with_mean(&counts, score_of_elo(elo))));
                assert!((mean - score_of_elo(elo)).abs() < 1e-9, "{counts:?} {elo}");
                let t = t_of_normalized_elo(elo);
                let (mean, deviation) = mean_and_deviation(&checked(likeliest_with_t(&counts, t)));
                assert!(((mean - 0.5) / deviation - t).abs() < 1e-9, "{counts:?} {elo}");
            }
        }
    }

    fn checked(distribution: [f64; 5]) -> [f64; 5] {
        assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(distribution.iter().all(|share| *share > 0.0));
        distribution
    }
}
