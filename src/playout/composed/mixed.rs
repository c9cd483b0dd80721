//! One policy for the first plies of a playout, another for the rest.
//!
//! With the defaults, this is the mixed strategy of Winands, Björnsson, "Evaluation Function Based Monte-Carlo LOA",
//! 2010: the greedy strategy alone varies too little, so the [corrective](super::Corrective) one makes the first play.

use super::super::{BoxedPlayout, MAX_CAP, Parts, Playout, Simulation};
use crate::game::{Game, Value};
use crate::rules::Position;
use crate::support::parameters::{Named, Part, Range, whole};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Mixed`].
    pub struct MixedParameters;
    inner: Spec = Spec::of("corrective"), Range::Part(Part::Playout),
        "the policy that makes the first plays; the playout ends if it makes none";
    then: Spec = Spec::of("greedy-evaluation"), Range::Part(Part::Playout),
        "the policy that makes the other plays and ends the playout; its cap counts all plies";
    plies: u64 = 1, whole(0, MAX_CAP, 1),
        "how many plays the first policy makes";
}

/// The plays of one policy for the first plies, then those of another.
pub struct Mixed<G: Game> {
    plies: u64,
    inner: [BoxedPlayout<G>; 2],
}

impl<G: Game> Mixed<G> {
    /// A policy that plays like `first` for `plies` plies, and then like `then`.
    pub fn new(plies: u64, first: BoxedPlayout<G>, then: BoxedPlayout<G>) -> Mixed<G> {
        Mixed { plies, inner: [first, then] }
    }

    /// The policy for the current ply.
    fn present(&mut self, simulation: &Simulation<G::Play>) -> &mut BoxedPlayout<G> {
        &mut self.inner[usize::from(simulation.plies() >= self.plies)]
    }
}

impl<G: Game> Playout<G> for Mixed<G> {
    fn choose(&mut self, position: &G, simulation: &mut Simulation<G::Play>) -> Option<G::Play> {
        self.present(simulation).choose(position, simulation)
    }

    fn evaluate(&mut self, end: &G, simulation: &mut Simulation<G::Play>) -> Value {
        self.present(simulation).evaluate(end, simulation)
    }

    fn inner(&mut self) -> &mut [BoxedPlayout<G>] {
        &mut self.inner
    }
}

impl Named for Mixed<Position> {
    const NAME: &'static str = "mixed";
    const ABOUT: &'static str = "one policy's plays for the first plies, then another's";
    type Parameters = MixedParameters;
    type Context = Parts;

    fn build(parameters: MixedParameters, parts: Parts) -> Result<Mixed<Position>, SpecError> {
        let [first, then] = [&parameters.inner, &parameters.then].map(|spec| parts.playout(Self::NAME, spec));
        Ok(Mixed::new(parameters.plies, first?, then?))
    }
}
