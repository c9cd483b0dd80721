//! A program: any command line, run once in a folder.

use super::processes::{
    GUARD, kill_descendants, leave_it_to_the_handler, reap, seconds_of_ended, seconds_of_running,
};
use anyhow::{Context, Result, ensure};
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf, absolute};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two checks whether a program has run for too long.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How many bytes at the end of standard error are kept.
const STDERR_BYTES: u64 = 2000;

/// A command line.
#[derive(Clone, Debug)]
pub struct Program {
    text: String,
    executable: PathBuf,
    arguments: Vec<String>,
}

/// When a run is killed, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunLimits {
    pub cpu: f64,
    pub wall: f64,
}

/// How a run ended.
#[derive(Debug)]
pub(super) enum RunEnd {
    Exited(ExitStatus),
    OverCpu,
    OverWall,
    NotStarted(io::Error),
}

/// The result of a run.
#[derive(Debug)]
pub(super) struct Run {
    pub end: RunEnd,
    /// CPU seconds, user and system, of the program and all that it started.
    pub cpu: f64,
    pub wall: f64,
    pub stderr: String,
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Program {
    /// The program that `text` names, with arguments divided and quoted as in a shell. No shell runs, since
    /// its time would be charged to the program. A path is relative to the present folder.
    ///
    /// # Errors
    /// If quotes don't match, or there is no such file.
    pub fn parse(text: &str) -> Result<Program> {
        let words = shell_words::split(text).with_context(|| format!("'{text}'"))?;
        let mut words = words.into_iter();
        let name = words.next().context("a command line must not be empty")?;
        let executable = if name.contains('/') { absolute(&name)? } else { PathBuf::from(&name) };
        ensure!(!name.contains('/') || executable.is_file(), "there is no program {name}");
        Ok(Program { text: text.to_string(), executable, arguments: words.collect() })
    }

    /// This `lab`, playing one move with the agent that `spec` names.
    ///
    /// # Errors
    /// The system does not say where this program is.
    pub fn agent(spec: &str, seed: u64) -> Result<Program> {
        let executable = std::env::current_exe()?;
        let arguments = ["agent", spec, "--seed", &seed.to_string()].map(str::to_string).to_vec();
        Ok(Program { text: format!("lab agent '{spec}' --seed {seed}"), executable, arguments })
    }

    /// Runs it in `folder`, and returns when neither it nor anything it has started is left.
    ///
    /// This process must have no other children.
    pub(super) fn run(&self, folder: &Path, limits: RunLimits) -> io::Result<Run> {
        let mut stderr = tempfile::tempfile()?;
        let before = seconds_of_ended();
        let start = Instant::now();
        let end = match self.command(folder, stderr.try_clone()?).spawn() {
            Ok(child) => wait_for(child, limits, start)?,
            Err(error) => RunEnd::NotStarted(error),
        };
        let wall = start.elapsed().as_secs_f64();
        kill_descendants();
        leave_it_to_the_handler();
        reap();
        let cpu = micros(seconds_of_ended() - before);
        Ok(Run { end, cpu, wall, stderr: tail(&mut stderr)? })
    }

    fn command(&self, folder: &Path, stderr: File) -> Command {
        let mut command = Command::new(&self.executable);
        command
            .args(&self.arguments)
            .current_dir(folder)
            .env_remove(GUARD)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .process_group(0); // The terminal's Ctrl-C is for the referee.
        command
    }
}

/// Waits until `child`, started at `start`, ends or goes over a limit; then it is killed.
fn wait_for(mut child: Child, limits: RunLimits, start: Instant) -> io::Result<RunEnd> {
    let (ended, wait) = channel();
    thread::spawn(move || ended.send(child.wait()));
    loop {
        match wait.recv_timeout(LOOK_EVERY) {
            Ok(status) => return Ok(RunEnd::Exited(status?)),
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("nobody waits any more")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let over_cpu = seconds_of_running() > limits.cpu;
        if over_cpu || start.elapsed().as_secs_f64() > limits.wall {
            kill_descendants();
            // The thread must end before anything else waits for children.
            let _ = wait.recv();
            return Ok(if over_cpu { RunEnd::OverCpu } else { RunEnd::OverWall });
        }
    }
}

/// `seconds` rounded to microseconds, the unit of the system's counts.
pub(super) fn micros(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// The end of what a program has written.
fn tail(file: &mut File) -> io::Result<String> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(STDERR_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(STDERR_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
