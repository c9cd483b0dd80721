//! Random plays to the end, for any game.

use super::Playout;
use crate::game::{Game, Outcome, Value};
use crate::support::random::Random;

/// Makes random plays until the game is over. A player without a legal play has lost, as in search; a game of more than
/// [`MAX_PLIES`](Self::MAX_PLIES) is drawn.
#[derive(Clone, Debug)]
pub struct ToTheEnd<P> {
    plays: Vec<P>,
}

impl<P> ToTheEnd<P> {
    /// The maximum length of a playout, in plies.
    pub const MAX_PLIES: u32 = 10_000;

    /// A policy with an empty buffer.
    pub fn new() -> ToTheEnd<P> {
        ToTheEnd { plays: Vec::new() }
    }
}

impl<P> Default for ToTheEnd<P> {
    fn default() -> ToTheEnd<P> {
        ToTheEnd::new()
    }
}

impl<G: Game> Playout<G> for ToTheEnd<G::Play> {
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value {
        let player = leaf.to_move();
        let mut position = leaf.clone();
        for _ in 0..Self::MAX_PLIES {
            if let Some(outcome) = position.outcome() {
                return outcome.value_for(player);
            }
            position.legal_plays(&mut self.plays);
            if self.plays.is_empty() {
                return Outcome::Win(position.to_move().opponent()).value_for(player);
            }
            position.play(self.plays[random.below(self.plays.len())]);
        }
        Value::DRAW
    }
}
