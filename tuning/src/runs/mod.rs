//! A run: a fixed list of seeded games, in a folder that survives being killed at any moment.
//!
//! What `lab match`, `lab tournament`, `lab sweep` and `lab tune` have in common. Each is a [`Schedule`]:
//! it says which matches are played and what follows from their games. All else is done here, alike for
//! all of them. In the folder of a run there are
//!
//! - `run.json`, the [`Header`]: what was asked, how its agents play ([`Fingerprint`]), which programs
//!   played when and where ([`Session`]), which [`Shard`] is here;
//! - `games.jsonl`, the games: a line for each game that has ended, in the order in which they ended.
//!   Whoever is killed while writing leaves a last line without an end, which is not counted;
//! - `result.json`, and what else the schedule draws from the result, once all games have ended.
//!
//! [`play`] plays those games of the list that are not yet there, on as many threads as it is told, and
//! counts them in the order of the list. So neither the number of threads nor an interruption changes
//! the result, nor does it matter whether the games are played here or shard by shard on other machines
//! and [merged](merge()). A run whose games are all games of a longer one is
//! [extended](Schedule::extends) when the longer one is asked for in its folder.
//!
//! # The walk of a sweep's cell
//!
//! From a file to a row of a table, in the order of the calls:
//!
//! ```text
//! commands::sweep::run    commands/sweep.rs
//!   Sweep::parse          sweep/file.rs      the grid; each value is tried on an agent
//!   play                  run/play.rs        all that is not yet in the folder, on threads
//!     Sweep::round        sweep/plan.rs      the cells, each as a match of so many pairs
//!     Games::of_match     run/games.rs       which of a cell's games are there already
//!     play_game           matches/game.rs    one game: seeds, opening, two entrants
//!       Entrant::decide   entrants/mod.rs    an agent of the engine, or a program
//!     OwnGames::append    run/games.rs       a line of games.jsonl
//!     Round::add          run/play.rs        the cell's points by pairs
//!   Sweep::conclude       sweep/plan.rs
//!     SweepResult::of     sweep/result.rs    a row for the cell: score, Elo, intervals; the best setting
//!     draw                sweep/draw.rs      the plots
//! ```

mod cautions;
pub mod experiment;
mod extension;
pub mod files;
mod fingerprint;
mod folder;
mod games;
mod header;
pub mod kinds;
mod merge;
pub mod parallel;
mod play;
mod recorded;
mod schedule;
mod session;
mod shard;
pub mod sweep;
pub mod tournament;
pub mod tune;

pub use cautions::cautions;
pub use fingerprint::Fingerprint;
pub use folder::{GAMES, HEADER, RESULT, check_output};
pub use header::{Builds, Header, Successor};
pub use merge::merge;
pub use play::{Home, Progress, play};
pub use recorded::Recorded;
pub use schedule::{Arguments, Conclusion, Match, Schedule, read_arguments};
pub use session::{Build, Host, Session};
pub use shard::{NoShard, Shard};
