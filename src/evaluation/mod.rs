//! Static evaluations: the value of a position without playing on.
//!
//! An [`Evaluation`] returns an unbounded score, and [`squash`] turns scores into values from −1 to +1. The default is a
//! [network](crate::network::value) that corrects the [`Fitted`] evaluation.
//!
//! ```
//! use halma::evaluation::{Evaluation, Fitted};
//! use halma::{BLACK, Game, Position, WHITE};
//!
//! let mut position = Position::default();
//! position.play("2,2 4,2".parse()?);
//! // Black has come closer to its goal, and White is to move.
//! let (black, white) = (Fitted.score(&position, BLACK), Fitted.score(&position, WHITE));
//! assert_eq!(black, -white);
//! println!("{}", Fitted.value(&position, BLACK));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fitted;
mod weights;

pub use fitted::Fitted;
pub(crate) use fitted::gain;

use crate::game::{Game, Player, Value};
use crate::rules::Position;

/// A static evaluation of Halma positions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an evaluation",
    note = "implement `Evaluation`: `score` is the lead of a player in a position"
)]
pub trait Evaluation: Send {
    /// The lead of `player` in `position`, including the turn, in the unit of [`squash`]: 1 is an expected score of 85 %.
    /// The opponent's score is its negative.
    ///
    /// The score depends only on the arguments: state that an evaluation keeps between calls only saves time.
    fn score(&mut self, position: &Position, player: Player) -> f32;

    /// The value of `position` for `player`: its outcome if the game is over, else the squashed score.
    #[inline]
    fn value(&mut self, position: &Position, player: Player) -> Value {
        match position.outcome() {
            Some(outcome) => outcome.value_for(player),
            None => squash(self.score(position, player)),
        }
    }

    /// Whether [`prepare`](Self::prepare) uses the positions that it receives. Called when a search begins at a new
    /// root.
    fn prepares(&self) -> bool {
        false
    }

    /// Receives positions that are about to be evaluated one by one, each for its side to move: a large network
    /// evaluates them faster together. The game is not over in any of them.
    fn prepare(&mut self, positions: &[Position]) {
        let _ = positions;
    }
}

/// The value of a score, −1…+1: `score / √(1 + score²)`.
///
/// The sigmoid is algebraic rather than logistic because all machines round square roots alike, but not exponentials.
///
/// ```
/// use halma::evaluation::squash;
///
/// assert_eq!([0.0, f32::MAX, f32::NEG_INFINITY].map(|score| squash(score).get()), [0.0, 1.0, -1.0]);
/// ```
#[inline]
pub fn squash(score: f32) -> Value {
    // The square of a larger score may be infinite.
    let score = score.clamp(-1e9, 1e9);
    Value::new(score / (1.0 + score * score).sqrt())
}
