//! The laboratory around the Halma engine: the program `lab` ([`Lab`]), and the rooms its commands are made of.
//!
//! Lowest floor first; nothing imports upwards.
//!
//! | room | what is there |
//! |---|---|
//! | [`stats`] | intervals, Elo, the sequential test, ratings |
//! | `figures` | boards and plots as SVG |
//! | [`play`] | one game between two entrants, agents or programs; openings, matches, the referee, the course's grading |
//! | [`bench`](mod@bench) | how fast this build is, and the checksum of what it plays |
//! | [`runs`] | games in a folder: resumable, sharded, merged; tournaments, sweeps, tuning |
//! | [`learn`] | positions drawn from games; what is in a network; the parts of a game compared |
//! | `show` | reports, exports, and the page of `lab serve` |
//! | [`cli`] | the program `lab`, one file for each command |

#![forbid(unsafe_code)]

pub mod bench;
pub mod cli;
mod figures;
pub mod learn;
pub mod play;
pub mod runs;
mod show;
pub mod stats;

pub use cli::Lab;
