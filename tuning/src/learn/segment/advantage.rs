//! A's mean advantage over all positions.

use crate::stats::Interval;
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::fmt;

/// A's advantage as a value, −1…+1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval: ±`t·σ/√N`, with Student's `t` (1908) for `N − 1` degrees of freedom, within −1…+1. For a single
    /// position it is that whole range.
    pub interval: Interval,
}

impl Advantage {
    /// The mean of `advantages`, one for each position. There must be at least one.
    pub fn of(advantages: &[f64]) -> Advantage {
        let count = advantages.len() as f64;
        let mean = advantages.iter().sum::<f64>() / count;
        let squares: f64 = advantages.iter().map(|one| (one - mean).powi(2)).sum();
        let error = match StudentsT::new(0.0, 1.0, count - 1.0) {
            Ok(student) => student.inverse_cdf(0.975) * (squares / (count - 1.0) / count).sqrt(),
            Err(_) => f64::INFINITY,
        };
        let Interval { from, to } = Interval::around(mean, error);
        Advantage { mean, interval: Interval { from: from.max(-1.0), to: to.min(1.0) } }
    }
}

impl fmt::Display for Advantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.4} ({:.4}, 95 %)", self.mean, self.interval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's `t` for three degrees of freedom is 3.1824.
    #[test]
    fn the_interval_follows_the_formula() {
        let Advantage { mean, interval } = Advantage::of(&[0.1, 0.3, 0.2, 0.4]);
        assert!((mean - 0.25).abs() < 1e-12);
        let error = 3.182_446 * (0.05f64 / 3.0 / 4.0).sqrt();
        assert!((interval.from - (0.25 - error)).abs() < 1e-6, "{interval:.6}");
        assert!((interval.to - (0.25 + error)).abs() < 1e-6, "{interval:.6}");
        for few in [&[0.5][..], &[-0.9, 0.9]] {
            assert_eq!(Advantage::of(few).interval, Interval { from: -1.0, to: 1.0 }, "{few:?}");
        }
    }
}
