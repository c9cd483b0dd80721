//! LGRF, the last good reply with forgetting.
//!
//! If the winner of a simulation answered a move with some reply, that reply is good, and playouts repeat it whenever
//! the same move is made and the reply is legal. A reply by the loser is forgotten. With `length=2`, the reply to the
//! last two moves is tried first, then the reply to the last one.
//!
//! Drake, "The Last-Good-Reply Policy for Monte-Carlo Go", 2009; forgetting: Baier, Drake, "The Power of Forgetting:
//! Improving the Last-Good-Reply Policy in Monte Carlo Go", 2010. If a playout ends with an estimate, the sign of the
//! estimate says who won.

use super::super::{BoxedPlayout, Parts, Simulation};
use super::learning::{Learner, Learning};
use super::sequences::contexts;
use crate::game::{Game, MoveIndex, Value};
use crate::rules::Position;
use crate::support::hashing::FastMap;
use crate::support::parameters::{Named, ON_OFF, Part, Range, whole};
use crate::support::spec::{Spec, SpecError};

/// The maximum number of replies. Each takes 16 bytes plus some room in the hash table. When the maximum is reached,
/// only known contexts get new replies.
const MAX_REPLIES: usize = 1 << 18;

crate::parameters! {
    /// The parameters of [`Lgrf`].
    pub struct LgrfParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout";
    length: u64 = 2, whole(1, 2, 1),
        "how many moves a reply answers at most: the last one, or the last two";
    forgetting: bool = true, ON_OFF,
        "whether a reply is forgotten when its player loses";
    keep: bool = true, ON_OFF,
        "whether the next move of the game keeps the replies";
}

/// Repeats the last good reply to the last move or the last two moves.
pub type Lgrf<G> = Learning<G, Replies<G>>;

impl<G: Game<Play: MoveIndex>> Lgrf<G> {
    /// A policy that falls back on `inner`, which also values the end of a playout.
    pub fn new(parameters: LgrfParameters, inner: BoxedPlayout<G>) -> Lgrf<G> {
        Learning::of(Replies { parameters, replies: FastMap::default() }, inner)
    }
}

/// The last good replies.
pub struct Replies<G: Game> {
    parameters: LgrfParameters,
    replies: FastMap<u64, G::Play>,
}

impl<G: Game<Play: MoveIndex>> Learner<G> for Replies<G> {
    fn choose(&mut self, other: G::Play, position: &G, simulation: &mut Simulation<G::Play>) -> G::Play {
        let contexts = contexts(simulation.moves());
        let contexts = contexts.into_iter().take(self.parameters.length as usize).flatten();
        let replies: smallvec::SmallVec<[G::Play; 2]> =
            contexts.filter_map(|context| self.replies.get(&context).copied()).collect();
        if replies.is_empty() {
            return other;
        }
        let (plays, _) = simulation.legal_plays(position);
        replies.into_iter().rev().find(|reply| plays.contains(reply)).unwrap_or(other)
    }

    fn learn(&mut self, simulation: &Simulation<G::Play>) {
        let moves = simulation.moves();
        for (place, made) in moves.iter().enumerate() {
            let value = simulation.value_for(made.player);
            let before = contexts(&moves[..place]);
            for context in before.into_iter().take(self.parameters.length as usize).flatten() {
                if value > Value::DRAW {
                    if self.replies.len() < MAX_REPLIES || self.replies.contains_key(&context) {
                        self.replies.insert(context, made.play);
                    }
                } else if value < Value::DRAW
                    && self.parameters.forgetting
                    && self.replies.get(&context) == Some(&made.play)
                {
                    self.replies.remove(&context);
                }
            }
        }
    }

    fn new_search(&mut self, _: &G) {
        if !self.parameters.keep {
            self.replies.clear();
        }
    }

    fn new_game(&mut self) {
        self.replies.clear();
    }
}

impl Named for Lgrf<Position> {
    const NAME: &'static str = "lgrf";
    const ABOUT: &'static str = "the last winning reply to the last one or two moves (LGRF)";
    type Parameters = LgrfParameters;
    type Context = Parts;

    fn build(parameters: LgrfParameters, parts: Parts) -> Result<Lgrf<Position>, SpecError> {
        let inner = parts.playout(Self::NAME, &parameters.inner)?;
        Ok(Lgrf::new(parameters, inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::playout::Move;
    use crate::rules::{Play, Square};
    use crate::support::random::Random;

    #[test]
    fn memory_is_bounded() {
        let mut replies =
            Replies::<Position> { parameters: LgrfParameters::default(), replies: FastMap::default() };
        let (mut simulation, mut random) = (Simulation::new(1).recording(), Random::new(1));
        let mut square = || Square::from_number(random.bits() as u8);
        for _ in 0..MAX_REPLIES / 500 {
            let moves: Vec<_> = (0..1000)
                .map(|_| Move { player: Player::One, play: Play::new(square(), square()) })
                .collect();
            simulation.begin(moves);
            simulation.end(Value::WIN, Player::One);
            replies.learn(&simulation);
        }
        assert_eq!(replies.replies.len(), MAX_REPLIES);
    }
}
