//! When a search stops, and what it found.

use crate::game::{Outcome, Value};

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
    /// There was only one play, or none.
    Forced,
    /// The iterations are done.
    Iterations,
    /// The time is over: all that was allowed, or what was planned for so stable a choice.
    Time,
    /// The second-best play could no longer catch up.
    Settled,
}

/// One play at the root, and what the search found for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<P> {
    /// The play.
    pub play: P,
    /// Iterations that began with it, reused ones included.
    pub visits: u32,
    /// What it is worth to the player to move; a guess if there are no visits.
    pub value: Value,
    /// How likely it was to be the best before search, 0…1.
    pub prior: f32,
    /// How it ends, if that is proved.
    pub proof: Option<Outcome>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<P> {
    /// The plays searched, best first: proved wins, then by visits, value and progress, proved losses
    /// last. Empty only if there is no legal play.
    pub candidates: Vec<Candidate<P>>,
    /// The line of best play for both sides, beginning with the best candidate.
    pub principal_variation: Vec<P>,
    /// What the position is worth to the player to move.
    pub value: Value,
    /// How the position ends with best play, if that is proved.
    pub proof: Option<Outcome>,
    /// Iterations of this search.
    pub iterations: u64,
    /// Visits to the root reused from earlier searches.
    pub reused: u32,
    /// Places in the tree, in nodes.
    pub nodes: usize,
    /// CPU seconds by the clock that was passed in.
    pub seconds: f64,
    /// The length of the longest line in the tree that an iteration followed, in plies.
    pub depth: usize,
    /// Why the search stopped.
    pub stop: Stop,
}

impl<P: Copy> Report<P> {
    /// The play to make; `None` only if there is no legal one.
    pub fn best(&self) -> Option<&Candidate<P>> {
        self.candidates.first()
    }

    /// The report of an agent that made `play` without a search.
    pub fn unsearched(play: P) -> Report<P> {
        let (visits, value, prior, proof) = (0, Value::DRAW, 1.0, None);
        Report {
            candidates: vec![Candidate { play, visits, value, prior, proof }],
            principal_variation: vec![play],
            value,
            proof,
            iterations: 0,
            reused: 0,
            nodes: 0,
            seconds: 0.0,
            depth: 0,
            stop: Stop::Forced,
        }
    }
}
