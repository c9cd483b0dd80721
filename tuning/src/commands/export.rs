//! `lab export`: the games of a run for programs that compute ratings.

use crate::export::export;
use anyhow::{Context, Result};
use halma::homework::files::replace;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab export`.
#[derive(clap::Args)]
pub struct ExportArgs {
    /// The folder of a run.
    run: PathBuf,
    /// The file to write, instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<()> {
    match &args.out {
        Some(file) => {
            let mut bytes = Vec::new();
            export(&args.run, &mut bytes)?;
            Ok(replace(file, &bytes)?)
        }
        None => {
            let mut out = BufWriter::new(stdout().lock());
            export(&args.run, &mut out)?;
            out.flush().context("can't print the games")
        }
    }
}
