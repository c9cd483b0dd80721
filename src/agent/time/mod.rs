//! Time management: from the time left to the [`Limits`](crate::search::Limits) of a search.
//!
//! `homework` fills in a [`Situation`] from `input.txt` and takes its [limits](Situation::limits) on the calibrated
//! [`Machine`]; the laboratory calls [`game_limits`]. A tree search then stops early if its choice is stable.

mod machine;
mod plan;

pub use machine::Machine;
pub use plan::{Mode, Situation, game_limits, own_plays_to_race};
