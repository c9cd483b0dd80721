//! `lab tune`: several parameters at once.

use super::output::{default_folder, play_and_print};
use crate::cli::arguments::games::RunArgs;
use crate::runs::experiment::Document;
use crate::runs::tune::Tune;
use anyhow::Result;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Arguments of `lab tune`. Without --out, everything goes to runs/ and the file's name.
#[derive(clap::Args)]
pub struct TuneArgs {
    /// What to tune: a TOML file such as tuning/search.toml, which explains itself.
    file: PathBuf,
    /// Make so many steps, instead of the file's 'iterations'; the gains stay those of the file. So a run goes on
    /// where it ended.
    #[arg(long, value_name = "N")]
    steps: Option<NonZeroU64>,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &TuneArgs) -> Result<()> {
    let tune = Tune::parse(&Document::read(&args.file)?)?;
    let tune = match args.steps {
        Some(steps) => tune.with_steps(steps),
        None => tune,
    };
    let folder = args.run.out.clone().unwrap_or_else(|| default_folder(&args.file));
    play_and_print("tune", tune, &args.run, Some(&folder))
}
