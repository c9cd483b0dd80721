//! Simultaneous perturbation stochastic approximation.
//!
//! J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation",
//! IEEE Transactions on Automatic Control 37, 1992; the gains are those of his "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34,
//! 1998. Iteration `k` of `N` moves all parameters at once, each by its own `±c_k,i` with a random sign `Δ_i`, and
//! compares the two opposite points:
//!
//! ```text
//! θ_i ← θ_i + a_k,i / c_k,i · y · Δ_i,    y = points of θ + c·Δ minus points of θ − c·Δ
//! c_k,i = c_i (N/k)^γ                     γ = 0.101
//! a_k,i = a_i ((A + N) / (A + k))^α       α = 0.602, A = N/10
//! ```
//!
//! Finite differences need one comparison per parameter. Here one comparison serves all parameters, and the errors
//! they cause in each other average out.
//!
//! As on the Fishtest server (<https://github.com/official-stockfish/fishtest>, "SPSA"), the file gives the final
//! gains: the perturbation `c_i`, called `step`, and the `rate` `r_i = a_i/c_i²`. Each point won in a pair of games
//! moves the parameter by `rate · step`.

use halma::support::random::Random;
use serde::{Deserialize, Serialize};

/// Spall's exponent of the step's gain.
const ALPHA: f64 = 0.602;
/// Spall's exponent of the perturbation.
const GAMMA: f64 = 0.101;
/// `A/N`: larger values make the first steps smaller.
const STABILITY: f64 = 0.1;

/// One parameter to tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// Its initial value.
    pub start: f64,
    /// The least value tried.
    pub least: f64,
    /// The greatest value tried.
    pub most: f64,
    /// The final perturbation in either direction.
    pub step: f64,
    /// The final gain: how many steps each point won in a pair moves the parameter.
    pub rate: f64,
    /// Whether it takes whole numbers only.
    pub whole: bool,
}

/// Two opposite points to compare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opposites {
    /// The direction in which each parameter was moved for `plus`, +1 or −1.
    pub signs: Vec<i8>,
    /// The values of one side.
    pub plus: Vec<f64>,
    /// The values of the other side.
    pub minus: Vec<f64>,
}

/// The optimiser. It has no state; the random numbers of an iteration come from its seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The parameters.
    pub parameters: Vec<TunedParameter>,
    /// `N`, the iteration in which the gains reach their final values.
    pub iterations: u64,
}

impl Spsa {
    /// The initial values.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The two points to compare in iteration `k`, counted from 1, around `values`.
    ///
    /// They are clamped to the ranges and rounded to five digits. Whole numbers are rounded up or down at random, so
    /// that they are right on average.
    pub fn opposites(&self, k: u64, values: &[f64], seed: u64) -> Opposites {
        let mut random = Random::new(seed);
        let mut opposites = Opposites { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (parameter, value) in self.parameters.iter().zip(values) {
            let sign = if random.below(2) == 0 { -1 } else { 1 };
            let away = self.perturbation(k, parameter) * f64::from(sign);
            opposites.signs.push(sign);
            opposites.plus.push(parameter.playable(value + away, &mut random));
            opposites.minus.push(parameter.playable(value - away, &mut random));
        }
        opposites
    }

    /// The values after iteration `k`, which began with `values` and compared `opposites`. Its `result`, −2…+2, is the
    /// points of `plus` minus those of `minus`, per pair.
    pub fn step(&self, k: u64, values: &[f64], opposites: &Opposites, result: f64) -> Vec<f64> {
        let moved =
            self.parameters.iter().zip(values).zip(&opposites.signs).map(|((parameter, value), &sign)| {
                let gain = self.gain(k, parameter) / self.perturbation(k, parameter);
                (value + gain * result * f64::from(sign)).clamp(parameter.least, parameter.most)
            });
        moved.collect()
    }

    /// `c_k`: how far a parameter is moved in either direction in iteration `k`.
    fn perturbation(&self, k: u64, parameter: &TunedParameter) -> f64 {
        parameter.step * (self.iterations as f64 / k as f64).powf(GAMMA)
    }

    /// `a_k`: the gain of iteration `k`.
    fn gain(&self, k: u64, parameter: &TunedParameter) -> f64 {
        let all = self.iterations as f64;
        let held_back = STABILITY * all;
        parameter.rate * parameter.step.powi(2) * ((held_back + all) / (held_back + k as f64)).powf(ALPHA)
    }
}

impl TunedParameter {
    /// A value near `value` that can be played.
    fn playable(&self, value: f64, random: &mut Random) -> f64 {
        let value = value.clamp(self.least, self.most);
        if self.whole {
            let chance = (1u32 << 24) as f64;
            let up = (random.below(1 << 24) as f64) < value.fract() * chance;
            return value.floor() + f64::from(u8::from(up));
        }
        self.rounded(value)
    }

    /// The smallest step that still changes the initial value after rounding: half a unit for a whole number, which is
    /// rounded up or down at random, else a unit of the last of five digits.
    pub fn min_step(&self) -> f64 {
        if self.whole {
            return 0.5;
        }
        // Zero has no first digit, so even the smallest step changes it.
        let text = format!("{:.4e}", self.start);
        let exponent = text.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
        let unit = exponent.filter(|_| self.start != 0.0).map(|exponent| format!("1e{}", exponent - 4));
        unit.and_then(|unit| unit.parse().ok()).unwrap_or(0.0)
    }

    /// `value` clamped to the range and rounded as it is printed: to a whole number or to five digits.
    pub fn rounded(&self, value: f64) -> f64 {
        let value = value.clamp(self.least, self.most);
        if self.whole {
            return value.round();
        }
        format!("{value:.4e}").parse().map_or(value, |rounded: f64| rounded.clamp(self.least, self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::score_of_elo;

    fn parameter(start: f64, least: f64, most: f64, step: f64) -> TunedParameter {
        TunedParameter { name: "x".to_string(), start, least, most, step, rate: 0.05, whole: false }
    }

    /// How many Elo points `values` are below the best: a quadratic that is 0 at (2, 0.3, 40).
    fn below_best(values: &[f64]) -> f64 {
        let bends = [(2.0, 0.5), (0.3, 0.1), (40.0, 10.0)];
        values.iter().zip(bends).map(|(value, (best, unit))| 20.0 * ((value - best) / unit).powi(2)).sum()
    }

    /// The points of `plus` minus those of `minus` per pair, in `pairs` pairs of games. Each game is decided by a coin
    /// biased according to the Elo difference.
    fn play(opposites: &Opposites, pairs: u64, random: &mut Random) -> f64 {
        let chance = score_of_elo(below_best(&opposites.minus) - below_best(&opposites.plus));
        let points = (0..2 * pairs).map(|_| {
            let won = random.happens(chance as f32);
            if won { 1.0 } else { -1.0 }
        });
        points.sum::<f64>() / pairs as f64
    }

    fn tuned(spsa: &Spsa, seed: u64) -> Vec<f64> {
        let mut random = Random::new(!seed);
        (1..=spsa.iterations).fold(spsa.start(), |values, k| {
            let opposites = spsa.opposites(k, &values, seed << 32 | k);
            let result = play(&opposites, 4, &mut random);
            spsa.step(k, &values, &opposites, result)
        })
    }

    #[test]
    fn spsa_climbs_a_noisy_hill() {
        let parameters = vec![
            parameter(1.0, 0.0, 10.0, 0.3),
            parameter(0.5, -1.0, 1.0, 0.06),
            parameter(20.0, 0.0, 100.0, 6.0),
        ];
        let spsa = Spsa { parameters, iterations: 1000 };
        let before = below_best(&spsa.start());
        assert!((before - 240.0).abs() < 1e-9, "it begins 240 Elo points below the best");
        let after: Vec<f64> = (0..10).map(|seed| below_best(&tuned(&spsa, seed))).collect();
        let mean = after.iter().sum::<f64>() / 10.0;
        assert!(mean < 12.0, "{mean} Elo points below the best on average: {after:?}");
    }

    #[test]
    fn spsa_stays_near_the_start_on_flat_ground() {
        let spsa = Spsa { parameters: vec![parameter(5.0, 0.0, 10.0, 0.3)], iterations: 1000 };
        let mut random = Random::new(1);
        let end = (1..=1000).fold(spsa.start(), |values, k| {
            let result = if random.below(2) == 0 { -1.0 } else { 1.0 };
            spsa.step(k, &values, &spsa.opposites(k, &values, k), result)
        });
        assert!((end[0] - 5.0).abs() < 3.0, "{end:?}");
    }

    #[test]
    fn the_gains_end_at_the_given_values() {
        let spsa = Spsa { parameters: vec![parameter(5.0, 0.0, 10.0, 0.25)], iterations: 50 };
        let opposites = spsa.opposites(50, &[5.0], 3);
        assert_eq!((opposites.plus[0] - opposites.minus[0]).abs(), 0.5);
        let won = spsa.step(50, &[5.0], &opposites, 2.0);
        assert!(((won[0] - 5.0).abs() - 2.0 * 0.05 * 0.25).abs() < 1e-12);
        assert!((won[0] > 5.0) == (opposites.signs[0] > 0));
        let first = spsa.opposites(1, &[5.0], 3);
        assert!((first.plus[0] - first.minus[0]).abs() > 0.5);
    }

    #[test]
    fn values_stay_in_range_and_whole_numbers_are_right_on_average() {
        let at_edge = Spsa { parameters: vec![parameter(0.0, 0.0, 1.0, 0.5)], iterations: 10 };
        let opposites = at_edge.opposites(1, &[0.0], 1);
        assert!(opposites.plus[0].min(opposites.minus[0]) == 0.0);
        assert_eq!(at_edge.step(1, &[0.0], &opposites, -2.0 * f64::from(opposites.signs[0])), [0.0]);
        let whole = TunedParameter { whole: true, ..parameter(3.3, 1.0, 19.0, 1.0) };
        let mut random = Random::new(2);
        let sum: f64 = (0..1000).map(|_| whole.playable(3.3, &mut random)).sum();
        assert!((sum / 1000.0 - 3.3).abs() < 0.06, "{sum}");
        assert_eq!((whole.rounded(3.3), parameter(0.0, 0.0, 9.0, 1.0).rounded(1.234_567_8)), (3.0, 1.2346));
    }
}
