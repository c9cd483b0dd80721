//! `lab priors`: the weights of the search's priors from what a deep alpha-beta search plays.

use super::output::bar_of;
use crate::arguments::JobsArgs;
use crate::fit::games::split;
use crate::fit::source::{PRIORS, WeightsSource, integers};
use crate::priors::choice::Choice;
use crate::priors::labels::label;
use crate::priors::quality::Quality;
use crate::priors::questions;
use crate::priors::regression::fit;
use crate::priors::tables::hundredths;
use crate::whole_number::{positive, whole};
use anyhow::Result;
use halma::prior::weights::WEIGHTS;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab priors`.
#[derive(clap::Args)]
pub struct PriorsArgs {
    /// Folders of runs, as 'lab match --out' leaves them, or folders with runs below them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// About how many positions to draw from each game.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = whole::<usize>)]
    per_game: usize,
    /// Nodes of the search that chooses the best play of a position.
    #[arg(long, default_value_t = 25_000, value_name = "N", value_parser = positive::<u64>)]
    nodes: u64,
    /// How often the regression goes through all positions.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = positive::<u32>)]
    epochs: u32,
    /// The number from which the choice of positions, and their order, follow.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    jobs: JobsArgs,
    /// The engine's src/prior/weights.rs, in which the weights are to be replaced.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &PriorsArgs) -> Result<()> {
    // First, for it would be a pity to find out at the end.
    let source = args.write.as_deref().map(|path| WeightsSource::read(path, PRIORS)).transpose()?;
    let questions = questions::load(&args.runs, args.per_game, args.seed)?;
    split(&questions, |question| question.pair)?;
    let bar = bar_of("positions", questions.len() as u64);
    let choices = label(&questions, args.nodes, args.jobs.threads(), &mut |done| bar.set_position(done))?;
    bar.finish_and_clear();
    let (train, test) = split(&choices, |choice| choice.pair)?;
    let fitted = |choices: &[&Choice]| hundredths(&fit(choices, args.epochs, args.seed), choices);
    let mut out = stdout().lock();
    writeln!(out, "positions\t{} to fit, {} to test", train.len(), test.len())?;
    writeln!(out, "present\t{}", Quality::of(&WEIGHTS, &test))?;
    writeln!(out, "fitted\t{}", Quality::of(&fitted(&train), &test))?;
    if let Some(source) = source {
        // To be used, all there is counts.
        source.replace(&integers(&fitted(&choices.iter().collect::<Vec<_>>())))?;
    }
    Ok(())
}
