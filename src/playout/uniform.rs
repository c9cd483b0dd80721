//! Uniformly random plays.

use super::{MAX_CAP, Parts, Playout, Simulation, goes_on};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`Uniform`].
    pub struct UniformParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; random plays almost never end a game";
}

/// Makes random plays up to a cap of plies, then evaluates.
pub struct Uniform {
    parameters: UniformParameters,
    evaluation: Box<dyn Evaluation>,
}

impl Playout<Position> for Uniform {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if !goes_on(position, simulation, self.parameters.cap, 0) {
            return None;
        }
        let (plays, random) = simulation.legal_plays(position);
        (!plays.is_empty()).then(|| plays[random.below(plays.len())])
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.evaluation.value(end, end.to_move())
    }
}

impl Named for Uniform {
    const NAME: &'static str = "uniform";
    const ABOUT: &'static str = "up to the cap, uniformly random plays; then the evaluation";
    type Parameters = UniformParameters;
    type Context = Parts;

    fn build(parameters: UniformParameters, parts: Parts) -> Result<Uniform, SpecError> {
        Ok(Uniform { parameters, evaluation: parts.evaluation()? })
    }
}
