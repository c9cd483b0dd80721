//! Answers the homework: reads `input.txt` in the current folder and writes `output.txt`.

use halma::clock::ProcessClock;
use halma::homework::{Options, answer};
use std::fmt::Display;
use std::io::{Write, stderr};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match answer(Path::new(""), &Options::default(), &ProcessClock) {
        Ok(notes) => {
            notes.iter().for_each(tell);
            ExitCode::SUCCESS
        }
        Err(error) => {
            tell(format_args!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Tells the user something, if that is possible: the answer does not depend on it.
fn tell(what: impl Display) {
    let _ = writeln!(stderr(), "homework: {what}");
}
