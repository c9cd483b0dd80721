//! Evaluates positions with a network.

use super::jumps::{InPairs, LENGTH_PAIRS, in_pairs, length_pairs};
use super::{
    BUCKETS, FEATURE_SCALE, FEATURES, HIDDEN, JUMP_FEATURES, Network, NetworkError, SUM_SCALE, bucket,
    jump_features,
};
use crate::evaluation::{Evaluation, Fitted};
use crate::game::{Game, Player};
use crate::network::{BUILT_IN, Sums, UnitRow, array};
use crate::parameters::{ParameterError, Range};
use crate::rules::lanes::{Lanes, WithLanes, with_lanes};
use crate::rules::{Position, forward_jumps};
use std::path::Path;
use std::sync::{Arc, OnceLock};

crate::parameters! {
    /// The parameters of [`NetworkEvaluation`].
    pub struct NetworkParameters;
    file: String = BUILT_IN.to_string(), Range::File(BUILT_IN),
        "the network's file; built-in is the one that comes with the engine";
}

/// The fitted evaluation with a network's correction.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    layers: Arc<Layers>,
    sums: Sums<HIDDEN>,
}

/// A network's weights as they are used: checked, and in whole cache lines.
#[derive(Debug)]
struct Layers {
    rows: Box<[UnitRow<HIDDEN>; FEATURES]>,
    jump_rows: Box<[UnitRow<HIDDEN>; JUMP_FEATURES]>,
    /// For each of the [`length_pairs`] the sum of both rows.
    length_rows: Box<[UnitRow<HIDDEN>; LENGTH_PAIRS]>,
    /// For each bucket, the weights of the mover's view and those of the opponent's.
    output_weights: [[UnitRow<HIDDEN>; 2]; BUCKETS],
    output_biases: [i32; BUCKETS],
}

impl NetworkEvaluation {
    /// Its name in spec strings.
    pub const NAME: &str = "network";
    /// One line on what it does.
    pub const ABOUT: &str =
        "the fitted evaluation, corrected by a network that sees all pieces and the furthest jumps";

    /// An evaluation with the network that comes with the crate.
    pub fn built_in() -> NetworkEvaluation {
        static BUILT_IN: OnceLock<NetworkEvaluation> = OnceLock::new();
        let make = || NetworkEvaluation::of_sound(Network::built_in());
        BUILT_IN.get_or_init(make).clone()
    }

    /// An evaluation with the network that `parameters` name.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn load(parameters: NetworkParameters) -> Result<NetworkEvaluation, ParameterError> {
        let NetworkParameters { file } = parameters;
        if file == BUILT_IN {
            return Ok(NetworkEvaluation::built_in());
        }
        let loaded = Network::read(Path::new(&file)).and_then(|network| NetworkEvaluation::new(&network));
        loaded.map_err(|error| ParameterError::BadFile { name: "file", path: file, fault: error.to_string() })
    }

    /// An evaluation with `network`.
    ///
    /// # Errors
    /// The network has not the right number of rows, or weights with which a sum could overflow.
    pub fn new(network: &Network) -> Result<NetworkEvaluation, NetworkError> {
        network.check()?;
        Ok(NetworkEvaluation::of_sound(network.clone()))
    }

    /// An evaluation with `network`, which has passed [`check`](Network::check) or is the built-in one.
    fn of_sound(network: Network) -> NetworkEvaluation {
        let output_weights = network.output_weights.map(|weights| {
            let (mover, opponent) = weights.split_at(HIDDEN);
            [mover, opponent].map(|half| UnitRow(std::array::from_fn(|unit| half[unit])))
        });
        let sum_of = |pair: [usize; 2]| {
            let [one, two] = pair.map(|feature| &network.jump_weights[feature]);
            UnitRow(std::array::from_fn(|unit| one[unit].wrapping_add(two[unit])))
        };
        let mut length_rows = Vec::with_capacity(LENGTH_PAIRS);
        length_rows.extend(length_pairs().map(sum_of));
        let layers = Layers {
            rows: array(network.feature_weights),
            length_rows: array(length_rows),
            jump_rows: array(network.jump_weights),
            output_weights,
            output_biases: network.output_biases,
        };
        let sums = Sums::of_no_pieces(UnitRow(network.feature_biases));
        NetworkEvaluation { layers: Arc::new(layers), sums }
    }

    /// What the network adds to the fitted score of the player to move.
    #[inline]
    pub fn correction(&mut self, position: &Position) -> f32 {
        self.output(position) as f32 / SUM_SCALE as f32
    }

    /// The network's output, an integer.
    #[inline]
    fn output(&mut self, position: &Position) -> i32 {
        with_lanes(Output { evaluation: self, position })
    }
}

impl Evaluation for NetworkEvaluation {
    #[inline]
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        let correction = self.correction(position);
        let signed = if position.to_move() == player { correction } else { -correction };
        Fitted.score(position, player) + signed
    }
}

/// The network's output for a position, compiled for the processor's widest registers. Integers are the same in all.
struct Output<'a> {
    evaluation: &'a mut NetworkEvaluation,
    position: &'a Position,
}

impl WithLanes for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn with_lanes<L: Lanes>(self, lanes: L) -> i32 {
        let Output { evaluation: NetworkEvaluation { layers, sums }, position } = self;
        sums.change_to(position, &layers.rows);
        let (jumps, bucket) = (forward_jumps(position), bucket(position));
        let mut output = layers.output_biases[bucket];
        let views = [position.to_move(), position.to_move().opponent()];
        for (view, weights) in views.into_iter().zip(&layers.output_weights[bucket]) {
            let jumps = in_pairs(jump_features(&jumps, view)).map(|InPairs { lengths, places }| {
                [lengths.map(|pair| &layers.length_rows[pair]), places.map(|place| &layers.jump_rows[place])]
            });
            output += activate(sums.seen_by(view), jumps, weights, lanes);
        }
        output
    }
}

/// The sum of `⌊clamp(sum)²/2⌋·weight` over the hidden units, the rows of `jumps` added to their `sums`.
#[inline(always)]
fn activate<L: Lanes>(
    sums: &UnitRow<HIDDEN>,
    jumps: [[[&UnitRow<HIDDEN>; 2]; 2]; 2],
    weights: &UnitRow<HIDDEN>,
    lanes: L,
) -> i32 {
    let mut totals = [0; 8];
    for part in 0..UnitRow::<HIDDEN>::SIXTEENS {
        let mut units = sums.sixteen(part);
        for row in jumps.as_flattened().as_flattened() {
            for (unit, weight) in units.iter_mut().zip(row.sixteen(part)) {
                *unit = unit.wrapping_add(weight);
            }
        }
        for unit in &mut units {
            let clipped = (*unit).clamp(0, FEATURE_SCALE as i16) as u16;
            *unit = ((clipped * clipped) >> 1) as i16;
        }
        totals = lanes.add_products(totals, units, weights.sixteen(part));
    }
    totals.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rules::lanes::with_all_lanes;
    use crate::rules::{BLACK, Rules};

    /// An evaluation of its own for each version, with the sums of the position before.
    struct Kept<'a> {
        evaluation: NetworkEvaluation,
        position: &'a Position,
    }

    impl WithLanes for Kept<'_> {
        type Output = i32;

        #[inline(always)]
        fn with_lanes<L: Lanes>(mut self, lanes: L) -> i32 {
            Output { evaluation: &mut self.evaluation, position: self.position }.with_lanes(lanes)
        }
    }

    #[test]
    fn a_hundred_thousand_positions_are_worth_the_same_on_every_processor() {
        let mut evaluation = NetworkEvaluation::built_in();
        let (mut random, mut plays) = (Random::new(1), Vec::new());
        for _ in 0..1000 {
            let mut position = Position::initial(BLACK, Rules::Addendum);
            for _ in 0..100 {
                position.plays(&mut plays);
                // Forward, so that all phases come.
                let pick = |_| plays[random.below(plays.len())];
                let tried: [_; 3] = std::array::from_fn(pick);
                position.play(tried.into_iter().max_by_key(|&play| position.progress(play)).expect("three"));
                let all = with_all_lanes(|| Kept { evaluation: evaluation.clone(), position: &position });
                let expected = evaluation.output(&position);
                assert!(all.iter().all(|&output| output == expected), "{all:?} for {expected}: {position}");
            }
        }
    }
}
