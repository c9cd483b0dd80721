//! `lab merge`: combines the shards of a run.

use super::output::print_conclusion;
use crate::cli::arguments::games::BuildsArgs;
use crate::runs::{RecordedRun, merge};
use anyhow::Result;
use std::path::PathBuf;

/// Arguments of `lab merge`.
#[derive(clap::Args)]
pub struct MergeArgs {
    /// Folder for the whole run, which will be the same as if it had been played without --shard
    out: PathBuf,
    /// Folders of all the run's shards, every one of which must be complete
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    builds: BuildsArgs,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Merges the shards and prints the result of the whole run.
pub fn run(args: &MergeArgs) -> Result<()> {
    let parts: Vec<_> = args.shards.iter().map(|folder| RecordedRun::open(folder)).collect::<Result<_>>()?;
    let conclusion = merge(&args.out, &parts, args.builds.choice())?;
    print_conclusion(&conclusion, args.json)
}
