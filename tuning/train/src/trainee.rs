//! The interface between the training loop and a kind of network.

use crate::samples::Sample;
use crate::weights::Weights;
use halma::network::{Network, NetworkError};
use serde::Serialize;
use std::fmt::Display;

/// The quality of a network: the loss, and a second measure, or 0 if the kind of network has none.
pub type Measures = [f64; 2];

/// A network of the engine that can be trained.
pub trait Trainee: Network {
    /// The training samples.
    type Sample: Sample;
    /// The forward and backward pass.
    type Pass: Pass<Self::Sample>;
    /// [`Measures`] in the form printed and recorded.
    type Quality: Display + Serialize;

    /// The help text of the option `--from`.
    const FROM: &'static str;
    /// The default number of samples between two steps of the optimiser.
    const BATCH: &'static str;
    /// The default learning rate of the first step.
    const RATE: &'static str;
    /// The label of the fitted weights and the names of the columns in the table of losses.
    const HEADINGS: [&'static str; 2];
    /// The number of weights.
    const COUNT: usize;

    /// Random initial weights.
    fn first(seed: u64) -> Weights;

    /// The weights of this network.
    fn weights(&self) -> Weights;

    /// Clips weights to the range of the engine's integers.
    fn clip(weights: &mut Weights);

    /// Multiplies all weights that contribute to a hidden unit's sum by `factor`.
    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32);

    /// The network in the engine's integers.
    fn rounded(weights: &Weights) -> Box<Self>;

    /// Measures as they are printed and recorded.
    fn quality(measures: Measures) -> Self::Quality;

    /// The quality of the fitted weights, without a network.
    fn fitted(test: &[Self::Sample]) -> Measures;

    /// The quality of the network in the engine's integers.
    ///
    /// # Errors
    /// The engine rejects the network.
    fn as_played(self: Box<Self>, test: &[Self::Sample]) -> Result<Measures, NetworkError>;
}

/// Runs samples through a network, one at a time. Its only state is buffers.
pub trait Pass<S>: Default + Send {
    /// The quality of the network with these `weights` on `sample`, which may be `mirrored` in the diagonal between the
    /// camps. If there is a `gradient`, adds to it the derivative of the loss with respect to each weight, times the
    /// sample's weight.
    fn run(
        &mut self,
        weights: &Weights,
        sample: &S,
        mirrored: bool,
        gradient: Option<&mut Weights>,
    ) -> Measures;
}

/// The weighted mean of measures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sums: Measures,
    /// The sum of all weights.
    pub weight: f64,
}

impl Mean {
    /// The mean of measures with equal weights.
    pub fn of(all: impl IntoIterator<Item = Measures>) -> Mean {
        let mut mean = Mean::default();
        all.into_iter().for_each(|measures| mean.add(measures, 1.0));
        mean
    }

    pub fn add(&mut self, measures: Measures, weight: f64) {
        self.merge(Mean { sums: measures.map(|measure| weight * measure), weight });
    }

    /// Adds the measures of another mean.
    pub fn merge(&mut self, other: Mean) {
        for (sum, other) in self.sums.iter_mut().zip(other.sums) {
            *sum += other;
        }
        self.weight += other.weight;
    }

    pub fn get(self) -> Measures {
        self.sums.map(|sum| sum / self.weight)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::weights::Table;
    use halma::game::Game;
    use halma::rules::{BLACK, Position, Rules};
    use halma::support::random::Random;

    /// Positions of a game of random plays.
    pub fn some_positions() -> impl Iterator<Item = Position> {
        let (mut position, mut random) = (Position::initial(BLACK, Rules::Addendum), Random::new(1));
        let mut plays = Vec::new();
        let next = move || {
            position.legal_plays(&mut plays);
            position.play(plays[random.below(plays.len())]);
            position
        };
        std::iter::repeat_with(next).take(30)
    }

    /// Compares the gradient over `samples` with finite differences, at the four weights of each table with the largest
    /// gradient.
    pub fn check_gradient<N: Trainee>(samples: &[N::Sample], tables: &[Table]) {
        let (mut weights, mut gradient) = (N::first(1), Weights::zeros(N::COUNT));
        let loss = |weights: &Weights, mut gradient: Option<&mut Weights>| -> f64 {
            let of_one = |(number, sample): (usize, &N::Sample)| {
                let mirrored = number % 2 == 0;
                let [loss, _] = N::Pass::default().run(weights, sample, mirrored, gradient.as_deref_mut());
                f64::from(sample.weight()) * loss
            };
            samples.iter().enumerate().map(of_one).sum()
        };
        loss(&weights, Some(&mut gradient));
        for table in tables {
            let mut places: Vec<usize> = table.range().collect();
            places.sort_by(|&one, &other| gradient.0[other].abs().total_cmp(&gradient.0[one].abs()));
            assert!(gradient.0[places[0]] != 0.0, "no gradient in {table:?}");
            for place in places.into_iter().take(4) {
                // Small, so that units rarely cross a bound of their range between the two points.
                const STEP: f32 = 1.0 / 2048.0;
                let mut moved = |step| {
                    let before = weights.0[place];
                    weights.0[place] += step;
                    let loss = loss(&weights, None);
                    weights.0[place] = before;
                    loss
                };
                let expected = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
                let found = f64::from(gradient.0[place]);
                let unlike = (found - expected).abs() > 0.01 * expected.abs();
                assert!(!unlike, "expected {expected}, found {found} at weight {place}");
            }
        }
    }
}
