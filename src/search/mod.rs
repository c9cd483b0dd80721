//! What all searches share: when to stop ([`Limits`]), and what was found ([`Report`]); and who
//! is told while it goes on ([`Observer`]).

pub mod alphabeta;
pub mod mcts;
pub mod minimax;
pub mod race;
mod report;

pub use report::{Candidate, Certainty, DecidedBy, Limits, Observer, PlaysNeeded, RaceReport, Report, Stop};
