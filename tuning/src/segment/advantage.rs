//! One agent's mean advantage over all positions.

use crate::statistics::Z_95;
use std::fmt;

/// A's advantage, in values of −1…+1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval: `1.96·σ/√N`, the central limit theorem's.
    pub error: f64,
}

impl Advantage {
    /// The mean of `advantages`, one for each position; there must be at least one.
    pub fn of(advantages: &[f64]) -> Advantage {
        let count = advantages.len() as f64;
        let mean = advantages.iter().sum::<f64>() / count;
        let squares: f64 = advantages.iter().map(|one| (one - mean).powi(2)).sum();
        // The sample's variance; one position has none.
        let variance = if count > 1.0 { squares / (count - 1.0) } else { f64::INFINITY };
        Advantage { mean, error: Z_95 * (variance / count).sqrt() }
    }
}

impl fmt::Display for Advantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.4} ± {:.4} (95 %)", self.mean, self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_formula() {
        let advantage = Advantage::of(&[0.1, 0.3, 0.2, 0.4]);
        assert!((advantage.mean - 0.25).abs() < 1e-12);
        assert!((advantage.error - 1.959_964 * (0.05f64 / 3.0 / 4.0).sqrt()).abs() < 1e-6, "{advantage}");
        assert_eq!(Advantage::of(&[0.5]).error, f64::INFINITY);
    }
}
