//! How strong the first agent is, with its error.

use super::elo::{elo_of_score, normalized_elo_of_t};
use super::pairs::PairCounts;
use serde::{Deserialize, Serialize};
use statrs::function::erf::erfc;

/// The quantile of the normal distribution that leaves 2.5 % above it.
pub const Z_95: f64 = 1.959_963_984_540_054;

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

    fn map(self, convert: impl Fn(f64) -> f64) -> Interval {
        Interval { from: convert(self.from), to: convert(self.to) }
    }
}

/// The score of the first agent with its 95 % interval, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean score per game, 0…1.
    pub score: f64,
    /// Its 95 % confidence interval, within 0…1.
    pub score_interval: Interval,
    /// The likelihood of superiority: the probability, 0…1, that the first agent is the stronger one.
    pub los: f64,
    /// The difference in normalized Elo, in units of the spread of a game's score. The number of games
    /// needed to tell two agents apart depends on it alone. Infinite if there is no spread.
    pub normalized_elo: f64,
}

impl Estimate {
    /// The estimate from `pairs`.
    ///
    /// With `μ` the mean and `σ²` the variance of a pair's score and `N` pairs, the interval is
    /// `μ ± 1.96·σ/√N` and the likelihood of superiority `Φ((μ − ½)·√N/σ)`, the central limit
    /// theorem's, which needs some 20 pairs. Pairs that are all alike show no spread: then the rule of
    /// three gives the interval.
    pub fn of(pairs: PairCounts) -> Estimate {
        if pairs.all_alike() {
            return Estimate::without_spread(pairs);
        }
        let score = pairs.mean();
        let deviation = pairs.variance().sqrt();
        let error = deviation / (pairs.pairs() as f64).sqrt();
        let score_interval =
            Interval { from: (score - Z_95 * error).max(0.0), to: (score + Z_95 * error).min(1.0) };
        let los = normal_cdf((score - 0.5) / error);
        let normalized_elo = normalized_elo_of_t((score - 0.5) / deviation);
        Estimate { score, score_interval, los, normalized_elo }
    }

    /// The estimate from `pairs` that all ended alike. Another result may have a probability of up to
    /// `q = 1 − 0.05^(1/N)`, by which `N` pairs without it have a chance of 5 % (the "rule of
    /// three": Hanley & Lippman-Hand 1983), and may be the worst or the best. The likelihood of
    /// superiority is that of `N` decided pairs won, from a uniform prior: `1 − ½^(N+1)`.
    fn without_spread(pairs: PairCounts) -> Estimate {
        let score = pairs.mean();
        let number = pairs.pairs() as f64;
        let unseen = if number > 0.0 { 1.0 - 0.05f64.powf(1.0 / number) } else { 1.0 };
        let least = (1.0 - unseen) * score;
        let doubt = 0.5f64.powf(number + 1.0);
        let los = match score {
            0.5 => 0.5,
            _ if score > 0.5 => 1.0 - doubt,
            _ => doubt,
        };
        let normalized_elo = if score == 0.5 { 0.0 } else { (score - 0.5) * f64::INFINITY };
        let score_interval = Interval { from: least, to: least + unseen };
        Estimate { score, score_interval, los, normalized_elo }
    }

    /// The Elo difference that the score stands for; infinite if all points went to one side.
    pub fn elo(&self) -> f64 {
        elo_of_score(self.score)
    }

    /// The 95 % confidence interval of the Elo difference: that of the score, read as Elo.
    pub fn elo_interval(&self) -> Interval {
        self.score_interval.map(elo_of_score)
    }

    /// Half the width of the Elo interval, to be written after `±`.
    pub fn elo_error(&self) -> f64 {
        let Interval { from, to } = self.elo_interval();
        (to - from) / 2.0
    }
}

/// The standard normal distribution function, `Φ`.
fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}
