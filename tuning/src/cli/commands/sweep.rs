//! `lab sweep`: a grid over one or two parameters.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::RunArgs;
use crate::runs::experiment::Document;
use crate::runs::sweep::{Overrides, Sweep};
use anyhow::Result;
use std::path::PathBuf;

/// Arguments of `lab sweep`.
#[derive(clap::Args)]
pub struct SweepArgs {
    /// TOML file with the grid; tuning/exploration.toml is a commented example
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays the sweep.
pub fn run(args: &SweepArgs) -> Result<()> {
    let sweep = Sweep::parse(&Document::read(&args.file)?, args.overrides)?;
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&args.file));
    play_and_print("sweep", sweep, &args.run, Some(&folder))
}
