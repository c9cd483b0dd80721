//! Evaluates positions with a network.

use super::{BUCKETS, FEATURE_SCALE, FEATURES, HIDDEN, Network, NetworkError, OUTPUT_SCALE, bucket, feature};
use crate::evaluation::{Evaluation, Fitted};
use crate::game::{Game, Player};
use crate::parameters::{ParameterError, Range};
use crate::rules::{Bitboard, Position};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What stands for a score of 1 in the output.
const ONE: f32 = (FEATURE_SCALE * FEATURE_SCALE * OUTPUT_SCALE) as f32;

/// The word for the network that comes with the crate.
const BUILT_IN: &str = "built-in";

crate::parameters! {
    /// The parameters of [`NetworkEvaluation`].
    pub struct NetworkParameters;
    file: String = BUILT_IN.to_string(), Range::File(BUILT_IN),
        "the network";
}

/// The fitted evaluation with a network's correction.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    layers: Arc<Layers>,
    sums: Sums,
}

/// Sums or weights of the hidden units, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([i16; HIDDEN]);

/// A network's weights as they are used: checked, and in whole cache lines.
#[derive(Debug)]
struct Layers {
    rows: Box<[Row; FEATURES]>,
    biases: Row,
    /// For each bucket, the weights of the mover's view and those of the opponent's.
    output_weights: [[Row; 2]; BUCKETS],
    output_biases: [i32; BUCKETS],
}

/// The hidden units' sums of the position that was looked at last.
#[derive(Clone, Debug)]
struct Sums {
    /// Where its pieces stood, by [`Player::index`].
    pieces: [Bitboard; 2],
    /// The sums in each player's view.
    views: [Row; 2],
}

impl NetworkEvaluation {
    /// Its name in spec strings.
    pub const NAME: &str = "network";
    /// One line on what it does.
    pub const ABOUT: &str = "the fitted evaluation, corrected by a network that sees where all pieces stand";

    /// An evaluation with the network that comes with the crate.
    pub fn built_in() -> NetworkEvaluation {
        static BUILT_IN: OnceLock<NetworkEvaluation> = OnceLock::new();
        let make = || NetworkEvaluation::new(Network::built_in()).expect("it was checked when it was read");
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
        let rows: Vec<Row> = network.feature_weights.iter().map(|&row| Row(row)).collect();
        let output_weights = network.output_weights.map(|weights| {
            let (mover, opponent) = weights.split_at(HIDDEN);
            [mover, opponent].map(|half| Row(std::array::from_fn(|unit| half[unit])))
        });
        let layers = Layers {
            rows: rows.into_boxed_slice().try_into().expect("the number of rows has been checked"),
            biases: Row(network.feature_biases),
            output_weights,
            output_biases: network.output_biases,
        };
        let sums = Sums { pieces: [Bitboard::EMPTY; 2], views: [layers.biases; 2] };
        Ok(NetworkEvaluation { layers: Arc::new(layers), sums })
    }

    /// What the network adds to the fitted score of the player to move.
    #[inline]
    pub fn correction(&mut self, position: &Position) -> f32 {
        self.output(position) as f32 / ONE
    }

    /// The network's output, an integer.
    #[inline]
    fn output(&mut self, position: &Position) -> i32 {
        self.sums.change_to(position, &self.layers.rows);
        let (mover, bucket) = (position.to_move(), bucket(position));
        let [own, opposing] = &self.layers.output_weights[bucket];
        let views = &self.sums.views;
        activate(&views[mover.index()], own)
            + activate(&views[mover.opponent().index()], opposing)
            + self.layers.output_biases[bucket]
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

impl Sums {
    /// Changes the sums from those of the last position to those of `position`, by the squares in which the
    /// two differ.
    #[inline]
    fn change_to(&mut self, position: &Position, rows: &[Row; FEATURES]) {
        for side in Player::BOTH {
            let (before, after) = (self.pieces[side.index()], position.pieces(side));
            let (gone, come) = (before & !after, after & !before);
            for view in Player::BOTH {
                let sums = &mut self.views[view.index()];
                gone.for_each(|square| sums.subtract(&rows[feature(view, side, square)]));
                come.for_each(|square| sums.add(&rows[feature(view, side, square)]));
            }
            self.pieces[side.index()] = after;
        }
    }
}

impl Row {
    #[inline]
    fn add(&mut self, other: &Row) {
        for (sum, weight) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    #[inline]
    fn subtract(&mut self, other: &Row) {
        for (sum, weight) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

/// The sum of `clamp(sum)²·weight` over the hidden units. As `clamp(sum)·weight` is an `i16`, this compiles to
/// products of pairs of `i16` that are added at once (`pmaddwd`).
#[inline]
fn activate(sums: &Row, weights: &Row) -> i32 {
    let mut total = 0;
    for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
        let clipped = sum.clamp(0, FEATURE_SCALE as i16);
        total += i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped);
    }
    total
}
