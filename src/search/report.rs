//! The report of a search: its findings, and what decided the play.

use super::limits::Stop;
use crate::game::{Outcome, Value};

/// A play at the root, and what the search found about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<P> {
    /// The play.
    pub play: P,
    /// The effort spent on it: in a tree search the iterations that began with it, including reused ones; in alpha-beta
    /// the nodes below it.
    pub visits: u32,
    /// The value for the player to move; 0 if the play has neither visits nor a proof.
    pub value: Value,
    /// In a tree search, the probability before search that it is the best play; over all legal plays these add up to
    /// 1. `None` in other searches.
    pub prior: Option<f32>,
    /// The outcome, if proved.
    pub proof: Option<Outcome>,
}

/// What decided the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// There is one legal play.
    OnlyPlay,
    /// A rule of the agent, without search.
    Rule,
    /// The proved outcome. The report has no `proof` if the game's rules allow plays that the search's rules do not.
    Proof,
    /// The prior, because no iteration was made.
    Prior,
    /// Tree search: the play with the most visits.
    Visits,
    /// Tree search: the play of highest value, although another has more visits.
    Value {
        /// The number of visits that a play needs to be considered.
        min_visits: u32,
    },
    /// A search of limited depth: the play of highest value.
    Depth,
    /// Tree search, passing over its best play because that would repeat a board.
    Patience,
    /// Tree search, in a won game that has come to a standstill: among the best plays, the one that makes the most
    /// progress.
    Progress,
    /// The race player: the play on the shortest way to the goal.
    Race,
}

/// How certain a [number of plays](PlaysNeeded) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// No line is shorter.
    Proved,
    /// A line of this length was found.
    Found,
    /// The number is an estimate.
    Estimated,
}

/// How many plays a side needs to reach its goal if neither side turns back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaysNeeded {
    /// The number of plays.
    pub plays: f32,
    /// How certain it is.
    pub certainty: Certainty,
}

/// The race player's findings.
#[derive(Clone, Debug, PartialEq)]
pub struct RaceReport<P> {
    /// The side to move.
    pub own: PlaysNeeded,
    /// The opponent.
    pub opponent: PlaysNeeded,
    /// The value of the race for the side to move.
    pub value: Value,
    /// The plays of both sides' lines, alternating.
    pub line: Vec<P>,
    /// The number of boards expanded for both sides together.
    pub boards: u64,
}

/// The findings of a search. Counts that do not apply to a kind of search are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<P> {
    /// What decided the play.
    pub decided_by: DecidedBy,
    /// The race player's findings, if it took part.
    pub race: Option<RaceReport<P>>,
    /// The plays at the root, the search's choice first; in plain minimax that choice alone. A tree search sorts the
    /// others by visits, value and prior, proved wins first and proved losses last. Empty if there is no legal play, or
    /// if the race player decided without a search.
    pub candidates: Vec<Candidate<P>>,
    /// The line of best play by both sides, beginning with the play decided on.
    pub principal_variation: Vec<P>,
    /// The value of the position for the player to move, according to `decided_by`.
    pub value: Value,
    /// The outcome with best play by both sides, if proved.
    pub proof: Option<Outcome>,
    /// The number of iterations of tree search.
    pub iterations: u64,
    /// The number of nodes visited by alpha-beta or minimax.
    pub visited: u64,
    /// Visits to the root reused from earlier searches.
    pub reused: u32,
    /// The size of the tree: places for nodes, including those that hold none.
    pub nodes: usize,
    /// CPU seconds by the clock passed in.
    pub seconds: f64,
    /// The depth in plies: the longest line of a tree search, the last depth completed by alpha-beta or minimax, or the
    /// length of a race's line.
    pub depth: usize,
    /// Why the search stopped.
    pub stop: Stop,
}

/// Receives interim reports while a search goes on.
pub struct Observer<'a, P> {
    /// The minimum CPU seconds between two reports.
    pub every: f64,
    /// Called with the report that the search would return if its time ran out now.
    pub tell: &'a mut dyn FnMut(Report<P>),
}

impl<P: Copy> Report<P> {
    /// The best candidate: the play to make, unless the race player decides.
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
