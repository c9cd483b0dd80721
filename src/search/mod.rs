//! What all searches share: when to stop ([`Limits`]), and what was found ([`Report`]).

mod report;

pub use report::{Candidate, Certainty, DecidedBy, Limits, PlaysNeeded, RaceReport, Report, Stop};
