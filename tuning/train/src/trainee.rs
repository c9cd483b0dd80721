//! What the kinds of networks differ in, as far as their training goes.

use crate::samples::{Sample, Samples};
use crate::weights::Weights;
use anyhow::Result;
use halma::network::NetworkError;
use serde::Serialize;
use std::fmt::Display;
use std::path::PathBuf;

/// How well a network does: the loss, and what else is told of it; 0 where there is nothing else.
pub type Measures = [f64; 2];

/// A network of the engine that can be trained.
pub trait Trainee: Sized {
    /// Arguments of its own.
    type Choice: clap::Args + Serialize;
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

    /// The samples of the games in `runs` and below.
    ///
    /// # Errors
    /// Those of [`Samples::load`].
    fn load(runs: &[PathBuf], choice: &Self::Choice) -> Result<Samples<Self::Sample>>;

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

    /// The network in the engine's integers.
    fn rounded(weights: &Weights, provenance: String) -> Self;

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
    /// Adds measures that count so much.
    pub fn add(&mut self, measures: Measures, weight: f64) {
        for (sum, measure) in self.sums.iter_mut().zip(measures) {
            *sum += weight * measure;
        }
        self.weight += weight;
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
