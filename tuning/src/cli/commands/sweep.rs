//! `lab sweep`: a grid over parameters.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::RunArgs;
use crate::play::whole_number::whole;
use crate::runs::experiment::Document;
use crate::runs::sweep::{Overrides, Sweep};
use anyhow::Result;
use std::path::PathBuf;

/// Arguments of `lab sweep`. Without --out, everything goes to runs/ and the file's name.
#[derive(clap::Args)]
pub struct SweepArgs {
    /// What to try: a TOML file such as tuning/exploration.toml, which explains itself.
    file: PathBuf,
    /// Games of each match, instead of what the file says.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    /// The number from which all that is random follows, instead of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &SweepArgs) -> Result<()> {
    let overrides = Overrides { games: args.games, seed: args.seed };
    let sweep = Sweep::parse(&Document::read(&args.file)?, overrides)?;
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&args.file));
    play_and_print("sweep", sweep, &args.run, Some(&folder))
}
