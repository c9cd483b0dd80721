//! `lab sweep`: a grid over parameters.

use anyhow::{Context, Result};
use halma_lab::experiment::Source;
use halma_lab::files::{write_json, write_whole};
use halma_lab::matches::Shard;
use halma_lab::sweep::{Folder, Outcome, Overrides, Progress, Sweep, draw};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// Arguments of `lab sweep`.
#[derive(clap::Args)]
pub struct Args {
    /// What to try: a TOML file such as tuning/exploration.toml, which explains itself.
    file: PathBuf,
    /// Where to keep games, table and plots; started again, the sweep goes on there
    /// [default: runs/ and the file's name].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games to play at the same time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Play only this part of every match; 'lab merge' puts the parts together.
    #[arg(long, value_name = "I/N", default_value_t)]
    shard: Shard,
    /// Games of each match, instead of what the file says.
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The number from which all that is random follows, instead of the file's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let overrides = Overrides { games: args.games, seed: args.seed };
    let sweep = Sweep::parse(&Source::read(&args.file)?, overrides)?;
    let path = args.out.clone().unwrap_or_else(|| default_folder(&args.file));
    let folder = Folder::open(&path, &sweep, args.shard)?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let mut watcher = Watcher::new(&sweep, args.shard);
    folder.play(jobs, &mut |progress| watcher.tell(progress))?;
    watcher.bar.finish_and_clear();
    if !args.shard.is_whole() {
        let text = format!("shard {} is done: {} games in {}", args.shard, watcher.games, path.display());
        return writeln!(std::io::stdout(), "{text}").context("can't print the result");
    }
    finish(&path, &sweep, &folder, args.json)
}

/// Writes the result of a sweep whose shards have been merged into the folder at `path`, and prints
/// it.
pub fn finish_merged(path: &Path, sweep: &Sweep, json: bool) -> Result<()> {
    let folder = Folder::open(path, sweep, Shard::WHOLE)?;
    folder.play(1, &mut |_| ())?;
    finish(path, sweep, &folder, json)
}

/// Counts the games, all of which are there, and writes and prints what they come to.
fn finish(path: &Path, sweep: &Sweep, folder: &Folder, json: bool) -> Result<()> {
    let outcome = Outcome::of(sweep, &folder.cells()?);
    write_outcome(path, &outcome)?;
    print_outcome(path, &outcome, json)
}

/// `runs/NAME` for the file `…/NAME.toml`.
fn default_folder(file: &Path) -> PathBuf {
    Path::new("runs").join(file.file_stem().unwrap_or("sweep".as_ref()))
}

/// Writes table, result and plots.
fn write_outcome(folder: &Path, outcome: &Outcome) -> Result<()> {
    write_whole(&folder.join("sweep.csv"), &outcome.csv()?)?;
    write_json(&folder.join("result.json"), outcome)?;
    for (name, svg) in draw(outcome)? {
        write_whole(&folder.join(name), svg.as_bytes())?;
    }
    Ok(())
}

fn print_outcome(folder: &Path, outcome: &Outcome, json: bool) -> Result<()> {
    let text = if json {
        serde_json::to_string_pretty(outcome)?
    } else {
        format!("{outcome}\n\ntable and plots in {}", folder.display())
    };
    writeln!(std::io::stdout(), "{text}").context("can't print the result")
}

/// Shows on standard error how the sweep goes: a bar on a terminal, else a line for each match.
struct Watcher {
    bar: ProgressBar,
    plain: bool,
    games: u64,
    matches: usize,
}

impl Watcher {
    fn new(sweep: &Sweep, shard: Shard) -> Watcher {
        let matches = sweep.matches();
        let games = matches.iter().map(|one| shard.games(one.settings.pairs).count() as u64).sum();
        let bar = ProgressBar::new(games);
        let style = ProgressStyle::with_template("{bar:32} {pos}/{len} games, {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Watcher { bar, plain: !std::io::stderr().is_terminal(), games, matches: matches.len() }
    }

    fn tell(&mut self, progress: &Progress<'_>) {
        let line = format!(
            "{}/{} {}: {}",
            progress.number,
            self.matches,
            progress.current.label,
            progress.summary.in_short()
        );
        self.bar.set_position(progress.games);
        if self.plain && progress.ended {
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        self.bar.set_message(line);
    }
}
