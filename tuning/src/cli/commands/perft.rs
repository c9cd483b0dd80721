//! `lab perft`: counts lines of play, the usual test of a move generator.

use super::moves::in_reading_order;
use crate::cli::arguments::BoardArgs;
use crate::play::whole_number::whole;
use anyhow::{Result, ensure};
use halma::game::Game;
use halma::rules::{Play, Position};
use halma::support::clock::{Clock, ProcessClock};
use std::io::{Write, stdout};

/// Arguments of `lab perft`.
#[derive(clap::Args)]
pub struct PerftArgs {
    #[command(flatten)]
    board: BoardArgs,
    /// Count the lines of 1, 2, … up to this many plies
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    depth: u32,
    /// Count only at the greatest depth, separately for each play
    #[arg(long)]
    divide: bool,
}

/// Prints a row for each depth: nodes, CPU seconds, and nodes per second.
pub fn run(args: &PerftArgs) -> Result<()> {
    let position = args.board.load()?;
    let mut out = stdout().lock();
    if args.divide {
        return divide(&position, args.depth, &mut out);
    }
    writeln!(out, "{HEADER}")?;
    // Depth 0 has one line, the empty one.
    for depth in args.depth.min(1)..=args.depth {
        let start = ProcessClock.seconds();
        let nodes = if position.winner().is_some() && depth > 0 { 0 } else { perft(&position, depth) };
        writeln!(out, "{}", row(depth, nodes, ProcessClock.seconds() - start))?;
    }
    Ok(())
}

/// Prints `FROM TO<TAB>nodes` for each play, then their sum as a row.
fn divide(position: &Position, depth: u32, out: &mut impl Write) -> Result<()> {
    ensure!(depth > 0, "--divide needs --depth 1 or more");
    let start = ProcessClock.seconds();
    let mut nodes = 0;
    for play in in_reading_order(position) {
        let after = perft_after(position, play, depth);
        writeln!(out, "{play}\t{after}")?;
        nodes += after;
    }
    writeln!(out, "\n{HEADER}\n{}", row(depth, nodes, ProcessClock.seconds() - start))?;
    Ok(())
}

const HEADER: &str = "depth            nodes     seconds       nodes/s";

fn row(depth: u32, nodes: u64, seconds: f64) -> String {
    // Shallow counts may be too fast for the clock.
    let rate = if seconds > 0.0 { format!("{:.0}", nodes as f64 / seconds) } else { "-".to_string() };
    format!("{depth:>5} {nodes:>16} {seconds:>11.6} {rate:>13}")
}

/// The number of lines of exactly `depth` plies from `position`, in which the game must not be over. A line that ends
/// in a win before `depth` does not count.
///
/// Plays of the last ply are counted without being made.
fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_plays() as u64,
        _ => {
            let mut nodes = 0;
            position.for_each_source(|from, to| {
                to.for_each(|to| nodes += perft_after(position, Play::new(from, to), depth));
            });
            nodes
        }
    }
}

/// The number of lines of `depth` plies that begin with `play`. `depth` is at least 1.
fn perft_after(position: &Position, play: Play, depth: u32) -> u64 {
    let mut next = *position;
    next.play(play);
    let over = depth > 1 && next.outcome().is_some();
    if over { 0 } else { perft(&next, depth - 1) }
}
