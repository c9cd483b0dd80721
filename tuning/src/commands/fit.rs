//! `lab fit`: the evaluation's weights from games that were played.

use crate::fit::games::split;
use crate::fit::regression::{FitQuality, Method, fit, quality};
use crate::fit::samples;
use crate::fit::source::{EVALUATION, WeightsSource, decimals};
use crate::whole_number::whole;
use anyhow::Result;
use halma::evaluation::weights::{COUNT, WEIGHTS};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Arguments of `lab fit`.
#[derive(clap::Args)]
pub struct FitArgs {
    /// Folders of runs, as 'lab match --out' leaves them, or folders with runs below them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// About how many positions to take from each game.
    #[arg(long, default_value_t = 40, value_name = "N", value_parser = whole::<usize>)]
    per_game: usize,
    /// The part of the target that is what the search expected; the rest is the game's result.
    #[arg(long, default_value_t = 0.0, value_name = "PART", value_parser = part)]
    blend: f32,
    /// How strongly weights are held towards 0.
    #[arg(long, default_value_t = 1.0, value_name = "R", value_parser = strength)]
    ridge: f64,
    /// The number from which the choice of positions follows.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The engine's src/evaluation/weights.rs, in which the weights are to be replaced.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Reads a number from 0 to 1.
fn part(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    number.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

/// Reads a finite number, 0 or more.
fn strength(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|strength: &f64| *strength >= 0.0 && strength.is_finite());
    number.ok_or_else(|| "expected a number, 0 or more".to_string())
}

/// Runs the command.
pub fn run(args: &FitArgs) -> Result<()> {
    // First, for it would be a pity to find out at the end.
    let source = args.write.as_deref().map(|path| WeightsSource::read(path, EVALUATION)).transpose()?;
    let samples = samples::load(&args.runs, args.per_game, args.seed)?;
    let method = Method { blend: args.blend, ridge: args.ridge };
    let (train, test) = split(&samples, |sample| sample.pair)?;
    let mut out = stdout().lock();
    writeln!(out, "samples\t{} to fit, {} to test", train.len(), test.len())?;
    let score = |weights: &[f64]| quality(weights, test.iter().copied());
    let mut print = |name: &str, FitQuality { log_loss, right }: FitQuality| {
        writeln!(out, "{name}\tlog loss {log_loss:.5}, {:.2} % right", 100.0 * right)
    };
    print("before", score(&WEIGHTS.map(f64::from)))?;
    print("fitted", score(&fit(&train, COUNT, &method)?))?;
    if let Some(source) = source {
        // To be used, all there is counts.
        let weights = fit(&samples.iter().collect::<Vec<_>>(), COUNT, &method)?;
        source.replace(&decimals(&weights))?;
    }
    Ok(())
}
