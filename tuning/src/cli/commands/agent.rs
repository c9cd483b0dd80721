//! `lab agent`: any agent as a program that reads input.txt and writes output.txt.

use super::output::print_note;
use crate::play::agents;
use crate::play::whole_number::whole;
use anyhow::Result;
use halma::homework::{Options, answer};
use halma::support::clock::ProcessClock;
use std::path::Path;

/// Arguments of `lab agent`.
#[derive(clap::Args)]
pub struct AgentArgs {
    /// Agent, such as 'minimax(depth=2)'
    #[arg(value_name = "SPEC")]
    agent: String,
    /// Seed of the agent, mixed with the position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Search this many iterations, however long they take, so that a game can be repeated
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    iterations: Option<u64>,
}

/// Answers input.txt in the current folder.
pub fn run(args: &AgentArgs) -> Result<()> {
    let AgentArgs { ref agent, seed, iterations } = *args;
    let registry = agents::registry().clone();
    let options = Options { agent: agent.parse()?, registry, seed, reuses: false, iterations };
    let notes = answer(Path::new(""), &options, &ProcessClock)?;
    let program = agents::program_name();
    notes.iter().for_each(|note| print_note(format_args!("{program} agent: {note}")));
    Ok(())
}
