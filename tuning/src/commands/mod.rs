//! One file for each command of `lab`: its arguments, and `run`.

pub mod match_;
pub mod moves;
