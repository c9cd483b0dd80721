//! What the kinds of networks differ in, as far as their training goes.

use crate::samples::Sample;
use crate::weights::Weights;
use halma::network::NetworkError;
use serde::Serialize;
use std::fmt::Display;

/// How well a network does: the loss, and what else is told of it; 0 where there is nothing else.
pub type Measures = [f64; 2];

/// A network of the engine that can be trained.
pub trait Trainee: Sized {
    /// What it learns from.
    type Sample: Sample;
    /// What it takes to learn.
    type Pass: Pass<Self::Sample>;
    /// [`Measures`] as they are told.
    type Quality: Display + Serialize;

    /// What is said of the argument 'from'.
    const FROM: &'static str;
    /// How many samples there are between two steps of the optimiser, unless the arguments say otherwise.
    const BATCH: &'static str;
    /// The rate in the first step, unless the arguments say otherwise.
    const RATE: &'static str;
    /// How the lines of the fitted weights and of the columns' names begin in the table of losses.
    const HEADINGS: [&'static str; 2];
    /// How many weights there are.
    const COUNT: usize;

    /// The network that comes with the engine.
    fn built_in() -> Self;

    /// The network in a file's bytes.
    ///
    /// # Errors
    /// They are none that the engine can use.
    fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError>;

    /// The bytes of a file.
    fn to_bytes(&self) -> Vec<u8>;

    /// Weights that know no more than the fitted ones do.
    fn first(seed: u64) -> Weights;

    /// The weights of this network.
    fn weights(&self) -> Weights;

    /// Brings weights back to what the engine's integers hold.
    fn clip(weights: &mut Weights);

    /// Multiplies the weights and the bias that a hidden unit adds up by `factor`.
    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32);

    /// The network in the engine's integers.
    fn rounded(weights: &Weights, provenance: String) -> Self;

    /// Checks that the engine can use it.
    ///
    /// # Errors
    /// A sum may overflow.
    fn check(&self) -> Result<(), NetworkError>;

    /// What is told of how well a network does.
    fn quality(measures: Measures) -> Self::Quality;

    /// How well the fitted weights do, without a network.
    fn fitted(test: &[Self::Sample]) -> Measures;

    /// How well the network does in the integers of play.
    ///
    /// # Errors
    /// The engine refuses it.
    fn as_played(&self, test: &[Self::Sample]) -> Result<Measures, NetworkError>;
}

/// Takes one sample after another through the network; what it holds are buffers.
pub trait Pass<S>: Default + Send {
    /// How well the network with these `weights` does with `sample`, mirrored at the diagonal between the camps or not.
    /// Adds to `gradient`, if there is one, how the loss changes with each weight, times what the sample counts.
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
    /// The sum of the weights.
    pub weight: f64,
}

impl Mean {
    /// The mean of some that count alike.
    pub fn of(all: impl IntoIterator<Item = Measures>) -> Mean {
        let mut mean = Mean::default();
        all.into_iter().for_each(|measures| mean.add(measures, 1.0));
        mean
    }

    /// Adds measures that count so much.
    pub fn add(&mut self, measures: Measures, weight: f64) {
        self.merge(Mean { sums: measures.map(|measure| weight * measure), weight });
    }

    /// Adds what another mean is of.
    pub fn merge(&mut self, other: Mean) {
        for (sum, other) in self.sums.iter_mut().zip(other.sums) {
            *sum += other;
        }
        self.weight += other.weight;
    }

    /// The mean of those added.
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

    /// Checks the gradient that `samples` add up to: at the weights with the largest ones of each of `tables` the loss
    /// changes so.
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
            assert!(gradient.0[places[0]] != 0.0, "nothing is learned in {table:?}");
            for place in places.into_iter().take(4) {
                // Small, as units that come to a bound on the way count half.
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
                assert!(!unlike, "{found} for {expected} at weight {place}");
            }
        }
    }
}
