//! Descendant processes: what they use, and that none is left behind. For Linux.
//!
//! Programs are not trusted. One may start others and end before they do, put them into sessions
//! of their own, or outlive the referee. So the referee is a *child subreaper*: a process that loses its
//! parent becomes the referee's child, which finds it in `/proc`, kills it and waits for it. Only then
//! does the system's account of CPU time (`getrusage` of all children that were waited for) include all
//! that was used.
//!
//! A killed referee can't clean up, so there are two processes: the one that the user starts is a
//! [`guard`] that only waits for the one that plays. Each learns when the other ends, whatever the
//! signal, and kills what is left. (To leave programs running one has to
//! SIGKILL both at once.)

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpid, getppid};
use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, exit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use std::{env, fs};

/// Tells a process that the process with this id guards it.
pub(super) const GUARD: &str = "HALMA_LAB_GUARD";

/// The exit status of a process that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// Whether a signal has told this process to end.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The unit of CPU time in `/proc`; the same on all of today's Linux machines.
const TICKS_PER_SECOND: f64 = 100.0;

/// Makes sure that no descendant of this process outlives it, by running this program a second
/// time as a child: the first process, the guard, gets the exit status to end with; the second
/// gets `None` and goes on to do the work.
///
/// # Errors
/// If the system refuses.
pub fn guard() -> Result<Option<i32>> {
    prctl::set_child_subreaper(true).context("can't adopt orphans")?;
    ctrlc::set_handler(|| {
        ENDING.store(true, Ordering::SeqCst);
        kill_descendants();
        exit(INTERRUPTED);
    })
    .context("can't listen for signals")?;
    let guarded_by = |pid: Pid| env::var(GUARD).is_ok_and(|guard| guard == pid.to_string());
    if guarded_by(getppid()) {
        prctl::set_pdeathsig(Signal::SIGTERM).context("can't listen for the guard's end")?;
        if !guarded_by(getppid()) {
            exit(INTERRUPTED); // The guard has ended in between.
        }
        return Ok(None);
    }
    let mut worker = Command::new(env::current_exe()?);
    worker.args(env::args_os().skip(1)).env(GUARD, getpid().to_string());
    let status = worker.status().context("can't start the guarded process")?;
    kill_descendants();
    leave_it_to_the_handler();
    Ok(Some(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())))
}

/// Does not return if this process has been told to end: the handler's thread is killing the children,
/// and ends the process.
pub(super) fn leave_it_to_the_handler() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// A line of `/proc/PID/stat`.
struct Process {
    pid: i32,
    parent: i32,
    ended: bool,
    /// CPU seconds, with those of children it has waited for.
    seconds: f64,
}

impl Process {
    fn read(pid: i32) -> Option<Process> {
        let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
        let text = String::from_utf8_lossy(&text);
        // The second field is a name in parentheses, which may contain anything.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = fields.get(11..15)?.iter().map(|ticks| ticks.parse().unwrap_or(0.0)).sum::<f64>();
        Some(Process {
            pid,
            parent: fields[1].parse().ok()?,
            ended: ["Z", "X"].contains(&fields[0]),
            seconds: ticks / TICKS_PER_SECOND,
        })
    }
}

/// The children of this process, their children and so on.
fn descendants() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
    pids.filter_map(Process::read)
        .for_each(|process| by_parent.entry(process.parent).or_default().push(process));
    let mut found = by_parent.remove(&getpid().as_raw()).unwrap_or_default();
    let mut at = 0;
    while at < found.len() {
        found.extend(by_parent.remove(&found[at].pid).unwrap_or_default());
        at += 1;
    }
    found
}

/// Kills every descendant, and those that they start meanwhile.
pub(super) fn kill_descendants() {
    loop {
        let living: Vec<Process> = descendants().into_iter().filter(|process| !process.ended).collect();
        if living.is_empty() {
            return;
        }
        for process in living {
            // It may have ended by itself.
            let _ = kill(Pid::from_raw(process.pid), Signal::SIGKILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for every child that has ended, so that its CPU time is counted.
pub(super) fn reap() {
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Err(Errno::EINTR) => {}
            Ok(WaitStatus::StillAlive) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// CPU seconds, user and system, of all children that were waited for, ever, and of their children
/// in turn.
pub(super) fn seconds_of_ended() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return 0.0 };
    (usage.user_time() + usage.system_time()).num_microseconds() as f64 * 1e-6
}

/// CPU seconds, to a hundredth, of all descendants that were not yet waited for.
pub(super) fn seconds_of_running() -> f64 {
    descendants().iter().map(|process| process.seconds).sum()
}
