//! Policies that learn during a search which plays are good in playouts.
//!
//! - [`Mast`]: by the average result of each play;
//! - [`Nst`]: by the average results of sequences of up to three plays;
//! - [`Lgrf`]: by the last reply that was good;
//! - [`Ppa`]: by weights that move towards the plays of the winner.
//!
//! Each is built on an inner policy, which makes the plays that are not learned and decides when a playout ends: `uniform`
//! as in the papers, or one that favours jumps. They work for any [`Game`](crate::game::Game) whose plays are
//! [numbered](crate::game::MoveIndex).
//!
//! Moves and sequences are those of a simulation, which begins at the root: moves made in the game before it do not
//! count.
//!
//! Statistics last for a game: `decay`, or in LGRF `keep`, says how much of them the next move keeps.

mod choice;
mod learning;
mod lgrf;
mod mast;
mod nst;
mod ppa;
mod sequences;
mod table;

pub use choice::{Choice, draw, highest};
pub use lgrf::{Lgrf, LgrfParameters};
pub use mast::{Mast, MastParameters};
pub use nst::{Nst, NstParameters};
pub use ppa::{Ppa, PpaParameters};
pub use table::{Average, MoveTable};
