//! `train evaluation`: the network of `evaluation=network`, from the values that searches found.

mod pass;
mod samples;

use crate::hidden::Hidden;
use crate::samples::position;
use crate::trainee::{Mean, Measures, Trainee};
use crate::weights::{Table, Weights};
use halma::evaluation::network::{
    BUCKETS, FEATURE_SCALE, HIDDEN, JUMP_FEATURES, MOST_OUTPUT_WEIGHTS, Network, NetworkError,
    NetworkEvaluation, OUTPUT_SCALE, SUM_SCALE,
};
use halma::evaluation::{Evaluation, squash};
use halma::rules::BLACK;
use pass::ValuePass;
use samples::ValueSample;
use std::array::from_fn;

/// Its hidden layer, from each point of view.
type Layer = Hidden<HIDDEN>;
/// A row for each bucket: the weights of the mover's view, then of the opponent's.
const OUTPUTS: Table = Layer::BIASES.then(BUCKETS, 2 * HIDDEN);
/// A row of one weight for each bucket.
const OUTPUT_BIASES: Table = OUTPUTS.then(BUCKETS, 1);
/// A row for each feature of jumps, which the hidden layer adds, too.
const JUMPS: Table = OUTPUT_BIASES.then(JUMP_FEATURES, HIDDEN);

impl Trainee for Network {
    type Sample = ValueSample;
    type Pass = ValuePass;
    type Quality = f64;

    const FROM: &'static str = "A network to learn on from, such as the one whose searches the games hold, or \
        built-in; then the games of before need not be there again. Without it the first weights are random";
    const BATCH: &'static str = "4096";
    const RATE: &'static str = "0.002";
    const HEADINGS: [&'static str; 2] = ["fitted", "epoch\ttrain\ttest"];
    const COUNT: usize = JUMPS.end();

    fn built_in() -> Network {
        Network::built_in()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::from_bytes(bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn first(seed: u64) -> Weights {
        let mut weights = Weights::random(Self::COUNT, seed);
        Layer::begin(&mut weights);
        weights.table_mut(OUTPUT_BIASES).fill(0.0);
        weights.table_mut(JUMPS).fill(0.0);
        weights
    }

    fn weights(&self) -> Weights {
        let mut weights = Weights::zeros(0);
        weights.extend(self.feature_weights.as_flattened(), FEATURE_SCALE);
        weights.extend(&self.feature_biases, FEATURE_SCALE);
        weights.extend(self.output_weights.as_flattened(), OUTPUT_SCALE);
        weights.extend(&self.output_biases, SUM_SCALE);
        weights.extend(self.jump_weights.as_flattened(), FEATURE_SCALE);
        weights
    }

    fn clip(weights: &mut Weights) {
        // Rounding may add half to each weight.
        let most = MOST_OUTPUT_WEIGHTS as f32 - HIDDEN as f32;
        weights.shrink_rows(OUTPUTS, most / OUTPUT_SCALE as f32);
    }

    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32) {
        for table in [Layer::WEIGHTS, Layer::BIASES, JUMPS] {
            weights.scale(table, unit, factor);
        }
    }

    fn rounded(weights: &Weights, provenance: String) -> Network {
        let outputs = weights.rounded_rows(OUTPUTS, OUTPUT_SCALE);
        let biases: Vec<f32> = weights.rounded(OUTPUT_BIASES, SUM_SCALE).collect();
        Network {
            provenance,
            feature_weights: weights.rounded_rows(Layer::WEIGHTS, FEATURE_SCALE),
            jump_weights: weights.rounded_rows(JUMPS, FEATURE_SCALE),
            feature_biases: weights.rounded_rows(Layer::BIASES, FEATURE_SCALE)[0],
            output_weights: from_fn(|bucket| outputs[bucket]),
            output_biases: from_fn(|bucket| biases[bucket] as i32),
        }
    }

    fn check(&self) -> Result<(), NetworkError> {
        self.check()
    }

    fn quality([error, _]: Measures) -> f64 {
        error
    }

    fn fitted(test: &[ValueSample]) -> Measures {
        error(test, |sample| squash(sample.score).get())
    }

    fn as_played(&self, test: &[ValueSample]) -> Result<Measures, NetworkError> {
        let mut evaluation = NetworkEvaluation::new(self)?;
        Ok(error(test, |sample| squash(evaluation.score(&position(&sample.squares), BLACK)).get()))
    }
}

/// The mean squared error of what `value` says.
fn error(samples: &[ValueSample], mut value: impl FnMut(&ValueSample) -> f32) -> Measures {
    Mean::of(samples.iter().map(|sample| [f64::from(value(sample) - sample.target).powi(2), 0.0])).get()
}
