//! A mixture of two policies: chance decides at each ply which of them makes the play.
//!
//! With a random policy as the other one, any policy becomes ε-greedy:
//! `mixture(inner=likeliest, other=uniform(cap=4000), chance=0.1)`.

use super::super::{BoxedPlayout, Parts, Playout, Simulation};
use crate::game::{Game, Value};
use crate::rules::Position;
use crate::support::parameters::{Named, Part, Range, number};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Mixture`].
    pub struct MixtureParameters;
    inner: Spec = Spec::of("forward-jump"), Range::Part(Part::Playout),
        "the policy that makes most plays and ends the playout";
    other: Spec = "uniform(cap=4000)".parse().expect("a spec"), Range::Part(Part::Playout),
        "the policy that makes the other plays; past its cap, the first policy makes them all";
    chance: f32 = 0.1, number(0.0, 1.0, 0.1),
        "how often the other policy makes the play";
}

/// At each ply, the play of one of two policies, drawn at random.
pub struct Mixture<G: Game> {
    chance: f32,
    inner: [BoxedPlayout<G>; 2],
}

impl<G: Game> Mixture<G> {
    /// A policy in which `other` makes each play with probability `chance`, and `inner` the rest.
    pub fn new(chance: f32, inner: BoxedPlayout<G>, other: BoxedPlayout<G>) -> Mixture<G> {
        Mixture { chance, inner: [inner, other] }
    }
}

impl<G: Game> Playout<G> for Mixture<G> {
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        let [inner, other] = &mut self.inner;
        let play = inner.choose(position, simulation)?;
        if !simulation.random.happens(self.chance) {
            return Some(play);
        }
        other.choose(position, simulation).or(Some(play))
    }

    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn inner(&mut self) -> &mut [BoxedPlayout<G>] {
        &mut self.inner
    }
}

impl Named for Mixture<Position> {
    const NAME: &'static str = "mixture";
    const ABOUT: &'static str = "the play of one of two policies, drawn at each ply";
    type Parameters = MixtureParameters;
    type Context = Parts;

    fn build(parameters: MixtureParameters, parts: Parts) -> Result<Mixture<Position>, SpecError> {
        let [inner, other] =
            [&parameters.inner, &parameters.other].map(|spec| parts.playout(Self::NAME, spec));
        Ok(Mixture::new(parameters.chance, inner?, other?))
    }
}
