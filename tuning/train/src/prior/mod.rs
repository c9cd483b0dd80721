//! `train prior`: the network of `prior=network`, from the plays that searches visited.
//!
//! ```text
//! Samples::load     samples.rs      positions of games, and the shares of visits that plays had
//! Training::run     training.rs     epochs, the rate, the losses on games kept apart
//!   Pass::of        pass.rs         a position's plays, their logits, the loss and its gradient
//!   Weights         weights.rs      the network in real numbers, and in the engine's integers
//!   Adam            adam.rs         the optimiser
//! ```
//!
//! Gradients are written out here, not candle's: there is one layer, of whose 512 inputs 38 are on and of whose 578
//! outputs a position needs some 70, so dense products of matrices would take ten times as long.

mod adam;
mod pass;
mod samples;
mod training;
mod weights;

use crate::{provenance, rate};
use anyhow::{Context, Result, ensure};
use halma::prior::network::PolicyNetwork;
use halma_lab::files::Replacement;
use halma_lab::whole_number::{positive, whole};
use provenance::Provenance;
use samples::Samples;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use training::Training;

/// Arguments of `train prior`.
#[derive(clap::Args)]
pub struct PriorArgs {
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
    /// A network to learn on from, or built-in. Without it the first weights are random, and those of the fitted
    /// prior's features are the fitted ones.
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// How often the training goes through all samples.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = positive::<u32>)]
    epochs: u32,
    /// Samples between two steps of the optimiser.
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = positive::<usize>)]
    batch: usize,
    /// The optimiser's rate in the first step; it falls to nothing by half a cosine.
    #[arg(long, default_value_t = 0.003, value_name = "RATE", value_parser = rate)]
    rate: f64,
    /// The number from which the first weights, the order of samples and their mirroring follow.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>)]
    seed: u64,
}

/// Trains a network and writes it to its file.
///
/// # Errors
/// There are too few games, a file can't be read or written, or the weights leave all bounds.
pub fn train(args: &PriorArgs) -> Result<()> {
    let PriorArgs { runs, out, settings } = args;
    ensure!(!out.is_dir(), "{} is a folder: name a file to write the network to", out.display());
    // Before all work: whether there will be a place for the network.
    Replacement::of(out)?;
    let origin = provenance::origin(runs)?;
    let samples = Samples::load(runs)?;
    let mut training = Training::begin(settings, &samples, out)?;
    let losses = training.run(&samples)?;
    let provenance = Provenance::of(origin, settings, samples.counts(), losses);
    let network = training.weights().rounded(serde_json::to_string_pretty(&provenance)?);
    let cant_be_used = "the engine refuses the trained network";
    let as_played = samples.quality_of(&network).context(cant_be_used)?;
    let bytes = network.to_bytes();
    PolicyNetwork::from_bytes(&bytes).context(cant_be_used)?;
    let mut file = Replacement::of(out)?;
    file.write_all(&bytes).with_context(|| format!("can't write {}", out.display()))?;
    file.take_its_place()?;
    training.clear_away()?;
    writeln!(std::io::stdout(), "in integers\t{as_played}\nwritten to {}", out.display())
        .context("can't print the result")
}
