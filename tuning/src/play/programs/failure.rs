//! Why a side loses without making a play.

use super::supervisor::RunEnd;
use crate::play::record::Ended;
use halma::support::text::TextError;
use std::fmt::{self, Display, Formatter};

/// Why a side loses without making a play. Agents fail only in the first two ways.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The agent found no legal play.
    NoPlay,
    /// The side used up its CPU time.
    OutOfTime {
        /// The seconds it used.
        used: f64,
        /// The seconds it had.
        left: f64,
    },
    /// The program crashed, was killed, or could not be started.
    Run(RunEnd),
    /// The program left its folder in a state that the referee can't use.
    Folder(String),
    /// There is no output.txt.
    NoOutput,
    /// The output.txt can't be read or is not a regular file.
    Unreadable(String),
    /// The output.txt does not have the required form.
    Malformed(TextError),
    /// The play is against the rules.
    Illegal(String),
}

impl Failure {
    /// Why the game ends.
    pub fn reason(&self) -> Ended {
        match self {
            Failure::NoPlay | Failure::Illegal(_) => Ended::IllegalPlay,
            Failure::OutOfTime { .. } => Ended::TimeForfeit,
            Failure::Run(_)
            | Failure::Folder(_)
            | Failure::NoOutput
            | Failure::Unreadable(_)
            | Failure::Malformed(_) => Ended::ProgramFault,
        }
    }

    /// The kind of failure, for logs.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::NoPlay => "no-play",
            Failure::OutOfTime { .. } => "out-of-time",
            Failure::Run(end) => match end {
                RunEnd::Exited(_) | RunEnd::Signalled(_) => "crashed",
                RunEnd::OverCpu => "killed",
                RunEnd::OverWall(_) => "hangs",
                RunEnd::OverMemory(_) => "memory",
                RunEnd::OverProcesses(_) => "processes",
                RunEnd::NotStarted(_) => "not-started",
                RunEnd::Unsupervised(_) => "unsupervised",
            },
            Failure::Folder(_) => "folder",
            Failure::NoOutput => "no-output",
            Failure::Unreadable(_) | Failure::Malformed(_) => "malformed",
            Failure::Illegal(_) => "illegal-play",
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoPlay => f.write_str("it found no legal play"),
            Failure::OutOfTime { used, left } => {
                write!(f, "it used {used:.6} s of CPU time and had {left:.6} s left")
            }
            Failure::Run(end) => end.fmt(f),
            Failure::Folder(error) => write!(f, "it made its folder unusable: {error}"),
            Failure::NoOutput => f.write_str("it wrote no output.txt"),
            Failure::Unreadable(error) => write!(f, "its output.txt can't be read: {error}"),
            Failure::Malformed(error) => write!(f, "its output.txt is malformed: {error}"),
            Failure::Illegal(error) => write!(f, "its play is illegal: {error}"),
        }
    }
}

impl Display for RunEnd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            RunEnd::Exited(status) => write!(f, "it crashed: exit status {status}"),
            RunEnd::Signalled(signal) => write!(f, "it crashed: ended by signal {signal}"),
            RunEnd::OverCpu => f.write_str("it was killed because it used too much CPU time"),
            RunEnd::OverWall(wall) => write!(f, "it hung: killed after {wall:.1} s of real time"),
            RunEnd::OverMemory(used) => write!(f, "it used {used} MiB of memory, more than allowed"),
            RunEnd::OverProcesses(count) => {
                write!(f, "it ran {count} processes and threads, more than allowed")
            }
            RunEnd::NotStarted(error) => write!(f, "it could not be started: {error}"),
            RunEnd::Unsupervised(how) => write!(f, "its supervisor failed while it ran: {how}"),
        }
    }
}
