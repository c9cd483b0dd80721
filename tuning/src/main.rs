//! `lab`: the laboratory around the Halma engine.

mod commands;

use clap::{Parser, Subcommand};
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
    /// Any agent as a program: reads input.txt in the current folder, writes output.txt.
    Agent(commands::agent::Args),
    /// Every legal play of the position in an input.txt, one a line.
    Moves(commands::moves::Args),
    /// How many lines of play there are, by depth.
    Perft(commands::perft::Args),
    /// The search's view of a position: plays, visits, values, principal variation.
    Analyse(commands::analyse::Args),
    /// Speed figures of this machine, and the checksum of fixed searches.
    Bench(commands::bench::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Match(args) => commands::match_::run(&args),
        Command::Agent(args) => commands::agent::run(&args),
        Command::Moves(args) => commands::moves::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough: `lab moves FILE | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}
