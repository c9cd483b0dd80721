//! One run of a program: what a supervisor is asked for, and what it answers.

use super::limits::ResourceLimits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A command line to run in a folder.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub executable: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    pub limits: RunLimits,
    pub conditions: RunConditions,
}

/// When a run is killed, in seconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct RunLimits {
    pub cpu: f64,
    pub wall: f64,
}

/// What all runs of a program have in common.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunConditions {
    pub resources: ResourceLimits,
    /// The user as whom it runs; `None` is the referee's.
    pub user: Option<u32>,
    /// The group in which it runs.
    pub cgroup: Option<PathBuf>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum RunEnd {
    /// With this exit status.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    OverCpu,
    OverWall,
    /// It and what it started had this many MiB of memory.
    OverMemory(u64),
    /// It and what it started were this many processes and threads.
    OverProcesses(u64),
    /// It was not started, and why.
    NotStarted(String),
    /// Its supervisor ended, or did no longer answer, while it ran.
    Unsupervised(String),
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    pub end: RunEnd,
    /// CPU seconds, user and system, of the program and all that it started.
    pub cpu: f64,
    pub wall: f64,
    /// The end of its standard error.
    pub stderr: String,
}

/// `seconds` rounded to microseconds, the unit of the system's counts.
pub(super) fn micros(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
