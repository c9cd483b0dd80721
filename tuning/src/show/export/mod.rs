//! Runs for other programs: PGN for rating programs, CSV for data analysis.

mod csv;
mod pgn;

pub use csv::{DECISIONS, GAMES, csv};
pub use pgn::pgn;
