//! Games between entrants, and their results.
//!
//! - `entrant`: the sides of a game, agents or untrusted `programs`. [`agents`]: the agents that specs can
//!   name.
//! - [`time_control`]: how much time each side has.
//! - `game`: the game loop, and where a loss on time is decided. [`record`]: the record of a game.
//! - [`mod@matches`]: many games between two entrants, from [`openings`].
//! - `referee` and `grade`: games between programs under the course's rules. `samples`: the course's sample
//!   boards.
//! - `text` and [`whole_number`]: how values are written in files and on command lines.

pub mod agents;
pub(crate) mod entrant;
pub(crate) mod game;
pub(crate) mod grade;
pub mod matches;
pub mod openings;
pub(crate) mod programs;
pub mod record;
pub(crate) mod referee;
pub(crate) mod samples;
pub(crate) mod text;
pub mod time_control;
pub mod whole_number;

pub use programs::{check, is_program, parse_output};
