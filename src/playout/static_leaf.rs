//! No playout: the evaluation of the leaf itself.

use super::{Parts, Playout};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::Position;
use crate::support::parameters::{Named, NoParameters};
use crate::support::random::Random;
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
    fn value(&mut self, leaf: &Position, _random: &mut Random) -> Value {
        self.evaluation.value(leaf, leaf.to_move())
    }
}

impl Named for Static {
    const NAME: &'static str = "static";
    const ABOUT: &'static str = "no playout: the evaluation of the leaf itself";
    type Parameters = NoParameters;
    type Context = Parts;

    fn build(_parameters: NoParameters, parts: Parts) -> Result<Static, SpecError> {
        Ok(Static::new(parts.evaluation))
    }
}
