//! The program `lab`: its arguments and commands.

pub mod arguments;
mod commands;
mod lab;

pub use lab::Lab;
