//! When a search stops: its [`Limits`], and which of them stopped it.

/// When a search stops. It stops at the first of these limits, and always when the outcome is proved,
/// when there is only one play, or after 2³²−2 iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// CPU seconds by the clock that is passed in, from the start of the search.
    pub cpu: Option<f64>,
    /// CPU seconds, of the `cpu` allowed, that the search should take on average: less if its choice is
    /// stable, more if it is not.
    pub planned: Option<f64>,
    /// Iterations of this search; those reused do not count.
    pub iterations: Option<u64>,
    /// Bytes of memory that the search may take, where its own parameters allow more: what the machine has left.
    pub memory: Option<usize>,
    /// Whether to stop when the second most visited play can no longer become the choice.
    pub stop_when_settled: bool,
    /// The most iterations between two readings of the clock; 0 stands for the usual number.
    pub clock_every: u64,
}

impl Limits {
    /// A limit of `iterations`, whatever time they take: repeatable on every machine.
    pub fn iterations(iterations: u64) -> Limits {
        Limits { iterations: Some(iterations), ..Limits::default() }
    }

    /// A limit of CPU seconds.
    pub fn cpu(seconds: f64) -> Limits {
        Limits { cpu: Some(seconds), ..Limits::default() }
    }

    /// The CPU seconds to plan with: the planned ones, else all allowed.
    pub fn seconds(&self) -> Option<f64> {
        self.planned.or(self.cpu)
    }

    /// The same limits with this many CPU seconds less.
    pub fn less(self, seconds: f64) -> Limits {
        let less = |all: Option<f64>| all.map(|all| all - seconds);
        Limits { cpu: less(self.cpu), planned: less(self.planned), ..self }
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The outcome is proved.
    Proved,
    /// There was nothing left to search: only one play, none, or all plies of a search of fixed depth done.
    Forced,
    /// The iterations are done.
    Iterations,
    /// The time is over: all that was allowed, or what was planned for so stable a choice.
    Time,
    /// The second-best play could no longer catch up.
    Settled,
}
