//! Evaluates positions with a network.

use super::file::BUILT_IN_WEIGHTS;
use super::jumps::{InPairs, LENGTH_PAIRS, in_pairs, length_pair};
use super::{BUCKETS, FEATURE_SCALE, HIDDEN, Network, NetworkError, SUM_SCALE, bucket, jump_features};
use crate::evaluation::{Evaluation, Fitted};
use crate::game::{Game, Player};
use crate::network::{BUILT_IN, Sums, UnitRow};
use crate::rules::{Position, forward_jumps};
use crate::support::parameters::{Named, Range};
use crate::support::simd::{Lanes, WithLanes, with_lanes};
use crate::support::spec::SpecError;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

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

/// A network's weights as they are used: checked, those of the built-in one by a test, and in whole cache lines.
#[derive(Debug, PartialEq)]
struct Layers {
    rows: Rows,
    jump_rows: Rows,
    /// For each [`length_pair`] the sum of both rows.
    length_rows: Rows,
    /// For each bucket, the weights of the mover's view and those of the opponent's.
    output_rows: Rows,
    output_biases: [i32; BUCKETS],
}

/// Rows in the program, or on the heap.
type Rows = Cow<'static, [UnitRow<HIDDEN>]>;

/// The `length_rows` of the built-in network.
static LENGTH_ROWS: [UnitRow<HIDDEN>; LENGTH_PAIRS] = {
    let mut rows = [UnitRow::ZEROS; LENGTH_PAIRS];
    sum_pairs(&BUILT_IN_WEIGHTS.jump_weights, &mut rows);
    rows
};

/// Writes the `length_rows` that belong to `jump_rows`.
const fn sum_pairs(jump_rows: &[UnitRow<HIDDEN>], length_rows: &mut [UnitRow<HIDDEN>]) {
    let mut pair = 0;
    while pair < length_rows.len() {
        let [one, two] = length_pair(pair);
        let (one, two, sum) = (&jump_rows[one].0, &jump_rows[two].0, &mut length_rows[pair].0);
        let mut unit = 0;
        while unit < HIDDEN {
            sum[unit] = one[unit].wrapping_add(two[unit]);
            unit += 1;
        }
        pair += 1;
    }
}

impl Named for NetworkEvaluation {
    const NAME: &'static str = "network";
    const ABOUT: &'static str =
        "the fitted evaluation, corrected by a network that sees all pieces and the furthest jumps";
    type Parameters = NetworkParameters;
    type Context = ();

    fn build(parameters: NetworkParameters, (): ()) -> Result<NetworkEvaluation, SpecError> {
        let NetworkParameters { file } = parameters;
        if file == BUILT_IN {
            return Ok(NetworkEvaluation::built_in());
        }
        let loaded = Network::read(Path::new(&file)).and_then(|network| NetworkEvaluation::new(&network));
        loaded.map_err(|error| SpecError::new(format!("file={file}: {error}")))
    }
}

impl NetworkEvaluation {
    /// An evaluation with the network that comes with the crate.
    pub fn built_in() -> NetworkEvaluation {
        let layers = Layers {
            rows: Cow::Borrowed(&BUILT_IN_WEIGHTS.feature_weights),
            jump_rows: Cow::Borrowed(&BUILT_IN_WEIGHTS.jump_weights),
            length_rows: Cow::Borrowed(&LENGTH_ROWS),
            output_rows: Cow::Borrowed(&BUILT_IN_WEIGHTS.output_weights),
            output_biases: BUILT_IN_WEIGHTS.output_biases,
        };
        let sums = Sums::of_no_pieces(UnitRow(BUILT_IN_WEIGHTS.feature_biases));
        NetworkEvaluation { layers: Arc::new(layers), sums }
    }

    /// An evaluation with `network`.
    ///
    /// # Errors
    /// The network has not the right number of rows, or weights with which a sum could overflow.
    pub fn new(network: &Network) -> Result<NetworkEvaluation, NetworkError> {
        network.check()?;
        let mut length_rows = vec![UnitRow::ZEROS; LENGTH_PAIRS];
        sum_pairs(&network.jump_weights, &mut length_rows);
        let outputs = network.output_weights.as_flattened().as_chunks().0;
        let layers = Layers {
            rows: network.feature_weights.clone().into(),
            jump_rows: network.jump_weights.clone().into(),
            length_rows: length_rows.into(),
            output_rows: outputs.iter().copied().map(UnitRow).collect(),
            output_biases: network.output_biases,
        };
        let sums = Sums::of_no_pieces(UnitRow(network.feature_biases));
        Ok(NetworkEvaluation { layers: Arc::new(layers), sums })
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
        sums.change_to(position, layers.rows.first_chunk().expect("the number has been checked"));
        let (jumps, bucket) = (forward_jumps(position), bucket(position));
        let mut output = layers.output_biases[bucket];
        let views = [position.to_move(), position.to_move().opponent()];
        let output_rows = &layers.output_rows.as_chunks::<2>().0[bucket];
        for (view, weights) in views.into_iter().zip(output_rows) {
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
    use crate::rules::{BLACK, Rules};
    use crate::support::random::Random;
    use crate::support::simd::with_all_lanes;

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
    fn the_built_in_network_is_that_of_its_file() {
        let [built_in, read] =
            [NetworkEvaluation::built_in(), NetworkEvaluation::new(&Network::built_in()).unwrap()];
        assert_eq!(built_in.layers, read.layers);
        assert_eq!(built_in.sums, read.sums);
    }

    #[test]
    fn a_hundred_thousand_positions_are_worth_the_same_on_every_processor() {
        let mut evaluation = NetworkEvaluation::built_in();
        let (mut random, mut plays) = (Random::new(1), Vec::new());
        for _ in 0..1000 {
            let mut position = Position::initial(BLACK, Rules::Addendum);
            for _ in 0..100 {
                position.legal_plays(&mut plays);
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
