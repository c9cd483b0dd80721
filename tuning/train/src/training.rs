//! The training loop: epochs, batches, the learning rate.

use crate::Settings;
use crate::adam::Adam;
use crate::checkpoint::Checkpoint;
use crate::samples::{Sample, Samples};
use crate::trainee::{Mean, Measures, Pass, Trainee};
use crate::weights::{Weights, add};
use anyhow::{Context, Result, ensure};
use halma::network::{BUILT_IN, NetworkError, NetworkFile};
use halma::support::random::{Random, mix};
use halma_lab::runs::parallel;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::f64::consts::PI;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stdout};
use std::path::Path;
use std::thread;

/// The number of parts of a batch, for the processor's cores. Their gradients are added in order, so the sum does not
/// depend on the number of cores.
const PARTS: usize = 8;

/// The losses of an epoch.
#[derive(Debug, Serialize)]
pub struct Epoch<Q> {
    /// The mean loss on the training samples, each computed with the weights at the time of its batch.
    train: f64,
    /// The test samples' quality, with the weights at the end of the epoch.
    test: Q,
}

/// The losses of a training run.
#[derive(Debug, Serialize)]
pub struct Losses<Q> {
    /// The fitted weights' quality on the test samples.
    fitted: Q,
    epochs: Vec<Epoch<Q>>,
}

/// The work on one part of a batch.
struct Part<N: Trainee> {
    pass: N::Pass,
    gradient: Weights,
    mean: Mean,
}

impl<N: Trainee> Part<N> {
    fn all() -> Vec<Part<N>> {
        let empty =
            |_| Part { pass: N::Pass::default(), gradient: Weights::zeros(N::COUNT), mean: Mean::default() };
        (0..PARTS).map(empty).collect()
    }

    /// Runs `samples` through the network, and computes the gradient if the network `learns`.
    fn run<'s>(
        &mut self,
        weights: &Weights,
        samples: impl Iterator<Item = (&'s N::Sample, bool)>,
        learns: bool,
    ) where
        N::Sample: 's,
    {
        self.gradient.0.fill(0.0);
        self.mean = Mean::default();
        for (sample, mirrored) in samples {
            let gradient = learns.then_some(&mut self.gradient);
            let measures = self.pass.run(weights, sample, mirrored, gradient);
            self.mean.add(measures, sample.weight().into());
        }
    }
}

/// A training run in progress.
pub struct Training<'a, N: Trainee> {
    settings: &'a Settings<N>,
    samples: &'a Samples<N::Sample>,
    weights: Weights,
    checkpoint: Checkpoint,
    /// The training loss and the test measures of each finished epoch.
    done: Vec<[f64; 3]>,
}

impl<'a, N: Trainee> Training<'a, N> {
    /// Begins a training run, or resumes a killed one with the same samples and settings.
    ///
    /// # Errors
    /// The network of `--from` can't be read, or the checkpoint is damaged or belongs to a different training run.
    pub fn begin(
        settings: &'a Settings<N>,
        samples: &'a Samples<N::Sample>,
        out: &Path,
    ) -> Result<Training<'a, N>> {
        let before: Option<NetworkFile<N>> = settings.from.as_deref().map(network).transpose()?;
        let mut hasher = DefaultHasher::new();
        let bytes = before.as_ref().map(NetworkFile::to_bytes);
        (serde_json::to_string(settings)?, bytes, samples.fingerprint()).hash(&mut hasher);
        let checkpoint = Checkpoint::of(out, hasher.finish());
        let mut weights = before.map_or_else(|| N::first(settings.seed), |file| file.network.weights());
        let done = checkpoint.read(&mut weights)?;
        Ok(Training { settings, samples, weights, checkpoint, done })
    }

    /// The network in the engine's integers.
    pub fn network(&self) -> Box<N> {
        N::rounded(&self.weights)
    }

    /// Runs the remaining epochs and returns the losses of all epochs.
    ///
    /// # Errors
    /// The weights diverged, or a checkpoint or the table of losses can't be written.
    pub fn run(&mut self) -> Result<Losses<N::Quality>> {
        let fitted = N::quality(N::fitted(&self.samples.test));
        let [of_fitted, columns] = N::HEADINGS;
        let cant_print = "can't print the losses";
        let mut out = stdout();
        writeln!(out, "{of_fitted}\t{fitted:.5}\n{columns}").context(cant_print)?;
        let mut epochs = Vec::new();
        for epoch in 0..self.settings.epochs {
            if epoch as usize == self.done.len() {
                let train = self.epoch(epoch);
                let finite = train.is_finite() && self.weights.0.iter().all(|weight| weight.is_finite());
                ensure!(finite, "the weights diverged in epoch {}: choose a lower --rate", epoch + 1);
                shrink::<N>(&mut self.weights);
                let [test, more] = self.test();
                self.done.push([train, test, more]);
                self.checkpoint.write(&self.weights, &self.done)?;
            }
            let [train, test, more] = self.done[epoch as usize];
            let test = N::quality([test, more]);
            writeln!(out, "{}\t{train:.5}\t{test:.5}", epoch + 1).context(cant_print)?;
            epochs.push(Epoch { train, test });
        }
        Ok(Losses { fitted, epochs })
    }

    /// Runs all training samples through the network once, in an order that depends on the seed and the epoch. Returns
    /// the mean loss.
    fn epoch(&mut self, epoch: u32) -> f64 {
        let Settings { batch, rate, epochs, seed, .. } = *self.settings;
        let mut random = Random::new(mix(seed) ^ u64::from(epoch));
        let mut order: Vec<&N::Sample> = self.samples.train.iter().collect();
        shuffle(&mut order, &mut random);
        let batches = order.len().div_ceil(batch);
        let bar = bar(epoch + 1, epochs, batches as u64);
        let apart =
            self.done.last().map_or(String::new(), |done| format!(", {:.5} on held-out games", done[1]));
        let mut adam = Adam::new(N::COUNT);
        let mut parts = Part::<N>::all();
        let mut mean = Mean::default();
        for (number, samples) in order.chunks(batch).enumerate() {
            let seed = random.bits();
            let len = samples.len().div_ceil(PARTS);
            let weights = &self.weights;
            for_each(&mut parts, |number, part| {
                let samples = samples.iter().enumerate().skip(number * len).take(len);
                let mirrored = samples.map(|(row, &sample)| (sample, mix(seed ^ row as u64) & 1 == 1));
                part.run(weights, mirrored, true);
            });
            let (first, others) = parts.split_first_mut().expect("there are several parts");
            for other in others {
                add(&mut first.gradient.0, 1.0, &other.gradient.0);
                first.mean.merge(other.mean);
            }
            let progress = (f64::from(epoch) + number as f64 / batches as f64) / f64::from(epochs);
            let rate = rate * (1.0 + (PI * progress).cos()) / 2.0;
            adam.step(&mut self.weights, &first.gradient, (1.0 / first.mean.weight) as f32, rate as f32);
            N::clip(&mut self.weights);
            mean.merge(first.mean);
            bar.set_message(format!("loss {:.5}{apart}", mean.get()[0]));
            bar.inc(1);
        }
        bar.finish_and_clear();
        mean.get()[0]
    }

    /// The quality of the weights on the test samples.
    fn test(&self) -> Measures {
        let (test, weights) = (&self.samples.test, &self.weights);
        let len = test.len().div_ceil(PARTS);
        let mut parts = Part::<N>::all();
        for_each(&mut parts, |number, part| {
            let samples = test.iter().skip(number * len).take(len);
            part.run(weights, samples.map(|sample| (sample, false)), false);
        });
        let mut mean = Mean::default();
        parts.iter().for_each(|part| mean.merge(part.mean));
        mean.get()
    }
}

/// Scales down hidden units whose sums could overflow in the engine's integers.
pub fn shrink<N: Trainee>(weights: &mut Weights) {
    while let Err(NetworkError::UnitOverflow { unit, sum }) = N::rounded(weights).check() {
        // One percent more than necessary, because rounding may add up to ½ to each weight.
        N::scale_unit(weights, unit, 0.99 * i16::MAX as f32 / sum as f32);
    }
}

/// The network to continue from.
///
/// # Errors
/// The network can't be read.
pub fn network<N: Trainee>(file: &str) -> Result<NetworkFile<N>> {
    match file {
        BUILT_IN => Ok(NetworkFile::built_in()),
        file => NetworkFile::read(Path::new(file)).with_context(|| format!("--from {file}")),
    }
}

/// Calls `work` with each of `parts` and its number, on all cores.
fn for_each<T: Send>(parts: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(parts.len());
    let work = |(): &mut (), (number, part): (usize, &mut T)| {
        work(number, part);
        Some(())
    };
    let parts = parts.iter_mut().enumerate();
    parallel::for_each(parts, vec![(); threads], work, |()| ()).expect("the system allows a thread");
}

/// Shuffles `order` by R. Durstenfeld's algorithm 235 (1964).
fn shuffle<T>(order: &mut [T], random: &mut Random) {
    for end in (1..order.len()).rev() {
        order.swap(end, random.below(end + 1));
    }
}

/// The progress bar of an epoch.
fn bar(epoch: u32, epochs: u32, batches: u64) -> ProgressBar {
    let template =
        format!("epoch {epoch}/{epochs} {{bar:32}} {{pos}}/{{len}} batches, {{eta}} left  {{msg}}");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(batches).with_style(style)
}
