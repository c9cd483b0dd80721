//! Runs for other programs: PGN for rating programs, CSV or columns for data analysis.

mod csv;
mod pgn;
mod tables;

pub use csv::{DECISIONS, GAMES, csv};
pub use pgn::pgn;
pub use tables::{Column, Table, tables};
