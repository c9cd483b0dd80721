//! `lab`: the laboratory around the Halma engine.

use halma_lab::Lab;
use std::process::ExitCode;

fn main() -> ExitCode {
    Lab::new().run()
}
