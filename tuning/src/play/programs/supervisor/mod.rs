//! A supervisor is a process between the referee and a program, in a session of its own.
//!
//! The referee runs the game and decides its result. The supervisor starts the program, counts its time,
//! kills it together with everything it has started, and reports what happened. If a program attacks or even
//! kills its parent or its parent's process group, the referee survives and declares the loss.
//!
//! ```text
//! lab referee ── orders and answers: a line of JSON each ── lab supervise ── the program ── what it starts
//! ```
//!
//! The referee and the supervisor each notice when the other ends, even by a signal, and kill the remaining processes.
//!
//! `process.rs` is the supervisor, `client.rs` the referee's side of the conversation.

mod client;
mod process;

pub(super) use client::Client;
pub use process::supervise;

use super::sandbox::ResourceLimits;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The first line that a supervisor writes.
const READY: &str = "ready";

/// A command to run in a folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub executable: PathBuf,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    /// CPU seconds after which it is killed.
    pub cpu: f64,
    /// Real seconds after which it is killed.
    pub wall: f64,
    pub resources: ResourceLimits,
    /// The user it runs as; `None` means the referee's.
    pub user: Option<u32>,
    /// The cgroup it runs in.
    pub cgroup: Option<PathBuf>,
}

/// The result of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    pub end: RunEnd,
    /// CPU seconds, user and system, of the program and everything it started.
    pub cpu: f64,
    pub wall: f64,
    /// The end of its standard error.
    pub stderr: String,
}

/// How a run of a program ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunEnd {
    /// It exited with this status.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
    /// It was killed because it used too much CPU time.
    OverCpu,
    /// It was killed after this many real seconds without having used up its CPU time, because it waited for
    /// something.
    OverWall(f64),
    /// It was killed because it and its children used this many MiB of memory.
    OverMemory(u64),
    /// It was killed because it ran this many processes and threads.
    OverProcesses(u64),
    /// It could not be started, for this reason.
    NotStarted(String),
    /// Its supervisor ended or stopped answering while it ran.
    Unsupervised(String),
}
