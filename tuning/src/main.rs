//! `lab`: the laboratory around the Halma engine.

mod commands;

use anyhow::Result;
use clap::{Parser, Subcommand};
use halma_lab::referee::guard;
use std::io;
use std::process::ExitCode;

/// The laboratory around the Halma engine.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Two agents play a match: Elo with error bars, a sequential test.
    Match(commands::match_::Args),
    /// Each of several agents plays each other one: a table of ratings.
    Tournament(commands::tournament::Args),
    /// Puts the shards of a run together.
    Merge(commands::merge::Args),
    /// The games of a run as headers and results that Ordo and BayesElo read.
    Export(commands::export::Args),
    /// A grid over one or two parameters: a table and plots with error bars, and the best setting.
    Sweep(commands::sweep::Args),
    /// Tunes several parameters at once by many small matches (SPSA).
    Tune(commands::tune::Args),
    /// Any agent as a program: reads input.txt in the current folder, writes output.txt.
    Agent(commands::agent::Args),
    /// Two programs play each other through input.txt and output.txt, by the clock.
    Referee(commands::referee::Args),
    /// The course's grading of a program: single moves, and games against the reference minimax.
    Grade(commands::grade::Args),
    /// Every legal play of the position in an input.txt, one a line.
    Moves(commands::moves::Args),
    /// How many lines of play there are, by depth.
    Perft(commands::perft::Args),
    /// The search's view of a position: plays, visits, values, principal variation.
    Analyse(commands::analyse::Args),
    /// The evaluation's weights, fitted to games that were played.
    Fit(commands::fit::Args),
    /// The weights of the search's priors, fitted to plays that a deep alpha-beta search chooses.
    Priors(commands::priors::Args),
    /// Which of two agents plays a part of the game better: an advantage with its error bar.
    Stretch(commands::stretch::Args),
    /// One page for a match, a folder of matches or a referee's log: results, plots, replays.
    Report(commands::report::Args),
    /// Speed figures of this machine, and the checksum of fixed searches.
    Bench(commands::bench::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(code) => code,
        // Whoever reads has seen enough: `lab moves FILE | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<ExitCode> {
    // Those that run programs must leave none behind.
    if matches!(command, Command::Referee(_) | Command::Grade(_))
        && let Some(status) = guard()?
    {
        return Ok(ExitCode::from(u8::try_from(status).unwrap_or(2)));
    }
    match command {
        Command::Match(args) => commands::match_::run(&args),
        Command::Tournament(args) => commands::tournament::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Agent(args) => commands::agent::run(&args),
        Command::Referee(args) => commands::referee::run(&args),
        Command::Grade(args) => return commands::grade::run(&args),
        Command::Moves(args) => commands::moves::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Fit(args) => commands::fit::run(&args),
        Command::Priors(args) => commands::priors::run(&args),
        Command::Stretch(args) => commands::stretch::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    }
    .map(|()| ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}
