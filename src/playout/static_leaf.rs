//! No playout: the evaluation of the leaf itself.

use super::{Parts, Playout, Simulation};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, NoParameters};
use crate::support::spec::SpecError;

/// Evaluates the leaf without playing on.
pub struct Static {
    evaluation: Box<dyn Evaluation>,
}

impl Static {
    /// A policy that returns the value of `evaluation`.
    pub fn new(evaluation: Box<dyn Evaluation>) -> Static {
        Static { evaluation }
    }
}

impl Playout<Position> for Static {
    #[inline]
    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }

    fn prepares(&self) -> bool {
        self.evaluation.prepares()
    }

    fn prepare(&mut self, leaves: &[Position]) {
        self.evaluation.prepare(leaves);
    }
}

impl Named for Static {
    const NAME: &'static str = "static";
    const ABOUT: &'static str = "no playout: the evaluation of the leaf itself";
    type Parameters = NoParameters;
    type Context = Parts;

    fn build(_parameters: NoParameters, parts: Parts) -> Result<Static, SpecError> {
        Ok(Static::new(parts.evaluation()?))
    }
}
