//! What all searches share: when to stop ([`Limits`]), and what was found ([`Report`]); and who
//! is told while it goes on ([`Observer`]).

pub mod alphabeta;
mod limits;
pub mod mcts;
pub mod minimax;
pub mod race;
mod report;

pub use limits::{Limits, Stop};
pub use report::{Candidate, Certainty, DecidedBy, Observer, PlaysNeeded, RaceReport, Report};
