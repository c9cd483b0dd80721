//! The supervisor's process, `lab supervise`: carries out orders one by one.

use super::super::cgroup::Cgroup;
use super::super::descendants::{
    block_if_ending, descendants, kill_descendants, oversee_descendants, seconds_of_ended,
};
use super::super::sampled_time::SampledTime;
use super::super::user::kill_all_of;
use super::{Order, READY, Run, RunEnd};
use crate::play::record::to_microseconds;
use anyhow::{Context, Result};
use halma::support::clock::{Clock, ProcessClock};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{getppid, setsid};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::param::page_size;
use rustix::process::{Pid, PidfdFlags, getpriority_process, pidfd_open, setpriority_process};
use std::io::{self, BufRead, PipeReader, Read, Write, pipe, stdin, stdout};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The time between two samples of the program's resources. Each sample takes about 0.2 ms on another core.
const SAMPLE_EVERY: Duration = Duration::from_millis(10);

/// The number of bytes kept from the end of standard error.
const STDERR_BYTES: usize = 2000;

/// The nice value of the highest priority.
const HIGHEST_PRIORITY: i32 = -20;

/// Carries out the orders on standard input, one after another, and answers on standard output. `referee` is
/// the process that started this one.
pub fn supervise(referee: i32) -> Result<()> {
    oversee_descendants()?;
    // This fails only for a process that already leads a group.
    let _ = setsid();
    // A program with another user's rights could not be killed.
    prctl::set_no_new_privs().context("can't keep programs from gaining rights")?;
    let answer = |line: String| stdout().write_all((line + "\n").as_bytes());
    answer(READY.to_string())?;
    for line in stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?)?;
        // The system clears this setting whenever the process changes its user.
        prctl::set_pdeathsig(Signal::SIGTERM).context("can't arrange to be stopped when the referee ends")?;
        if getppid().as_raw() != referee {
            break; // The referee ended before the setting took effect.
        }
        let run: Result<Run, String> = order.run(referee).map_err(|error| error.to_string());
        answer(serde_json::to_string(&run)?)?;
    }
    Ok(())
}

impl Order {
    /// Carries out the order for the process `referee`. Returns when neither the program nor anything it
    /// started is left.
    fn run(&self, referee: i32) -> io::Result<Run> {
        let (errors, writer) = pipe()?;
        fcntl_setfl(&errors, fcntl_getfl(&errors)? | OFlags::NONBLOCK)?;
        self.resources.apply(self.user)?;
        let before = Account::read(self)?;
        let start = Instant::now();
        let priority = getpriority_process(None)?;
        let (spawned, own_seconds) = self.spawn(writer)?;
        // Only root may do this, and only root needs it: the system does not limit the number of root's
        // processes, and among thousands of them this one would rarely get to run.
        let _ = setpriority_process(None, HIGHEST_PRIORITY);
        let mut watch = Watch {
            order: self,
            before,
            own_seconds,
            start,
            time: Default::default(),
            tail: Tail::new(errors),
        };
        let end = match spawned {
            Ok(child) => watch.until_end(child),
            Err(error) => Ok(RunEnd::NotStarted(error.to_string())),
        };
        let wall = start.elapsed().as_secs_f64();
        self.kill_all(referee);
        let _ = setpriority_process(None, priority);
        block_if_ending();
        // The system's account now includes all the processes that have ended.
        watch.time.sample(&[]);
        let used = to_microseconds(watch.seconds()?);
        watch.tail.read();
        let end = end?;
        // A run killed for its time has used it up, even if the final count is slightly lower.
        let cpu = if end == RunEnd::OverCpu { used.max(self.cpu) } else { used };
        Ok(Run { end, cpu, wall, stderr: watch.tail.text() })
    }

    /// Starts the program in its cgroup. Also returns the CPU seconds of this process that were charged to
    /// the cgroup.
    fn spawn(&self, stderr: io::PipeWriter) -> io::Result<(io::Result<Child>, f64)> {
        let mut command = self.command(stderr);
        let cgroup = self.cgroup();
        let start = ProcessClock.seconds();
        if let Some(cgroup) = cgroup {
            cgroup.enter()?;
        }
        let spawned = command.spawn();
        if let Some(cgroup) = cgroup {
            cgroup.leave()?;
        }
        Ok((spawned, ProcessClock.seconds() - start))
    }

    fn command(&self, stderr: io::PipeWriter) -> Command {
        let mut command = Command::new(&self.executable);
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .process_group(0);
        if let Some(user) = self.user {
            command.uid(user).gid(user).env("HOME", &self.folder);
        }
        command
    }

    fn cgroup(&self) -> Option<Cgroup<'_>> {
        self.cgroup.as_deref().map(Cgroup)
    }

    fn kill_all(&self, referee: i32) {
        kill_descendants(|| {
            self.cgroup().inspect(|cgroup| cgroup.kill());
            // Once the referee has ended, another one may claim its users.
            let user = self.user.filter(|_| getppid().as_raw() == referee);
            user.inspect(|&user| kill_all_of(user));
        });
    }
}

/// The CPU seconds that the system has counted so far.
struct Account {
    /// The CPU seconds of the children that have ended.
    ended: f64,
    cgroup: f64,
}

impl Account {
    fn read(order: &Order) -> io::Result<Account> {
        let cgroup = order.cgroup().map_or(Ok(0.0), Cgroup::seconds)?;
        Ok(Account { ended: seconds_of_ended(), cgroup })
    }
}

/// A run under way.
struct Watch<'a> {
    order: &'a Order,
    before: Account,
    /// CPU seconds of this process that were charged to the cgroup.
    own_seconds: f64,
    start: Instant,
    time: SampledTime,
    tail: Tail,
}

impl Watch<'_> {
    /// Waits until `child` ends or exceeds a limit.
    fn until_end(&mut self, mut child: Child) -> io::Result<RunEnd> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidData)?;
        let process = pidfd_open(pid, PidfdFlags::empty())?;
        let mut sampled = Instant::now();
        loop {
            let ended = PollFd::new(&process, PollFlags::IN);
            let written = self.tail.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN));
            let mut both: Vec<PollFd> = [Some(ended), written].into_iter().flatten().collect();
            let timeout = SAMPLE_EVERY.saturating_sub(sampled.elapsed());
            wait_for_any(&mut both, timeout)?;
            let ready: Vec<bool> = both.iter().map(|fd| !fd.revents().is_empty()).collect();
            if ready.get(1) == Some(&true) {
                self.tail.read();
            }
            if ready[0] {
                return Ok(end_of(child.wait()?));
            }
            if sampled.elapsed() >= SAMPLE_EVERY {
                sampled = Instant::now();
                if let Some(end) = self.over_limit()? {
                    return Ok(end);
                }
            }
        }
    }

    /// The limit that the program exceeds, if any.
    fn over_limit(&mut self) -> io::Result<Option<RunEnd>> {
        let Order { cpu, wall, resources, .. } = *self.order;
        let waited = self.start.elapsed().as_secs_f64();
        let found = descendants(self.time.living(), resources.processes as usize);
        self.time.sample(&found);
        let memory = found.iter().map(|process| process.pages).sum::<u64>() * page_size() as u64;
        let processes = found.iter().map(|process| process.threads).sum();
        Ok(if processes > resources.processes {
            Some(RunEnd::OverProcesses(processes))
        } else if self.seconds()? > cpu {
            Some(RunEnd::OverCpu)
        } else if waited > wall {
            Some(RunEnd::OverWall(waited))
        } else if memory > resources.memory_bytes() {
            Some(RunEnd::OverMemory(memory >> 20))
        } else {
            None
        })
    }

    /// CPU seconds used so far. No way of counting is complete, so the highest count is taken: the system's account of
    /// the cgroup, the accounts of the processes plus the time missing from them, or the sum over all sampled
    /// processes.
    fn seconds(&self) -> io::Result<f64> {
        let now = Account::read(self.order)?;
        let in_accounts = now.ended - self.before.ended + self.time.in_accounts() + self.time.unreported();
        let in_cgroup = now.cgroup - self.before.cgroup - self.own_seconds;
        Ok(in_accounts.max(in_cgroup).max(self.time.seen()))
    }
}

/// Waits until one of `fds` is ready or `timeout`, which is under a second, has passed.
fn wait_for_any(fds: &mut [PollFd<'_>], timeout: Duration) -> io::Result<()> {
    let timeout = Timespec { tv_sec: 0, tv_nsec: timeout.subsec_nanos().into() };
    match poll(fds, Some(&timeout)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn end_of(status: ExitStatus) -> RunEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => RunEnd::Exited(code),
        (None, signal) => RunEnd::Signalled(signal.unwrap_or_default()),
    }
}

/// The end of a program's standard error. Earlier output is discarded as more arrives.
struct Tail {
    /// `None` once all writers have closed the other end.
    pipe: Option<PipeReader>,
    bytes: Vec<u8>,
}

impl Tail {
    fn new(pipe: PipeReader) -> Tail {
        Tail { pipe: Some(pipe), bytes: Vec::new() }
    }

    /// Reads no more than a pipe can hold, so that a program that keeps writing can't stop this process from
    /// doing its work.
    fn read(&mut self) {
        let mut buffer = [0; 1 << 16];
        match self.pipe.as_mut().map(|pipe| pipe.read(&mut buffer)) {
            Some(Ok(0)) => self.pipe = None,
            Some(Ok(count)) => {
                self.bytes.extend(&buffer[..count]);
                self.bytes.drain(..self.bytes.len().saturating_sub(STDERR_BYTES));
            }
            // Nothing to read yet.
            Some(Err(_)) | None => {}
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
