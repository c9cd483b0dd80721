//! What all searches share: when to stop ([`Limits`]), and what was found ([`Report`]); and who
//! is told while it goes on ([`Observer`]).

mod report;

pub use report::{Candidate, Certainty, DecidedBy, Limits, Observer, PlaysNeeded, RaceReport, Report, Stop};
