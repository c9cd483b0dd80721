//! When a search stops: its [`Limits`], and which of them stopped it.

/// When a search stops: at the first of these limits, and always when the outcome is proved, when there is only one
/// play, or after 2³²−2 iterations.
///
/// ```
/// use halma::search::Limits;
///
/// let repeatable = Limits::iterations(10_000);
/// let timed = Limits { planned: Some(0.8), stop_when_settled: true, ..Limits::cpu(2.0) };
/// assert_eq!((repeatable.seconds(), timed.seconds()), (None, Some(0.8)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// CPU seconds from the start of the search, by the clock passed in.
    pub cpu: Option<f64>,
    /// CPU seconds that a tree search aims for on average, within `cpu`: fewer if the choice is stable, more if it is
    /// not. Without `cpu` it has no effect on a tree search. A race never takes longer than this.
    pub planned: Option<f64>,
    /// Iterations: nodes in alpha-beta, boards in a race. Iterations of a reused tree do not count.
    pub iterations: Option<u64>,
    /// Bytes of memory, if less than the search's own parameters allow. Alpha-beta ignores this limit, because its
    /// table is allocated when the agent is made.
    pub memory: Option<usize>,
    /// Whether to stop early, before the time is used up, if that would hardly change the choice: a tree search as soon
    /// as no other play can overtake it, alpha-beta if another depth would probably not be completed. A race is
    /// then played without searching the tree.
    pub stop_when_settled: bool,
    /// The maximum number of iterations between two readings of the clock, not counting the rest of a batch of leaves; 0
    /// for the usual number. A race ignores it.
    pub clock_every: u64,
}

impl Limits {
    /// Limits a search to `iterations`, however long they take: the result is the same on every machine.
    pub fn iterations(iterations: u64) -> Limits {
        Limits { iterations: Some(iterations), ..Limits::default() }
    }

    /// Limits a search to CPU `seconds`.
    pub fn cpu(seconds: f64) -> Limits {
        Limits { cpu: Some(seconds), ..Limits::default() }
    }

    /// The CPU seconds to plan with: `planned`, or else `cpu`.
    pub fn seconds(&self) -> Option<f64> {
        self.planned.or(self.cpu)
    }

    /// These limits after `seconds` of CPU time have been used.
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
    /// Nothing was searched: there is at most one play, or the agent does not search.
    Forced,
    /// The maximum depth was searched.
    Depth,
    /// The iteration limit was reached.
    Iterations,
    /// The search was cancelled, or reached the time limit or the time planned for a choice of this stability.
    Time,
    /// Going on was not worthwhile: no other play could overtake the choice, another depth would probably not have been
    /// completed, the race's line is proved to be shortest, or the outcome is proved under the addendum but the game is
    /// played under the original rules.
    Settled,
}
