//! Tunes in a folder that survives being killed.
//!
//! `tune.json` says what is tuned, `tune.jsonl` has a line for each iteration, written when it ends.
//! Everything random in an iteration follows from the run's seed and the iteration's number, so a
//! run that is started again goes on as if nothing had happened; the games of an iteration that
//! was interrupted are played again.

use super::draw::draw;
use super::file::Tune;
use super::log::{Log, Step};
use super::result::Tuned;
use crate::files::{claim_folder, write_json, write_whole};
use crate::matches::{self, Engine, Shard, folder};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// The file with the [`Header`].
pub const HEADER: &str = "tune.json";
/// The file with the iterations.
pub const LOG: &str = "tune.jsonl";

/// What a folder holds: what is tuned, and which engine plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// What is tuned.
    #[serde(flatten)]
    pub tune: Tune,
    /// The engine that plays.
    pub engine: Engine,
}

/// How far a run has come.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Games of this iteration that have ended.
    pub games: u64,
    /// Iterations that have ended.
    pub iterations: u64,
    /// Where the parameters are.
    pub values: &'a [f64],
}

/// Tunes to the end, playing on `jobs` threads, tells `watch` of each game, and writes iterations,
/// plot and result into `folder`. Iterations that are there already are not played again.
///
/// # Errors
/// The folder can't be read or written, is in use by another run, or holds something else; or an
/// agent panicked.
pub fn run(tune: &Tune, jobs: usize, folder: &Path, watch: &mut dyn FnMut(&Progress<'_>)) -> Result<Tuned> {
    let _lock = open(folder, tune)?;
    let (mut log, mut steps) = Log::open(&folder.join(LOG), tune)?;
    let spsa = tune.spsa();
    for k in steps.len() as u64 + 1..=tune.iterations {
        let values = steps.last().map_or_else(|| spsa.start(), |step| step.values.clone());
        let trial = spsa.trial(k, &values, tune.trial_seed(k));
        let settings = tune.settings(k, &trial.plus, &trial.minus)?;
        let summary = matches::run(&settings, Shard::WHOLE, jobs, None, &mut |progress| {
            watch(&Progress { games: progress.ended, iterations: k - 1, values: &values });
        })?;
        let step = Step::of(tune, k, &values, trial, summary.pairs);
        log.append(&step)?;
        watch(&Progress { games: 0, iterations: k, values: &step.values });
        steps.push(step);
    }
    let tuned = Tuned::of(tune, steps)?;
    write_whole(&folder.join("tune.svg"), draw(tune, &tuned)?.as_bytes())?;
    write_json(&folder.join(folder::RESULT), &tuned)?;
    Ok(tuned)
}

/// Makes the folder that of this run, and keeps others out.
fn open(folder: &Path, tune: &Tune) -> Result<File> {
    let header = Header { tune: tune.clone(), engine: Engine::of_this_build()?.clone() };
    claim_folder(folder, HEADER, &header, |key| match key {
        "engine" => "a run of an engine that plays differently",
        _ => "a tuning run with other arguments",
    })
}
