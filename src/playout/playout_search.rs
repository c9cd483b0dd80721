//! Playout search: two plies of alpha-beta choose each ply.
//!
//! ```text
//! a = argmax over plays a of min over replies b of evaluation(position after a, b)
//! ```
//!
//! Only the `width` most advancing plays of each position are searched, and a winning one (k-best pruning). Otherwise a
//! playout would take too long.
//!
//! Nijssen, Winands, "Playout Search for Monte-Carlo Tree Search in Multi-Player Games", 2012, who tried it in Chinese
//! Checkers, among other games.

use super::lookahead::Lookahead;
use super::{MAX_CAP, Parts, Playout, Simulation, goes_on};
use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::rules::{Play, Position};
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`PlayoutSearch`].
    pub struct PlayoutSearchParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
    width: u64 = 5, whole(1, 100, 5),
        "how many plays are searched in each position, those of most progress";
}

/// Makes the play that two plies of alpha-beta find at each ply up to a cap, then evaluates.
pub struct PlayoutSearch {
    cap: u64,
    lookahead: Lookahead,
}

impl PlayoutSearch {
    /// A policy that searches with `evaluation`, and evaluates the end of each playout with it.
    pub fn new(parameters: PlayoutSearchParameters, evaluation: Box<dyn Evaluation>) -> PlayoutSearch {
        let PlayoutSearchParameters { cap, width } = parameters;
        PlayoutSearch { cap, lookahead: Lookahead::new(2, width, evaluation) }
    }
}

impl Playout<Position> for PlayoutSearch {
    fn choose(&mut self, position: &Position, simulation: &mut Simulation<Play>) -> Option<Play> {
        if !goes_on(position, simulation, self.cap, 0) {
            return None;
        }
        self.lookahead.best_play(position)
    }

    fn evaluate(&mut self, end: &Position, _: &mut Simulation<Play>) -> Value {
        self.lookahead.evaluation.value(end, end.to_move())
    }
}

impl Named for PlayoutSearch {
    const NAME: &'static str = "playout-search";
    const ABOUT: &'static str =
        "the play found by two plies of alpha-beta up to the cap, then the evaluation";
    type Parameters = PlayoutSearchParameters;
    type Context = Parts;

    fn build(parameters: PlayoutSearchParameters, parts: Parts) -> Result<PlayoutSearch, SpecError> {
        Ok(PlayoutSearch::new(parameters, parts.evaluation()?))
    }
}
