//! Playout search: a two-ply alpha-beta search chooses each play.
//!
//! ```text
//! a = argmax over plays a of min over replies b of evaluation(position after a, b)
//! ```
//!
//! Only the `width` most advancing plays of each position and any winning one are searched (k-best pruning). Otherwise
//! a playout would take too long.
//!
//! Nijssen, Winands, "Playout Search for Monte-Carlo Tree Search in Multi-Player Games", 2012, who tried it in Chinese
//! Checkers, among other games.

use super::lookahead::Lookahead;
use super::{MAX_CAP, Parts};
use crate::evaluation::Evaluation;
use crate::support::parameters::{Named, whole};
use crate::support::spec::SpecError;

crate::parameters! {
    /// The parameters of [`PlayoutSearch`].
    pub struct PlayoutSearchParameters;
    cap: u64 = 2, whole(0, MAX_CAP, 2),
        "plies of a playout before the evaluation; 4000 plays the whole game";
    width: u64 = 5, whole(1, 100, 5),
        "how many of the most advancing plays are searched in each position";
}

/// Makes the play that a two-ply alpha-beta search finds at each ply up to a cap, then evaluates.
pub type PlayoutSearch = Lookahead<2>;

impl PlayoutSearch {
    /// A policy that searches with `evaluation`, and evaluates the end of each playout with it.
    pub fn new(parameters: PlayoutSearchParameters, evaluation: Box<dyn Evaluation>) -> PlayoutSearch {
        Lookahead::of(parameters.cap, parameters.width, evaluation)
    }
}

impl Named for PlayoutSearch {
    const NAME: &'static str = "playout-search";
    const ABOUT: &'static str =
        "up to the cap, the play that a two-ply alpha-beta search finds; then the evaluation";
    type Parameters = PlayoutSearchParameters;
    type Context = Parts;

    fn build(parameters: PlayoutSearchParameters, parts: Parts) -> Result<PlayoutSearch, SpecError> {
        Ok(PlayoutSearch::new(parameters, parts.evaluation()?))
    }
}
