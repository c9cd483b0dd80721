//! `lab tune`: several parameters at once.

use super::output::{default_folder, play_and_print};
use crate::arguments::games::RunArgs;
use crate::experiment::Document;
use crate::tune::Tune;
use anyhow::Result;
use std::path::PathBuf;

/// Arguments of `lab tune`. Without --out, everything goes to runs/ and the file's name.
#[derive(clap::Args)]
pub struct TuneArgs {
    /// What to tune: a TOML file such as tuning/search.toml, which explains itself.
    file: PathBuf,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &TuneArgs) -> Result<()> {
    let tune = Tune::parse(&Document::read(&args.file)?)?;
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&args.file));
    play_and_print("tune", &tune, &args.run, Some(&folder))
}
