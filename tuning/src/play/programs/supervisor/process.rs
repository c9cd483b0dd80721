//! Supervisors: a process between the referee and a program, in a session of its own.
//!
//! The referee keeps the game and gives the verdict. Its supervisor starts the program, counts its time, kills it and
//! all that it has started, and tells what happened. A program can do to its parent and to its parent's group what the
//! system lets it do, up to killing it: then the referee is still there to say who lost.
//!
//! ```text
//! lab referee ── orders, answers: a line of JSON each ── lab supervise ── the program ── what it starts
//! ```
//!
//! Each of the two learns when the other ends, whatever the signal, and kills what is left.

use super::cgroup::Cgroup;
use super::processes::{
    descendants, kill_descendants, leave_it_to_the_handler, oversee_descendants, seconds_of_ended,
};
use super::run::{Order, Run, RunEnd, RunLimits, micros};
use super::sampled_time::SampledTime;
use super::user::kill_all_of;
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

/// The time between two looks at what a program has used. A look takes some 0.2 ms of another core,
/// where there is one.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// How many bytes at the end of standard error are kept.
const STDERR_BYTES: usize = 2000;

/// The nice value of those who are served first.
const HIGHEST_PRIORITY: i32 = -20;

/// What a supervisor says first.
pub(super) const READY: &str = "ready";

/// Does what the orders on standard input say, one after the other, and answers on standard output. `referee` is the
/// process that has started this one.
///
/// # Errors
/// If the system refuses, or an order can't be read.
pub fn supervise(referee: i32) -> Result<()> {
    oversee_descendants()?;
    // Refused only to who leads a group already.
    let _ = setsid();
    // A program with another user's rights could not be killed.
    prctl::set_no_new_privs().context("can't keep programs from gaining rights")?;
    let answer = |line: String| stdout().write_all((line + "\n").as_bytes());
    answer(READY.to_string())?;
    for line in stdin().lock().lines() {
        let order: Order = serde_json::from_str(&line?)?;
        // The system forgets this whenever a process was another user for a while.
        prctl::set_pdeathsig(Signal::SIGTERM).context("can't listen for the referee's end")?;
        if getppid().as_raw() != referee {
            break; // It has ended in between.
        }
        let run: Result<Run, String> = order.run(referee).map_err(|error| error.to_string());
        answer(serde_json::to_string(&run)?)?;
    }
    Ok(())
}

impl Order {
    /// Runs it for the process `referee`, and returns when neither it nor anything it has started is left.
    fn run(&self, referee: i32) -> io::Result<Run> {
        let (errors, writer) = pipe()?;
        fcntl_setfl(&errors, fcntl_getfl(&errors)? | OFlags::NONBLOCK)?;
        self.conditions.resources.apply(self.conditions.user)?;
        let before = Account::read(self)?;
        let start = Instant::now();
        let priority = getpriority_process(None)?;
        let (spawned, own_seconds) = self.spawn(writer)?;
        // Only root may do this, and only a root's processes are not limited in number by the system: among
        // thousands of them this one could not see that there are too many.
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
        leave_it_to_the_handler();
        // What was seen of those who have ended is now in the system's account.
        watch.time.look(&[]);
        let cpu = micros(watch.seconds()?);
        watch.tail.read();
        Ok(Run { end: end?, cpu, wall, stderr: watch.tail.text() })
    }

    /// The program, started in its group, and the CPU seconds of this process that the group's account has besides.
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
        if let Some(user) = self.conditions.user {
            command.uid(user).gid(user).env("HOME", &self.folder);
        }
        command
    }

    fn cgroup(&self) -> Option<Cgroup<'_>> {
        self.conditions.cgroup.as_deref().map(Cgroup)
    }

    fn kill_all(&self, referee: i32) {
        kill_descendants(|| {
            self.cgroup().inspect(|cgroup| cgroup.kill());
            // When the referee has ended, its users are free for another one.
            let user = self.conditions.user.filter(|_| getppid().as_raw() == referee);
            user.inspect(|&user| kill_all_of(user));
        });
    }
}

/// What the system had counted at some time.
struct Account {
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
    /// CPU seconds of this process that the group's account has.
    own_seconds: f64,
    start: Instant,
    time: SampledTime,
    tail: Tail,
}

impl Watch<'_> {
    /// Waits until `child` ends or goes over a limit.
    fn until_end(&mut self, mut child: Child) -> io::Result<RunEnd> {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidData)?;
        let process = pidfd_open(pid, PidfdFlags::empty())?;
        let mut looked = Instant::now();
        loop {
            let ended = PollFd::new(&process, PollFlags::IN);
            let written = self.tail.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN));
            let mut both: Vec<PollFd> = [Some(ended), written].into_iter().flatten().collect();
            let patience = LOOK_EVERY.saturating_sub(looked.elapsed());
            wait_for_any(&mut both, patience)?;
            let ready: Vec<bool> = both.iter().map(|fd| !fd.revents().is_empty()).collect();
            if ready.get(1) == Some(&true) {
                self.tail.read();
            }
            if ready[0] {
                return Ok(end_of(child.wait()?));
            }
            if looked.elapsed() >= LOOK_EVERY {
                looked = Instant::now();
                if let Some(end) = self.over_limit()? {
                    return Ok(end);
                }
            }
        }
    }

    /// Which limit it is over, if it is over one.
    fn over_limit(&mut self) -> io::Result<Option<RunEnd>> {
        let RunLimits { cpu, wall } = self.order.limits;
        let resources = self.order.conditions.resources;
        let found = descendants(self.time.living(), resources.processes as usize);
        self.time.look(&found);
        let memory = found.iter().map(|process| process.pages).sum::<u64>() * page_size() as u64;
        let processes = found.iter().map(|process| process.threads).sum();
        Ok(if processes > resources.processes {
            Some(RunEnd::OverProcesses(processes))
        } else if self.seconds()? > cpu {
            Some(RunEnd::OverCpu)
        } else if self.start.elapsed().as_secs_f64() > wall {
            Some(RunEnd::OverWall)
        } else if memory > resources.memory_bytes() {
            Some(RunEnd::OverMemory(memory >> 20))
        } else {
            None
        })
    }

    /// CPU seconds used so far. No way of counting has it all, so the one counts that has most: the system's account of
    /// the group, the accounts of the processes with what these lack, or the sum of what was seen of each process.
    fn seconds(&self) -> io::Result<f64> {
        let now = Account::read(self.order)?;
        let in_accounts = now.ended - self.before.ended + self.time.in_accounts() + self.time.unreported();
        let in_group = now.cgroup - self.before.cgroup - self.own_seconds;
        Ok(in_accounts.max(in_group).max(self.time.seen()))
    }
}

/// Waits until one of `fds` is ready, for at most `patience`.
fn wait_for_any(fds: &mut [PollFd<'_>], patience: Duration) -> io::Result<()> {
    let patience = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().into() };
    match poll(fds, Some(&patience)) {
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

/// The end of what a program writes to standard error. The rest is thrown away as it comes: nothing of it is stored.
struct Tail {
    /// `None` when everybody has closed the other end.
    pipe: Option<PipeReader>,
    bytes: Vec<u8>,
}

impl Tail {
    fn new(pipe: PipeReader) -> Tail {
        Tail { pipe: Some(pipe), bytes: Vec::new() }
    }

    /// Takes what there is, but no more than a pipe's content, so that somebody who goes on writing does not keep this
    /// process from its other work.
    fn read(&mut self) {
        let mut buffer = [0; 1 << 16];
        match self.pipe.as_mut().map(|pipe| pipe.read(&mut buffer)) {
            Some(Ok(0)) => self.pipe = None,
            Some(Ok(count)) => {
                self.bytes.extend(&buffer[..count]);
                self.bytes.drain(..self.bytes.len().saturating_sub(STDERR_BYTES));
            }
            // Nothing there for now.
            Some(Err(_)) | None => {}
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
