//! What a leaf of the search tree is worth.
//!
//! A [`Playout`] gets a position and a source of random numbers, and answers with a [`Value`]. It may play
//! to the end, a few plies, or not at all. Which plays look good before search is left to a
//! [`Prior`], so two policies differ only in their values of leaves, and in whether these are found by
//! chance: see [`Playout::value`].
//!
//! - [`ForwardJump`]: the furthest jump of the whole army, a few plies, then the evaluation.
//! - [`Likeliest`]: the play that the prior finds likeliest, a few plies, then the evaluation.
//! - [`SampledJump`]: the furthest jump of a few pieces drawn at random; cheaper where playouts are long.
//! - [`Static`]: the evaluation at once; the default.
//! - [`Uniform`]: any play.
//! - [`ToTheEnd`]: random plays to the end, for any game.
//!
//! # The walk of a playout
//!
//! ```text
//! Search::evaluate        mcts/search.rs
//!   Playout::value        playout/forward_jump.rs
//!     run                 playout/mod.rs            ply by ply, to the cap:
//!       furthest_of_all   playout/forward_jump.rs   which play?
//!         furthest_jump   rules/furthest.rs
//!       Position::play    rules/position.rs
//!     Evaluation::value   evaluation/mod.rs         the value at the end
//! ```
//!
//! # A policy of one's own
//!
//! A policy is a type that implements [`Playout`] (what a leaf is worth) and [`Named`] (its name, its
//! parameters, how it is set up). It is made from the agent's evaluation; one that asks the prior too, from
//! [`Parts`]. In this one both sides make their play of most progress for `cap` plies:
//!
//! ```
//! use halma::evaluation::Evaluation;
//! use halma::support::parameters::{Named, whole};
//! use halma::playout::Playout;
//! use halma::support::random::Random;
//! use halma::{Game, Limits, Play, Position, ProcessClock, Registry, Value};
//!
//! halma::parameters! {
//!     /// The parameters of the policy.
//!     pub struct OwnParameters;
//!     cap: u64 = 2, whole(0, 100, 2), "plies of a playout before the evaluation speaks";
//! }
//!
//! /// Both sides always make the play that brings them furthest.
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
//!     type Uses = Box<dyn Evaluation>;
//!
//!     fn new(parameters: OwnParameters, evaluation: Box<dyn Evaluation>) -> Own {
//!         Own { parameters, evaluation, plays: Vec::new() }
//!     }
//! }
//!
//! let registry = Registry::default().playout::<Own>();
//! let mut agent = registry.make_agent(&"mcts(playout=own(cap=4))".parse().unwrap(), 1).unwrap();
//! let decision = agent.decide(&Position::default(), &Limits::iterations(200), &ProcessClock, None).unwrap();
//! assert_eq!(decision.report.iterations, 200);
//! ```
//!
//! `tuning/examples/own_policy.rs` is a laboratory that knows such a policy by name.

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

/// Says what a leaf is worth.
pub trait Playout<G: Game> {
    /// What `leaf`, a position that is not over, is worth to its player to move: the outcome of
    /// one playout from it, or an estimate of it.
    ///
    /// All chance must come from `random`. Where nothing is drawn from it, the search trusts the values, and lets the
    /// best of new siblings count for more than the others (its parameter `leaf_best`).
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value;
}

impl<G: Game, P: Playout<G> + ?Sized> Playout<G> for Box<P> {
    #[inline]
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value {
        (**self).value(leaf, random)
    }
}

/// The agent's other parts, as far as a policy for Halma may use them.
pub struct Parts {
    /// What positions are worth as they stand.
    pub evaluation: Box<dyn Evaluation>,
    /// How likely each play is to be the best. It is made like the search's prior, but is another one: each may
    /// keep what it knows of the position it scored last.
    pub prior: Box<dyn Prior<Position> + Send>,
}

impl From<Parts> for Box<dyn Evaluation> {
    fn from(parts: Parts) -> Box<dyn Evaluation> {
        parts.evaluation
    }
}

/// The longest playout of the policies for Halma, in plies, whatever their cap. Playouts by jumps from the
/// start take some 300; this bounds the time for boards on which nobody can win.
const LONGEST: u64 = 4000;

/// Plays on from `position` by `choose`, for at most `cap` plies and `leaving` more while the side to move
/// has to leave its camp. Returns how many plies it played.
///
/// Who has to leave its camp has few plays, half of them forced, and evaluations don't tell how well it gets out; so
/// playouts may go a few plies further.
#[inline(always)]
fn run(
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
