//! The commands of `lab`, one file each with the arguments and `run`, and their shared output.

pub mod agent;
pub mod agents;
pub mod analyse;
pub mod bench;
pub mod export;
pub mod grade;
pub mod match_;
pub mod merge;
pub mod moves;
pub mod network;
pub mod output;
pub mod perft;
pub mod play;
pub mod referee;
pub mod report;
pub mod segment;
pub mod serve;
pub mod sweep;
pub mod tournament;
pub mod tune;
