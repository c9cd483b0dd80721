//! The log of a tuning run: one line of JSON for each iteration.

use super::file::Tune;
use super::spsa::Trial;
use crate::statistics::PairCounts;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// An iteration that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub iteration: u64,
    /// The points compared.
    #[serde(flatten)]
    pub trial: Trial,
    /// Pairs in which the one side got 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// Its points less those of the other side, for each pair.
    pub result: f64,
    /// Where the parameters are now.
    pub values: Vec<f64>,
}

impl Step {
    /// Iteration `iteration` of `tune` from `values`, whose games ended like this.
    pub fn of(tune: &Tune, iteration: u64, values: &[f64], trial: Trial, pairs: PairCounts) -> Step {
        // A pair's score per game s, 0…1, is 2s points against 2 − 2s.
        let result = 4.0 * pairs.mean() - 2.0;
        let values = tune.spsa().step(iteration, values, &trial, result);
        Step { iteration, trial, pairs, result, values }
    }
}

/// The log, open for writing.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens the log at `path`, reads the iterations that have ended, and drops a last line that was
    /// not written to its end.
    ///
    /// # Errors
    /// The file can't be read or written, or a line is broken or not of this run.
    pub fn open(path: &Path, tune: &Tune) -> Result<(Log, Vec<Step>)> {
        let cant = |what: &str| format!("can't {what} {}", path.display());
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.with_context(|| cant("write"))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(|| cant("read"))?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let steps = parse(&bytes[..whole], tune).with_context(|| format!("in {}", path.display()))?;
        if whole < bytes.len() {
            file.set_len(whole as u64).with_context(|| cant("write"))?;
        }
        Ok((Log { path: path.to_path_buf(), file }, steps))
    }

    /// Writes down an iteration that has ended.
    ///
    /// # Errors
    /// It can't be written: the disk may be full. Those before it are safe.
    pub fn append(&mut self, step: &Step) -> Result<()> {
        let mut line = serde_json::to_string(step)?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).with_context(|| format!("can't write {}", self.path.display()))
    }
}

/// The iterations in `bytes`, each checked: it must be what follows from the one before it and the
/// games' results.
fn parse(bytes: &[u8], tune: &Tune) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    let mut values = tune.spsa().start();
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let step: Step = serde_json::from_slice(line).with_context(|| format!("line {number} is broken"))?;
        let trial = tune.spsa().trial(number, &values, tune.trial_seed(number));
        let expected = Step::of(tune, number, &values, trial, step.pairs);
        let belongs = number <= tune.iterations && step.pairs.pairs() == tune.pairs && step == expected;
        ensure!(belongs, "line {number} is no iteration of this run");
        values.clone_from(&step.values);
        steps.push(step);
    }
    Ok(steps)
}
