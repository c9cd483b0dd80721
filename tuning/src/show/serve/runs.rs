//! The runs that the page shows. The page refers to them by number, so no text from a page becomes a path.
//!
//! A run is read when a page asks for it, and then as it grows. Reading has a thread of its own, and one run is read at
//! a time, so that searches keep their processors. A run that no page asks for is forgotten, and its memory freed.

use super::refusal::Refusal;
use crate::show::report::live::LiveRun;
use crate::show::report::run_name;
use anyhow::{Context, Result};
use hyper::StatusCode;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// A run is forgotten when no page has asked for it for this long.
const KEEP_TIME: Duration = Duration::from_secs(60);

/// How long a page waits for a run to be read: less than a connection may last. Reading goes on after that.
const PATIENCE: Duration = Duration::from_secs(15);

/// The folders of runs and the logs of `lab referee` given on the command line.
pub struct Runs {
    runs: Vec<Run>,
    /// Held while a run is read.
    reading: Arc<Mutex<()>>,
}

struct Run {
    path: PathBuf,
    name: String,
    /// What was read, and when a page last asked for it.
    latest: Arc<Mutex<Option<(LiveRun, Instant)>>>,
}

impl Runs {
    /// The runs at `paths`. A folder may still be empty.
    pub fn of(paths: &[PathBuf]) -> Result<Runs> {
        let run = |path: &PathBuf| {
            let path = fs::canonicalize(path).with_context(|| format!("can't read {}", path.display()))?;
            Ok(Run { name: run_name(&path), path, latest: Arc::default() })
        };
        Ok(Runs { runs: paths.iter().map(run).collect::<Result<_>>()?, reading: Arc::default() })
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.runs.iter().map(|run| run.name.as_str()).collect()
    }

    /// The results of run `[run]`, the games of match `[run, match]`, or the plays of game `[run, match, number]`.
    /// `None` if it does not exist.
    pub(super) async fn read(&self, numbers: &[usize]) -> Result<Option<Value>, Refusal> {
        let Some((run, rest)) =
            numbers.split_first().and_then(|(&run, rest)| Some((self.runs.get(run)?, rest)))
        else {
            return Ok(None);
        };
        let answer = timeout(PATIENCE, self.answer(run, rest.to_vec())).await;
        answer.unwrap_or_else(|_| {
            let message = format!("{} is still being read; a large run takes long the first time", run.name);
            Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, &message))
        })
    }

    async fn answer(&self, run: &Run, rest: Vec<usize>) -> Result<Option<Value>, Refusal> {
        // A reader keeps both locks until it has finished, even if nobody is waiting any more, so no run is read twice at
        // once.
        let mut latest = run.latest.clone().lock_owned().await;
        let reading = self.reading.clone().lock_owned().await;
        let path = run.path.clone();
        let read = spawn_blocking(move || {
            let _reading = reading;
            let (run, asked) = latest.get_or_insert_with(|| (LiveRun::new(&path), Instant::now()));
            let answer = match *rest {
                [] => run.results().map(Some),
                [place] => run.games(place),
                [place, number] => run.replay(place, number as u64),
                _ => Ok(None),
            };
            *asked = Instant::now();
            answer
        });
        let failed = "reading the run failed; see the output of 'lab serve'";
        let answer = read.await.map_err(|_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, failed))?;
        Ok(answer?)
    }

    /// Forgets the runs that no page has asked for lately.
    pub(super) fn forget_abandoned(&self) {
        for run in &self.runs {
            if let Ok(mut latest) = run.latest.try_lock() {
                latest.take_if(|(_, asked)| asked.elapsed() >= KEEP_TIME);
            }
        }
    }
}
