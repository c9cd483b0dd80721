//! Measures this machine and writes `calibration.txt` in the current folder, for `homework`.

use halma::homework::calibrate;
use halma::support::clock::ProcessClock;
use std::env::args_os;
use std::fmt::Display;
use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "calibrate: measures this machine and writes calibration.txt in the current folder, for homework; \
                     it takes no arguments";

fn main() -> ExitCode {
    match args_os().nth(1) {
        None => {}
        Some(word) if word == "--help" || word == "-h" => {
            return if writeln!(stdout(), "{USAGE}").is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
        Some(word) => {
            return failed(format_args!("unexpected argument '{}': calibrate takes none", word.display()));
        }
    }
    match calibrate(Path::new(""), &ProcessClock) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => failed(format_args!("{error:#}")),
    }
}

/// Prints an error if possible, and returns the exit status.
fn failed(why: impl Display) -> ExitCode {
    let _ = writeln!(stderr(), "calibrate: {why}");
    ExitCode::from(2)
}
