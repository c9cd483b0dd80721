//! `lab merge`: the shards of a run in one folder.

use super::output::print_result;
use anyhow::Result;
use halma_lab::matches::{self, Shard};
use halma_lab::merge::merge;
use halma_lab::runs::Run;
use halma_lab::{sweep, tournament};
use std::path::{Path, PathBuf};

/// Arguments of `lab merge`.
#[derive(clap::Args)]
pub struct Args {
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
pub fn run(args: &Args) -> Result<()> {
    let shards: Vec<&Path> = args.shards.iter().map(PathBuf::as_path).collect();
    let out = Some(args.out.as_path());
    match merge(&args.out, &shards)? {
        Run::Match(header) => {
            let summary = matches::run(&header.settings, Shard::WHOLE, 1, out, &mut |_| ())?;
            print_result(&summary, args.json)
        }
        Run::Tournament(header) => {
            let standings = tournament::run(&header.tournament, Shard::WHOLE, 1, out, &mut |_| ())?;
            print_result(&standings, args.json)
        }
        Run::Sweep(header) => {
            let outcome = sweep::run(&header.sweep, Shard::WHOLE, 1, &args.out, &mut |_| ())?;
            print_result(&outcome, args.json)
        }
    }
}
