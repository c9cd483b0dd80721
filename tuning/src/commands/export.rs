//! `lab export`: the games of a run for programs that compute ratings.

use anyhow::{Context, Result};
use halma_lab::export::export;
use halma_lab::files::write_whole;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab export`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder of a match or a tournament.
    run: PathBuf,
    /// The file to write, instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    match &args.out {
        Some(file) => {
            let mut bytes = Vec::new();
            export(&args.run, &mut bytes)?;
            write_whole(file, &bytes)
        }
        None => {
            let mut out = BufWriter::new(stdout().lock());
            export(&args.run, &mut out)?;
            out.flush().context("can't print the games")
        }
    }
}
