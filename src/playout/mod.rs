//! What a leaf of the search tree is worth: playouts and evaluation.
//!
//! A [`Playout`] sees the concrete position and a source of random numbers, and answers with a
//! [`Value`]. It may play to the end, a few plies, or not at all; it never has to list plays.
//! Positions are judged at the end of a short playout by [`evaluate`].
//!
//! # Writing a policy
//!
//! A policy is one file, with a type that implements [`Playout`] (how it judges a leaf) and
//! [`Policy`] (its name, and how it is set up). In this one both sides make their play of most
//! progress until `cap` plies are over:
//!
//! ```
//! use halma::agent::{Agent, MctsAgent};
//! use halma::clock::ProcessClock;
//! use halma::game::{Game, Value};
//! use halma::halma::{BLACK, Play, Position, Rules};
//! use halma::mcts::{Limits, Params};
//! use halma::playout::{Options, Playout, Policy, Random, evaluate};
//!
//! /// Both sides always make the play that brings them furthest.
//! #[derive(Clone)]
//! struct Furthest {
//!     cap: u32,
//!     plays: Vec<Play>,
//! }
//!
//! impl Playout<Position> for Furthest {
//!     fn value(&mut self, leaf: &Position, _random: &mut Random) -> Value {
//!         let mut position = *leaf;
//!         for _ in 0..self.cap {
//!             if let Some(outcome) = position.outcome() {
//!                 return outcome.value_for(leaf.to_move());
//!             }
//!             position.plays(&mut self.plays);
//!             let Some(&play) = self.plays.iter().max_by_key(|&&play| position.progress(play)) else {
//!                 break;
//!             };
//!             position.play(play);
//!         }
//!         evaluate(&position, leaf.to_move())
//!     }
//! }
//!
//! impl Policy for Furthest {
//!     const NAME: &'static str = "furthest";
//!     const ABOUT: &'static str = "the play of most progress, to the cap, then the evaluation";
//!
//!     fn new(options: Options) -> Furthest {
//!         Furthest { cap: options.cap, plays: Vec::new() }
//!     }
//! }
//!
//! // Try it by itself …
//! let start = Position::initial(BLACK, Rules::Addendum);
//! let policy = Furthest::new(Options { cap: 2, leaving: 0, epsilon: 0.0, sample: 1 });
//! let mut agent = MctsAgent::new(Params::default(), policy, 1);
//! let decision = agent.decide(&start, &Limits::iterations(200), &ProcessClock).unwrap();
//! assert_eq!(decision.report.iterations, 200);
//! assert!(start.is_legal(decision.play));
//! ```
//!
//! … and to call it by name, `mcts(playout=furthest)`, in matches and everywhere else, put the file
//! into `src/playout/` and add one line to the list in `src/playout/registry.rs`.

pub mod evaluation;
mod forward_jump;
pub mod priors;
mod registry;
mod static_leaf;
mod uniform;

pub use evaluation::{evaluate, score};
pub use forward_jump::ForwardJump;
pub use registry::{PolicyVisitor, names, with_policy};
pub use static_leaf::Static;
pub use uniform::Uniform;

use crate::game::{Game, Value};
use crate::halma::Position;
use rand::{Rng, SeedableRng};

/// The source of random numbers of playouts and search: xoshiro256++ (Blackman, Vigna 2018), small,
/// fast, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(rand_xoshiro::Xoshiro256PlusPlus);

impl Random {
    /// The sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Random {
        Random(rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 up to, not including, `end`, which must not be 0. Numbers are off from
    /// equally likely by less than `end` in 2³²: playouts can't tell, and it takes one product.
    #[inline]
    pub fn below(&mut self, end: usize) -> usize {
        (((self.bits() >> 32) * end as u64) >> 32) as usize
    }

    /// True with probability `chance`.
    #[inline]
    pub fn happens(&mut self, chance: f32) -> bool {
        ((self.bits() >> 40) as f32) < chance * (1u32 << 24) as f32
    }
}

/// A way of judging leaves.
pub trait Playout<G: Game> {
    /// What `leaf`, a position that is not over, is worth to its player to move: the outcome of
    /// one playout from it, or an estimate of it.
    fn value(&mut self, leaf: &G, random: &mut Random) -> Value;

    /// How good each of `plays` in `position` looks, which is what priors are made from, into
    /// `promises`, in the same order: only differences count, and one of 1 should matter. How far a
    /// play brings its side forward, unless a policy knows better.
    #[inline]
    fn promises(&self, position: &G, plays: &[G::Play], promises: &mut Vec<i8>) {
        let steps = |&play| position.progress(play).clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        promises.clear();
        promises.extend(plays.iter().map(steps));
    }

    /// What `leaf` is worth to its player to move as it stands, without chance and without playing
    /// on: what the search backs up by minimax beside the mean of the values. Even, unless a policy
    /// knows better.
    #[inline]
    fn estimate(&self, leaf: &G) -> Value {
        let _ = leaf;
        Value::DRAW
    }
}

/// What a registered policy can be told; each takes what it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Plies after which a playout stops and the evaluation speaks.
    pub cap: u32,
    /// How many plies more it may take as long as the side to move has to leave its camp.
    pub leaving: u32,
    /// The chance of a random play at each ply, 0…1.
    pub epsilon: f32,
    /// How many pieces, drawn at random, are looked at for one play of a playout; 19 are all.
    pub sample: u32,
}

/// A playout policy for Halma that can be chosen by name.
pub trait Policy: Playout<Position> + Clone + Send + Sized + 'static {
    /// The name by which spec strings call it.
    const NAME: &'static str;

    /// One line on what it does.
    const ABOUT: &'static str;

    /// The policy, set up as `options` say.
    fn new(options: Options) -> Self;
}
