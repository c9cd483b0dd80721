//! The value network: a small neural network that corrects the fitted evaluation.
//!
//! One hidden layer sees the squares of all pieces and how far each side can jump, from the mover's and from the
//! opponent's point of view. Both views share their weights, so a position and its half turn have the same value. The
//! output is added to the score of the [`Fitted`] evaluation:
//!
//! ```text
//! sums(view) = biases + Σ row of each piece's feature               512 rows of 256 integers
//!                     + Σ row of each jump feature                  1088 rows
//! c          = clamp(sums, 0, 255)
//! sum        = Σ ⌊c²/2⌋·weight over both views' units + bias        weights and bias by phase, in 8 buckets
//! score      = fitted score ± sum / (255²·256)                      + for the player to move
//! ```
//!
//! All arithmetic is in small integers except the final division, which all machines round alike. The activation is the
//! squared clipped ReLU (SCReLU) of chess engines.

mod jumps;

pub use jumps::{JUMP_FEATURES, JUMP_INPUTS, jump_features};

use super::file::{BuiltInReader, load};
use super::overflow::{InputGroup, check_sums};
use super::{Accumulator, BUILT_IN, FEATURES, Network, NetworkError, NetworkKind, Shared, sixteen};
use crate::evaluation::{Evaluation, Fitted};
use crate::game::{Game, Player};
use crate::rules::{PIECES, Position, forward_jumps};
use crate::support::parameters::{Named, Range};
use crate::support::simd::{Simd, SimdTask, with_simd};
use crate::support::spec::SpecError;
use bytemuck::bytes_of_mut;
use jumps::{InPairs, LENGTH_PAIRS, in_pairs, jump_groups, length_pair};

/// The number of units in the hidden layer of each view.
pub const HIDDEN: usize = 256;
/// The number of phases of the game, each with its own output weights.
pub const BUCKETS: usize = 8;
/// The integer that stands for 1 in the hidden layer.
pub const FEATURE_SCALE: i32 = 255;
/// The integer that stands for 1 in the output weights.
pub const OUTPUT_SCALE: i32 = 512;
/// The integer that stands for 1 in the output: half the square of [`FEATURE_SCALE`], times [`OUTPUT_SCALE`].
pub const SUM_SCALE: i32 = FEATURE_SCALE * FEATURE_SCALE * (OUTPUT_SCALE / 2);

/// The maximum sum of the absolute output weights of a bucket.
pub const MAX_OUTPUT_WEIGHTS: u32 = 60_000;

/// The maximum absolute output bias: even with maximum weights, the output fits an `i32`.
pub const MAX_OUTPUT_BIAS: i32 = i32::MAX - MAX_OUTPUT_WEIGHTS as i32 * (FEATURE_SCALE * FEATURE_SCALE / 2);

/// The weights of the value network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct ValueNetwork {
    /// A row for each [`feature`](super::feature).
    pub feature_weights: [[i16; HIDDEN]; FEATURES],
    /// A row for each of the [`jump_features`].
    pub jump_weights: [[i16; HIDDEN]; JUMP_FEATURES],
    /// The hidden units' sums for an empty board.
    pub feature_biases: [i16; HIDDEN],
    /// For each [`bucket`], the hidden units' weights: the mover's view, then the opponent's.
    pub output_weights: [[i16; 2 * HIDDEN]; BUCKETS],
    /// The bias of each [`bucket`].
    pub output_biases: [i32; BUCKETS],
}

static BUILT_IN_NETWORK: ValueNetwork = {
    let mut file = BuiltInReader::new::<ValueNetwork>();
    let network = ValueNetwork {
        feature_weights: file.rows(),
        jump_weights: file.rows(),
        feature_biases: file.row(),
        output_weights: file.rows(),
        output_biases: file.i32s(),
    };
    file.finish();
    network
};

impl Network for ValueNetwork {
    const KIND: NetworkKind = NetworkKind::Value;
    const SIZES: &'static [(&'static str, usize)] = &[
        ("features", FEATURES),
        ("jump features", JUMP_FEATURES),
        ("hidden units", HIDDEN),
        ("buckets", BUCKETS),
    ];
    const BUILT_IN_FILE: &'static [u8] = include_bytes!("value/default.network");

    fn zeros() -> Box<ValueNetwork> {
        Box::new(ValueNetwork {
            feature_weights: [[0; HIDDEN]; FEATURES],
            jump_weights: [[0; HIDDEN]; JUMP_FEATURES],
            feature_biases: [0; HIDDEN],
            output_weights: [[0; 2 * HIDDEN]; BUCKETS],
            output_biases: [0; BUCKETS],
        })
    }

    fn fields(&mut self) -> Vec<&mut [u8]> {
        vec![
            bytes_of_mut(&mut self.feature_weights),
            bytes_of_mut(&mut self.jump_weights),
            bytes_of_mut(&mut self.feature_biases),
            bytes_of_mut(&mut self.output_weights),
            bytes_of_mut(&mut self.output_biases),
        ]
    }

    fn check(&self) -> Result<(), NetworkError> {
        let jumps = jump_groups().map(|group| InputGroup { rows: &self.jump_weights[group], active: 1 });
        let inputs: Vec<_> = InputGroup::of_pieces(&self.feature_weights).into_iter().chain(jumps).collect();
        check_sums(&inputs, &self.feature_biases)?;
        for (number, (weights, &bias)) in self.output_weights.iter().zip(&self.output_biases).enumerate() {
            let total: i64 = weights.iter().map(|&weight| i64::from(weight).abs()).sum();
            for (what, found, max) in [
                ("total of absolute output weights of bucket", total, MAX_OUTPUT_WEIGHTS.into()),
                ("output bias of bucket", bias.into(), MAX_OUTPUT_BIAS.into()),
            ] {
                if found.abs() > max {
                    return Err(NetworkError::out_of_range(what, number, found, max));
                }
            }
        }
        Ok(())
    }
}

/// The sum of both sides' distances when both have arrived.
const ARRIVED: i32 = 2 * 60;

/// The sum of both sides' distances at the start.
const START: i32 = 2 * (30 * PIECES as i32 - 60);

/// The phase of the game, by the distances left to both sides: from the last bucket at the start of the game down to 0
/// at its end.
#[inline]
pub fn bucket(position: &Position) -> usize {
    let distance: i32 = Player::BOTH.iter().map(|&side| position.tally(side).distance()).sum();
    let part = (distance - ARRIVED) * BUCKETS as i32 / (START - ARRIVED);
    part.clamp(0, BUCKETS as i32 - 1) as usize
}

crate::parameters! {
    /// The parameters of [`NetworkEvaluation`].
    pub struct NetworkParameters;
    file: String = BUILT_IN.to_string(), Range::File(BUILT_IN),
        "the network's file, or built-in for the network that comes with the engine";
}

/// The fitted evaluation with a network's correction.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    network: Shared<ValueNetwork>,
    length_rows: Shared<LengthRows>,
    accumulator: Accumulator<HIDDEN>,
}

/// The sum of the two rows of each [`length_pair`].
type LengthRows = [[i16; HIDDEN]; LENGTH_PAIRS];

static BUILT_IN_LENGTH_ROWS: LengthRows = {
    let mut rows = [[0; HIDDEN]; LENGTH_PAIRS];
    add_pairs(&BUILT_IN_NETWORK.jump_weights, &mut rows);
    rows
};

/// Fills `rows` from the weights of the jump features.
const fn add_pairs(jump_weights: &[[i16; HIDDEN]; JUMP_FEATURES], rows: &mut LengthRows) {
    let mut pair = 0;
    while pair < LENGTH_PAIRS {
        let [first, second] = length_pair(pair);
        let mut unit = 0;
        while unit < HIDDEN {
            rows[pair][unit] = jump_weights[first][unit].wrapping_add(jump_weights[second][unit]);
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
        Ok(load(&parameters.file)?.map_or_else(NetworkEvaluation::built_in, NetworkEvaluation::checked))
    }
}

impl NetworkEvaluation {
    /// The evaluation with the built-in network.
    pub fn built_in() -> NetworkEvaluation {
        let network = Shared::BuiltIn(&BUILT_IN_NETWORK);
        NetworkEvaluation::with(network, Shared::BuiltIn(&BUILT_IN_LENGTH_ROWS))
    }

    /// The evaluation with `network`.
    ///
    /// # Errors
    /// The errors of [`ValueNetwork::check`].
    pub fn new(network: Box<ValueNetwork>) -> Result<NetworkEvaluation, NetworkError> {
        network.check()?;
        Ok(NetworkEvaluation::checked(network))
    }

    fn checked(network: Box<ValueNetwork>) -> NetworkEvaluation {
        let mut length_rows = Box::new([[0; HIDDEN]; LENGTH_PAIRS]);
        add_pairs(&network.jump_weights, &mut length_rows);
        NetworkEvaluation::with(Shared::Loaded(network.into()), Shared::Loaded(length_rows.into()))
    }

    fn with(network: Shared<ValueNetwork>, length_rows: Shared<LengthRows>) -> NetworkEvaluation {
        let accumulator = Accumulator::new(&network.feature_biases);
        NetworkEvaluation { network, length_rows, accumulator }
    }

    /// The correction that the network adds to the fitted score of the player to move.
    #[inline]
    pub fn correction(&mut self, position: &Position) -> f32 {
        with_simd(Output { evaluation: self, position }) as f32 / SUM_SCALE as f32
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

/// The network's output for a position.
struct Output<'a> {
    evaluation: &'a mut NetworkEvaluation,
    position: &'a Position,
}

impl SimdTask for Output<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Output { evaluation: NetworkEvaluation { network, length_rows, accumulator }, position } = self;
        let (network, length_rows) = (&**network, &**length_rows);
        accumulator.update(position, &network.feature_weights);
        let (jumps, bucket) = (forward_jumps(position), bucket(position));
        let mut output = network.output_biases[bucket];
        let views = [position.to_move(), position.to_move().opponent()];
        for (view, weights) in views.into_iter().zip(network.output_weights[bucket].as_chunks().0) {
            let jumps = in_pairs(jump_features(&jumps, view)).map(|InPairs { lengths, places }| {
                [lengths.map(|pair| &length_rows[pair]), places.map(|place| &network.jump_weights[place])]
            });
            output += activate(accumulator.view(view), jumps, weights, simd);
        }
        output
    }
}

/// The sum of `⌊clamp(sum)²/2⌋·weight` over the hidden units, where `sum` is the unit's entry in `sums` plus those in
/// all `jumps`.
#[inline(always)]
fn activate<S: Simd>(
    sums: &[i16; HIDDEN],
    jumps: [[[&[i16; HIDDEN]; 2]; 2]; 2],
    weights: &[i16; HIDDEN],
    simd: S,
) -> i32 {
    let mut totals = [0; 8];
    for part in 0..HIDDEN / 16 {
        let mut units = sixteen(sums, part);
        for row in jumps.as_flattened().as_flattened() {
            for (unit, weight) in units.iter_mut().zip(sixteen(row, part)) {
                *unit = unit.wrapping_add(weight);
            }
        }
        for unit in &mut units {
            let clipped = (*unit).clamp(0, FEATURE_SCALE as i16) as u16;
            *unit = ((clipped * clipped) >> 1) as i16;
        }
        totals = simd.add_products(totals, units, sixteen(weights, part));
    }
    totals.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::NetworkFile;
    use crate::rules::test_games::forward_games;
    use crate::rules::{BLACK, Rules, Square, WHITE, goal};
    use crate::support::simd::with_each_simd;

    #[test]
    fn the_buckets_go_from_the_start_to_the_end() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(bucket(&start), BUCKETS - 1);
        let end = Position::new([goal(BLACK), goal(WHITE)], BLACK, Rules::Addendum);
        assert_eq!(bucket(&end), 0);
        let distance = |position: &Position| {
            Player::BOTH.iter().map(|&side| position.tally(side).distance()).sum::<i32>()
        };
        assert_eq!((distance(&start), distance(&end)), (START, ARRIVED));
        // Fifteen pieces a side, each at distance 16: (480 − 120)/900 of the way is left.
        let diagonal = |at: u8| Square::all().filter(move |square| square.x() + square.y() == at);
        let middle = [14, 16].map(|at| diagonal(at).collect());
        assert_eq!(bucket(&Position::new(middle, BLACK, Rules::Addendum)), 3);
        assert_eq!(bucket(&Position::new(Default::default(), BLACK, Rules::Addendum)), 0);
    }

    #[test]
    fn the_built_in_network_equals_its_file() {
        let NetworkFile { network, .. } = NetworkFile::<ValueNetwork>::built_in();
        assert!(*network == BUILT_IN_NETWORK);
        let read = NetworkEvaluation::new(network).expect("weights in range");
        assert!(*read.length_rows == BUILT_IN_LENGTH_ROWS);
    }

    /// An output with its own copy of the evaluation, whose accumulator holds the previous position.
    struct Copied<'a>(NetworkEvaluation, &'a Position);

    impl SimdTask for Copied<'_> {
        type Output = i32;

        #[inline(always)]
        fn run<S: Simd>(mut self, simd: S) -> i32 {
            Output { evaluation: &mut self.0, position: self.1 }.run(simd)
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_output() {
        let mut evaluation = NetworkEvaluation::built_in();
        for position in forward_games(1000, 100, Rules::Addendum) {
            let outputs = with_each_simd(|| Copied(evaluation.clone(), &position));
            let expected = with_simd(Output { evaluation: &mut evaluation, position: &position });
            assert!(outputs.iter().all(|&output| output == expected), "{outputs:?}: {position}");
        }
    }
}
