//! A Monte Carlo tree search engine for 16×16 Halma.
//!
//! The rooms, ground floor first; nothing imports upwards:
//!
//! - [`game`]: the seam between rules and search.
//! - [`halma`]: the rules of Halma on bitboards.
//! - [`playout`]: what a leaf of the search tree is worth; the playout policies.
//! - [`clock`]: CPU time; [`budget`]: how much of it this move may take.
//! - [`mcts`]: Monte Carlo tree search over any game.
//! - [`agent`]: position and limits in, decision with statistics out.
//! - [`homework`]: the files of the homework, and the programs that answer them.

#![forbid(unsafe_code)]

pub mod agent;
pub mod budget;
pub mod clock;
pub mod game;
pub mod halma;
pub mod homework;
pub mod mcts;
pub mod playout;

/// The checksum of files that the agent writes for itself. `fxhash` is no longer maintained
/// (RUSTSEC-2025-0057) but sound; it is named here only.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    fxhash::hash64(bytes)
}
