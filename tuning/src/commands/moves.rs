//! `lab moves`: the rules, asked for one position.

use anyhow::Result;
use std::path::PathBuf;

/// Arguments of `lab moves`.
#[derive(clap::Args)]
pub struct Args {
    /// The file with the position, in the form of input.txt.
    file: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let _ = &args.file;
    Ok(())
}
