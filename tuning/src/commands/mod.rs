//! One file for each command of `lab`: its arguments, and `run`.

pub mod moves;
