//! Answers the homework: reads `input.txt` in the current folder and writes `output.txt`.

use halma::clock::ProcessClock;
use halma::homework::{Options, answer};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match answer(Path::new(""), &Options::default(), &ProcessClock) {
        Ok(notes) => {
            notes.iter().for_each(|note| eprintln!("homework: {note}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("homework: {error:#}");
            ExitCode::from(2)
        }
    }
}
