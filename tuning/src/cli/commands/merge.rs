//! `lab merge`: the shards of a run in one folder.

use super::output::print_conclusion;
use crate::cli::arguments::games::BuildsArgs;
use crate::runs::{RecordedRun, merge};
use anyhow::Result;
use std::path::PathBuf;

/// Arguments of `lab merge`.
#[derive(clap::Args)]
pub struct MergeArgs {
    /// Where to put the whole run: as one without --shard would have left it.
    out: PathBuf,
    /// The folders of all its shards, complete.
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    builds: BuildsArgs,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Merges the shards and prints the result of the whole run.
pub fn run(args: &MergeArgs) -> Result<()> {
    let parts: Vec<_> = args.shards.iter().map(|folder| RecordedRun::open(folder)).collect::<Result<_>>()?;
    let conclusion = merge(&args.out, &parts, args.builds.builds())?;
    print_conclusion(&conclusion, args.json)
}
