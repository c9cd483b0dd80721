//! What other programs read of a run: PGN for those that compute ratings, CSV for those that analyse data.

mod csv;
mod pgn;

pub use csv::{DECISIONS, GAMES, csv};
pub use pgn::pgn;
