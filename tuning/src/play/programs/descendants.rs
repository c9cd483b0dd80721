//! Finds, measures and kills the descendants of this process, on Linux.
//!
//! A program may start others and end before they do, put them into sessions of their own, or try to escape
//! by a chain of forks and exits. The referee and its supervisors are therefore *child subreapers*: a process
//! that loses its parent becomes a child of the nearest subreaper, so no descendant escapes. A subreaper
//! without children therefore has no descendants, and the system reports that without a race.

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpid};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs, thread};

/// The exit status of an interrupted process, as in shells.
const INTERRUPTED: i32 = 130;

/// Whether a signal is ending this process.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The unit of CPU time in `/proc`, which is the same on all current Linux machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// This many scans in a row must find no descendant, because a scan may miss a process whose parent is
/// changing.
const EMPTY_SCANS: usize = 3;

/// Keeps descendants from escaping this process and from reaching its memory and open files, and kills them
/// all before a signal ends this process. Further calls have no effect.
pub(super) fn oversee_descendants() -> Result<()> {
    static DONE: Mutex<bool> = Mutex::new(false);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::replace(&mut *done, true) {
        return Ok(());
    }
    prctl::set_child_subreaper(true).context("can't adopt orphans")?;
    prctl::set_dumpable(false).context("can't keep other processes out of this one")?;
    ctrlc::set_handler(|| {
        ENDING.store(true, Ordering::SeqCst);
        kill_descendants(|| {});
        exit(INTERRUPTED);
    })
    .context("can't listen for signals")
}

/// Blocks forever if a signal is ending this process: the handler's thread kills the children and exits.
pub(super) fn block_if_ending() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Identifies a process by its id and start time, because ids are reused.
pub(super) type ProcessId = (i32, u64);

/// A line of `/proc/PID/stat`.
#[derive(Clone, Debug, Default)]
pub(super) struct Process {
    pub id: ProcessId,
    pub parent: i32,
    /// The process's own CPU seconds.
    pub own: f64,
    /// CPU seconds of the children it has waited for, and of theirs in turn.
    pub waited: f64,
    pub threads: u64,
    /// Resident memory, in pages.
    pub pages: u64,
}

impl Process {
    fn read(pid: i32) -> Option<Process> {
        let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let text = String::from_utf8_lossy(&text);
        // The second field is a name in parentheses, which may contain anything.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
        let seconds = |field| Some((number(field)? + number(field + 1)?) as f64 / TICKS_PER_SECOND);
        let mut process = Process {
            id: (pid, number(19)?),
            parent: fields[1].parse().ok()?,
            own: seconds(11)?,
            waited: seconds(13)?,
            threads: number(17)?,
            pages: number(21)?,
        };
        if process.threads == 1 {
            // Nanoseconds matter if many processes live for less than a tick.
            process.own = seconds_scheduled(pid).unwrap_or(0.0).max(process.own);
        }
        Some(process)
    }
}

/// CPU seconds of the first thread of process `pid`, if the system counts them.
fn seconds_scheduled(pid: i32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 * 1e-9)
}

/// The descendants of this process, including those of `known` that still exist but were missed by the scan.
/// Stops early once there are more than `max`.
pub(super) fn descendants(known: impl Iterator<Item = ProcessId>, max: usize) -> Vec<Process> {
    let mut found: Vec<Process> =
        pids_below(max, &BTreeSet::new()).into_iter().filter_map(Process::read).collect();
    let listed: HashSet<ProcessId> = found.iter().map(|process| process.id).collect();
    let missed = known.filter(|id| !listed.contains(id));
    found.extend(missed.filter_map(|id| Process::read(id.0).filter(|process| process.id == id)));
    found
}

/// The ids of all descendants except the children in `spared` and their descendants. Stops early once there
/// are more than `max`.
fn pids_below(max: usize, spared: &BTreeSet<i32>) -> Vec<i32> {
    let mut by_parent =
        if Path::new("/proc/thread-self/children").exists() { None } else { Some(all_by_parent()) };
    let mut children = |parent: i32| match &mut by_parent {
        Some(by_parent) => by_parent.remove(&parent).unwrap_or_default(),
        None => listed_children(parent),
    };
    let mut found = children(getpid().as_raw());
    found.retain(|pid| !spared.contains(pid));
    let mut at = 0;
    while at < found.len() && found.len() <= max {
        let below = children(found[at]);
        found.extend(below);
        at += 1;
    }
    found
}

/// The children of process `parent`, as the system lists them for each thread.
fn listed_children(parent: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
        .collect()
}

/// All processes of the machine by their parents, for systems that do not list a process's children.
fn all_by_parent() -> HashMap<i32, Vec<i32>> {
    let mut by_parent: HashMap<i32, Vec<i32>> = HashMap::new();
    for process in pids_of_machine().filter_map(Process::read) {
        by_parent.entry(process.parent).or_default().push(process.id.0);
    }
    by_parent
}

/// The ids of all processes that this one can see.
pub(super) fn pids_of_machine() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Kills every descendant, including those started meanwhile, and waits for them so that their CPU time is
/// counted. `kill_many` may kill any number of them in one step.
pub(super) fn kill_descendants(kill_many: impl Fn()) {
    loop {
        kill_many();
        for pid in pids_below(usize::MAX, &BTreeSet::new()) {
            // This fails if the process has just ended.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        if !reap() {
            return;
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Kills every descendant except the children in `spared` and their descendants.
pub(super) fn kill_descendants_but(spared: &BTreeSet<i32>) {
    let mut empty_scans = 0;
    while empty_scans < EMPTY_SCANS {
        let found = pids_below(usize::MAX, spared);
        empty_scans = if found.is_empty() { empty_scans + 1 } else { 0 };
        for pid in found.into_iter().map(Pid::from_raw) {
            // This fails if the process has just ended or is not a child of this one.
            let _ = kill(pid, Signal::SIGKILL);
            let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Waits for every child that has ended, so that its CPU time is counted. Returns whether other children are
/// left.
fn reap() -> bool {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return true,
            Err(Errno::ECHILD) => return false,
            // A child killed by a real-time signal is reported as an error, but has been waited for.
            Ok(_) | Err(_) => {}
        }
    }
}

/// CPU seconds, user and system, of all children that this process has ever waited for, and of theirs in
/// turn.
pub(super) fn seconds_of_ended() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return 0.0 };
    (usage.user_time() + usage.system_time()).num_microseconds() as f64 * 1e-6
}
