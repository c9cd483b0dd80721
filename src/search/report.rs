//! What a search was told, and what it found.

use crate::game::{Outcome, Value};

/// When a search stops. It stops at the first of these that is reached, and always when the
/// outcome is proved or there is but one play; without any limit it runs until then or until it
/// has run 2³²−2 iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// CPU seconds by the clock that is passed in, from the start of the search.
    pub cpu: Option<f64>,
    /// CPU seconds that the search should take in the mean of many moves, of the `cpu` it may take:
    /// less where the choice is clear, more where it is in doubt.
    pub planned: Option<f64>,
    /// Iterations of this search; those reused do not count.
    pub iterations: Option<u64>,
    /// Whether to stop when the play that is second in visits can no longer come near enough to be
    /// decided on.
    pub stop_when_settled: bool,
    /// The most iterations between two looks at the clock; 0 stands for the usual number.
    pub clock_every: u64,
}

impl Limits {
    /// So many iterations, whatever they take: repeatable on every machine.
    pub fn iterations(iterations: u64) -> Limits {
        Limits { iterations: Some(iterations), ..Limits::default() }
    }

    /// So many CPU seconds.
    pub fn cpu(seconds: f64) -> Limits {
        Limits { cpu: Some(seconds), ..Limits::default() }
    }

    /// The CPU seconds to plan with: those that are meant to be taken, else all that may be.
    pub fn seconds(&self) -> Option<f64> {
        self.planned.or(self.cpu)
    }

    /// The same with so many CPU seconds less.
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
    /// The time is over: all that there was, or what was planned for so clear a choice.
    Time,
    /// The second-best play could not catch up any more.
    Settled,
}

/// One play at the root, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<P> {
    /// The play.
    pub play: P,
    /// Iterations that began with it, reused ones included.
    pub visits: u32,
    /// What it is worth to the player to move. Only a guess if there are no visits.
    pub value: Value,
    /// Its share of visits at first sight, 0…1.
    pub prior: f32,
    /// How it ends, if that is proved.
    pub proof: Option<Outcome>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<P> {
    /// The plays that were looked at, best first: proved wins, then by visits, value and progress,
    /// proved losses last. Empty only if there is no legal play.
    pub candidates: Vec<Candidate<P>>,
    /// The line of play that both sides think best, beginning with the best candidate.
    pub principal_variation: Vec<P>,
    /// What the position is worth to the player to move.
    pub value: Value,
    /// How the position ends with best play, if that is proved.
    pub proof: Option<Outcome>,
    /// Iterations of this search.
    pub iterations: u64,
    /// Visits to the root that were carried over from earlier searches.
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
