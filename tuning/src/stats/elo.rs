//! Elo differences and the scores they stand for.

/// The score per game, 0…1, that a player `elo` points stronger expects:
/// `1 / (1 + 10^(−elo/400))`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` per game is expected: `−400·log10(1/score − 1)`. Minus and
/// plus infinity for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    // Adding 0 makes the −0 of an even score a 0.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// Normalized Elo points in one standard deviation of a game's score: `800/ln 10`, which makes them
/// Elo points where no game is drawn and differences are small.
const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The normalized Elo of a difference of `t` standard deviations of a *pair's* score per game,
/// `t = (μ − ½)/σ`. A pair has two games, so its score spreads less by √2.
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
    fn elo_and_score_undo_each_other() {
        assert_eq!(score_of_elo(0.0), 0.5);
        // 10:1 odds are 400 points by definition; 200 points are an expected 76 %.
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert!((score_of_elo(200.0) - 0.759_747).abs() < 1e-6);
        for elo in [-350.0, -10.0, 0.0, 5.0, 190.85] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }
}
