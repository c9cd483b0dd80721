//! The evaluation cut-off: once one side is clearly ahead, the playout ends and counts as won by that side.
//!
//! ```text
//! value = +1 if evaluation ≥ threshold  or ahead ≥ lead          ahead = the opponent's distance − one's own
//!         −1 if evaluation ≤ −threshold or ahead ≤ −lead
//! ```
//!
//! A side's distance is the sum of its pieces' distances to the corner of its goal, in columns plus rows. Checks come
//! after plies `every` − 1, 2·`every` − 1, …, but never at the leaf: with 3, after plies 2, 5, 8, … as in Winands,
//! Björnsson, "Evaluation Function Based Monte-Carlo LOA", 2010.

use super::super::{BoxedPlayout, Parts, Playout, Simulation};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, Part, Range, number, whole};
use crate::support::spec::{Spec, SpecError};

crate::parameters! {
    /// The parameters of [`Cutoff`].
    pub struct CutoffParameters;
    inner: Spec = "uniform(cap=40)".parse().expect("a spec"), Range::Part(Part::Playout),
        "the policy that makes the plays, and ends a playout that is not cut off";
    threshold: f32 = 0.8, number(0.01, 1.0, 0.1),
        "a side whose evaluation reaches this counts as the winner; 1 turns this off";
    lead: u64 = 1000, whole(1, 1000, 10),
        "a lead of this many columns and rows on the way to the goal counts as a win; 1000 turns this off";
    every: u64 = 3, whole(1, 100, 1),
        "plies from one check to the next";
}

/// Ends a playout of the inner policy once one side is clearly ahead.
pub struct Cutoff {
    parameters: CutoffParameters,
    inner: [BoxedPlayout; 1],
    evaluation: Box<dyn Evaluation>,
}

impl Cutoff {
    /// A policy that cuts off the playouts of `inner` by `evaluation`.
    pub fn new(parameters: CutoffParameters, evaluation: Box<dyn Evaluation>, inner: BoxedPlayout) -> Cutoff {
        Cutoff { parameters, inner: [inner], evaluation }
    }

    /// The value of `position`, after `plies` plies of a playout, for its player to move, if the playout is cut off
    /// here.
    fn cut_off(&mut self, position: &Position, plies: u64) -> Option<Value> {
        let CutoffParameters { threshold, lead, every, .. } = self.parameters;
        if plies == 0 || !(plies + 1).is_multiple_of(every) {
            return None;
        }
        let player = position.to_move();
        let distance = |side| i64::from(position.tally(side).distance());
        let ahead = distance(player.opponent()) - distance(player);
        if ahead.unsigned_abs() >= lead {
            return Some(if ahead > 0 { Value::WIN } else { Value::LOSS });
        }
        if threshold >= 1.0 {
            return None;
        }
        match self.evaluation.value(position, player).get() {
            value if value >= threshold => Some(Value::WIN),
            value if value <= -threshold => Some(Value::LOSS),
            _ => None,
        }
    }
}

impl Playout<Position> for Cutoff {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        match self.cut_off(position, simulation.plies()) {
            Some(_) => None,
            None => self.inner[0].choose(position, simulation),
        }
    }

    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        let cut_off = self.cut_off(end, simulation.plies());
        cut_off.unwrap_or_else(|| self.inner[0].evaluate(end, simulation))
    }

    fn inner(&mut self) -> &mut [BoxedPlayout] {
        &mut self.inner
    }
}

impl Named for Cutoff {
    const NAME: &'static str = "cutoff";
    const ABOUT: &'static str = "another policy's plays until one side is clearly ahead, which counts as won";
    type Parameters = CutoffParameters;
    type Context = Parts;

    fn build(parameters: CutoffParameters, parts: Parts) -> Result<Cutoff, SpecError> {
        let inner = parts.playout(Self::NAME, &parameters.inner)?;
        Ok(Cutoff::new(parameters, parts.evaluation()?, inner))
    }
}
