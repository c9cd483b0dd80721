//! The laboratory around the Halma engine, as a library: what the commands of `lab` are made of.
//!
//! - [`statistics`]: from results to Elo with error bars, and the sequential test.
//! - [`openings`]: where the games of a match begin.
//! - [`mod@matches`]: two agents, many games, in parallel and resumable.

#![forbid(unsafe_code)]

pub mod matches;
pub mod openings;
mod play_text;
pub mod statistics;
