//! The laboratory around the Halma engine: the program `lab` ([`Lab`]), and what its commands are made of.
//!
//! - [`arguments`]: what several commands are told in the same way; [`whole_number`]: numbers without a fraction.
//! - [`statistics`]: from results to Elo with error bars, and the sequential test.
//! - [`agents`]: those that the engine has; [`rules_name`]: what its rules are called.
//! - [`entrants`]: who plays, an agent or a program.
//! - [`openings`]: where the games of a match begin; [`mod@matches`]: two agents, many games.
//! - [`run`]: games in a folder, in parallel, resumable, in shards that can be merged; [`runs`]: the kinds
//!   of runs; [`tournament`]: several agents, each against each; [`sweep`]: a grid over parameters;
//!   [`tune`]: the best values of several; [`export`](mod@export): games for programs that compute ratings.
//! - [`experiment`]: files that say what to try; [`plot`]: how pictures look.
//! - [`fit`]: the evaluation's weights from games that were played; [`priors`]: the priors' from
//!   plays that a deep search chooses; [`network`]: what is in a network.
//! - [`segment`]: two agents compared over a part of the game; [`parallel`]: much of the same on several
//!   threads.
//! - [`files`]: folders, and JSON in files.
//! - [`analysis`]: a search's view of a position; [`diagram`]: its board;
//!   [`drawing`]: the board as a picture.
//! - [`report`]: matches as one page, with the games to replay.
//! - [`serve`](mod@serve): a page to play, to analyse, and to look into runs.
//! - [`referee`]: two programs, through input.txt and output.txt, neither of them believed;
//!   [`grade`]: the course's grading of one.
//! - [`measure`], [`positions`], [`checksum`]: how fast, on what, and whether still the same.

#![forbid(unsafe_code)]

pub mod agents;
pub mod analysis;
pub mod arguments;
pub mod checksum;
mod commands;
pub mod diagram;
pub mod drawing;
pub mod entrants;
pub mod experiment;
pub mod export;
pub mod files;
pub mod fit;
pub mod grade;
mod lab;
pub mod matches;
pub mod measure;
pub mod network;
pub mod openings;
pub mod parallel;
mod play_text;
pub mod plot;
pub mod positions;
pub mod priors;
pub mod referee;
pub mod report;
pub mod rules_name;
pub mod run;
pub mod runs;
pub mod segment;
pub mod serve;
pub mod statistics;
pub mod sweep;
pub mod tournament;
pub mod tune;
pub mod whole_number;

pub use lab::Lab;
