//! A Monte Carlo tree search engine for 16×16 Halma.
//!
//! The rooms, ground floor first; nothing imports upwards:
//!
//! - [`game`]: the seam between rules and search.
//! - [`halma`]: the rules of Halma on bitboards.
//! - [`playout`]: what a leaf of the search tree is worth; the playout policies.
//! - [`clock`] and [`budget`]: CPU time, and how much of it a move may take.
//! - [`mcts`]: Monte Carlo tree search over any game.
//! - [`agent`]: position and limits in, decision with statistics out.
//! - [`homework`]: the files of the homework, text in and text out.

#![forbid(unsafe_code)]

pub mod agent;
pub mod budget;
pub mod clock;
pub mod game;
pub mod halma;
pub mod homework;
pub mod mcts;
pub mod playout;
