//! The corrective strategy: no play that the evaluation dislikes.
//!
//! A play is disliked if the evaluation, for the player who makes it, is lower after it than before. If the inner
//! policy chooses such a play, a random one that is not disliked replaces it; if all are disliked, it stays. As long as
//! the inner policy plays on, a winning play is always made.
//!
//! Winands, Björnsson, "Evaluation Function Based Monte-Carlo LOA", 2010. They draw plays by weights, and the weight of
//! a disliked one is close to 0.

use super::super::{BoxedPlayout, Parts, Playout, Simulation};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, Part, Range};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Corrective`].
    pub struct CorrectiveParameters;
    inner: Spec = Spec::of("uniform"), Range::Part(Part::Playout),
        "the policy whose plays are corrected, and which ends the playout";
}

/// Replaces the inner policy's plays that the evaluation dislikes.
pub struct Corrective {
    inner: [BoxedPlayout; 1],
    evaluation: Box<dyn Evaluation>,
    plays: Vec<Play>,
}

impl Corrective {
    /// A policy that corrects the plays of `inner` by `evaluation`.
    pub fn new(evaluation: Box<dyn Evaluation>, inner: BoxedPlayout) -> Corrective {
        Corrective { inner: [inner], evaluation, plays: Vec::new() }
    }
}

impl Playout<Position> for Corrective {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        let chosen = self.inner[0].choose(position, simulation)?;
        let (plays, random) = simulation.legal_plays(position);
        if let Some(winning) = position.winning_play(plays) {
            return Some(winning);
        }
        let player = position.to_move();
        let before = self.evaluation.value(position, player);
        let mut dislikes = |play| {
            let mut next = *position;
            next.play(play);
            self.evaluation.value(&next, player) < before
        };
        if !dislikes(chosen) {
            return Some(chosen);
        }
        self.plays.clear();
        self.plays.extend_from_slice(plays);
        for drawn in 0..self.plays.len() {
            let pick = drawn + random.below(self.plays.len() - drawn);
            self.plays.swap(drawn, pick);
            if !dislikes(self.plays[drawn]) {
                return Some(self.plays[drawn]);
            }
        }
        Some(chosen)
    }

    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        self.inner[0].evaluate(end, simulation)
    }

    fn inner(&mut self) -> &mut [BoxedPlayout] {
        &mut self.inner
    }
}

impl Named for Corrective {
    const NAME: &'static str = "corrective";
    const ABOUT: &'static str = "another policy's plays, but none that lowers the evaluation";
    type Parameters = CorrectiveParameters;
    type Context = Parts;

    fn build(parameters: CorrectiveParameters, parts: Parts) -> Result<Corrective, SpecError> {
        Ok(Corrective::new(parts.evaluation()?, parts.playout(Self::NAME, &parameters.inner)?))
    }
}
