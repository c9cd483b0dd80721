//! Random plays to the end, for any game.

use super::{Playout, Simulation};
use crate::game::{Game, Value};

/// Makes random plays until the game is over. A player without a legal play has lost, as in search; a game of more than
/// [`MAX_PLIES`](Self::MAX_PLIES) is drawn.
#[derive(Clone, Debug)]
pub struct ToTheEnd<P> {
    plays: Vec<P>,
}

impl<P> ToTheEnd<P> {
    /// The maximum length of a playout, in plies.
    pub const MAX_PLIES: u64 = 10_000;

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
    #[inline]
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        if simulation.plies() == Self::MAX_PLIES {
            return None;
        }
        position.legal_plays(&mut self.plays);
        (!self.plays.is_empty()).then(|| self.plays[simulation.random.below(self.plays.len())])
    }

    fn evaluate(&mut self, _: &G, simulation: &mut Simulation<G::Play>) -> Value {
        if simulation.plies() == Self::MAX_PLIES { Value::DRAW } else { Value::LOSS }
    }
}
