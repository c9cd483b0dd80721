//! Runs: fixed lists of seeded games in folders that survive being killed at any moment.
//!
//! `lab match`, `lab tournament`, `lab sweep` and `lab tune` each define a [`Schedule`]: the matches to play and the
//! result of their games. Everything else is shared. The folder of a run contains
//!
//! - `run.json`, the [`Header`]: the arguments, how the agents play ([`Fingerprint`]), which programs played when and
//!   where ([`Session`]), and which [`Shard`] this is;
//! - `games.jsonl`, one line for each finished game, in the order in which they finished or were merged. A process
//!   killed while writing leaves an incomplete last line, which is ignored;
//! - `result.json` and the files that the schedule derives from the result, once all games have ended.
//!
//! [`PlannedRun::play`] plays the games that are not in the folder yet, on several threads, and counts them in the
//! order of the list. So the result depends neither on the number of threads nor on interruptions, nor on whether the
//! games were played in one piece or in shards that were [merged](merge()). A run can be
//! [extended](Schedule::extends): a longer run keeps the games of a shorter one in its folder.
//!
//! # From a sweep's file to a row of its table
//!
//! The calls that one cell takes, in order:
//!
//! ```text
//! commands::sweep::run           cli/commands/sweep.rs
//!   Sweep::parse                 sweep/file.rs           the grid; each value is tried on an agent
//!   play_and_print               cli/commands/output.rs
//!     PlannedRun::new            planned.rs              header and matches
//!       Sweep::round             sweep/mod.rs            each cell as a match
//!     PlannedRun::play           planned.rs
//!       OwnGames::claim          games.rs                the folder is locked, its games are indexed
//!       Round::play              round.rs                the missing games, on several threads
//!         play_one               round.rs                one game, unless the round is over
//!           MatchPlayer::play    play/matches/player.rs  seeds, opening, two entrants
//!             play_game          play/game.rs            ply by ply
//!               Entrant::answer  play/entrant.rs         an agent of the engine, or a program
//!           EntrantFiles::check  entrant_files.rs        the game counts only if no network or program has changed
//!         OwnGames::append       games.rs                a line of games.jsonl
//!         Round::add             round.rs
//!           GameFigures::of      play/matches/figures.rs what the match needs from the game
//!           Counter::add         play/matches/count.rs   the points of the cell, pair by pair
//!       Sweep::conclude          sweep/mod.rs
//!         SweepResult::of        sweep/result.rs         the cell's row: score, Elo, intervals; the best setting
//!         SweepResult::csv       sweep/table.rs
//! ```

mod entrant_files;
pub mod experiment;
mod extension;
pub mod files;
mod fingerprint;
mod folder;
mod games;
mod header;
mod kinds;
pub mod machine;
mod merge;
pub mod parallel;
mod planned;
mod progress;
mod recorded;
mod round;
mod schedule;
mod session;
mod shard;
mod siblings;
pub mod sweep;
mod text;
pub mod tournament;
pub mod tune;
mod warnings;

pub use entrant_files::EntrantFiles;
pub use fingerprint::Fingerprint;
pub use folder::{GAMES, HEADER, RESULT, check_output};
pub use header::{Builds, Header, OtherPlay, Successor};
pub use merge::merge;
pub use planned::PlannedRun;
pub use progress::Progress;
pub use recorded::RecordedRun;
pub use schedule::{Arguments, Conclusion, Match, Schedule, read_arguments};
pub use session::{Build, Host, Session, TimeScale};
pub use shard::Shard;
