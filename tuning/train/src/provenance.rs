//! What a network's file says of itself.

use anyhow::Result;
use halma_lab::runs::{Arguments, Fingerprint, RecordedRun, Session};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// Where a network comes from.
#[derive(Serialize)]
pub struct Provenance<'a, S, E> {
    trained: Session,
    runs: Vec<Run>,
    samples: Counts,
    settings: &'a S,
    errors: E,
}

/// A run whose games it was trained on.
#[derive(Serialize)]
pub struct Run {
    folder: PathBuf,
    kind: String,
    arguments: Arguments,
    engine: Fingerprint,
}

/// How many samples there were.
#[derive(Serialize)]
pub struct Counts {
    /// To train on.
    pub train: usize,
    /// How many different positions were among these.
    pub distinct: usize,
    /// To test on.
    pub test: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { train, distinct, test } = self;
        write!(f, "{train} to train on ({distinct} different positions), {test} to test")
    }
}

/// The runs in `folders` and below.
///
/// # Errors
/// There is none, or one can't be read.
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
    /// That of a network which this process has trained on the games of `runs` by `settings`, with these `errors`.
    pub fn of(runs: Vec<Run>, settings: &S, samples: Counts, errors: E) -> Provenance<'_, S, E> {
        Provenance { trained: Session::here(), runs, samples, settings, errors }
    }
}
