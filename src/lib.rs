//! A Monte Carlo tree search engine for 16×16 Halma.
//!
//! The rooms, ground floor first; nothing imports upwards:
//!
//! - [`game`]: the seam between rules and search.
//! - [`halma`]: the rules of Halma on bitboards.

#![forbid(unsafe_code)]

pub mod game;
pub mod halma;
