//! The master agent of the course: plays two programs against each other through `input.txt` and
//! `output.txt`, each in a folder of its own, and believes neither.
//!
//! - `processes.rs`: running a program so that its time is known and nothing of it is left.
//! - `program.rs`: a command line, run once. `player.rs`: a program in its folder, asked for a play.
//! - `turn.rs`: what `output.txt` says. `legality.rs`: whether that is legal.
//! - `fault.rs`: the ways in which a program loses. `game.rs`: a game. `record.rs`: its log.

mod fault;
mod game;
mod legality;
mod player;
mod processes;
mod program;
mod record;
mod turn;

pub use fault::ProgramFault;
pub use game::{Conditions, play_game};
pub use legality::{IllegalTurn, check};
pub use player::{Answer, Folder, Patience, ProgramPlayer};
pub use processes::guard;
pub use program::Program;
pub use record::{End, GameLog, PlyLog};
pub use turn::{Turn, parse_output};
