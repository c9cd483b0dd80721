//! `lab report`: a run as one HTML file.

use crate::report::{Written, usual_place, write};
use crate::whole_number::whole;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `lab report`.
#[derive(clap::Args)]
pub struct ReportArgs {
    /// The folder of a run, a folder with such folders below it, or a log of 'lab referee'.
    run: PathBuf,
    /// The file to write [default: report.html in the folder; beside a log, its name with .html].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// So many games can be replayed, shared evenly among the matches; of the others there is the
    /// result. (A game takes some 15 kB.)
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<usize>)]
    games: usize,
}

/// Writes the report, and says what is in it.
pub fn run(args: &ReportArgs) -> Result<()> {
    let out = args.out.clone().unwrap_or_else(|| usual_place(&args.run));
    let Written { matches, games, replays, bytes } = write(&args.run, &out, args.games)?;
    let megabytes = bytes as f64 / 1e6;
    writeln!(
        std::io::stdout(),
        "{}: matches: {matches}, games: {games}, to replay: {replays}, {megabytes:.1} MB",
        out.display()
    )
    .context("can't print")
}
