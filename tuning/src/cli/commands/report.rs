//! `lab report`: a run as one HTML file.

use crate::play::whole_number::whole;
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
    /// The folder of a run, a folder with such folders below it, or a log of 'lab referee'.
    run: PathBuf,
    /// The file to write [default: report.html in the folder; beside a log, its name with .html].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// So many games can be replayed, shared evenly among the matches; of the others there is the
    /// result. (A game takes some 15 kB.)
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole::<usize>)]
    games: usize,
    /// Write it again every so many seconds [default: 10] until the run has ended; browsers then load it again, too.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "10")]
    watch: Option<NonZeroU64>,
}

/// Writes the report, as long as it is asked to, and says what is in it.
pub fn run(args: &ReportArgs) -> Result<()> {
    let out = args.out.clone().unwrap_or_else(|| default_path(&args.run));
    check_output(&out, &args.run)?;
    loop {
        let written = write(&args.run, &out, args.games, args.watch)?;
        let Written { matches, games, replays, bytes, under_way } = written;
        let megabytes = bytes as f64 / 1e6;
        writeln!(
            std::io::stdout(),
            "{}: matches: {matches}, games: {games}, to replay: {replays}, {megabytes:.1} MB",
            out.display()
        )
        .context("can't print")?;
        match args.watch {
            Some(seconds) if under_way => thread::sleep(Duration::from_secs(seconds.get())),
            _ => return Ok(()),
        }
    }
}
