//! Epoch by epoch.

use crate::Settings;
use crate::batch::Batch;
use crate::checkpoint::Checkpoint;
use crate::model::Model;
use crate::samples::{Sample, Samples};
use anyhow::{Context, Result, ensure};
use candle_nn::{AdamW, Optimizer, ParamsAdamW};
use halma::evaluation::network::Network;
use halma::network::BUILT_IN;
use halma::random::{Random, mix};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::f64::consts::PI;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stdout};
use std::path::Path;

/// Samples whose error is computed at once.
const TEST_BATCH: usize = 8192;

/// The mean squared errors of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EpochErrors {
    /// On the samples that were trained on, each with the weights of the moment when it came.
    pub train: f64,
    /// On those kept apart, with the weights of the epoch's end.
    pub test: f64,
}

/// All errors of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Errors {
    /// The fitted evaluation's, on the samples kept apart.
    pub fitted: f64,
    /// The network's.
    pub epochs: Vec<EpochErrors>,
}

/// A training under way.
pub struct Training<'a> {
    settings: &'a Settings,
    model: Model,
    checkpoint: Checkpoint,
    done: Vec<EpochErrors>,
}

impl Training<'_> {
    /// Begins, or goes on where a training of the same samples by the same settings was killed.
    ///
    /// # Errors
    /// There is no network to begin from, or the checkpoint is broken, or of another training.
    pub fn begin<'a>(settings: &'a Settings, samples: &Samples, out: &Path) -> Result<Training<'a>> {
        let model = Model::new(settings.seed)?;
        let before = settings.from.as_deref().map(network).transpose()?;
        if let Some(before) = &before {
            model.begin_from(before)?;
        }
        let mut hasher = DefaultHasher::new();
        let before = before.map(|network| network.to_bytes());
        (serde_json::to_string(settings)?, before, samples.fingerprint()).hash(&mut hasher);
        let checkpoint = Checkpoint::of(out, hasher.finish());
        let done = checkpoint.read(&model)?;
        Ok(Training { settings, model, checkpoint, done })
    }

    /// The network as it is.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Goes through all epochs that are left. Returns the errors of all.
    ///
    /// # Errors
    /// A checkpoint, or the table of errors, can't be written.
    pub fn run(&mut self, samples: &Samples) -> Result<Errors> {
        let fitted = samples.error_of_fitted();
        let cant_print = "can't print the errors";
        let mut out = stdout();
        writeln!(out, "samples\t{} to train on, {} to test", samples.train.len(), samples.test.len())
            .and_then(|()| writeln!(out, "fitted\t{fitted:.5}\nepoch\ttrain\ttest"))
            .context(cant_print)?;
        for epoch in 0..self.settings.epochs {
            if epoch as usize == self.done.len() {
                let train = self.epoch(epoch, samples)?;
                let test = self.test(samples)?;
                ensure!(
                    train.is_finite() && test.is_finite(),
                    "the weights have left all bounds in epoch {}: give a lower --rate",
                    epoch + 1
                );
                self.done.push(EpochErrors { train, test });
                self.checkpoint.write(&self.model, &self.done)?;
            }
            let EpochErrors { train, test } = self.done[epoch as usize];
            writeln!(out, "{}\t{train:.5}\t{test:.5}", epoch + 1).context(cant_print)?;
        }
        Ok(Errors { fitted, epochs: self.done.clone() })
    }

    /// Removes the checkpoint, as the network is where it should be.
    ///
    /// # Errors
    /// It can't be removed.
    pub fn clear_away(&self) -> Result<()> {
        self.checkpoint.remove()
    }

    /// Goes once through all samples, in an order that follows from the seed and the epoch. Returns the mean error.
    fn epoch(&self, epoch: u32, samples: &Samples) -> Result<f64> {
        let Settings { batch, rate, epochs, seed, .. } = *self.settings;
        let mut random = Random::new(mix(seed) ^ u64::from(epoch));
        let mut order: Vec<&Sample> = samples.train.iter().collect();
        shuffle(&mut order, &mut random);
        let params = ParamsAdamW { weight_decay: 0.0, ..ParamsAdamW::default() };
        let mut optimiser = AdamW::new(self.model.variables(), params)?;
        let batches = order.len().div_ceil(batch);
        let bar = bar(epoch + 1, epochs, batches as u64);
        let (mut sum, mut weight) = (0.0, 0.0);
        for (number, rows) in order.chunks(batch).enumerate() {
            let progress = (f64::from(epoch) + number as f64 / batches as f64) / f64::from(epochs);
            optimiser.set_learning_rate(rate * (1.0 + (PI * progress).cos()) / 2.0);
            let rows = Batch::mirrored_at_random(rows, &mut random)?;
            let loss = self.model.loss(&rows)?;
            optimiser.backward_step(&loss)?;
            self.model.clip()?;
            sum += f64::from(loss.to_scalar::<f32>()?) * rows.weight;
            weight += rows.weight;
            bar.set_message(format!("error {:.5}", sum / weight));
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(sum / weight)
    }

    /// The mean error on the samples kept apart.
    fn test(&self, samples: &Samples) -> Result<f64> {
        let (mut sum, mut weight) = (0.0, 0.0);
        let all: Vec<&Sample> = samples.test.iter().collect();
        for rows in all.chunks(TEST_BATCH) {
            let rows = Batch::of(rows)?;
            sum += f64::from(self.model.loss(&rows)?.to_scalar::<f32>()?) * rows.weight;
            weight += rows.weight;
        }
        Ok(sum / weight)
    }
}

/// The network in a file, or the one that comes with the engine.
fn network(file: &str) -> Result<Network> {
    match file {
        BUILT_IN => Ok(Network::built_in().clone()),
        file => Network::read(Path::new(file)).with_context(|| format!("--from {file}")),
    }
}

/// Puts `order` in an order drawn from all by R. Durstenfeld's algorithm 235 (1964).
pub fn shuffle<T>(order: &mut [T], random: &mut Random) {
    for end in (1..order.len()).rev() {
        order.swap(end, random.below(end + 1));
    }
}

/// A bar for an epoch.
pub fn bar(epoch: u32, epochs: u32, batches: u64) -> ProgressBar {
    let template =
        format!("epoch {epoch}/{epochs} {{bar:32}} {{pos}}/{{len}} batches, {{eta}} left  {{msg}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(batches).with_style(style)
}
