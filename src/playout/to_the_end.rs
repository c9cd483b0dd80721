//! Random plays to the end, for any game.

use super::{Playout, Simulation};
use crate::game::{Game, Value};

/// Makes random plays until the game is over. A player without a legal play has lost, as in search; a playout of
/// [`MAX_PLIES`](Self::MAX_PLIES) is a draw.
#[derive(Clone, Copy, Debug)]
pub struct ToTheEnd;

impl ToTheEnd {
    /// The maximum length of a playout, in plies.
    pub const MAX_PLIES: u64 = 10_000;
}

impl<G: Game> Playout<G> for ToTheEnd {
    #[inline]
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        if simulation.plies() == Self::MAX_PLIES {
            return None;
        }
        let (plays, random) = simulation.legal_plays(position);
        (!plays.is_empty()).then(|| plays[random.below(plays.len())])
    }

    fn evaluate(&mut self, _: &G, simulation: &mut Simulation<G::Play>) -> Value {
        if simulation.plies() == Self::MAX_PLIES { Value::DRAW } else { Value::LOSS }
    }
}
