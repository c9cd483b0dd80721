//! Descendant processes: which there are, what they use, and that none is left behind. For Linux.
//!
//! Programs are not trusted. One may start others and end before they do, put them into sessions of their own, or flee
//! by a chain of forks and exits. So the referee and its supervisors are *child subreapers*: a process that loses its
//! parent becomes the child of the nearest of them, and no descendant can get away. "No children left" is therefore the
//! same as "no descendants left", which the system says without a race.

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

/// The exit status of a process that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// Whether a signal has told this process to end.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The unit of CPU time in `/proc`; the same on all of today's Linux machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// So many looks in a row must find no descendant, for the system does not list one that changes its parent just then.
const LOOKS: usize = 3;

/// Makes this process one whose descendants can't flee from it, whose memory and open files they can't reach, and that
/// kills them all before a signal ends it; if it is not already.
///
/// # Errors
/// If the system refuses.
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

/// Does not return if this process has been told to end: the handler's thread is killing the children,
/// and ends the process.
pub(super) fn leave_it_to_the_handler() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// What tells a process from all others, also from a later one with the same number: its number and when it started.
pub(super) type ProcessId = (i32, u64);

/// A line of `/proc/PID/stat`.
#[derive(Clone, Debug, Default)]
pub(super) struct Process {
    pub id: ProcessId,
    pub parent: i32,
    /// CPU seconds of its own.
    pub own: f64,
    /// CPU seconds of the children it has waited for, and of those that they had waited for.
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
            // To the nanosecond, which counts where many processes live for less than a tick.
            process.own = seconds_scheduled(pid).unwrap_or(0.0).max(process.own);
        }
        Some(process)
    }
}

/// CPU seconds of the first thread of process `pid`, where the system counts them.
fn seconds_scheduled(pid: i32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 * 1e-9)
}

/// The descendants of this process, and those of `known` that are still there although the system, in the
/// middle of a change, did not list them. If there are more than `most`, more than `most` of them.
pub(super) fn descendants(known: impl Iterator<Item = ProcessId>, most: usize) -> Vec<Process> {
    let mut found: Vec<Process> =
        pids_below(most, &BTreeSet::new()).into_iter().filter_map(Process::read).collect();
    let listed: HashSet<ProcessId> = found.iter().map(|process| process.id).collect();
    let missed = known.filter(|id| !listed.contains(id));
    found.extend(missed.filter_map(|id| Process::read(id.0).filter(|process| process.id == id)));
    found
}

/// The numbers of all descendants but for the children in `spared` and theirs; if there are more than `most`, of more
/// than `most` of them.
fn pids_below(most: usize, spared: &BTreeSet<i32>) -> Vec<i32> {
    let mut by_parent =
        if Path::new("/proc/thread-self/children").exists() { None } else { Some(all_by_parent()) };
    let mut children = |parent: i32| match &mut by_parent {
        Some(by_parent) => by_parent.remove(&parent).unwrap_or_default(),
        None => listed_children(parent),
    };
    let mut found = children(getpid().as_raw());
    found.retain(|pid| !spared.contains(pid));
    let mut at = 0;
    while at < found.len() && found.len() <= most {
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

/// All processes of the machine by their parents: what is left to look at where the system lists no children.
fn all_by_parent() -> HashMap<i32, Vec<i32>> {
    let mut by_parent: HashMap<i32, Vec<i32>> = HashMap::new();
    for process in pids_of_machine().filter_map(Process::read) {
        by_parent.entry(process.parent).or_default().push(process.id.0);
    }
    by_parent
}

/// The numbers of all processes that this one may see.
pub(super) fn pids_of_machine() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Kills every descendant, and those that they start meanwhile, and waits for them, so that their CPU time is counted.
/// `at_once` may know how to kill many in one step.
pub(super) fn kill_descendants(at_once: impl Fn()) {
    loop {
        at_once();
        for pid in pids_below(usize::MAX, &BTreeSet::new()) {
            // It may have ended by itself.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        if !reap() {
            return;
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// The same for all descendants but for the children in `spared` and theirs.
pub(super) fn kill_descendants_but(spared: &BTreeSet<i32>) {
    let mut looks = 0;
    while looks < LOOKS {
        let found = pids_below(usize::MAX, spared);
        looks = if found.is_empty() { looks + 1 } else { 0 };
        for pid in found.into_iter().map(Pid::from_raw) {
            // It may have ended by itself, or be another one's child.
            let _ = kill(pid, Signal::SIGKILL);
            let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
        }
        thread::sleep(Duration::from_micros(200));
    }
}

/// Waits for every child that has ended, so that its CPU time is counted: whether there are others.
fn reap() -> bool {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return true,
            Err(Errno::ECHILD) => return false,
            // An error may be a child that ended by a signal without a name: it has been waited for.
            Ok(_) | Err(_) => {}
        }
    }
}

/// CPU seconds, user and system, of all children that were waited for, ever, and of their children
/// in turn.
pub(super) fn seconds_of_ended() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return 0.0 };
    (usage.user_time() + usage.system_time()).num_microseconds() as f64 * 1e-6
}
