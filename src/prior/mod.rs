//! How likely each play is to be the best one, before search.
//!
//! A [`Prior`] gives every play a score. Tree search turns scores into probabilities by a softmax with the
//! prior's own base, `P ∝ base^score`, and looks at plays of high prior first; alpha-beta orders its plays by them.
//!
//! - [`Fitted`]: by squares, progress and rank, fitted to the choices of a deep search.
//! - the [policy network](crate::network::policy): by these and by where all pieces stand, trained on the visits of searches; the default.
//! - [`Progress`]: by how far a play brings its side forward.
//! - [`Uniform`]: all plays alike, for any game.

pub(crate) mod features;
mod fitted;
mod progress;
pub mod weights;

pub use features::{COUNT, Features, IN_PHASE, KINDS, PHASELESS};
pub use fitted::Fitted;
pub use progress::Progress;

use crate::game::Game;
use crate::support::parameters::{Named, NoParameters};
use crate::support::spec::SpecError;

/// Scores plays before they are searched.
pub trait Prior<G: Game> {
    /// The score of each of `plays` in `position`, into `scores`, in the same order. Only differences count.
    fn scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>);

    /// How many times as likely one more point of score makes a play; at least 1.
    fn base(&self) -> f32;
}

impl<G: Game, P: Prior<G> + ?Sized> Prior<G> for Box<P> {
    #[inline]
    fn scores(&mut self, position: &G, plays: &[G::Play], scores: &mut Vec<i8>) {
        (**self).scores(position, plays, scores);
    }

    fn base(&self) -> f32 {
        (**self).base()
    }
}

/// Every play is as likely as any other.
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
