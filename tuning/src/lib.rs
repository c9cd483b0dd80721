//! The laboratory around the Halma engine, as a library: what the commands of `lab` are made of.
//!
//! - [`arguments`]: what several commands are told in the same way.
//! - [`statistics`]: from results to Elo with error bars, and the sequential test.
//! - [`openings`]: where the games of a match begin; [`mod@matches`]: two agents, many games, in
//!   parallel and resumable.
//! - [`tournament`]: several agents, each against each; [`runs`]: which of them a folder
//!   holds; [`merge`](mod@merge): the shards of a run in one folder; [`export`](mod@export): games for programs
//!   that compute ratings.
//! - [`experiment`]: files that say what to try; [`sweep`]: a grid over parameters; [`tune`]:
//!   the best values of several; [`plot`]: how pictures look.
//! - [`fit`]: the evaluation's weights from games that were played; [`priors`]: the priors' from
//!   plays that a deep search chooses.
//! - [`stretch`]: two agents compared over a part of the game; [`parallel`]: much of the same on several
//!   threads.
//! - [`files`]: written whole or not at all.
//! - [`analysis`]: a search's view of a position; [`diagram`]: its board;
//!   [`drawing`]: the board as a picture.
//! - [`report`]: matches as one page, with the games to replay.
//! - [`referee`]: two programs, through input.txt and output.txt, neither of them believed;
//!   [`grade`]: the course's grading of one.
//! - [`measure`], [`positions`], [`checksum`]: how fast, on what, and whether still the same.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod arguments;
pub mod checksum;
pub mod diagram;
pub mod drawing;
pub mod experiment;
pub mod export;
pub mod files;
pub mod fit;
pub mod grade;
pub mod matches;
pub mod measure;
pub mod merge;
pub mod openings;
pub mod parallel;
mod play_text;
pub mod plot;
pub mod positions;
pub mod priors;
pub mod referee;
pub mod report;
pub mod runs;
pub mod statistics;
pub mod stretch;
pub mod sweep;
pub mod tournament;
pub mod tune;
