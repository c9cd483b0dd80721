//! What a search found, and what made the decision.

use super::limits::Stop;
use crate::game::{Outcome, Value};

/// One play at the root, and what the search found for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<P> {
    /// The play.
    pub play: P,
    /// How much of the search went into it: of a tree search the iterations that began with it, reused ones
    /// included; of alpha-beta the nodes below it.
    pub visits: u32,
    /// What it is worth to the player to move; a guess if there are no visits.
    pub value: Value,
    /// How likely it was to be the best before search, 0…1; those of all legal plays add up to 1. `None` if the
    /// search has no priors.
    pub prior: Option<f32>,
    /// How it ends, if that is proved.
    pub proof: Option<Outcome>,
}

/// What made a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// There is one legal play.
    OnlyPlay,
    /// A rule of the agent's, without search.
    Rule,
    /// How the game ends is proved.
    Proof,
    /// The priors: no iteration was made.
    Prior,
    /// A tree search: the most visits.
    Visits,
    /// A tree search: the highest value of the plays with so many visits or more, which are not the most.
    Value {
        /// The least number of visits that counts: a part of the most.
        least_visits: u32,
    },
    /// A search to some depth: the highest value.
    Depth,
    /// A tree search, but for its best play, which would lead to the same board again.
    Patience,
    /// The race player: the fewest plays to the goal.
    Race,
}

/// What is known of how many plays a side needs to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// That it needs no fewer, and can do with so many.
    Proved,
    /// A line of so many plays was found.
    Found,
    /// It was estimated.
    Estimated,
}

/// How many plays a side needs to its goal, as long as nobody turns back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaysNeeded {
    /// How many.
    pub plays: f32,
    /// Whether that is known.
    pub certainty: Certainty,
}

/// What the race player found.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceReport<P> {
    /// The side to move.
    pub own: PlaysNeeded,
    /// The opponent.
    pub opponent: PlaysNeeded,
    /// What the race is worth to the side to move.
    pub value: Value,
    /// The lines of both sides, play by play.
    pub line: Vec<P>,
    /// Boards of either side whose plays were listed.
    pub boards: u64,
}

/// What a search found. Each kind of search counts in a unit of its own, and the others stay 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<P> {
    /// What made the decision.
    pub decided_by: DecidedBy,
    /// What the race player found, if there was one.
    pub race: Option<RaceReport<P>>,
    /// The plays searched, the choice first. Those of a tree search follow by visits, value and prior, proved wins before
    /// them and proved losses after. Empty if there is no legal play, and if the race player decided without a search.
    pub candidates: Vec<Candidate<P>>,
    /// The line of best play for both sides, beginning with the best candidate.
    pub principal_variation: Vec<P>,
    /// What the position is worth to the player to move, by what made the decision.
    pub value: Value,
    /// How the position ends with best play, if that is proved.
    pub proof: Option<Outcome>,
    /// Iterations of this tree search.
    pub iterations: u64,
    /// Nodes that alpha-beta or minimax visited.
    pub visited: u64,
    /// Visits to the root reused from earlier searches.
    pub reused: u32,
    /// Places in the tree, in nodes.
    pub nodes: usize,
    /// CPU seconds by the clock that was passed in.
    pub seconds: f64,
    /// How deep it looked, in plies: of a tree search the longest line that an iteration followed, of alpha-beta and
    /// minimax the last depth done, of a race the length of its line.
    pub depth: usize,
    /// Why the search stopped.
    pub stop: Stop,
}

/// Who is told what a search has found so far, while it goes on.
pub struct Observer<'a, P> {
    /// CPU seconds between two reports.
    pub every: f64,
    /// Is told: the report is the one that there would be if time were over now.
    pub tell: &'a mut dyn FnMut(Report<P>),
}

impl<P: Copy> Report<P> {
    /// The best candidate: the play to make, unless a race decides.
    pub fn best(&self) -> Option<&Candidate<P>> {
        self.candidates.first()
    }

    /// The report of an agent that made `play` without a search.
    pub fn unsearched(play: P) -> Report<P> {
        let (visits, value, prior, proof) = (0, Value::DRAW, None, None);
        Report {
            decided_by: DecidedBy::Rule,
            race: None,
            candidates: vec![Candidate { play, visits, value, prior, proof }],
            principal_variation: vec![play],
            value,
            proof,
            iterations: 0,
            visited: 0,
            reused: 0,
            nodes: 0,
            seconds: 0.0,
            depth: 0,
            stop: Stop::Forced,
        }
    }
}
