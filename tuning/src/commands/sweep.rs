//! `lab sweep`: a grid over parameters.

use super::output::{bar_of_games, print_result};
use anyhow::Result;
use halma_lab::arguments::games::RunArgs;
use halma_lab::experiment::Source;
use halma_lab::sweep::{Overrides, Progress, Sweep, run as play};
use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};

/// Arguments of `lab sweep`. Without --out, everything goes to runs/ and the file's name.
#[derive(clap::Args)]
pub struct Args {
    /// What to try: a TOML file such as tuning/exploration.toml, which explains itself.
    file: PathBuf,
    /// Games of each match, instead of what the file says.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The number from which all that is random follows, instead of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let overrides = Overrides { games: args.games, seed: args.seed };
    let sweep = Sweep::parse(&Source::read(&args.file)?, overrides)?;
    let RunArgs { out, shard, json, .. } = &args.run;
    let folder = out.clone().unwrap_or_else(|| default_folder(&args.file));
    let matches = sweep.matches();
    let bar = bar_of_games(matches.iter().map(|one| shard.games(one.settings.pairs).count() as u64).sum(), 0);
    let plain = !stderr().is_terminal();
    let outcome = play(&sweep, *shard, args.run.jobs(), &folder, &mut |progress| {
        let Progress { games, current, number, summary, ended } = progress;
        let line = format!("{number}/{} {}: {}", matches.len(), current.label, summary.in_short());
        bar.set_position(*games);
        if plain && *ended {
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(stderr(), "{line}");
        }
        bar.set_message(line);
    })?;
    bar.finish_and_clear();
    if plain || !json {
        let _ = writeln!(stderr(), "table and plots are in {}", folder.display());
    }
    print_result(&outcome, *json)
}

/// `runs/NAME` for the file `…/NAME.toml`.
fn default_folder(file: &Path) -> PathBuf {
    Path::new("runs").join(file.file_stem().unwrap_or("sweep".as_ref()))
}
