//! `lab tune`: tunes several parameters at once.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::RunArgs;
use crate::play::whole_number::positive;
use crate::runs::experiment::Document;
use crate::runs::tune::Tune;
use anyhow::Result;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Arguments of `lab tune`.
#[derive(clap::Args)]
pub struct TuneArgs {
    /// TOML file with the parameters; tuning/search.toml is a commented example
    file: PathBuf,
    /// Number of iterations, instead of the file's 'iterations', which still sets the gains; a larger number extends a
    /// run
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    steps: Option<NonZeroU64>,
    #[command(flatten)]
    run: RunArgs,
}

/// Plays the tuning run.
pub fn run(args: &TuneArgs) -> Result<()> {
    let tune = Tune::parse(&Document::read(&args.file)?)?;
    let tune = match args.steps {
        Some(steps) => tune.with_steps(steps),
        None => tune,
    };
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&args.file));
    play_and_print("tune", tune, &args.run, Some(&folder))
}
