//! The race: how many plays a side needs to fill its goal when nobody is in its way.
//!
//! Once the armies have passed each other ([`passed`]), neither can help nor hinder the other: the
//! game is two puzzles side by side, and the side that needs fewer plays wins. A side's puzzle is a
//! [`Race`]; [`solve`] searches it alone, without the opponent's plays in between.
//!
//! The search goes layer by layer (`search.rs`): all boards after one play, after two, and so on.
//! Plays of a race mostly commute, so layers merge what a depth-first search (IDA*) would visit
//! once for each order of plays. A layer keeps only the best-ranked boards, and drops those that an
//! admissible bound (`bound.rs`) rules out; it is widened as long as there is time. When only the bound
//! dropped boards, the line found is proved to be a shortest one.
//!
//! Everything here is seen by a side that runs to the bottom-right corner; White's race is turned.
//!
//! - `passed.rs`: have the armies passed each other?
//! - `side.rs`: the puzzle: pieces, squares they may use, and plays.
//! - `bound.rs`: the fewest plays that a race can take.
//! - `rank.rs`: which boards look good.
//! - `search.rs`: the search.
//! - `estimate.rs`: how many plays a race takes, without a search.

mod bound;
mod estimate;
mod passed;
mod rank;
mod search;
mod side;

pub use estimate::estimate;
pub use passed::passed;
pub use search::{Effort, Solution, improve, solve};
pub use side::{Race, board_key};
