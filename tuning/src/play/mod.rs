//! Games between entrants, and what they come to.
//!
//! - [`entrant`]: who plays, agents or [`programs`] that nobody trusts. [`agents`]: the agents that specs can name.
//! - [`time_control`]: how much time each side has.
//! - [`game`]: the game loop, and where a loss on time is decided. [`record`]: the record of a game.
//! - [`matches`]: many games between two entrants, from [`openings`].
//! - [`referee`] and [`grade`]: games of programs by the rules of the course.
//! - [`text`] and [`whole_number`]: values in files and on command lines.

pub mod agents;
pub mod entrant;
pub mod game;
pub mod grade;
pub mod matches;
pub mod openings;
pub mod programs;
pub mod record;
pub mod referee;
pub mod text;
pub mod time_control;
pub mod whole_number;
