//! The runs that the page shows. It names them by numbers: no text from a page becomes a path.

use crate::show::report::live::{self, LiveRun};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// How many folders deep a run's files are looked for.
const MOST_DEPTH: usize = 7;

/// The folders of runs, and logs of `lab referee`, that were given to the command.
pub struct Runs(Vec<Run>);

/// One of them.
struct Run {
    path: PathBuf,
    name: String,
    /// What was read last, and of which files: results are only worked out anew if one has changed.
    read: Mutex<Option<(Vec<Stamp>, Arc<LiveRun>)>>,
}

/// A file, how long it is, and when it was written.
type Stamp = (PathBuf, u64, Option<SystemTime>);

impl Runs {
    /// Those at `paths`. Each must be there; it may be a folder in which a run is still to begin.
    ///
    /// # Errors
    /// Which is not there.
    pub fn of(paths: &[PathBuf]) -> Result<Runs> {
        let run = |path: &PathBuf| {
            let path = fs::canonicalize(path).with_context(|| format!("can't read {}", path.display()))?;
            Ok(Run { name: live::name(&path), path, read: Mutex::default() })
        };
        Ok(Runs(paths.iter().map(run).collect::<Result<_>>()?))
    }

    /// What they are called.
    pub(super) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|run| run.name.as_str()).collect()
    }

    /// What is asked by numbers: of a run, its results; of one of its matches, the games; of one of these, the
    /// plays. `None` if there is no such thing.
    ///
    /// # Errors
    /// A file can't be read or is broken.
    pub(super) fn tell(&self, numbers: &[usize]) -> Result<Option<Value>> {
        let Some((run, rest)) = numbers.split_first().and_then(|(&run, rest)| Some((self.0.get(run)?, rest)))
        else {
            return Ok(None);
        };
        Ok(match *rest {
            [] => Some(run.latest()?.results()),
            [place] => run.latest()?.games(place),
            [place, game] => live::replay(&run.path, place, game)?,
            _ => None,
        })
    }
}

impl Run {
    /// The run as it is now.
    fn latest(&self) -> Result<Arc<LiveRun>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stamps = Vec::new();
        stamp(&self.path, MOST_DEPTH, &mut stamps);
        stamps.sort();
        match &*read {
            Some((before, run)) if *before == stamps => Ok(run.clone()),
            _ => {
                ensure!(!stamps.is_empty(), "no run has begun in {}", self.name);
                let run = Arc::new(LiveRun::read(&self.path)?);
                *read = Some((stamps, run.clone()));
                Ok(run)
            }
        }
    }
}

/// Notes the files of runs at `path` and below.
fn stamp(path: &Path, depth: usize, stamps: &mut Vec<Stamp>) {
    let Ok(about) = fs::symlink_metadata(path) else { return };
    if about.is_file()
        && path.extension().is_some_and(|extension| extension == "json" || extension == "jsonl")
    {
        stamps.push((path.to_path_buf(), about.len(), about.modified().ok()));
    } else if about.is_dir() && depth > 0 {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| stamp(&entry.path(), depth - 1, stamps));
    }
}
