//! The provenance in a network's file.

use anyhow::Result;
use halma_lab::runs::{Arguments, Fingerprint, RecordedRun, Session};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// How a network was trained.
#[derive(Serialize)]
pub struct Provenance<'a, S, E> {
    trained: Session,
    runs: Vec<Run>,
    samples: Counts,
    settings: &'a S,
    errors: E,
}

/// A run whose games were used.
#[derive(Serialize)]
pub struct Run {
    folder: PathBuf,
    kind: String,
    arguments: Arguments,
    engine: Fingerprint,
}

/// Numbers of samples.
#[derive(Serialize)]
pub struct Counts {
    pub train: usize,
    /// The number of distinct training positions.
    pub distinct: usize,
    pub test: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { train, distinct, test } = self;
        write!(f, "{train} for training ({distinct} different positions), {test} for tests")
    }
}

/// The runs in `folders` and below them.
///
/// # Errors
/// There is no run, or a run can't be read.
pub fn origin(folders: &[PathBuf]) -> Result<Vec<Run>> {
    let mut found = Vec::new();
    for folder in folders {
        found.extend(RecordedRun::all_below(folder)?.into_iter().map(|run| Run {
            folder: run.folder,
            kind: run.header.kind,
            arguments: run.header.arguments,
            engine: run.header.engine,
        }));
    }
    Ok(found)
}

impl<S, E> Provenance<'_, S, E> {
    /// The provenance of a network trained by this process.
    pub fn of(runs: Vec<Run>, settings: &S, samples: Counts, errors: E) -> Provenance<'_, S, E> {
        Provenance { trained: Session::here(), runs, samples, settings, errors }
    }
}
