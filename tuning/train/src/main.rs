//! `train`: networks for the engine from recorded games.
//!
//! ```text
//! Samples::load     samples.rs            positions of games, and what searches found
//! Training::run     training.rs           epochs, the rate, the losses on games kept apart
//!   Pass::run       evaluation/, prior/   a position through the network; the loss and its gradient
//!     Hidden        hidden.rs             the hidden layer, of whose inputs few are on
//!   Adam::step      adam.rs               the optimiser
//!   Checkpoint      checkpoint.rs         after each epoch, so that a killed training goes on
//! Trainee::rounded  evaluation/, prior/   the network in the engine's integers
//! Provenance        provenance.rs         what is written down in the file
//! ```
//!
//! What the two kinds of networks differ in is a [`trainee::Trainee`].

#![forbid(unsafe_code)]

mod adam;
mod checkpoint;
mod evaluation;
mod hidden;
mod prior;
mod provenance;
mod samples;
mod trainee;
mod training;
mod weights;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use halma::network::policy::PolicyNetwork;
use halma::network::value::Network;
use halma_lab::play::whole_number::{positive, whole};
use halma_lab::runs::files::Replacement;
use provenance::Provenance;
use samples::{Sample, Samples};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use trainee::Trainee;
use training::Training;

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
    Evaluation(Arguments<Network>),
    /// The network of 'prior=network', from the plays that searches visited.
    Prior(Arguments<PolicyNetwork>),
}

/// Arguments of both commands.
#[derive(clap::Args)]
struct Arguments<N: Trainee> {
    /// Folders of runs, as 'lab match --out' leaves them, or folders with runs below them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The file to write the network to; FILE.checkpoint is where a killed training goes on.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    settings: Settings<N>,
}

/// All that a network depends on beside the games.
#[derive(clap::Args, Serialize)]
#[serde(bound = "")]
struct Settings<N: Trainee> {
    #[arg(long, value_name = "FILE", help = N::FROM)]
    from: Option<String>,
    /// How often the training goes through all samples.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = positive::<u32>)]
    epochs: u32,
    /// Samples between two steps of the optimiser.
    #[arg(long, default_value = N::BATCH, value_name = "N", value_parser = positive::<usize>)]
    batch: usize,
    /// The optimiser's rate in the first step; it falls to nothing by half a cosine.
    #[arg(long, default_value = N::RATE, value_name = "RATE", value_parser = rate)]
    rate: f64,
    /// The number from which the first weights, the order of samples and their mirroring follow.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>)]
    seed: u64,
    #[command(flatten)]
    #[serde(skip_serializing_if = "is_nothing")]
    choice: <N::Sample as Sample>::Choice,
}

/// Whether a type has but one value, which needs no telling.
fn is_nothing<T>(_: &T) -> bool {
    size_of::<T>() == 0
}

/// A rate of learning, above 0 and at most 1.
fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "expected a number".to_string())?;
    if rate > 0.0 && rate <= 1.0 { Ok(rate) } else { Err("expected a number above 0, at most 1".to_string()) }
}

fn main() -> ExitCode {
    let trained = match Cli::parse().command {
        Command::Evaluation(args) => train(&args),
        Command::Prior(args) => train(&args),
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

/// How many bytes a network's file may take to tell of the runs that it comes from: there is room for twice as many.
const MOST_ORIGIN: usize = 1 << 19;

/// Trains a network and writes it to its file.
fn train<N: Trainee>(args: &Arguments<N>) -> Result<()> {
    let Arguments { runs, out, settings } = args;
    ensure!(!out.is_dir(), "{} is a folder: name a file to write the network to", out.display());
    // Before all work: whether there will be a place for the network.
    Replacement::of(out)?;
    let origin = provenance::origin(runs)?;
    let told = serde_json::to_string_pretty(&origin)?.len();
    ensure!(
        told <= MOST_ORIGIN,
        "{} runs are too many: what is to be told of them takes {told} bytes, of {MOST_ORIGIN} in a network's file; \
         name those only that are worth learning from, or merge shards",
        origin.len()
    );
    let samples = Samples::load(runs, &settings.choice)?;
    let mut training = Training::begin(settings, &samples, out)?;
    let counts = samples.counts();
    writeln!(std::io::stdout(), "samples\t{counts}").context("can't print how many there are")?;
    let losses = training.run()?;
    let provenance = Provenance::of(origin, settings, counts, losses);
    let network = training.network(serde_json::to_string_pretty(&provenance)?);
    let cant_be_used = "the engine refuses the trained network";
    let as_played = N::quality(network.as_played(&samples.test).context(cant_be_used)?);
    let bytes = network.to_bytes();
    N::from_bytes(&bytes).context(cant_be_used)?;
    let mut file = Replacement::of(out)?;
    file.write_all(&bytes).with_context(|| format!("can't write {}", out.display()))?;
    file.commit()?;
    training.clear_away()?;
    writeln!(std::io::stdout(), "in integers\t{as_played:.5}\nwritten to {}", out.display())
        .context("can't print the result")
}
