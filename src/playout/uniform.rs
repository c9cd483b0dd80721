//! The plainest playout: every legal play is as likely as any other.

use super::{LONGEST, Playout};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, whole};
use crate::support::random::Random;

crate::parameters! {
    /// The parameters of [`Uniform`].
    pub struct UniformParameters;
    cap: u64 = 2, whole(0, LONGEST, 2),
        "plies of a playout before the evaluation speaks; random plays practically never end a game";
}

/// Random plays up to a cap of plies, then the evaluation.
pub struct Uniform {
    parameters: UniformParameters,
    evaluation: Box<dyn Evaluation>,
    plays: Vec<Play>,
}

impl Playout<Position> for Uniform {
    fn value(&mut self, leaf: &Position, random: &mut Random) -> Value {
        let mut position = *leaf;
        for _ in 0..self.parameters.cap {
            if position.outcome().is_some() {
                break;
            }
            position.legal_plays(&mut self.plays);
            if self.plays.is_empty() {
                break;
            }
            position.play(self.plays[random.below(self.plays.len())]);
        }
        self.evaluation.value(&position, leaf.to_move())
    }
}

impl Named for Uniform {
    const NAME: &'static str = "uniform";
    const ABOUT: &'static str = "all legal plays alike, to the cap, then the evaluation";
    type Parameters = UniformParameters;
    type Uses = Box<dyn Evaluation>;

    fn new(parameters: UniformParameters, evaluation: Box<dyn Evaluation>) -> Uniform {
        Uniform { parameters, evaluation, plays: Vec::new() }
    }
}
