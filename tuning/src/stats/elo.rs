//! Elo differences: conversion from and to scores, and formatting.

use super::Interval;

/// The expected score per game, 0…1, of a player `elo` points stronger: `1 / (1 + 10^(−elo/400))`.
///
/// ```
/// use halma_lab::stats::{elo_of_score, score_of_elo};
///
/// assert!((score_of_elo(200.0) - 0.76).abs() < 0.001);
/// assert!((elo_of_score(0.75) - 190.8).abs() < 0.1);
/// ```
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` per game is expected: `−400·log10(1/score − 1)`, infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding 0 turns the −0 of an even score into 0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// An Elo difference with its interval, `+5 (-10 … +20)`, or only a bound if all points went one way: `above +287`.
pub(crate) fn elo_text(elo: f64, interval: Interval) -> String {
    let range = elo_range(interval);
    if interval.from.is_finite() && interval.to.is_finite() { format!("{elo:+.0} ({range})") } else { range }
}

/// An Elo interval: `-10 … +20`, `above +287`, `below -20`.
pub(crate) fn elo_range(interval: Interval) -> String {
    let Interval { from, to } = interval;
    match (from.is_finite(), to.is_finite()) {
        (true, true) => interval.to_string(),
        (true, false) => format!("above {from:+.0}"),
        (false, true) => format!("below {to:+.0}"),
        (false, false) => "unknown".to_string(),
    }
}

/// Normalized Elo points in one standard deviation of a game's score: `800/ln 10`, so that they equal Elo points if no
/// game is drawn and differences are small.
const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The normalized Elo of `t = (μ − ½)/σ`, a difference in standard deviations of a *pair's* score per game. A pair
/// has two games, so its score spreads less by a factor of √2.
pub fn normalized_elo_of_t(t: f64) -> f64 {
    t * NORMALIZED_ELO / std::f64::consts::SQRT_2
}

/// The inverse of [`normalized_elo_of_t`].
pub fn t_of_normalized_elo(elo: f64) -> f64 {
    elo / NORMALIZED_ELO * std::f64::consts::SQRT_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        assert_eq!(score_of_elo(0.0), 0.5);
        // By definition 400 points are odds of 10:1.
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert!((score_of_elo(200.0) - 0.759_747).abs() < 1e-6);
        for elo in [-350.0, -10.0, 0.0, 5.0, 190.85] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn a_difference_without_an_end_is_a_bound() {
        let text = |elo, from, to| elo_text(elo, Interval { from, to });
        assert_eq!(text(5.0, -10.0, 20.0), "+5 (-10 … +20)");
        assert_eq!(text(f64::INFINITY, 287.0, f64::INFINITY), "above +287");
        assert_eq!(text(f64::NEG_INFINITY, f64::NEG_INFINITY, 636.0), "below +636");
        assert_eq!(text(f64::NAN, f64::NEG_INFINITY, f64::INFINITY), "unknown");
    }
}
