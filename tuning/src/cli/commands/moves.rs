//! `lab moves`: every legal play of a position.

use crate::cli::arguments::BoardArgs;
use anyhow::Result;
use halma::game::Game;
use halma::rules::{Play, Position};
use std::io::{BufWriter, Write, stdout};

/// Arguments of `lab moves`.
#[derive(clap::Args)]
pub struct MovesArgs {
    #[command(flatten)]
    board: BoardArgs,
}

/// Prints every legal play as `FROM_X,FROM_Y TO_X,TO_Y`, one a line, [in reading
/// order](in_reading_order); nothing if there is none.
pub fn run(args: &MovesArgs) -> Result<()> {
    let position = args.board.load()?;
    let mut out = BufWriter::new(stdout().lock());
    for play in in_reading_order(&position) {
        writeln!(out, "{play}")?;
    }
    Ok(out.flush()?)
}

/// The legal plays by origin, those of one origin by destination, squares from the top row down
/// and within a row from the left.
pub fn in_reading_order(position: &Position) -> Vec<Play> {
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    plays.sort_unstable_by_key(|play| (play.from.y(), play.from.x(), play.to.y(), play.to.x()));
    plays
}
