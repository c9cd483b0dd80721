//! The network: a small neural network that corrects the fitted evaluation.
//!
//! One hidden layer sees where the pieces stand and how far each side could jump, from the mover's and from the
//! opponent's point of view, with the same weights for both; so it says the same of a position and of its half turn.
//! One output adds to what the [`Fitted`] evaluation says:
//!
//! ```text
//! sums(view) = biases + Σ row of each piece's feature               512 rows of 256 integers
//!                     + Σ row of each feature of jumps              1088 rows
//! c          = clamp(sums, 0, 255)
//! sum        = Σ ⌊c²/2⌋·weight over both views' units + bias        weights and bias by phase, in 8 buckets
//! score      = fitted score ± sum / (255²·256)                      + for the player to move
//! ```
//!
//! All of it is in small integers but the last step, a division, which is rounded alike everywhere: so the
//! score is the same number on every machine. The sums are kept from one position to the next (see
//! [`network`](crate::network)). The squared, clipped activation is that of chess programs (SCReLU).
//!
//! `jumps.rs` says what there is to be jumped, `file.rs` reads and writes networks, `evaluation.rs` evaluates.
//! [`Network::built_in`] comes with the crate.

mod evaluation;
mod file;
mod jumps;

pub use crate::network::{FEATURES, NetworkError, UnitRow, feature};
pub use evaluation::{NetworkEvaluation, NetworkParameters};
pub use file::{MOST_OUTPUT_BIAS, MOST_OUTPUT_WEIGHTS};
pub use jumps::{JUMP_FEATURES, JUMP_INPUTS, jump_features};

use crate::game::Player;
use crate::rules::{PIECES, Position};

#[cfg(doc)]
use crate::evaluation::Fitted;

/// Units of the hidden layer, for each point of view.
pub const HIDDEN: usize = 256;
/// Phases of the game with output weights of their own.
pub const BUCKETS: usize = 8;
/// What stands for 1 in the hidden layer.
pub const FEATURE_SCALE: i32 = 255;
/// What stands for 1 in the output weights.
pub const OUTPUT_SCALE: i32 = 512;
/// What stands for 1 in the output: half the square of [`FEATURE_SCALE`], times [`OUTPUT_SCALE`].
pub const SUM_SCALE: i32 = FEATURE_SCALE * FEATURE_SCALE * (OUTPUT_SCALE / 2);

/// The weights of a network, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// How it was made: text for people, which the engine does not read.
    pub provenance: String,
    /// A row for each [`feature`]; [`FEATURES`] rows.
    pub feature_weights: Vec<UnitRow<HIDDEN>>,
    /// A row for each of the [`jump_features`]; [`JUMP_FEATURES`] rows.
    pub jump_weights: Vec<UnitRow<HIDDEN>>,
    /// What the hidden units add up before any piece.
    pub feature_biases: [i16; HIDDEN],
    /// For each [`bucket`], the weights of the hidden units: first the mover's view, then the opponent's.
    pub output_weights: [[i16; 2 * HIDDEN]; BUCKETS],
    /// For each [`bucket`], what the output adds up before any unit.
    pub output_biases: [i32; BUCKETS],
}

/// The sum of the distances when both sides have arrived.
const ARRIVED: i32 = 2 * 60;

/// The sum of the distances at the start.
const START: i32 = 2 * (30 * PIECES as i32 - 60);

/// The phase of the game: [`BUCKETS`] equal parts of both sides' distances from the start (the last bucket) to the
/// end (bucket 0). Pieces that stand further back than at the start don't count as earlier.
#[inline]
pub fn bucket(position: &Position) -> usize {
    let distance: i32 = Player::BOTH.iter().map(|&side| position.tally(side).distance()).sum();
    let part = (distance - ARRIVED) * BUCKETS as i32 / (START - ARRIVED);
    part.clamp(0, BUCKETS as i32 - 1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BLACK, Rules, Square, WHITE, goal};

    #[test]
    fn the_phases_go_from_the_start_to_the_end() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(bucket(&start), BUCKETS - 1);
        let end = Position::new([goal(BLACK), goal(WHITE)], BLACK, Rules::Addendum);
        assert_eq!(bucket(&end), 0);
        let distance = |position: &Position| {
            Player::BOTH.iter().map(|&side| position.tally(side).distance()).sum::<i32>()
        };
        assert_eq!((distance(&start), distance(&end)), (START, ARRIVED));
        // Fifteen pieces a side, each sixteen steps from its corner: (480 − 120)/900 is left.
        let diagonal = |at: u8| Square::all().filter(move |square| square.x() + square.y() == at);
        let middle = [14, 16].map(|at| diagonal(at).collect());
        assert_eq!(bucket(&Position::new(middle, BLACK, Rules::Addendum)), 3);
        assert_eq!(bucket(&Position::new(Default::default(), BLACK, Rules::Addendum)), 0);
    }
}
