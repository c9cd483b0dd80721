//! `lab tune`: several parameters at once.

use super::output::{bar_of, print_result};
use anyhow::Result;
use halma_lab::arguments::threads;
use halma_lab::experiment::Source;
use halma_lab::tune::{Progress, Tune, run as play};
use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};

/// So many lines of progress where there is no terminal.
const LINES: u64 = 20;

/// Arguments of `lab tune`.
#[derive(clap::Args)]
pub struct Args {
    /// What to tune: a TOML file such as tuning/search.toml, which explains itself.
    file: PathBuf,
    /// Where to keep iterations and plot; started again, the run goes on there
    /// [default: runs/ and the file's name].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games to play at the same time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let tune = Tune::parse(&Source::read(&args.file)?)?;
    let default = || Path::new("runs").join(args.file.file_stem().unwrap_or("tune".as_ref()));
    let folder = args.out.clone().unwrap_or_else(default);
    let jobs = threads(args.jobs);
    let bar = bar_of("games", 2 * tune.pairs * tune.iterations);
    let plain = !stderr().is_terminal();
    let mut told = 0;
    let tuned = play(&tune, jobs, &folder, &mut |progress| {
        let Progress { games, iterations, values } = progress;
        bar.set_position(2 * tune.pairs * iterations + games);
        let values =
            tune.parameters.iter().zip(*values).map(|(knob, value)| format!("{}={value:.4}", knob.name));
        let line = values.collect::<Vec<_>>().join(", ");
        if plain && *iterations > told && iterations % tune.iterations.div_ceil(LINES) == 0 {
            told = *iterations;
            // A reader that has gone away is no reason to stop.
            let _ = writeln!(stderr(), "iteration {iterations} of {}: {line}", tune.iterations);
        }
        bar.set_message(line);
    })?;
    bar.finish_and_clear();
    let _ = writeln!(stderr(), "iterations and plot are in {}", folder.display());
    print_result(&tuned, args.json)
}
