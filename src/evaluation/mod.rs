//! What a position is worth as it stands, without playing on.
//!
//! An [`Evaluation`] gives a score without bounds, to compare positions by; one sigmoid, [`squash`], turns
//! the scores of all evaluations into values in −1…+1. A [network](crate::network::value), the default, corrects what [`Fitted`] says.

mod fitted;
pub mod weights;

pub use fitted::{Fitted, for_each_term, gain};

use crate::game::{Game, Player, Value};
use crate::rules::Position;

/// Says what positions of Halma are worth as they stand.
pub trait Evaluation: Send {
    /// How far `player` is ahead in `position`, the turn included, in the unit of [`squash`]: 1 is an
    /// expected score of 85 %. The opponent's score is its negative. It depends on nothing else: what an
    /// evaluation keeps from one position to the next only makes it faster.
    fn score(&mut self, position: &Position, player: Player) -> f32;

    /// What `position` is worth to `player`: its outcome if the game is over, else what the score says.
    #[inline]
    fn value(&mut self, position: &Position, player: Player) -> Value {
        match position.outcome() {
            Some(outcome) => outcome.value_for(player),
            None => squash(self.score(position, player)),
        }
    }
}

impl<E: Evaluation + ?Sized> Evaluation for Box<E> {
    #[inline]
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        (**self).score(position, player)
    }

    #[inline]
    fn value(&mut self, position: &Position, player: Player) -> Value {
        (**self).value(position, player)
    }
}

/// The value of a score, −1…+1: `score / √(1 + score²)`.
///
/// An algebraic sigmoid, not the logistic one: square roots, unlike exponentials, are rounded the same
/// way on every machine.
#[inline]
pub fn squash(score: f32) -> Value {
    Value::new(score / (1.0 + score * score).sqrt())
}
