//! The program `lab`: its arguments, and one file for each command.

pub mod arguments;
mod commands;
mod lab;

pub use lab::Lab;
