//! Warnings, which the user can turn into errors.

use crate::cli::commands::output::print_note;
use anyhow::{Result, ensure};
use std::fmt;

/// Whether warnings are errors.
#[derive(clap::Args)]
pub struct StrictArgs {
    /// Stop with exit status 3 instead of going on after a warning
    #[arg(long)]
    strict: bool,
}

impl StrictArgs {
    /// Prints the `warnings`.
    ///
    /// # Errors
    /// There is at least one warning, and `--strict` was given.
    pub(crate) fn warn(&self, warnings: &[String]) -> Result<()> {
        warnings.iter().for_each(|warning| print_note(format_args!("warning: {warning}")));
        ensure!(!self.strict || warnings.is_empty(), Warned(warnings.len()));
        Ok(())
    }
}

/// The error of a command that `--strict` stops, with the number of its warnings.
#[derive(Debug)]
pub(crate) struct Warned(usize);

impl fmt::Display for Warned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let warnings = if self.0 == 1 { "a warning" } else { "warnings" };
        write!(f, "--strict: stopped because of {warnings}; without --strict, the command would go on")
    }
}

impl std::error::Error for Warned {}
