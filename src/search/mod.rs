//! What all searches share: when to stop ([`Limits`]), and what was found ([`Report`]).

mod report;

pub use report::{Candidate, Limits, Report, Stop};
