//! Playouts by the evaluation alone.
//!
//! At each ply, the policy makes the play after which the evaluation is best for the player who makes it:
//!
//! ```text
//! a = argmax evaluation(position after a)
//! ```
//!
//! To save time, it evaluates only the `width` most advancing plays and any winning one. This is the greedy strategy of
//! Winands, Björnsson, "Evaluation Function Based Monte-Carlo LOA", 2010.

use super::lookahead::Lookahead;
use super::{MAX_CAP, Parts};
use crate::evaluation::Evaluation;
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`GreedyEvaluation`].
    pub struct GreedyEvaluationParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
    width: u64 = 10, whole(1, 1000, 5),
        "how many of the most advancing plays are evaluated; 1000 evaluates all";
}

/// Makes the play with the best evaluation at each ply up to a cap, then evaluates.
pub type GreedyEvaluation = Lookahead<1>;

impl GreedyEvaluation {
    /// A policy that chooses by `evaluation`, and evaluates the end of each playout with it.
    pub fn new(parameters: GreedyEvaluationParameters, evaluation: Box<dyn Evaluation>) -> GreedyEvaluation {
        Lookahead::of(parameters.cap, parameters.width, evaluation)
    }
}

impl Named for GreedyEvaluation {
    const NAME: &'static str = "greedy-evaluation";
    const ABOUT: &'static str = "up to the cap, the play with the best evaluation; then the evaluation";
    type Parameters = GreedyEvaluationParameters;
    type Context = Parts;

    fn build(parameters: GreedyEvaluationParameters, parts: Parts) -> Result<GreedyEvaluation, SpecError> {
        Ok(GreedyEvaluation::new(parameters, parts.evaluation()?))
    }
}
