//! Runs untrusted programs as the course's master agent does. Each program has its own folder, reads `input.txt` and
//! writes its play to `output.txt`. Its resources are limited, and its plays are checked.
//!
//! - `program.rs`: a command line. `spec.rs`: a program named like an agent, `program(COMMAND)`.
//! - `player.rs`: runs a program in its folder, once for each play. `folder.rs`: the folder.
//! - `supervisor/`: the process that runs a program, and its conversation with the referee.
//! - `sandbox.rs`, `user.rs`: what a program may use and touch. `descendants.rs`: its processes.
//! - `sampled_time.rs`, `cgroup.rs`: the CPU time of its processes.
//! - `turn.rs`: parses `output.txt`. `legality.rs`: checks the play.
//! - `failure.rs`: why a side loses without making a play.

mod cgroup;
mod descendants;
mod failure;
mod folder;
mod legality;
mod player;
mod program;
mod sampled_time;
mod sandbox;
mod spec;
mod supervisor;
mod turn;
mod user;

pub use failure::Failure;
pub use folder::Folder;
pub use legality::check;
pub use player::ProgramPlayer;
pub use program::Program;
pub use sandbox::{Accounting, Sandbox};
pub use spec::{ProgramSpec, SETTINGS, is_program, own_rules};
pub use supervisor::supervise;
pub use turn::parse_output;
