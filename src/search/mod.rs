//! The searches, and what they share: [`Limits`], a [`Report`], and the [`Observer`] of a search under way.

pub mod alphabeta;
mod limits;
pub mod mcts;
pub mod minimax;
pub mod race;
mod report;

pub use limits::{Limits, Stop};
pub use report::{Candidate, Certainty, DecidedBy, Observer, PlaysNeeded, RaceReport, Report};
