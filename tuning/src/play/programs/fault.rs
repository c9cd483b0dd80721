//! The faults by which a program loses a game, apart from running out of time.

use super::supervisor::RunEnd;
use halma::support::text::TextError;
use std::fmt::{self, Display, Formatter};

/// What a program did wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramFault {
    /// It crashed, was killed, or could not be started.
    Run(RunEnd),
    /// It left its folder in a state that the referee can't use.
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

impl ProgramFault {
    /// The kind of fault, for logs.
    pub fn name(&self) -> &'static str {
        match self {
            ProgramFault::Run(end) => match end {
                RunEnd::Exited(_) | RunEnd::Signalled(_) => "crashed",
                RunEnd::OverCpu => "killed",
                RunEnd::OverWall(_) => "hangs",
                RunEnd::OverMemory(_) => "memory",
                RunEnd::OverProcesses(_) => "processes",
                RunEnd::NotStarted(_) => "not-started",
                RunEnd::Unsupervised(_) => "unsupervised",
            },
            ProgramFault::Folder(_) => "folder",
            ProgramFault::NoOutput => "no-output",
            ProgramFault::Unreadable(_) | ProgramFault::Malformed(_) => "malformed",
            ProgramFault::Illegal(_) => "illegal-play",
        }
    }
}

impl Display for ProgramFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ProgramFault::Run(end) => end.fmt(f),
            ProgramFault::Folder(error) => write!(f, "it made its folder unusable: {error}"),
            ProgramFault::NoOutput => f.write_str("it wrote no output.txt"),
            ProgramFault::Unreadable(error) => write!(f, "its output.txt can't be read: {error}"),
            ProgramFault::Malformed(error) => write!(f, "its output.txt is malformed: {error}"),
            ProgramFault::Illegal(error) => write!(f, "its play is illegal: {error}"),
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

impl std::error::Error for ProgramFault {}
