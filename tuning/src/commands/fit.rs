//! `lab fit`: the evaluation's weights from games that were played.

use anyhow::{Context, Result};
use halma::playout::evaluation::weights::{COUNT, WEIGHTS};
use halma_lab::fit::regression::{Method, Quality, fit, quality};
use halma_lab::fit::samples::{self, Sample};
use halma_lab::fit::source;
use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// One pair of games in so many is kept apart, to judge the weights by.
const HELD_OUT: u64 = 5;

/// Arguments of `lab fit`.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of matches, as 'lab match --out' leaves them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// About how many positions to take from each game.
    #[arg(long, default_value_t = 40, value_name = "N")]
    per_game: usize,
    /// The part of the target that is what the search expected; the rest is the game's result.
    #[arg(long, default_value_t = 0.0, value_name = "PART")]
    blend: f32,
    /// How strongly weights are held towards 0.
    #[arg(long, default_value_t = 1.0, value_name = "R")]
    ridge: f64,
    /// The number from which the choice of positions follows.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The engine's src/playout/evaluation/weights.rs, in which the weights are to be replaced.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let samples = samples::load(&args.runs, args.per_game, args.seed)?;
    let method = Method { blend: args.blend, ridge: args.ridge };
    let held_out = |sample: &&Sample| sample.pair.is_multiple_of(HELD_OUT);
    let (test, train): (Vec<&Sample>, Vec<&Sample>) = samples.iter().partition(held_out);
    let mut out = stdout().lock();
    writeln!(out, "samples\t{} to fit, {} to judge by", train.len(), test.len())?;
    let judge = |weights: &[f64]| quality(weights, test.iter().copied());
    let mut print = |name: &str, Quality { log_loss, right }: Quality| {
        writeln!(out, "{name}\tlog loss {log_loss:.5}, {:.2} % right", 100.0 * right)
    };
    print("before", judge(&WEIGHTS.map(f64::from)))?;
    print("fitted", judge(&fit(&train, COUNT, &method)?))?;
    if let Some(path) = &args.write {
        // To be used, all there is counts.
        let weights = fit(&samples.iter().collect::<Vec<_>>(), COUNT, &method)?;
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let text = source::replace(&text, &weights)?;
        fs::write(path, text).with_context(|| format!("can't write {}", path.display()))?;
    }
    Ok(())
}
