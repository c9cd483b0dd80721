//! `lab`: the laboratory around the Halma engine.

mod commands;

use clap::{Parser, Subcommand};
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
    /// Every legal play of the position in an input.txt, one a line.
    Moves(commands::moves::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Match(args) => commands::match_::run(&args),
        Command::Moves(args) => commands::moves::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::from(2)
        }
    }
}
