//! What a network's file says of itself.

use crate::Settings;
use crate::samples::Samples;
use crate::training::Errors;
use anyhow::Result;
use halma_lab::run::{Arguments, Fingerprint, Session};
use halma_lab::runs;
use serde::Serialize;
use std::path::PathBuf;

/// Where a network comes from.
#[derive(Serialize)]
pub struct Provenance<'a> {
    trained: Session,
    runs: Vec<Run>,
    samples: Counts,
    settings: &'a Settings,
    errors: Errors,
}

/// A run whose games it was trained on.
#[derive(Serialize)]
pub struct Run {
    folder: PathBuf,
    kind: String,
    arguments: Arguments,
    engine: Fingerprint,
}

#[derive(Serialize)]
struct Counts {
    train: usize,
    distinct: usize,
    test: usize,
}

/// The runs in `folders` and below.
///
/// # Errors
/// There is none, or one can't be read.
pub fn origin(folders: &[PathBuf]) -> Result<Vec<Run>> {
    let mut found = Vec::new();
    for folder in folders {
        found.extend(runs::below(folder)?.into_iter().map(|run| Run {
            folder: run.folder,
            kind: run.header.kind,
            arguments: run.header.arguments,
            engine: run.header.engine,
        }));
    }
    Ok(found)
}

impl Provenance<'_> {
    /// That of a network which this process has trained on the games of `runs`.
    pub fn of<'a>(
        runs: Vec<Run>,
        settings: &'a Settings,
        samples: &Samples,
        errors: Errors,
    ) -> Provenance<'a> {
        let counts =
            Counts { train: samples.train.len(), distinct: samples.distinct(), test: samples.test.len() };
        Provenance { trained: Session::here(), runs, samples: counts, settings, errors }
    }
}
