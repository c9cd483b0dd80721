//! `lab report`: turns a run into one HTML file.

use super::output::printable;
use crate::play::whole_number::{positive, whole};
use crate::runs::check_output;
use crate::show::report::{Written, default_path, write};
use anyhow::{Context, Result};
use std::io::Write;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Arguments of `lab report`.
#[derive(clap::Args)]
pub struct ReportArgs {
    /// Folder of a run, folder with runs below it, or log of 'lab referee'
    run: PathBuf,
    /// File to write [default: report.html in the folder, or the log's name with .html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of games that can be replayed, shared evenly among the matches; a game takes about 15 kB
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<usize>)]
    games: usize,
    /// Rewrite the file every SECONDS [default: 10] until the run has ended, or for a log until interrupted; an open page
    /// reloads itself
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        default_missing_value = "10",
        value_parser = positive::<NonZeroU64>
    )]
    watch: Option<NonZeroU64>,
}

/// Writes the report, repeatedly with `--watch`, and prints a summary.
pub fn run(args: &ReportArgs) -> Result<()> {
    let out = args.out.clone().unwrap_or_else(|| default_path(&args.run));
    check_output(&out, [&args.run])?;
    loop {
        let written = write(&args.run, &out, args.games, args.watch)?;
        let Written { matches, games, replays, bytes, under_way } = written;
        let megabytes = bytes as f64 / 1e6;
        writeln!(
            std::io::stdout(),
            "{}: matches: {matches}, games: {games}, to replay: {replays}, {megabytes:.1} MB",
            printable(&out.display().to_string())
        )
        .context("can't print")?;
        match args.watch {
            Some(seconds) if under_way => thread::sleep(Duration::from_secs(seconds.get())),
            _ => return Ok(()),
        }
    }
}
