//! A Monte Carlo tree search engine for 16×16 Halma.
//!
//! The rooms, ground floor first; nothing imports upwards:
//!
//! - [`game`]: the seam between rules and search.
//! - [`halma`]: the rules of Halma on bitboards.
//! - [`race`]: how many plays a side needs when nobody is in its way, searched alone.
//! - [`minimax`]: depth-bounded minimax and alpha-beta, counting nodes, over any game.
//! - [`star_circle`]: the older homework's game, and the answers to its problems by minimax.
//! - [`playout`]: what a leaf of the search tree is worth; the playout policies.
//! - [`clock`]: CPU time; [`budget`]: how much of it this move may take.
//! - [`mcts`]: Monte Carlo tree search over any game.
//! - [`agent`]: position and limits in, decision with statistics out.
//! - [`homework`]: the files of the homework, and the programs that answer them.

#![deny(unsafe_code)]

pub mod agent;
pub mod budget;
pub mod clock;
pub mod game;
pub mod halma;
mod hashing;
pub mod homework;
pub mod mcts;
pub mod minimax;
pub mod playout;
pub mod race;
pub mod star_circle;
