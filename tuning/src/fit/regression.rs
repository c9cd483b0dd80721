//! Logistic regression with another link: the weights that make the results likeliest.
//!
//! With the score `s = Σ wᵢxᵢ` the expected result is `p = (1 + s/√(1+s²))/2`. Fisher scoring
//! (McCullagh, Nelder, "Generalized Linear Models", 1989, section 2.5) solves in each round
//!
//! ```text
//! (Σ xxᵀ·p'²/(p(1−p)) + ridge·I) · Δ  =  Σ x·p'·(t−p)/(p(1−p)) − ridge·w
//! ```
//!
//! where `t` is the target; with this link `p'²/(p(1−p)) = 1/(1+s²)²`.

use super::samples::Sample;
use crate::statistics::Cholesky;
use anyhow::{Context, Result};

/// The number of rounds: by then the weights have settled, or never will.
const ROUNDS: usize = 30;

/// What is fitted, and how.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The weight of the search's expected score in the target, 0…1; the rest is the result.
    pub blend: f32,
    /// How strongly weights are pulled towards 0.
    pub ridge: f64,
}

/// How well weights explain samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitQuality {
    /// The mean of −ln of the probability given to the result, in nats; 0.693 for a guess.
    pub log_loss: f64,
    /// The part of the samples, 0…1, in which the side that is ahead by score won.
    pub right: f64,
}

/// The expected score 0…1 at score `s`.
fn expected_score(s: f64) -> f64 {
    0.5 * (1.0 + s / (1.0 + s * s).sqrt())
}

fn score(weights: &[f64], sample: &Sample) -> f64 {
    sample.terms.iter().map(|&(weight, amount)| weights[usize::from(weight)] * f64::from(amount)).sum()
}

/// How well `weights` explain how `samples` ended.
pub fn quality<'a>(weights: &[f64], samples: impl Iterator<Item = &'a Sample>) -> FitQuality {
    let (mut loss, mut right, mut count) = (0.0, 0.0, 0.0);
    for sample in samples {
        let expected = expected_score(score(weights, sample));
        let given = if sample.result > 0.5 { expected } else { 1.0 - expected };
        loss -= given.max(1e-9).ln();
        right += f64::from(u8::from(given > 0.5));
        count += 1.0;
    }
    FitQuality { log_loss: loss / count, right: right / count }
}

/// The `count` weights under which the targets of `samples` are likeliest.
///
/// # Errors
/// The samples don't determine the weights, and `ridge` is 0.
pub fn fit(samples: &[&Sample], count: usize, method: &Method) -> Result<Vec<f64>> {
    let mut weights = vec![0.0; count];
    for _ in 0..ROUNDS {
        let step = round(samples, &weights, method)?;
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < 1e-5) {
            break;
        }
    }
    Ok(weights)
}

/// The change of the weights in one round.
fn round(samples: &[&Sample], weights: &[f64], method: &Method) -> Result<Vec<f64>> {
    let count = weights.len();
    let mut information = vec![vec![0.0; count]; count];
    (0..count).for_each(|i| information[i][i] = method.ridge);
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -method.ridge * weight).collect();
    let blend = f64::from(method.blend);
    for sample in samples {
        let s = score(weights, sample);
        let squared = 1.0 + s * s;
        let weight = squared.powi(-2);
        let target = f64::from(sample.result) * (1.0 - blend) + f64::from(sample.expected) * blend;
        // p'/(p(1−p)) = 2/√(1+s²)
        let pull = 2.0 / squared.sqrt() * (target - expected_score(s));
        for &(i, x) in &sample.terms {
            let (i, x) = (usize::from(i), f64::from(x));
            gradient[i] += pull * x;
            for &(j, y) in &sample.terms {
                information[i][usize::from(j)] += weight * x * f64::from(y);
            }
        }
    }
    let solved = Cholesky::of(&information).map(|factor| factor.solve(&gradient));
    solved.context("the samples don't determine the weights: give more games, or a ridge above 0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::random::Random;

    /// Fits results drawn with known weights.
    #[test]
    fn known_weights_are_found() {
        let truth = [0.8, -0.3, 0.1];
        let mut random = Random::new(3);
        let mut draw = || random.below(2001) as f32 / 1000.0 - 1.0;
        let samples: Vec<Sample> = (0..20_000)
            .map(|pair| {
                let terms = vec![(0, draw()), (1, 3.0 * draw()), (2, 1.0)];
                let mut sample = Sample { pair, terms, result: 0.0, expected: 0.5 };
                let chance = expected_score(score(&truth, &sample)) as f32;
                sample.result = f32::from(u8::from((draw() + 1.0) / 2.0 < chance));
                sample
            })
            .collect();
        let all: Vec<&Sample> = samples.iter().collect();
        let found = fit(&all, 3, &Method { blend: 0.0, ridge: 0.0 }).expect("plenty of samples");
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 0.04, "{found} for {truth}");
        }
        let quality_of = |weights: &[f64]| quality(weights, samples.iter()).log_loss;
        assert!(quality_of(&found) <= quality_of(&truth) && quality_of(&truth) < quality_of(&[0.0; 3]));
    }

    #[test]
    fn undetermined_weights_are_an_error_without_a_ridge() {
        let sample = Sample { pair: 0, terms: vec![(0, 1.0)], result: 1.0, expected: 0.5 };
        assert!(fit(&[&sample], 2, &Method { blend: 0.5, ridge: 0.0 }).is_err());
        assert!(fit(&[&sample], 2, &Method { blend: 0.5, ridge: 0.1 }).is_ok());
    }
}
