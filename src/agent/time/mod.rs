//! How long a move may take, and when to stop early: pure functions, the same for `homework` and for the
//! laboratory.
//!
//! `input.txt` → [`Situation`] (how much time is left, for what, in which position) → [`allowance()`] (what
//! this move may take on this [`Machine`]) → [`Limits`](crate::search::Limits) ([`Allowance::limits`]) → the
//! search, which asks [`Lead`](crate::search::mcts::Lead) whether its choice is stable enough to stop early.

mod allowance;
mod machine;

pub use allowance::{Allowance, Mode, Situation, allowance, own_plays_to_race};
pub use machine::Machine;
