//! How long a move may take, and when to stop early: pure functions, the same for `homework` and for the
//! laboratory.
//!
//! `input.txt` → [`Situation`] (how much time is left, for what, in which position) → [`allowance()`] (what
//! this move may take on this [`Machine`]) → [`Limits`](crate::search::Limits) ([`Allowance::limits`]) → the
//! search, which asks [`Lead`] whether its choice is stable enough to stop early.

mod allowance;
mod machine;
mod stop_early;

pub use allowance::{Allowance, Mode, Situation, allowance, own_plays_to_race};
pub use machine::Machine;
pub use stop_early::Lead;
pub(crate) use stop_early::is_recent;
