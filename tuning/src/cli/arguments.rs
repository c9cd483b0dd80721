//! Arguments shared by several commands: positions, threads, [games] and runs, [strictness](strict).

pub mod games;
pub mod strict;

use crate::play::text::rules_parser;
use anyhow::{Context, Result, anyhow};
use clap::{Arg, Command};
use halma::homework::input::{MAX_BYTES, parse_input};
use halma::rules::{Position, Rules};
use halma::support::files::read_at_most;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;

/// Lets every option of `command` and its subcommands take a negative number, so that an error says what the option
/// expects, not that there is no option `-1`.
pub fn negative_numbers_are_values(command: Command) -> Command {
    let take =
        |arg: Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
    command.mut_args(take).mut_subcommands(negative_numbers_are_values)
}

/// The position in `bytes`, the text of the file called `name`.
///
/// # Errors
/// The text is invalid. The error reads `NAME:LINE:COLUMN: the fault`, a form that editors turn into a link.
pub fn position_in(bytes: &[u8], name: &str) -> Result<Position> {
    let input = parse_input(bytes)
        .map_err(|error| anyhow!("{name}:{}:{}: {}", error.line, error.column, error.message))?;
    Ok(input.position)
}

/// A position and its rules.
#[derive(clap::Args)]
pub struct BoardArgs {
    /// File with the position in the format of input.txt; '-' reads standard input.
    file: PathBuf,
    /// Rules that decide which plays are legal.
    #[arg(long, value_name = "RULES", default_value = "addendum", value_parser = rules_parser())]
    pub rules: Rules,
}

impl BoardArgs {
    /// The position in the file under the chosen rules.
    ///
    /// # Errors
    /// The file can't be read or is invalid.
    pub fn load(&self) -> Result<Position> {
        Ok(position_in(&self.read()?, &self.name())?.with_rules(self.rules))
    }

    /// The file, unless it is standard input.
    pub fn file(&self) -> Option<&Path> {
        Some(&*self.file).filter(|_| !self.is_stdin())
    }

    /// The name of the file in messages.
    pub fn name(&self) -> String {
        if self.is_stdin() { "<stdin>".to_string() } else { self.file.display().to_string() }
    }

    /// Reads up to one byte more than the parser accepts, so that the parser rejects longer files.
    fn read(&self) -> Result<Vec<u8>> {
        if !self.is_stdin() {
            return Ok(read_at_most(&self.file, MAX_BYTES + 1)?);
        }
        let mut bytes = Vec::new();
        let limited = io::stdin().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes);
        limited.context("can't read standard input")?;
        Ok(bytes)
    }

    fn is_stdin(&self) -> bool {
        self.file == Path::new("-")
    }
}

/// The number of threads.
#[derive(clap::Args)]
pub struct JobsArgs {
    /// Games or positions to process in parallel [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

impl JobsArgs {
    /// The number chosen, by default one per core.
    pub fn threads(&self) -> usize {
        self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}
