//! `lab sweep`: a grid over one or two parameters.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::RunArgs;
use crate::play::text::rules_parser;
use crate::play::whole_number::whole;
use crate::runs::experiment::Document;
use crate::runs::sweep::{Overrides, Sweep};
use anyhow::Result;
use halma::rules::Rules;
use std::path::PathBuf;

/// Arguments of `lab sweep`.
#[derive(clap::Args)]
pub struct SweepArgs {
    /// TOML file with the grid; tuning/exploration.toml is a commented example
    file: PathBuf,
    /// Games of each match, instead of the file's number
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    /// Seed, instead of the file's
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    seed: Option<u64>,
    /// Rules of the games, instead of the file's
    #[arg(long, value_name = "RULES", value_parser = rules_parser())]
    rules: Option<Rules>,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays the sweep.
pub fn run(args: &SweepArgs) -> Result<()> {
    let overrides = Overrides { games: args.games, seed: args.seed, rules: args.rules };
    let sweep = Sweep::parse(&Document::read(&args.file)?, overrides)?;
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&args.file));
    play_and_print("sweep", sweep, &args.run, Some(&folder))
}
