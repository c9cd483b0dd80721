//! The ways in which a program loses without being beaten.

use super::legality::IllegalTurn;
use halma::support::text::TextError;
use std::fmt::{self, Display, Formatter};

/// What a program did wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ProgramFault {
    /// It could not be started.
    NotStarted(String),
    /// It was killed when it had used its time and the grace after it.
    Killed {
        /// CPU seconds used.
        cpu: f64,
        /// CPU seconds it had.
        left: f64,
    },
    /// It was killed because it neither ended nor used up its time: it waits for something.
    Hangs {
        /// Seconds by the wall clock.
        wall: f64,
    },
    /// It used more time than it had left.
    Overdrawn {
        /// CPU seconds used.
        cpu: f64,
        /// CPU seconds it had.
        left: f64,
    },
    /// It and what it started had more memory than they may have.
    Memory {
        /// MiB it had.
        used: u64,
        /// MiB it may have.
        limit: u64,
    },
    /// It and what it started were more processes and threads than they may be.
    Processes {
        /// How many there were.
        count: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The process that watches over it ended, or did no longer answer, while it ran.
    Unsupervised(String),
    /// What it did to its folder keeps the referee from using it.
    Folder(String),
    /// It was ended by this signal.
    Signal(i32),
    /// It ended with this exit status.
    ExitStatus(i32),
    /// There is no output.txt.
    NoOutput,
    /// The output.txt can't be read, or is no file.
    Unreadable(String),
    /// The output.txt is not of the form it must have.
    Malformed(TextError),
    /// The play is against the rules.
    Illegal(IllegalTurn),
}

impl ProgramFault {
    /// Whether it ran out of CPU time.
    pub fn is_of_time(&self) -> bool {
        matches!(self, ProgramFault::Killed { .. } | ProgramFault::Overdrawn { .. })
    }

    /// The fault in a word, for logs.
    pub fn name(&self) -> &'static str {
        match self {
            ProgramFault::NotStarted(_) => "not-started",
            ProgramFault::Killed { .. } => "killed",
            ProgramFault::Hangs { .. } => "hangs",
            ProgramFault::Overdrawn { .. } => "overdrawn",
            ProgramFault::Memory { .. } => "memory",
            ProgramFault::Processes { .. } => "processes",
            ProgramFault::Unsupervised(_) => "unsupervised",
            ProgramFault::Folder(_) => "folder",
            ProgramFault::Signal(_) | ProgramFault::ExitStatus(_) => "crashed",
            ProgramFault::NoOutput => "no-output",
            ProgramFault::Unreadable(_) | ProgramFault::Malformed(_) => "malformed",
            ProgramFault::Illegal(_) => "illegal-play",
        }
    }
}

impl Display for ProgramFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ProgramFault::NotStarted(error) => write!(f, "it could not be started: {error}"),
            ProgramFault::Killed { cpu, left } => {
                write!(f, "it was killed after {cpu:.3} s of CPU time; it had {left:.3} s left")
            }
            ProgramFault::Hangs { wall } => {
                write!(f, "it hangs: killed after {wall:.1} s by the clock on the wall")
            }
            ProgramFault::Overdrawn { cpu, left } => {
                write!(f, "it used {cpu:.6} s of CPU time and had {left:.6} s left")
            }
            ProgramFault::Memory { used, limit } => {
                write!(f, "it used {used} MiB of memory and may use {limit} MiB")
            }
            ProgramFault::Processes { count, limit } => {
                write!(f, "it was {count} processes and threads and may be {limit}")
            }
            ProgramFault::Unsupervised(how) => {
                write!(f, "the process that watches over it was {how} while it ran")
            }
            ProgramFault::Folder(error) => write!(f, "it left its folder so that it can't be used: {error}"),
            ProgramFault::Signal(signal) => write!(f, "it crashed: ended by signal {signal}"),
            ProgramFault::ExitStatus(status) => write!(f, "it crashed: exit status {status}"),
            ProgramFault::NoOutput => f.write_str("it wrote no output.txt"),
            ProgramFault::Unreadable(error) => write!(f, "its output.txt can't be read: {error}"),
            ProgramFault::Malformed(error) => write!(f, "its output.txt is malformed: {error}"),
            ProgramFault::Illegal(error) => write!(f, "its play is illegal: {error}"),
        }
    }
}

impl std::error::Error for ProgramFault {}
