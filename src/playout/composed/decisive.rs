//! Decisive moves: a player who can win immediately does.
//!
//! Teytaud, Teytaud, "On the Huge Benefit of Decisive Moves in Monte-Carlo Tree Search Algorithms", 2010. The winning
//! play is made even if the inner policy would end the playout. Their anti-decisive moves, which prevent the opponent's
//! win, are left out: a race can rarely be stopped by one move.

use super::super::{BoxedPlayout, Parts, Playout, Simulation};
use crate::game::{Game, Value};
use crate::rules::Position;
use crate::support::parameters::{Named, Part, Range};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Decisive`].
    pub struct DecisiveParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout";
}

/// Wins if it can; otherwise makes the inner policy's play.
pub struct Decisive<G: Game> {
    inner: [BoxedPlayout<G>; 1],
}

impl<G: Game> Decisive<G> {
    /// A policy that falls back on `inner`, which also values the end of a playout.
    pub fn new(inner: BoxedPlayout<G>) -> Decisive<G> {
        Decisive { inner: [inner] }
    }
}

impl<G: Game> Playout<G> for Decisive<G> {
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        let other = self.inner[0].choose(position, simulation);
        let (plays, _) = simulation.legal_plays(position);
        position.winning_play(plays).or(other)
    }

    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn inner(&mut self) -> &mut [BoxedPlayout<G>] {
        &mut self.inner
    }
}

impl Named for Decisive<Position> {
    const NAME: &'static str = "decisive";
    const ABOUT: &'static str = "another policy's plays, except that a winning play is always made";
    type Parameters = DecisiveParameters;
    type Context = Parts;

    fn build(parameters: DecisiveParameters, parts: Parts) -> Result<Decisive<Position>, SpecError> {
        Ok(Decisive::new(parts.playout(Self::NAME, &parameters.inner)?))
    }
}
