//! `train evaluation`: trains the network of `evaluation=network` on the values that searches found.

use crate::hidden::{Hidden, inputs};
use crate::samples::{self, PROVED, Sample, Squares, position, seen};
use crate::trainee::{Mean, Measures, Pass, Trainee};
use crate::weights::{Table, Weights, add, product};
use halma::evaluation::{Evaluation, Fitted, squash};
use halma::game::Game;
use halma::network::value::{
    BUCKETS, FEATURE_SCALE, HIDDEN, JUMP_FEATURES, JUMP_INPUTS, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHTS,
    NetworkEvaluation, OUTPUT_SCALE, SUM_SCALE, ValueNetwork, bucket, jump_features,
};
use halma::network::{Network, NetworkError};
use halma::rules::{BLACK, ForwardJumps, FurthestJump, Position, WHITE, forward_jumps};
use halma_lab::learn::games::{Drawn, InTree};
use halma_lab::play::record::NotedPlay;
use halma_lab::play::whole_number::whole;
use serde::Serialize;
use std::hash::{Hash, Hasher};

type Layer = Hidden<HIDDEN>;
/// A row for each bucket: the weights for the mover's view, then for the opponent's.
const OUTPUTS: Table = Layer::BIASES.then(BUCKETS, 2 * HIDDEN);
/// A row of one weight for each bucket.
const OUTPUT_BIASES: Table = OUTPUTS.then(BUCKETS, 1);
/// For each jump feature, a row of weights to the hidden layer.
const JUMPS: Table = OUTPUT_BIASES.then(JUMP_FEATURES, HIDDEN);

impl Trainee for ValueNetwork {
    type Sample = ValueSample;
    type Pass = ValuePass;
    type Quality = f64;

    const FROM: &'static str = "A network to continue from, or built-in: for example the network that played the games. \
        The games it was trained on need not be given again. By default the initial weights are random";
    const BATCH: &'static str = "4096";
    const RATE: &'static str = "0.002";
    const HEADINGS: [&'static str; 2] = ["fitted", "epoch\ttrain\ttest"];
    const COUNT: usize = JUMPS.end();

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
        weights.clip(OUTPUTS, f32::from(i16::MAX) / OUTPUT_SCALE as f32);
        // Rounding may add up to ½ to each of a row's 2·HIDDEN weights, HIDDEN in all.
        let max = MAX_OUTPUT_WEIGHTS as f32 - HIDDEN as f32;
        weights.shrink_rows(OUTPUTS, max / OUTPUT_SCALE as f32);
        weights.clip(OUTPUT_BIASES, (MAX_OUTPUT_BIAS / SUM_SCALE) as f32);
    }

    fn scale_unit(weights: &mut Weights, unit: usize, factor: f32) {
        for table in [Layer::WEIGHTS, Layer::BIASES, JUMPS] {
            weights.scale_column(table, unit, factor);
        }
    }

    fn rounded(weights: &Weights) -> Box<ValueNetwork> {
        let mut network = ValueNetwork::zeros();
        weights.round(Layer::WEIGHTS, FEATURE_SCALE, network.feature_weights.as_flattened_mut());
        weights.round(Layer::BIASES, FEATURE_SCALE, &mut network.feature_biases);
        weights.round(OUTPUTS, OUTPUT_SCALE, network.output_weights.as_flattened_mut());
        for (bias, weight) in network.output_biases.iter_mut().zip(weights.table(OUTPUT_BIASES)) {
            *bias = (weight * SUM_SCALE as f32).round() as i32;
        }
        weights.round(JUMPS, FEATURE_SCALE, network.jump_weights.as_flattened_mut());
        network
    }

    fn quality([error, _]: Measures) -> f64 {
        error
    }

    fn fitted(test: &[ValueSample]) -> Measures {
        error(test, |sample| squash(sample.score).get())
    }

    fn as_played(self: Box<ValueNetwork>, test: &[ValueSample]) -> Result<Measures, NetworkError> {
        let mut evaluation = NetworkEvaluation::new(self)?;
        Ok(error(test, |sample| squash(evaluation.score(&position(&sample.squares), BLACK)).get()))
    }
}

/// The mean squared error of `value`.
fn error(samples: &[ValueSample], mut value: impl FnMut(&ValueSample) -> f32) -> Measures {
    Mean::of(samples.iter().map(|sample| [f64::from(value(sample) - sample.target).powi(2), 0.0])).get()
}

/// Options for drawing samples from games, and for their targets.
#[derive(clap::Args, Clone, Copy, Debug, Serialize)]
pub struct ValueOptions {
    /// Weight of positions that a search visited but the game did not reach; their targets are the search's values. 0
    /// leaves them out, including those from trees. Positions of the game have weight 1.
    #[arg(long, default_value_t = 0.3, value_name = "WEIGHT", value_parser = share)]
    sidelines: f32,
    /// Minimum visits for a node of a tree, as recorded with '--tree-nodes', to become a sample; games with few
    /// iterations need a lower number.
    #[arg(long, default_value_t = 64, value_name = "VISITS", value_parser = whole::<u32>)]
    least_visits: u32,
    /// Share of the game's result in the target of a position of the game, 0…1; the rest is the search's value. The
    /// target of other positions is the search's value alone.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    results: f32,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_string()),
    }
}

/// A position and its value for the player to move.
#[derive(Clone, Copy, Debug)]
pub struct ValueSample {
    squares: Squares,
    jumps: [ForwardJumps; 2],
    /// The phase of the game.
    bucket: u8,
    /// The fitted score, which the network corrects.
    score: f32,
    /// The value to learn, −1…+1.
    target: f32,
    weight: f32,
}

impl ValueSample {
    fn of(position: &Position, target: f32, weight: f32) -> ValueSample {
        let score = Fitted.score(position, position.to_move());
        let squares = samples::squares(position);
        let jumps = forward_jumps(&samples::position(&squares));
        ValueSample { squares, jumps, bucket: bucket(position) as u8, score, target, weight }
    }
}

impl Hash for ValueSample {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The jumps follow from the squares.
        let ValueSample { squares, jumps: _, bucket, score, target, weight } = self;
        (squares, bucket, [score, target, weight].map(|number| number.to_bits())).hash(hasher);
    }
}

impl Sample for ValueSample {
    type Options = ValueOptions;

    fn add(drawn: &Drawn<'_>, options: &ValueOptions, samples: &mut Vec<ValueSample>) {
        let Drawn { record, decision, position, .. } = *drawn;
        let (value, candidates) = (record.values[decision], &record.candidates[decision]);
        let result = if record.winner == Some(record.decider(decision)) { 1.0 } else { -1.0 };
        samples.push(ValueSample::of(&position, value + options.results * (result - value), 1.0));
        if options.sidelines == 0.0 {
            return;
        }
        let mut add = |position: &Position, value: f32| {
            if value.abs() <= PROVED && position.outcome().is_none() {
                samples.push(ValueSample::of(position, value, options.sidelines));
            }
        };
        // The values of alpha-beta, which counts nodes, are only upper bounds except for the best play.
        let are_bounds = record.work(decision).nodes > 0;
        let others = candidates.iter().filter(|noted| !are_bounds && noted.0 != record.plays[decision]);
        for &NotedPlay(play, _, value) in others {
            let mut after = position;
            after.play(play);
            add(&after, -value);
        }
        for InTree { position: after, value, .. } in
            drawn.tree.iter().filter(|node| node.visits >= options.least_visits)
        {
            add(after, if after.to_move() == position.to_move() { *value } else { -value });
        }
    }

    /// Only positions of the game, with the search's values as targets, so that errors are comparable across options.
    fn add_test(drawn: &Drawn<'_>, options: &ValueOptions, samples: &mut Vec<ValueSample>) {
        Self::add(drawn, &ValueOptions { sidelines: 0.0, results: 0.0, ..*options }, samples);
    }

    fn squares(&self) -> &Squares {
        &self.squares
    }

    fn weight(&self) -> f32 {
        self.weight
    }
}

/// The forward and backward pass of one position. It needs no buffers.
#[derive(Debug, Default)]
pub struct ValuePass;

impl Pass<ValueSample> for ValuePass {
    fn run(
        &mut self,
        weights: &Weights,
        sample: &ValueSample,
        mirrored: bool,
        gradient: Option<&mut Weights>,
    ) -> Measures {
        let bucket = usize::from(sample.bucket);
        let inputs = [BLACK, WHITE].map(|view| inputs(&sample.squares, view, mirrored));
        let jumps = jumps_of(sample, mirrored);
        let mut clipped = [[0.0; HIDDEN]; 2];
        for ((units, inputs), jumps) in clipped.iter_mut().zip(&inputs).zip(&jumps) {
            Layer::sum(units, weights, inputs);
            jumps.as_flattened().iter().for_each(|&jump| add(units, 1.0, weights.row(JUMPS, jump)));
            units.iter_mut().for_each(|unit| *unit = unit.clamp(0.0, 1.0));
        }
        let mut hidden = clipped;
        hidden.as_flattened_mut().iter_mut().for_each(|unit| *unit *= *unit);
        let outputs = weights.row(OUTPUTS, bucket);
        let correction = weights.row(OUTPUT_BIASES, bucket)[0] + product(hidden.as_flattened(), outputs);
        let score = sample.score + correction;
        // The engine's sigmoid, `evaluation::squash`, and its slope (1 + score²)^(−3/2).
        let value = score / (1.0 + score * score).sqrt();
        let slope = (1.0 + score * score).powf(-1.5);
        let error = value - sample.target;
        if let Some(gradient) = gradient {
            let change = 2.0 * sample.weight * error * slope;
            gradient.row_mut(OUTPUT_BIASES, bucket)[0] += change;
            add(gradient.row_mut(OUTPUTS, bucket), change, hidden.as_flattened());
            let views = inputs.iter().zip(&jumps).zip(outputs.as_chunks().0);
            for (units, ((inputs, jumps), outputs)) in clipped.iter_mut().zip(views) {
                // The derivative of the loss with respect to each unit's sum.
                for (unit, output) in units.iter_mut().zip::<&[f32; HIDDEN]>(outputs) {
                    let slope = if *unit < 1.0 { 2.0 * *unit } else { 0.0 };
                    *unit = change * output * slope;
                }
                Layer::add_gradient(gradient, inputs, units);
                jumps.as_flattened().iter().for_each(|&jump| add(gradient.row_mut(JUMPS, jump), 1.0, units));
            }
        }
        [f64::from(error * error), 0.0]
    }
}

/// The jump features seen by each side, mirrored or not.
fn jumps_of(sample: &ValueSample, mirrored: bool) -> [[[usize; JUMP_INPUTS / 2]; 2]; 2] {
    let jumps = sample.jumps.map(|jumps| {
        let furthest = jumps.furthest.map(|FurthestJump { from, to, diagonals }| FurthestJump {
            from: seen(from, mirrored),
            to: seen(to, mirrored),
            diagonals,
        });
        ForwardJumps { furthest, ..jumps }
    });
    [BLACK, WHITE].map(|view| jump_features(&jumps, view))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainee::tests::{check_gradient, some_positions};
    use crate::training::shrink;
    use halma::network::NetworkFile;
    use halma::rules::Rules;
    use serde_json::json;

    fn check(weights: &Weights) -> Result<(), NetworkError> {
        ValueNetwork::rounded(weights).check()
    }

    #[test]
    fn units_that_could_overflow_are_shrunk() {
        let tables = [Layer::WEIGHTS, Layer::BIASES, JUMPS];
        let mut weights = ValueNetwork::first(1);
        weights.row_mut(JUMPS, 0).fill(0.5);
        let before = weights.clone();
        for table in tables {
            weights.scale_column(table, 3, 1000.0);
        }
        assert!(matches!(check(&weights), Err(NetworkError::UnitOverflow { unit: 3, .. })));
        shrink::<ValueNetwork>(&mut weights);
        check(&weights).expect("the unit has been shrunk");
        // All weights of that unit shrink equally, by no more than necessary, and no other unit changes.
        let ratios = tables.map(|table| weights.row(table, 0)[3] / before.row(table, 0)[3]);
        assert!(ratios.iter().all(|ratio| (ratio / ratios[0] - 1.0).abs() < 1e-4), "{ratios:?}");
        let is_other = |place: &usize| place % HIDDEN != 3;
        let first_table = Layer::WEIGHTS.range();
        assert!(first_table.filter(is_other).all(|place| weights.0[place] == before.0[place]));
        ValueNetwork::scale_unit(&mut weights, 3, 1.02);
        assert!(matches!(check(&weights), Err(NetworkError::UnitOverflow { unit: 3, .. })));
    }

    #[test]
    fn output_weights_are_clipped_to_the_engines_range() {
        for large in [1.0, -1.0, 1e6] {
            let mut weights = ValueNetwork::first(1);
            weights.table_mut(OUTPUTS).fill(large);
            check(&weights).expect_err("the total is too large");
            ValueNetwork::clip(&mut weights);
            check(&weights).expect("the total is in range");
            weights.table_mut(OUTPUT_BIASES).fill(20.0 * large);
            check(&weights).expect_err("the bias is too large");
            ValueNetwork::clip(&mut weights);
            check(&weights).expect("the bias is in range");
        }
    }

    fn samples(weight: f32) -> Vec<ValueSample> {
        let targets = [-0.8, 0.1, 0.7].into_iter().cycle();
        let samples = some_positions().zip(targets);
        samples.map(|(position, target)| ValueSample::of(&position, target, weight)).collect()
    }

    #[test]
    fn other_candidates_are_learned_unless_their_values_are_bounds() {
        let options = ValueOptions { sidelines: 0.3, least_visits: 64, results: 0.0 };
        for (iterations, nodes, expected) in [(200, 0, 2), (0, 200, 1)] {
            let candidates = json!([[["0,4 0,5", 150, 0.2], ["4,0 5,0", 50, 0.1]]]);
            let record = json!({
                "match": 1, "game": 0, "seed": 1, "black": "A", "winner": "A", "reason": "goal-filled",
                "overdrafts": [0, 0], "opening": [], "plays": ["0,4 0,5"], "seconds": [0.0], "values": [0.2],
                "iterations": [iterations], "nodes": [nodes], "reused": [0], "candidates": candidates,
            });
            let record = &serde_json::from_value(record).expect("a record");
            let position = Position::initial(BLACK, Rules::Addendum);
            let mut samples = Vec::new();
            let drawn = Drawn { folder: 0, pair: 0, record, decision: 0, position, tree: &[] };
            ValueSample::add(&drawn, &options, &mut samples);
            assert_eq!(samples.len(), expected, "{iterations} iterations, {nodes} nodes");
        }
    }

    #[test]
    fn the_engine_computes_the_trained_function() {
        let (NetworkFile { network, .. }, samples) = (NetworkFile::<ValueNetwork>::built_in(), samples(1.0));
        let weights = network.weights();
        let error = |sample| ValuePass.run(&weights, sample, false, None)[0];
        let trained = samples.iter().map(error).sum::<f64>() / samples.len() as f64;
        let [played, _] = network.as_played(&samples).expect("weights in range");
        // The engine rounds half squares down.
        assert!((trained - played).abs() < 1e-5, "{trained} {played}");
    }

    #[test]
    fn the_gradient_equals_finite_differences() {
        let samples = samples(0.5);
        let tables = [Layer::WEIGHTS, Layer::BIASES, OUTPUTS, OUTPUT_BIASES, JUMPS];
        check_gradient::<ValueNetwork>(&samples, &tables);
    }
}
