//! Priors: estimates, before search, of how likely each play is to be the best.
//!
//! A [`Prior`] scores all plays. Tree search turns scores into probabilities, `P ∝ base^score` with the prior's own base,
//! and visits plays of high probability first. Alpha-beta orders plays by score.
//!
//! - the [policy network](crate::network::policy), the default: trained on the visits of searches
//! - [`Fitted`]: by squares, progress and rank, fitted to the choices of a deep search
//! - [`Progress`]: by the progress of the play
//! - [`Uniform`]: all plays alike, for any game
//!
//! ```
//! use halma::prior::{Fitted, Prior};
//! use halma::{Game, Play, Position};
//!
//! let position = Position::default();
//! let (mut plays, mut scores) = (Vec::new(), Vec::new());
//! position.legal_plays(&mut plays);
//! Fitted::default().scores(&position, &plays, &mut scores);
//! let score = |play: Play| scores[plays.iter().position(|&other| other == play).unwrap()];
//! assert!(score("2,2 4,2".parse()?) > score("4,0 5,0".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod features;
mod fitted;
mod progress;
pub mod weights;

pub use features::{COUNT, Features, IN_PHASE, KINDS, PHASELESS};
pub use fitted::Fitted;
pub use progress::Progress;

use crate::game::Game;
use crate::rules::Position;
use crate::support::parameters::{Named, NoParameters};
use crate::support::spec::SpecError;

/// Scores plays before search.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prior for `{G}`",
    note = "implement `Prior<{G}>`: `scores` scores the legal plays, `base` turns scores into probabilities"
)]
pub trait Prior<G: Game> {
    /// Replaces the contents of `scores` with the scores of `plays`, the legal plays of `position`, in the same order.
    /// Only differences between scores matter.
    fn scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>);

    /// Each point of score multiplies the probability of a play by this factor, at least 1.
    fn base(&self) -> f32;
}

/// A prior of any type for Halma.
pub type BoxedPrior = Box<dyn Prior<Position> + Send>;

impl<G: Game, P: Prior<G> + ?Sized> Prior<G> for Box<P> {
    #[inline]
    fn scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>) {
        (**self).scores(position, plays, scores);
    }

    fn base(&self) -> f32 {
        (**self).base()
    }
}

/// All plays are equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Prior<G> for Uniform {
    #[inline]
    fn scores(&mut self, _position: &G, plays: &[G::Play], scores: &mut Vec<i8>) {
        scores.clear();
        scores.resize(plays.len(), 0);
    }

    fn base(&self) -> f32 {
        2.0
    }
}

impl Named for Uniform {
    const NAME: &'static str = "uniform";
    const ABOUT: &'static str = "all plays alike";
    type Parameters = NoParameters;
    type Context = ();

    fn build(_parameters: NoParameters, (): ()) -> Result<Uniform, SpecError> {
        Ok(Uniform)
    }
}
