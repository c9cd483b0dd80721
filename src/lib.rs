//! A Monte Carlo tree search engine for 16×16 Halma.
//!
//! The rooms, ground floor first; nothing imports upwards:
//!
//! - [`game`]: the seam between rules and search.
//! - [`halma`]: the rules of Halma on bitboards.
//! - [`clock`]: CPU time; [`budget`]: how much of it this move may take.
//! - [`homework`]: the files of the homework, text in and text out.

#![forbid(unsafe_code)]

pub mod budget;
pub mod clock;
pub mod game;
pub mod halma;
pub mod homework;
