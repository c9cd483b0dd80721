//! `lab merge`: the shards of a run in one folder.

use super::output::print_conclusion;
use crate::cli::arguments::games::BuildsArgs;
use crate::play::agents;
use crate::runs::kinds;
use crate::runs::{Fingerprint, Header, Home, merge, play};
use anyhow::{Context, Result};
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

/// Runs the command: puts the games together, and lets the run, which finds them all there, write its
/// result.
pub fn run(args: &MergeArgs) -> Result<()> {
    let parts: Vec<_> = args.shards.iter().map(|folder| kinds::read(folder)).collect::<Result<_>>()?;
    let builds = args.builds.builds();
    let first = parts.first().context("there is nothing to merge")?;
    merge(&args.out, &parts, &*kinds::schedule(&first.header)?, builds)?;
    let there = Header::read(&args.out)?;
    let schedule = kinds::schedule(&there)?;
    let engine = Fingerprint::of(&schedule.round(&[])?, agents::registry())?;
    let header = Header::of(&there.kind, &there.arguments, there.shard, engine)?;
    let home = Home { folder: Some(&args.out), header: &header, builds };
    let conclusion = play(&*schedule, header.shard, 1, home, &mut |_| ())?;
    print_conclusion(&conclusion, args.json)
}
