//! The race: how many plays a side needs to fill its goal when the opponent is out of the way.
//!
//! Once the armies have [`passed`] each other, neither can help or hinder the other: the game is two separate puzzles,
//! and the side that needs fewer plays wins. A side's puzzle is a [`Race`]; [`solve`] searches it alone, without the
//! opponent's plays in between.
//!
//! The search goes layer by layer: all boards after one play, after two, and so on. The plays of a race mostly commute,
//! so a layer merges boards that a depth-first search (IDA*) would visit once for each order of the plays. A layer
//! keeps only the boards with the best ranks and drops boards that an admissible bound rules out. Layers get wider
//! while there is time. If only the bound dropped boards, the line found is proved to be shortest.
//!
//! All boards are seen from Black's side, which runs to the bottom-right corner; White's race is turned.
//!
//! - `passed.rs`: whether the armies have passed each other;
//! - `side.rs`: the puzzle of one side: its pieces, its squares and its plays;
//! - `bound.rs`: the fewest plays that a race can take;
//! - `rank.rs`: which boards look good;
//! - `beam.rs`: the search;
//! - `estimate.rs`: an estimate of the number of plays, without a search.

mod beam;
mod bound;
mod estimate;
mod passed;
mod rank;
mod side;

pub use beam::{Solution, improve, solve};
pub use estimate::estimate;
pub use passed::passed;
pub use side::Race;
