//! LGRF, the last good reply with forgetting.
//!
//! If the winner of a simulation answered a move with some reply, that reply is good, and playouts repeat it whenever the
//! same move is made and the reply is legal. A reply by the loser is forgotten. With two replies, the last two moves are
//! looked up first, then the last one.
//!
//! Drake, "The Last-Good-Reply Policy for Monte-Carlo Go", 2009; forgetting: Baier, Drake, "The Power of Forgetting:
//! Improving the Last-Good-Reply Policy in Monte Carlo Go", 2010. Where a playout ends with an estimate, its sign says
//! who won.

use super::super::{BoxedInner, Parts, Playout, Simulation};
use super::sequences::contexts;
use crate::game::{Game, MoveIndex, Value};
use crate::rules::Position;
use crate::support::parameters::{Named, ON_OFF, Part, Range, whole};
use crate::support::spec::{Spec, SpecError};
use fxhash::FxHashMap;

/// The maximum number of replies, at 16 bytes each and some room for the hash table. When it is reached, only known
/// contexts get new replies.
const MAX_REPLIES: usize = 1 << 18;

crate::parameters! {
    /// The parameters of [`Lgrf`].
    pub struct LgrfParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout";
    length: u64 = 2, whole(1, 2, 1),
        "how many of the last moves a reply belongs to at most";
    forgetting: bool = true, ON_OFF,
        "whether a reply is forgotten when its player loses";
    keep: bool = true, ON_OFF,
        "whether the next move of the game keeps the replies";
}

/// Repeats the last good reply to the last move or the last two moves.
pub struct Lgrf<G: Game> {
    parameters: LgrfParameters,
    inner: [BoxedInner<G>; 1],
    replies: FxHashMap<u64, G::Play>,
}

impl<G: Game<Play: MoveIndex>> Lgrf<G> {
    /// A policy that leaves all other plays and the end of a playout to `inner`.
    pub fn new(parameters: LgrfParameters, inner: BoxedInner<G>) -> Lgrf<G> {
        Lgrf { parameters, inner: [inner], replies: FxHashMap::default() }
    }
}

impl<G: Game<Play: MoveIndex>> Playout<G> for Lgrf<G> {
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        let other = self.inner[0].choose(position, simulation)?;
        let contexts = contexts(simulation.moves());
        let contexts = contexts.into_iter().take(self.parameters.length as usize).flatten();
        let replies: smallvec::SmallVec<[G::Play; 2]> =
            contexts.filter_map(|context| self.replies.get(&context).copied()).collect();
        if replies.is_empty() {
            return Some(other);
        }
        let (plays, _) = simulation.legal_plays(position);
        Some(replies.into_iter().rev().find(|reply| plays.contains(reply)).unwrap_or(other))
    }

    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn inner(&mut self) -> &mut [BoxedInner<G>] {
        &mut self.inner
    }

    fn learns(&mut self) -> bool {
        true
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
        self.inner[0].learn(simulation);
    }

    fn new_search(&mut self, root: &G) {
        if !self.parameters.keep {
            self.replies.clear();
        }
        self.inner[0].new_search(root);
    }

    fn new_game(&mut self) {
        self.replies.clear();
        self.inner[0].new_game();
    }
}

impl Named for Lgrf<Position> {
    const NAME: &'static str = "lgrf";
    const ABOUT: &'static str = "the last reply to the last one or two moves that won (LGRF)";
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
    use crate::playout::{Move, ToTheEnd};
    use crate::rules::{Play, Square};
    use crate::support::random::Random;

    #[test]
    fn memory_is_bounded() {
        let mut policy = Lgrf::<Position>::new(LgrfParameters::default(), Box::new(ToTheEnd::new()));
        let (mut simulation, mut random) = (Simulation::new(1).recording(), Random::new(1));
        let mut square = || Square::from_number(random.bits() as u8);
        for _ in 0..MAX_REPLIES / 500 {
            let moves: Vec<_> = (0..1000)
                .map(|_| Move { player: Player::One, play: Play::new(square(), square()) })
                .collect();
            simulation.begin(moves);
            simulation.end(Value::WIN, Player::One);
            policy.learn(&simulation);
        }
        assert_eq!(policy.replies.len(), MAX_REPLIES);
    }
}
