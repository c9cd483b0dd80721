//! `train evaluation`: the network of `evaluation=network`, from the values that searches found.

mod pass;
mod samples;

use crate::hidden::Hidden;
use crate::samples::position;
use crate::trainee::{Mean, Measures, Trainee};
use crate::weights::{Table, Weights};
use halma::evaluation::{Evaluation, squash};
use halma::network::value::{
    BUCKETS, FEATURE_SCALE, HIDDEN, JUMP_FEATURES, MOST_OUTPUT_BIAS, MOST_OUTPUT_WEIGHTS, Network,
    NetworkError, NetworkEvaluation, OUTPUT_SCALE, SUM_SCALE,
};
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
        weights.extend(self.feature_weights.iter().flatten(), FEATURE_SCALE);
        weights.extend(&self.feature_biases, FEATURE_SCALE);
        weights.extend(self.output_weights.as_flattened(), OUTPUT_SCALE);
        weights.extend(&self.output_biases, SUM_SCALE);
        weights.extend(self.jump_weights.iter().flatten(), FEATURE_SCALE);
        weights
    }

    fn clip(weights: &mut Weights) {
        weights.clip(OUTPUTS, f32::from(i16::MAX) / OUTPUT_SCALE as f32);
        // Rounding may add half to each of a row's 2·HIDDEN weights.
        let most = MOST_OUTPUT_WEIGHTS as f32 - HIDDEN as f32;
        weights.shrink_rows(OUTPUTS, most / OUTPUT_SCALE as f32);
        weights.clip(OUTPUT_BIASES, (MOST_OUTPUT_BIAS / SUM_SCALE) as f32);
    }

    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32) {
        for table in [Layer::WEIGHTS, Layer::BIASES, JUMPS] {
            weights.scale_column(table, unit, factor);
        }
    }

    fn rounded(weights: &Weights, provenance: String) -> Network {
        let outputs = weights.rounded_rows(OUTPUTS, OUTPUT_SCALE);
        let biases: Vec<f32> = weights.rounded(OUTPUT_BIASES, SUM_SCALE).collect();
        Network {
            provenance,
            feature_weights: weights.rounded_rows(Layer::WEIGHTS, FEATURE_SCALE),
            jump_weights: weights.rounded_rows(JUMPS, FEATURE_SCALE),
            feature_biases: *weights.rounded_rows(Layer::BIASES, FEATURE_SCALE)[0],
            output_weights: from_fn(|bucket| *outputs[bucket]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::shrink;

    fn check(weights: &Weights) -> Result<(), NetworkError> {
        Network::rounded(weights, String::new()).check()
    }

    #[test]
    fn units_that_could_overflow_are_made_smaller() {
        let tables = [Layer::WEIGHTS, Layer::BIASES, JUMPS];
        let mut weights = Network::first(1);
        weights.row_mut(JUMPS, 0).fill(0.5);
        let before = weights.clone();
        for table in tables {
            weights.scale_column(table, 3, 1000.0);
        }
        assert!(matches!(check(&weights), Err(NetworkError::LargeRows { unit: 3, .. })));
        shrink::<Network>(&mut weights);
        check(&weights).expect("it has been made smaller");
        // That unit alone, all of it alike, and by no more than it takes.
        let ratios = tables.map(|table| weights.row(table, 0)[3] / before.row(table, 0)[3]);
        assert!(ratios.iter().all(|ratio| (ratio / ratios[0] - 1.0).abs() < 1e-4), "{ratios:?}");
        let is_other = |place: &usize| place % HIDDEN != 3;
        let first_table = Layer::WEIGHTS.range();
        assert!(first_table.filter(is_other).all(|place| weights.0[place] == before.0[place]));
        Network::scale_unit(&mut weights, 3, 1.02);
        assert!(matches!(check(&weights), Err(NetworkError::LargeRows { unit: 3, .. })));
    }

    #[test]
    fn output_weights_are_brought_back_to_what_the_engine_takes() {
        for large in [1.0, -1.0, 1e6] {
            let mut weights = Network::first(1);
            weights.table_mut(OUTPUTS).fill(large);
            check(&weights).expect_err("too large together");
            Network::clip(&mut weights);
            check(&weights).expect("small enough");
            weights.table_mut(OUTPUT_BIASES).fill(20.0 * large);
            check(&weights).expect_err("too large a bias");
            Network::clip(&mut weights);
            check(&weights).expect("small enough");
        }
    }
}
