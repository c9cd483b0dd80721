//! `train`: trains networks for the engine on recorded games.
//!
//! ```text
//! Samples::load     samples.rs            positions of games, with the values or visits that searches found
//! Training::run     training.rs           epochs, batches, the learning rate, losses on held-out games
//!   Pass::run       value.rs, policy.rs   runs a position through the network: the loss and its gradient
//!     Hidden        hidden.rs             the hidden layer, with few active inputs
//!   Adam::step      adam.rs               the optimiser
//!   Checkpoint      checkpoint.rs         after each epoch, so that a killed run can resume
//! Trainee::rounded  value.rs, policy.rs   the network in the engine's integers
//! Provenance        provenance.rs         the description in the network's file
//! ```
//!
//! One file holds a network's shape, samples and passes, behind the trait [`trainee::Trainee`]. A new shape needs a file
//! beside `value.rs` and `policy.rs`, and one in the engine's `network` module.

#![forbid(unsafe_code)]

mod adam;
mod checkpoint;
mod hidden;
mod policy;
mod provenance;
mod samples;
mod trainee;
mod training;
mod value;
mod weights;

use anyhow::{Context, Result, ensure};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use halma::network::NetworkFile;
use halma::network::policy::PolicyNetwork;
use halma::network::value::ValueNetwork;
use halma::support::files::replace;
use halma_lab::cli::arguments::negative_numbers_are_values;
use halma_lab::play::whole_number::{positive, whole};
use halma_lab::runs::check_output;
use halma_lab::runs::files::{Replacement, remove};
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
    /// Train a network for 'evaluation=network' on the values that searches found.
    Evaluation(Arguments<ValueNetwork>),
    /// Train a network for 'prior=network' on the plays that searches visited.
    Prior(Arguments<PolicyNetwork>),
}

/// Arguments of both commands.
#[derive(clap::Args)]
struct Arguments<N: Trainee> {
    /// Folders of runs, as written by 'lab match --out', or folders with runs below them.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The file to write the network to; a killed run resumes from FILE.checkpoint.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    settings: Settings<N>,
}

/// Everything that the trained network depends on, except the games.
#[derive(clap::Args, Serialize)]
#[serde(bound = "")]
struct Settings<N: Trainee> {
    #[arg(long, value_name = "FILE", help = N::FROM)]
    from: Option<String>,
    /// Passes through all samples.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Samples between two steps of the optimiser.
    #[arg(long, default_value = N::BATCH, value_name = "N", value_parser = positive::<usize>)]
    batch: usize,
    /// The learning rate of the first step; it falls to 0 along half a cosine.
    #[arg(long, default_value = N::RATE, value_name = "RATE", value_parser = rate)]
    rate: f64,
    /// Seed for the initial weights, and for the order and the mirroring of samples.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>)]
    seed: u64,
    #[command(flatten)]
    #[serde(skip_serializing_if = "is_unit")]
    samples: <N::Sample as Sample>::Options,
}

/// Whether a type has only one value, so that it need not be recorded.
fn is_unit<T>(_: &T) -> bool {
    size_of::<T>() == 0
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "expected a number".to_string())?;
    if rate > 0.0 && rate <= 1.0 {
        Ok(rate)
    } else {
        Err("expected a number above 0 and at most 1".to_string())
    }
}

fn main() -> ExitCode {
    let matches = negative_numbers_are_values(Cli::command()).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let trained = match cli.command {
        Command::Evaluation(args) => train(&args),
        Command::Prior(args) => train(&args),
    };
    match trained {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If printing fails too, there is still the exit status.
            let _ = writeln!(std::io::stderr(), "train: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The maximum size of the description of runs in a network's file, in bytes: about half of the space for a provenance.
const MAX_ORIGIN: usize = 1 << 19;

/// Trains a network and writes it to its file.
fn train<N: Trainee>(args: &Arguments<N>) -> Result<()> {
    let Arguments { runs, out, settings } = args;
    ensure!(!out.is_dir(), "{} is a folder: name a file to write the network to", out.display());
    let checkpoint = checkpoint::beside(out);
    [out, &checkpoint].into_iter().try_for_each(|path| check_output(path, settings.from.iter()))?;
    // Fail early if the network can't be written.
    Replacement::of(out)?;
    let origin = provenance::origin(runs)?;
    let len = serde_json::to_string_pretty(&origin)?.len();
    ensure!(
        len <= MAX_ORIGIN,
        "too many runs: the description of {} runs takes {len} bytes, but a network's file has room for \
         {MAX_ORIGIN}; name fewer runs, or merge shards",
        origin.len()
    );
    let samples = Samples::load(runs, &settings.samples)?;
    let mut training = Training::begin(settings, &samples, out)?;
    let counts = samples.counts();
    writeln!(std::io::stdout(), "samples\t{counts}").context("can't print the number of samples")?;
    let losses = training.run()?;
    let provenance = serde_json::to_string_pretty(&Provenance::of(origin, settings, counts, losses))?;
    let rejected = "the engine rejects the trained network";
    let bytes = NetworkFile { provenance, network: training.network() }.to_bytes();
    let NetworkFile { network, .. } = NetworkFile::<N>::from_bytes(&bytes).context(rejected)?;
    let as_played = N::quality(network.clone().as_played(&samples.test).context(rejected)?);
    replace(out, &bytes)?;
    remove(&checkpoint)?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "in integers\t{as_played:.5}").context(CANT_PRINT)?;
    if runs.len() > 1 {
        print_losses_by_folder(args, &samples, &network)?;
    }
    writeln!(stdout, "written to {}", out.display()).context(CANT_PRINT)
}

const CANT_PRINT: &str = "can't print the result";

/// For each folder, prints the loss of the old network and of the new `network` on its held-out games. The old network
/// is the one to continue from; without one, the fitted weights stand in for it.
fn print_losses_by_folder<N: Trainee>(
    args: &Arguments<N>,
    samples: &Samples<N::Sample>,
    network: &N,
) -> Result<()> {
    let old = args.settings.from.as_deref().map(training::network::<N>).transpose()?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "folder\tsamples\tbefore\tafter").context(CANT_PRINT)?;
    for (folder, part) in samples.test_parts() {
        let [before, _] = match &old {
            Some(old) => old.network.clone().as_played(part)?,
            None => N::fitted(part),
        };
        let [after, _] = Box::new(network.clone()).as_played(part)?;
        let name = args.runs[folder].display();
        writeln!(stdout, "{name}\t{}\t{before:.5}\t{after:.5}", part.len()).context(CANT_PRINT)?;
    }
    Ok(())
}
