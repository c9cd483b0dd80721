//! `lab agent`: any agent as a program that speaks the homework's files.

use anyhow::Result;
use halma::clock::ProcessClock;
use halma::homework::{Contender, answer_with};
use std::path::Path;

/// Arguments of `lab agent`.
#[derive(clap::Args)]
pub struct Args {
    /// The agent, such as 'minimax(depth=2)'.
    #[arg(value_name = "SPEC")]
    agent: String,
    /// What is random in it follows from this number and the position.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Reads input.txt in the current folder and writes output.txt.
pub fn run(args: &Args) -> Result<()> {
    let contender = Contender { agent: &args.agent, seed: args.seed, remembers: false };
    let notes = answer_with(Path::new(""), &contender, &ProcessClock)?;
    notes.iter().for_each(|note| eprintln!("lab agent: {note}"));
    Ok(())
}
