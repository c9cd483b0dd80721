//! Arguments that several commands share: a position from a file, seconds and iterations, [games] and runs.

pub mod games;

use crate::play::rules_name::RulesName;
use crate::play::whole_number::positive;
use anyhow::{Context, Result, anyhow};
use halma::homework::files::read_at_most;
use halma::homework::input::{MAX_BYTES, parse_input};
use halma::rules::Position;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;

/// A position, and the rules it is to be played by.
#[derive(clap::Args)]
pub struct BoardArgs {
    /// The file with the position, in the form of input.txt; `-` is standard input.
    file: PathBuf,
    /// Which plays the camp rules leave.
    #[arg(long, value_enum, default_value_t = RulesName::Addendum)]
    pub rules: RulesName,
}

impl BoardArgs {
    /// The position in the file, under the rules asked for.
    ///
    /// # Errors
    /// If the file can't be read, or is no input.txt: then as `FILE:LINE:COLUMN: what is wrong`,
    /// the form that editors know how to follow.
    pub fn load(&self) -> Result<Position> {
        let input = parse_input(&self.read()?)
            .map_err(|error| anyhow!("{}:{}:{}: {}", self.name(), error.line, error.column, error.message))?;
        Ok(input.position.with_rules(self.rules.into()))
    }

    /// What messages call the file.
    pub fn name(&self) -> String {
        if self.is_stdin() { "<stdin>".to_string() } else { self.file.display().to_string() }
    }

    /// One byte more than the parser takes, so that it can tell when there is too much.
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

/// Reads a number of seconds, for clap.
///
/// # Errors
/// If `text` is not a finite number above 0.
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("expected a number of seconds above 0".to_string()),
    }
}

/// Reads seconds for both agents, as in `0.1`, or A's and B's, as in `0.1,0.01`, for clap.
///
/// # Errors
/// Those of [`positive_seconds`]; or there are more than two numbers.
pub fn seconds_of_each(text: &str) -> Result<[f64; 2], String> {
    of_each(text, positive_seconds)
}

/// Reads iterations for both agents, as in `1e4`, or A's and B's, as in `400,100`, for clap.
///
/// # Errors
/// Those of [`positive`]; or there are more than two numbers.
pub fn iterations_of_each(text: &str) -> Result<[u64; 2], String> {
    of_each(text, positive)
}

/// One number for both agents, or two with a comma between them.
fn of_each<T: Copy>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<[T; 2], String> {
    let numbers: Vec<T> = text.split(',').map(|number| read(number.trim())).collect::<Result<_, _>>()?;
    match numbers[..] {
        [both] => Ok([both; 2]),
        [a, b] => Ok([a, b]),
        _ => Err("expected one number for both agents or two, A's and B's".to_string()),
    }
}

/// On how many threads to work.
#[derive(clap::Args)]
pub struct JobsArgs {
    /// Games or positions to work on at the same time [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

impl JobsArgs {
    /// How many threads were asked for: one for each core if nothing was.
    pub fn threads(&self) -> usize {
        self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}
