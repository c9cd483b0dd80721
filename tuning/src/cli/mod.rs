//! The program `lab`: its arguments and commands.

pub mod arguments;
mod commands;
mod lab;

pub use commands::agents::list_agents;
pub use lab::Lab;
