//! `lab moves`: the legal plays of a position.

use super::output::print_note;
use crate::cli::arguments::BoardArgs;
use crate::show::analysis::game_over;
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

/// Prints the legal plays [in reading order](in_reading_order) as `FROM_X,FROM_Y TO_X,TO_Y`, one per line. If the game
/// is over, there are none, and a note on standard error says so.
pub fn run(args: &MovesArgs) -> Result<()> {
    let position = args.board.load()?;
    if let Some(winner) = position.winner() {
        print_note(format_args!("{}: {}", args.board.name(), game_over(winner)));
    }
    let mut out = BufWriter::new(stdout().lock());
    for play in in_reading_order(&position) {
        writeln!(out, "{play}")?;
    }
    Ok(out.flush()?)
}

/// The legal plays sorted by origin, then by destination; squares from top to bottom and, within a row, from left to
/// right. Empty if the game is over.
pub fn in_reading_order(position: &Position) -> Vec<Play> {
    let mut plays = Vec::new();
    if position.winner().is_none() {
        position.legal_plays(&mut plays);
    }
    plays.sort_unstable_by_key(|play| (play.from.y(), play.from.x(), play.to.y(), play.to.x()));
    plays
}
