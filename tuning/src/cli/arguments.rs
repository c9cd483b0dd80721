//! Arguments that several commands share: a position from a file, seconds and iterations, [games] and runs.

pub mod games;

use crate::play::text::rules_parser;
use anyhow::{Context, Result, anyhow};
use halma::homework::files::read_at_most;
use halma::homework::input::{MAX_BYTES, parse_input};
use halma::rules::Position;
use halma::rules::Rules;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;

/// A position, and the rules it is to be played by.
#[derive(clap::Args)]
pub struct BoardArgs {
    /// The file with the position, in the form of input.txt; `-` is standard input.
    file: PathBuf,
    /// Which plays the camp rules leave.
    #[arg(long, value_name = "RULES", default_value = "addendum", value_parser = rules_parser())]
    pub rules: Rules,
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
        Ok(input.position.with_rules(self.rules))
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
