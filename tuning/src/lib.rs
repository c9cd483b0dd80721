//! The laboratory around the Halma engine: the program `lab` ([`Lab`]), and the modules its commands are made of.
//!
//! Lowest layer first; no module imports from a higher one.
//!
//! | module | contents |
//! |---|---|
//! | [`stats`] | intervals, Elo, the sequential test, ratings |
//! | `figures` | boards and plots as SVG |
//! | [`play`] | the game loop, for agents and programs; openings, matches, the referee, the course's grading |
//! | [`bench`](mod@bench) | how fast this build is, and the checksum of what it plays |
//! | [`runs`] | games in folders: resumed, sharded, merged; tournaments, sweeps, tuning |
//! | [`learn`] | positions from recorded games; descriptions of networks; agents compared on parts of a game |
//! | [`show`] | reports, exports, and the page of `lab serve` |
//! | [`cli`] | the program `lab`, one file for each command |

#![forbid(unsafe_code)]

pub mod bench;
pub mod cli;
mod figures;
pub mod learn;
pub mod play;
pub mod runs;
pub mod show;
pub mod stats;

pub use cli::Lab;
