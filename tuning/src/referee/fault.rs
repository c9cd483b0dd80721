//! The ways in which a program loses without being beaten.

use halma::homework::legality::IllegalTurn;
use halma::homework::output::OutputError;
use std::fmt::{self, Display, Formatter};

/// What a program did wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// It could not be started.
    NotStarted(String),
    /// It was killed when it had used its time and the grace after it.
    Killed {
        /// CPU seconds used.
        cpu: f64,
        /// What it had.
        left: f64,
    },
    /// It was killed because it neither ended nor used its time up; it waits for something.
    Hangs {
        /// Seconds by the clock on the wall.
        wall: f64,
    },
    /// It used more time than it had left.
    Overdrawn {
        /// What it used.
        cpu: f64,
        /// What it had.
        left: f64,
    },
    /// It was ended by this signal.
    Signal(i32),
    /// It ended with this exit status.
    ExitStatus(i32),
    /// There is no output.txt.
    NoOutput,
    /// The output.txt can't be read, or is no file.
    Unreadable(String),
    /// The output.txt is not of the form it must have.
    Malformed(OutputError),
    /// The play is against the rules.
    Illegal(IllegalTurn),
}

impl Fault {
    /// The fault in a word, for logs.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::NotStarted(_) => "not-started",
            Fault::Killed { .. } => "killed",
            Fault::Hangs { .. } => "hangs",
            Fault::Overdrawn { .. } => "overdrawn",
            Fault::Signal(_) | Fault::ExitStatus(_) => "crashed",
            Fault::NoOutput => "no-output",
            Fault::Unreadable(_) | Fault::Malformed(_) => "malformed",
            Fault::Illegal(_) => "illegal-play",
        }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotStarted(error) => write!(f, "it could not be started: {error}"),
            Fault::Killed { cpu, left } => {
                write!(f, "it was killed after {cpu:.3} s of CPU time; it had {left:.3} s left")
            }
            Fault::Hangs { wall } => write!(f, "it hangs: killed after {wall:.1} s by the clock on the wall"),
            Fault::Overdrawn { cpu, left } => {
                write!(f, "it used {cpu:.6} s of CPU time and had {left:.6} s left")
            }
            Fault::Signal(signal) => write!(f, "it crashed: ended by signal {signal}"),
            Fault::ExitStatus(status) => write!(f, "it crashed: exit status {status}"),
            Fault::NoOutput => f.write_str("it wrote no output.txt"),
            Fault::Unreadable(error) => write!(f, "its output.txt can't be read: {error}"),
            Fault::Malformed(error) => write!(f, "its output.txt is malformed: {error}"),
            Fault::Illegal(error) => write!(f, "its play is illegal: {error}"),
        }
    }
}

impl std::error::Error for Fault {}
