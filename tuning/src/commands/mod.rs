//! One file for each command of `lab`: its arguments, and `run`.

pub mod agent;
pub mod analyse;
pub mod bench;
pub mod grade;
pub mod match_;
pub mod moves;
pub mod perft;
pub mod referee;
pub mod report;
