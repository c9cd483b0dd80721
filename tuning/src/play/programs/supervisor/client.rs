//! The referee's side of the conversation with a supervisor.

use super::super::cgroup;
use super::super::descendants::{block_if_ending, kill_descendants_but, seconds_of_ended};
use super::{Order, READY, Run, RunEnd};
use crate::play::record::to_microseconds;
use anyhow::{Context, Result, anyhow, ensure};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, ChildStdout, Command, Stdio, id};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// If a supervisor has not answered this many seconds after its program must have ended, something has
/// stopped it.
const ANSWER_SECONDS: f64 = 10.0;

/// This process's executable, even if the file has been replaced since: a match may take days.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The supervisors of this process. Its only other children are those that a dead supervisor left behind.
/// Games run on several threads, so the lock is held while a supervisor is started or ended and while
/// abandoned children are killed.
static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A supervisor waiting for orders. Dropping this ends it.
#[derive(Debug)]
struct Supervisor {
    process: Pid,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A supervisor's reply.
enum Reply {
    Line(String),
    Ended,
    Timeout,
}

/// Sends orders to a supervisor, which is started when first needed.
#[derive(Debug, Default)]
pub(in super::super) struct Client(Option<Supervisor>);

impl Client {
    /// Runs `order`. Any failure of the program is part of the [`Run`] and not an error.
    pub fn run(&mut self, order: &Order) -> Result<Run> {
        let order_line = serde_json::to_string(order)? + "\n";
        let running = self.0.take().filter(|supervisor| supervisor.send(&order_line));
        let mut supervisor = match running {
            Some(supervisor) => supervisor,
            None => {
                // There is none yet, or it was killed between two orders.
                let supervisor = Supervisor::start()?;
                ensure!(supervisor.send(&order_line), "the supervisor did not accept an order");
                supervisor
            }
        };
        let start = Instant::now();
        let answer = supervisor.answer(order.wall + ANSWER_SECONDS)?;
        let (how, cpu) = match answer {
            Reply::Line(line) => {
                self.0 = Some(supervisor);
                let run: Result<Run, String> =
                    serde_json::from_str(&line).context("the supervisor's answer can't be parsed")?;
                return run.map_err(|error| anyhow!("can't run {}: {error}", order.executable.display()));
            }
            Reply::Ended => supervisor.give_up(true),
            Reply::Timeout => supervisor.give_up(false),
        };
        block_if_ending();
        let wall = start.elapsed().as_secs_f64();
        Ok(Run { end: RunEnd::Unsupervised(how), cpu, wall, stderr: String::new() })
    }
}

impl Supervisor {
    fn start() -> Result<Supervisor> {
        let mut command = Command::new(THIS_PROGRAM);
        command.arg0("lab").args(["supervise", "--referee", &id().to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut all = supervisors();
        let in_own_cgroup = cgroup::lock_membership();
        let mut child = command.spawn().context("can't start the supervisor")?;
        drop(in_own_cgroup);
        let process = Pid::from_raw(i32::try_from(child.id())?);
        all.insert(process.as_raw());
        drop(all);
        let orders = child.stdin.take().context("the supervisor has no standard input")?;
        let answers = child.stdout.take().context("the supervisor has no standard output")?;
        let mut supervisor = Supervisor { process, orders, answers: BufReader::new(answers) };
        let first = supervisor.answer(ANSWER_SECONDS)?;
        ensure!(matches!(first, Reply::Line(line) if line == READY), "the supervisor did not start");
        Ok(supervisor)
    }

    /// Sends `line`; returns whether the supervisor still exists.
    fn send(&self, line: &str) -> bool {
        (&self.orders).write_all(line.as_bytes()).is_ok()
    }

    /// Waits for an answer for at most this many seconds.
    fn answer(&mut self, seconds: f64) -> Result<Reply> {
        let start = Instant::now();
        loop {
            let left = (seconds - start.elapsed().as_secs_f64()).clamp(0.0, 1e9);
            let timeout = Timespec { tv_sec: left as i64, tv_nsec: (left.fract() * 1e9) as _ };
            let mut answers = [PollFd::new(self.answers.get_ref(), PollFlags::IN)];
            match poll(&mut answers, Some(&timeout)) {
                Ok(0) => return Ok(Reply::Timeout),
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error).context("can't wait for the supervisor"),
            }
        }
        // Answers are short, so each arrives in one piece.
        let mut line = String::new();
        self.answers.read_line(&mut line).context("can't read from the supervisor")?;
        Ok(line.strip_suffix('\n').map_or(Reply::Ended, |line| Reply::Line(line.to_string())))
    }

    /// Kills the supervisor, unless it has ended, and everything it has left behind. Returns how it ended and
    /// the CPU seconds of all of them.
    fn give_up(self, ended: bool) -> (String, f64) {
        let mut all = supervisors();
        let before = seconds_of_ended();
        let how = match ended.then(|| waitpid(self.process, None)) {
            None => "stopped".to_string(),
            Some(Ok(WaitStatus::Signaled(_, signal, _))) => format!("killed by {signal}"),
            Some(Ok(WaitStatus::Exited(_, status))) => format!("ended with exit status {status}"),
            Some(_) => "ended".to_string(),
        };
        all.remove(&self.process.as_raw());
        kill_descendants_but(&all);
        (how, to_microseconds(seconds_of_ended() - before))
    }
}

impl Drop for Supervisor {
    /// Kills the supervisor, which is idle. One that was given up is not killed again, because another process may have
    /// its id by now.
    fn drop(&mut self) {
        let mut all = supervisors();
        if all.remove(&self.process.as_raw()) {
            let _ = kill(self.process, Signal::SIGKILL);
            let _ = waitpid(self.process, None);
        }
    }
}
