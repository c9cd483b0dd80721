//! `train`: networks for the engine from recorded games.
//!
//! ```text
//! Samples::load     samples.rs      positions of games, and what searches found them to be worth
//! Training::run     training.rs     epochs, the rate, the errors on games kept apart
//!   Batch::of       batch.rs        samples as tensors
//!   Model::loss     model.rs        the network in real numbers; its gradients are candle's
//!   Checkpoint      checkpoint.rs   after each epoch, so that a killed training goes on
//! Model::rounded    model.rs        the network in the engine's integers
//! Provenance        provenance.rs   what is written down in the file
//! ```
//!
//! These are the parts of `train evaluation`; those of `train prior` are in `prior/`.

#![forbid(unsafe_code)]

mod batch;
mod checkpoint;
mod model;
mod prior;
mod provenance;
mod samples;
mod training;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use halma::evaluation::network::Network;
use halma_lab::files::Replacement;
use halma_lab::whole_number::{positive, whole};
use provenance::Provenance;
use samples::{Choice, Samples};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use training::Training;

/// Tensors of some megabytes come and go with each batch. The system's allocator gives such memory back each time, and
/// half of the training is spent on getting it again.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Trains networks for the Halma engine on recorded games.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The network of 'evaluation=network', from the values that searches found.
    Evaluation(EvaluationArgs),
    /// The network of 'prior=network', from the plays that searches visited.
    Prior(prior::PriorArgs),
}

/// Arguments of `train evaluation`.
#[derive(clap::Args)]
struct EvaluationArgs {
    /// Folders of runs, as 'lab match --out' leaves them, or folders with runs below them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The file to write the network to; FILE.checkpoint is where a killed training goes on.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    settings: Settings,
}

/// All that a network depends on beside the games.
#[derive(clap::Args, Clone, Debug, Serialize)]
struct Settings {
    /// A network to learn on from, such as the one whose searches the games hold, or built-in; then the games of before
    /// need not be there again. Without it the first weights are random.
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// How often the training goes through all samples.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = positive::<u32>)]
    epochs: u32,
    /// Samples between two steps of the optimiser.
    #[arg(long, default_value_t = 4096, value_name = "N", value_parser = positive::<usize>)]
    batch: usize,
    /// The optimiser's rate in the first step; it falls to nothing by half a cosine.
    #[arg(long, default_value_t = 0.002, value_name = "RATE", value_parser = rate)]
    rate: f64,
    /// The number from which the first weights, the order of samples and their mirroring follow.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>)]
    seed: u64,
    #[command(flatten)]
    choice: Choice,
}

/// A rate of learning, above 0 and at most 1.
fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "expected a number".to_string())?;
    if rate > 0.0 && rate <= 1.0 { Ok(rate) } else { Err("expected a number above 0, at most 1".to_string()) }
}

fn main() -> ExitCode {
    let trained = match Cli::parse().command {
        Command::Evaluation(args) => train_evaluation(&args),
        Command::Prior(args) => prior::train(&args),
    };
    match trained {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this can't be told either, the status says it.
            let _ = writeln!(std::io::stderr(), "train: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn train_evaluation(args: &EvaluationArgs) -> Result<()> {
    let EvaluationArgs { runs, out, settings } = args;
    ensure!(!out.is_dir(), "{} is a folder: name a file to write the network to", out.display());
    // Before all work: whether there will be a place for the network.
    Replacement::of(out)?;
    let origin = provenance::origin(runs)?;
    let samples = Samples::load(runs, settings.choice)?;
    let mut training = Training::begin(settings, &samples, out)?;
    let errors = training.run(&samples)?;
    let provenance = Provenance::of(origin, settings, samples.counts(), errors);
    let network = training.model().rounded(serde_json::to_string_pretty(&provenance)?)?;
    let cant_be_used = "the engine refuses the trained network";
    let as_played = samples.error_of(&network).context(cant_be_used)?;
    let bytes = network.to_bytes();
    Network::from_bytes(&bytes).context(cant_be_used)?;
    let mut file = Replacement::of(out)?;
    file.write_all(&bytes).with_context(|| format!("can't write {}", out.display()))?;
    file.take_its_place()?;
    training.clear_away()?;
    writeln!(std::io::stdout(), "in integers\t{as_played:.5}\nwritten to {}", out.display())
        .context("can't print the result")
}
