//! The runs that the page shows. The page refers to them by number, so no text from a page becomes a path.

use crate::show::report::live::{self, LiveRun};
use crate::show::report::run_name;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The number of levels of folders that are searched for a run's files.
const MAX_DEPTH: usize = 7;

/// The folders of runs and the logs of `lab referee` given on the command line.
pub struct Runs(Vec<Run>);

struct Run {
    path: PathBuf,
    name: String,
    /// The run as last read, and the state of its files then; it is read again once one of them changes.
    latest: Mutex<Option<(Vec<Stamp>, Arc<LiveRun>)>>,
}

/// A file, its length, and when it was written.
type Stamp = (PathBuf, u64, Option<SystemTime>);

impl Runs {
    /// The runs at `paths`. A folder may still be empty.
    pub fn of(paths: &[PathBuf]) -> Result<Runs> {
        let run = |path: &PathBuf| {
            let path = fs::canonicalize(path).with_context(|| format!("can't read {}", path.display()))?;
            Ok(Run { name: run_name(&path), path, latest: Mutex::default() })
        };
        Ok(Runs(paths.iter().map(run).collect::<Result<_>>()?))
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.0.iter().map(|run| run.name.as_str()).collect()
    }

    /// The results of run `[run]`, the games of match `[run, match]`, or the plays of game `[run, match, game]`.
    /// `None` if it does not exist.
    pub(super) fn read(&self, numbers: &[usize]) -> Result<Option<Value>> {
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
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stamps = Vec::new();
        stamp(&self.path, MAX_DEPTH, &mut stamps);
        stamps.sort();
        match &*latest {
            Some((before, run)) if *before == stamps => Ok(run.clone()),
            _ => {
                ensure!(!stamps.is_empty(), "{} contains no run yet", self.name);
                let run = Arc::new(LiveRun::read(&self.path)?);
                *latest = Some((stamps, run.clone()));
                Ok(run)
            }
        }
    }
}

/// Lists the files of runs at `path` and below.
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
