//! Epoch by epoch.

use super::Settings;
use super::adam::Adam;
use super::pass::{Pass, Quality};
use super::samples::{Sample, Samples};
use super::weights::Weights;
use crate::checkpoint::Checkpoint;
use crate::training::{bar, shuffle};
use anyhow::{Context, Result, ensure};
use candle_core::{Device, Tensor};
use halma::network::BUILT_IN;
use halma::prior::network::PolicyNetwork;
use halma::random::{Random, mix};
use serde::Serialize;
use std::collections::HashMap;
use std::f64::consts::PI;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stdout};
use std::path::Path;

/// What an epoch has come to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Epoch {
    /// The loss on the samples that were trained on, each with the weights of the moment when it came.
    pub train: f64,
    /// How well the weights of its end predict those kept apart.
    pub test: Quality,
}

/// All losses of a training.
#[derive(Clone, Debug, Serialize)]
pub struct Losses {
    /// The fitted prior's on the samples kept apart, at its best temperature.
    pub fitted: Quality,
    /// The network's.
    pub epochs: Vec<Epoch>,
}

/// A training under way.
pub struct Training<'a> {
    settings: &'a Settings,
    weights: Weights,
    adam: Adam,
    checkpoint: Checkpoint,
    done: Vec<Epoch>,
}

impl Training<'_> {
    /// Begins, or goes on where a training of the same samples by the same settings was killed.
    ///
    /// # Errors
    /// There is no network to begin from, or the checkpoint is broken, or of another training.
    pub fn begin<'a>(settings: &'a Settings, samples: &Samples, out: &Path) -> Result<Training<'a>> {
        let before = match settings.from.as_deref() {
            None => None,
            Some(BUILT_IN) => Some(PolicyNetwork::built_in().clone()),
            Some(file) => {
                Some(PolicyNetwork::read(Path::new(file)).with_context(|| format!("--from {file}"))?)
            }
        };
        let mut hasher = DefaultHasher::new();
        let bytes = before.as_ref().map(PolicyNetwork::to_bytes);
        (serde_json::to_string(settings)?, bytes, samples.fingerprint()).hash(&mut hasher);
        let checkpoint = Checkpoint::of(out, hasher.finish());
        let weights = before.as_ref().map_or_else(|| Weights::first(settings.seed), Weights::of);
        let mut training = Training { settings, weights, adam: Adam::new(), checkpoint, done: Vec::new() };
        if let Some((tensors, epochs)) = training.checkpoint.read_tensors()? {
            training.take(&tensors).with_context(|| training.checkpoint.cant_read())?;
            training.done = epochs
                .into_iter()
                .map(|[train, loss, first]| Epoch { train, test: Quality { loss, first } })
                .collect();
            let batches = samples.train.len().div_ceil(settings.batch) as u64;
            training.adam.steps = batches * training.done.len() as u64;
        }
        Ok(training)
    }

    /// The network as it is.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Goes through all epochs that are left. Returns the losses of all.
    ///
    /// # Errors
    /// A checkpoint, or the table of losses, can't be written.
    pub fn run(&mut self, samples: &Samples) -> Result<Losses> {
        let fitted = samples.quality_of_fitted();
        let cant_print = "can't print the losses";
        let mut out = stdout();
        writeln!(out, "samples\t{} to train on, {} to test", samples.train.len(), samples.test.len())
            .and_then(|()| writeln!(out, "fitted\t\t{fitted}\nepoch\ttrain\ttest\tfirst right"))
            .context(cant_print)?;
        for epoch in 0..self.settings.epochs {
            if epoch as usize == self.done.len() {
                let train = self.epoch(epoch, samples);
                let test = self.test(samples);
                ensure!(
                    train.is_finite() && test.loss.is_finite(),
                    "the weights have left all bounds in epoch {}: give a lower --rate",
                    epoch + 1
                );
                self.done.push(Epoch { train, test });
                let rows = self.done.iter().map(|Epoch { train, test }| [*train, test.loss, test.first]);
                let rows: Vec<[f64; 3]> = rows.collect();
                let tensors = self.tensors()?;
                self.checkpoint.write_tensors(tensors, &rows)?;
            }
            let Epoch { train, test } = self.done[epoch as usize];
            writeln!(out, "{}\t{train:.5}\t{test}", epoch + 1).context(cant_print)?;
        }
        Ok(Losses { fitted, epochs: self.done.clone() })
    }

    /// Removes the checkpoint, as the network is where it should be.
    ///
    /// # Errors
    /// It can't be removed.
    pub fn clear_away(&self) -> Result<()> {
        self.checkpoint.remove()
    }

    /// Goes once through all samples, in an order that follows from the seed and the epoch. Returns the mean loss.
    fn epoch(&mut self, epoch: u32, samples: &Samples) -> f64 {
        let Settings { batch, rate, epochs, seed, .. } = *self.settings;
        let mut random = Random::new(mix(seed) ^ u64::from(epoch));
        let mut order: Vec<&Sample> = samples.train.iter().collect();
        shuffle(&mut order, &mut random);
        let batches = order.len().div_ceil(batch);
        let bar = bar(epoch + 1, epochs, batches as u64);
        let (mut pass, mut gradient) = (Pass::default(), Weights::zeros());
        let (mut sum, mut seen) = (0.0, 0);
        for (number, rows) in order.chunks(batch).enumerate() {
            gradient.0.fill(0.0);
            for sample in rows {
                sum += pass.forward(&self.weights, sample, random.happens(0.5)).loss;
                pass.backward(&self.weights, &mut gradient);
            }
            let progress = (f64::from(epoch) + number as f64 / batches as f64) / f64::from(epochs);
            let rate = rate * (1.0 + (PI * progress).cos()) / 2.0;
            self.adam.step(&mut self.weights, &gradient, rows.len(), rate as f32);
            self.weights.clip();
            seen += rows.len();
            bar.set_message(format!("loss {:.5}", sum / seen as f64));
            bar.inc(1);
        }
        bar.finish_and_clear();
        sum / seen as f64
    }

    /// How well the weights predict the samples kept apart.
    fn test(&self, samples: &Samples) -> Quality {
        let mut pass = Pass::default();
        let sum = samples
            .test
            .iter()
            .fold(Quality::default(), |sum, sample| sum + pass.forward(&self.weights, sample, false));
        sum / samples.test.len() as f64
    }

    /// What a checkpoint keeps, by the names it has there.
    fn kept(&mut self) -> [(&'static str, &mut Weights); 3] {
        let [means, squares] = &mut self.adam.means;
        [("weights", &mut self.weights), ("means", means), ("squares", squares)]
    }

    fn tensors(&mut self) -> Result<HashMap<String, Tensor>> {
        let tensor = |(name, weights): (&str, &mut Weights)| {
            Ok((name.to_string(), Tensor::new(&weights.0[..], &Device::Cpu)?))
        };
        self.kept().into_iter().map(tensor).collect()
    }

    fn take(&mut self, tensors: &HashMap<String, Tensor>) -> Result<()> {
        for (name, weights) in self.kept() {
            let found =
                tensors.get(name).with_context(|| format!("there are no {name}"))?.to_vec1::<f32>()?;
            ensure!(found.len() == weights.0.len(), "there are {} {name}", found.len());
            weights.0 = found;
        }
        Ok(())
    }
}
