//! Playout policies: how the search values a leaf.
//!
//! A [`Playout`] takes a position and a source of random numbers, and returns a [`Value`]. It may play to the end, a few
//! plies, or not at all. It does not rate plays for the search, which is the job of a [`Prior`]: two policies differ only
//! in the values of leaves.
//!
//! - [`Static`]: no plies, just the evaluation; the default.
//! - [`ForwardJump`]: the furthest jump of the whole army for a few plies, then the evaluation.
//! - [`SampledJump`]: the furthest jump of a few random pieces, which is cheaper in long playouts.
//! - [`Likeliest`]: the play that the prior rates highest for a few plies, then the evaluation.
//! - [`Uniform`]: random plays for a few plies, then the evaluation.
//! - [`ToTheEnd`]: random plays to the end, for any game.
//!
//! # The walk of a playout
//!
//! ```text
//! Search::evaluate        search/mcts/iteration.rs
//!   Playout::value        playout/forward_jump.rs
//!     play_on             playout/mod.rs             ply by ply, up to the cap
//!       furthest_of_all   playout/forward_jump.rs    choose a play
//!         furthest_jump   rules/furthest.rs
//!       Position::play    rules/position.rs
//!     Evaluation::value   evaluation/mod.rs          value the last position
//! ```
//!
//! # Writing a policy
//!
//! A policy implements [`Playout`], which values a leaf, and [`Named`]: its name, its parameters and its constructor. It
//! is built from the agent's evaluation and prior, its [`Parts`]. In this example, both sides make the play of most
//! progress for `cap` plies:
//!
//! ```
//! use halma::evaluation::Evaluation;
//! use halma::agent::SpecError;
//! use halma::playout::{Parts, Playout};
//! use halma::support::parameters::{Named, whole};
//! use halma::support::random::Random;
//! use halma::{Game, Limits, Play, Position, ProcessClock, Registry, Value};
//!
//! halma::parameters! {
//!     /// The parameters of the policy.
//!     pub struct OwnParameters;
//!     cap: u64 = 2, whole(0, 100, 2), "plies of a playout before the evaluation";
//! }
//!
//! /// Both sides make the play of most progress.
//! struct Own {
//!     parameters: OwnParameters,
//!     evaluation: Box<dyn Evaluation>,
//!     plays: Vec<Play>,
//! }
//!
//! impl Playout<Position> for Own {
//!     fn value(&mut self, leaf: &Position, _random: &mut Random) -> Value {
//!         let mut position = *leaf;
//!         for _ in 0..self.parameters.cap {
//!             if position.outcome().is_some() {
//!                 break;
//!             }
//!             position.legal_plays(&mut self.plays);
//!             match self.plays.iter().max_by_key(|&&play| position.progress(play)) {
//!                 Some(&play) => position.play(play),
//!                 None => break,
//!             }
//!         }
//!         self.evaluation.value(&position, leaf.to_move())
//!     }
//! }
//!
//! impl Named for Own {
//!     const NAME: &'static str = "own";
//!     const ABOUT: &'static str = "the play of most progress, to the cap, then the evaluation";
//!     type Parameters = OwnParameters;
//!     type Context = Parts;
//!
//!     fn build(parameters: OwnParameters, parts: Parts) -> Result<Own, SpecError> {
//!         Ok(Own { parameters, evaluation: parts.evaluation, plays: Vec::new() })
//!     }
//! }
//!
//! let registry = Registry::default().playout::<Own>();
//! let mut agent = registry.make_agent(&"mcts(playout=own(cap=4))".parse().unwrap(), 1).unwrap();
//! let decision = agent.decide(&Position::default(), &Limits::iterations(200), &ProcessClock, None).unwrap();
//! assert_eq!(decision.report.iterations, 200);
//! ```
//!
//! `tuning/examples/own_policy.rs` is a laboratory with such a policy.

mod forward_jump;
mod likeliest;
mod roster;
mod sampled_jump;
mod static_leaf;
mod to_the_end;
mod uniform;

pub use forward_jump::{ForwardJump, ForwardJumpParameters};
pub use likeliest::{Likeliest, LikeliestParameters};
pub use sampled_jump::{SampledJump, SampledJumpParameters};
pub use static_leaf::Static;
pub use to_the_end::ToTheEnd;
pub use uniform::{Uniform, UniformParameters};

use crate::evaluation::Evaluation;
use crate::game::{Game, Value};
use crate::prior::Prior;
use crate::rules::{Play, Position};
use crate::support::random::Random;

#[cfg(doc)]
use crate::support::parameters::Named;

/// Values the leaves of a search.
///
/// ```
/// use halma::evaluation::Fitted;
/// use halma::playout::{Playout, Static};
/// use halma::support::random::Random;
/// use halma::{Position, Value};
///
/// let mut policy = Static::new(Box::new(Fitted));
/// let value = policy.value(&Position::default(), &mut Random::new(1));
/// assert!(value > Value::LOSS && value < Value::WIN);
/// ```
pub trait Playout<G: Game> {
    /// The value of `leaf`, which is not over, for its player to move: the outcome of a playout, or an estimate of it.
    ///
    /// All chance must come from `random`. If no playout drew from it, the search trusts the values more and backs up
    /// several new siblings nearer to the best of them (parameter `leaf_best`).
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value;
}

impl<G: Game, P: Playout<G> + ?Sized> Playout<G> for Box<P> {
    #[inline]
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value {
        (**self).value(leaf, random)
    }
}

/// The parts of an agent that a policy for Halma may use.
pub struct Parts {
    /// The agent's evaluation.
    pub evaluation: Box<dyn Evaluation>,
    /// The agent's prior. The search has another instance, because a prior keeps results of the last position scored.
    pub prior: Box<dyn Prior<Position> + Send>,
}

/// The maximum cap of a policy for Halma, in plies. Playouts by jumps from the start take about 300 plies; the cap bounds
/// the time on boards where neither side can win.
const MAX_CAP: u64 = 4000;

/// Makes the plays that `choose` returns: at most `cap` plies, and `leaving` more while the side to move must leave its
/// camp. Returns the number of plies.
///
/// A side that must leave its camp has few plays, half of them forced, and evaluations do not see how well it gets out.
/// Hence the extra plies.
#[inline(always)]
fn play_on(
    position: &mut Position,
    cap: u64,
    leaving: u64,
    mut choose: impl FnMut(&Position) -> Option<Play>,
) -> u32 {
    let mut plies = 0;
    while plies < cap || (plies < cap + leaving && position.must_leave(position.to_move())) {
        if position.outcome().is_some() {
            break;
        }
        let Some(play) = choose(position) else { break };
        position.play(play);
        plies += 1;
    }
    plies as u32
}
