//! The referee's end of a supervisor.

use super::cgroup;
use super::processes::{kill_descendants_but, leave_it_to_the_handler, seconds_of_ended};
use super::run::{Order, Run, RunEnd, micros};
use super::supervisor::READY;
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

/// How many seconds after a program must have been killed its supervisor is given up: somebody has stopped it.
const ANSWER_SECONDS: f64 = 10.0;

/// The program that this process runs, also if its file has been replaced since: a match may take days.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The supervisors of this process. It has no other children but what a dead supervisor left behind. Whoever starts or
/// ends one of them, or kills what is left, keeps this locked: games are played side by side.
static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A supervisor that waits for orders. It ends when this is dropped.
#[derive(Debug)]
struct Supervisor {
    process: Pid,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What is heard of a supervisor.
enum Heard {
    Line(String),
    Ended,
    Silence,
}

/// A supervisor, which is started when it is needed.
#[derive(Debug, Default)]
pub(super) struct Supervised(Option<Supervisor>);

impl Supervised {
    /// Has `order` run. All that could go wrong because of the program is in the result.
    ///
    /// # Errors
    /// If the supervisor can't be started or can't do its work.
    pub fn run(&mut self, order: &Order) -> Result<Run> {
        let order_line = serde_json::to_string(order)? + "\n";
        let taken = self.0.take().filter(|supervisor| supervisor.takes(&order_line));
        let mut supervisor = match taken {
            Some(supervisor) => supervisor,
            None => {
                // There is none yet, or somebody killed it while it had nothing to do.
                let supervisor = Supervisor::start()?;
                ensure!(supervisor.takes(&order_line), "the supervisor takes no order");
                supervisor
            }
        };
        let start = Instant::now();
        let answer = supervisor.answer(order.limits.wall + ANSWER_SECONDS)?;
        let (how, cpu) = match answer {
            Heard::Line(line) => {
                self.0 = Some(supervisor);
                let run: Result<Run, String> =
                    serde_json::from_str(&line).context("the supervisor's answer is broken")?;
                return run.map_err(|error| anyhow!("can't run {}: {error}", order.executable.display()));
            }
            Heard::Ended => supervisor.give_up(true),
            Heard::Silence => supervisor.give_up(false),
        };
        leave_it_to_the_handler();
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
        let in_own_group = cgroup::present();
        let mut child = command.spawn().context("can't start the supervisor")?;
        drop(in_own_group);
        let process = Pid::from_raw(i32::try_from(child.id())?);
        all.insert(process.as_raw());
        drop(all);
        let orders = child.stdin.take().context("a supervisor without standard input")?;
        let answers = child.stdout.take().context("a supervisor without standard output")?;
        let mut supervisor = Supervisor { process, orders, answers: BufReader::new(answers) };
        let first = supervisor.answer(ANSWER_SECONDS)?;
        ensure!(matches!(first, Heard::Line(line) if line == READY), "the supervisor does not start");
        Ok(supervisor)
    }

    /// Whether it is there to read `line`.
    fn takes(&self, line: &str) -> bool {
        (&self.orders).write_all(line.as_bytes()).is_ok()
    }

    /// What it answers within so many seconds.
    fn answer(&mut self, seconds: f64) -> Result<Heard> {
        let start = Instant::now();
        loop {
            let patience = (seconds - start.elapsed().as_secs_f64()).clamp(0.0, 1e9);
            let nanos = (patience.fract() * 1e9) as _;
            let patience = Timespec { tv_sec: patience as i64, tv_nsec: nanos };
            let mut answers = [PollFd::new(self.answers.get_ref(), PollFlags::IN)];
            match poll(&mut answers, Some(&patience)) {
                Ok(0) => return Ok(Heard::Silence),
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error).context("can't wait for the supervisor"),
            }
        }
        // Answers are short: each is written in one piece.
        let mut line = String::new();
        self.answers.read_line(&mut line).context("can't read from the supervisor")?;
        Ok(line.strip_suffix('\n').map_or(Heard::Ended, |line| Heard::Line(line.to_string())))
    }

    /// Kills it, if it has not ended, and all that it has left behind: how it ended, and the CPU seconds of all
    /// these.
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
        (how, micros(seconds_of_ended() - before))
    }
}

impl Drop for Supervisor {
    /// It has nothing to do, so it can be killed; not if it was given up, for another process may have its number.
    fn drop(&mut self) {
        let mut all = supervisors();
        if all.remove(&self.process.as_raw()) {
            let _ = kill(self.process, Signal::SIGKILL);
            let _ = waitpid(self.process, None);
        }
    }
}
