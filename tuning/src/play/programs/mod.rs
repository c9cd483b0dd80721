//! The master agent of the course: plays two programs against each other through `input.txt` and
//! `output.txt`, each in a folder of its own, and believes neither.
//!
//! - `program.rs`: a command line. `folder.rs`: where it runs. `player.rs`: a program in its folder, asked for a play.
//! - `supervisor.rs`: the process that runs a program. `supervised.rs`: the referee's end of it. `run.rs`: what they
//!   tell each other.
//! - `processes.rs`: a program's descendants. `sampled_time.rs`, `cgroup.rs`: what they have used.
//!   `limits.rs`, `user.rs`: what they may use and touch.
//! - `turn.rs`: what `output.txt` says. `legality.rs`: whether that is legal.
//! - `fault.rs`: the ways in which a program loses. `game.rs`: a game. `record.rs`: its log.

mod cgroup;
mod fault;
mod folder;
mod game;
mod legality;
mod limits;
mod player;
mod processes;
mod program;
mod record;
mod run;
mod sampled_time;
mod supervised;
mod supervisor;
mod turn;
mod user;

pub use fault::ProgramFault;
pub use folder::Folder;
pub use game::{Conditions, play_game};
pub use legality::{IllegalTurn, check};
pub use limits::ResourceLimits;
pub use player::{Accounting, Confinement, Patience, ProgramPlayer, Reply, with_last_words};
pub use program::Program;
pub use record::{Both, End, GameLog, PlyLog};
pub use supervisor::supervise;
pub use turn::{Turn, parse_output};
