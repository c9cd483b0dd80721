//! `lab merge`: the shards of a run in one folder.

use super::output::print_conclusion;
use crate::run::{Header, merge, play};
use crate::runs;
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
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command: puts the games together, and lets the run, which finds them all there, write its
/// result.
pub fn run(args: &MergeArgs) -> Result<()> {
    let parts: Vec<_> = args.shards.iter().map(|folder| runs::read(folder)).collect::<Result<_>>()?;
    merge(&args.out, &parts)?;
    let there = Header::read(&args.out)?;
    let header = Header::of(&there.kind, &there.arguments, there.shard)?;
    let out = Some((args.out.as_path(), &header));
    let conclusion = play(&*runs::schedule(&header)?, header.shard, 1, out, &mut |_| ())?;
    print_conclusion(&conclusion, args.json)
}
