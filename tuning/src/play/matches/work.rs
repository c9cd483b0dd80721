//! The work of searches. Each kind of search counts in its own unit, and different units are never added up.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The amount of search, by unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Iterations of tree searches.
    pub iterations: u64,
    /// Nodes visited by alpha-beta or minimax.
    pub nodes: u64,
    /// Boards searched by the race player.
    pub boards: u64,
}

impl Work {
    /// Whether nothing was searched.
    pub fn is_none(self) -> bool {
        self == Work::default()
    }

    fn join(&mut self, other: Work) {
        self.iterations += other.iterations;
        self.nodes += other.nodes;
        self.boards += other.boards;
    }

    fn units(self) -> [u64; 3] {
        [self.iterations, self.nodes, self.boards]
    }
}

/// The work per CPU second, by unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Iterations of tree searches per CPU second.
    pub iterations_per_second: f64,
    /// Nodes of alpha-beta or minimax per CPU second.
    pub nodes_per_second: f64,
    /// Boards of the race player per CPU second.
    pub boards_per_second: f64,
}

/// The work and the CPU seconds of decisions, by unit. A decision that counted in several units is left out,
/// because the time of each search is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    work: [u64; 3],
    seconds: [f64; 3],
}

impl Pace {
    /// Counts a decision.
    pub fn add(&mut self, work: Work, seconds: f64) {
        let units = work.units();
        let mut used = (0..3).filter(|&unit| units[unit] > 0);
        if let (Some(unit), None) = (used.next(), used.next()) {
            self.work[unit] += units[unit];
            self.seconds[unit] += seconds;
        }
    }

    /// Adds the decisions of another pace.
    pub fn join(&mut self, other: &Pace) {
        for unit in 0..3 {
            self.work[unit] += other.work[unit];
            self.seconds[unit] += other.seconds[unit];
        }
    }

    /// The speed of these decisions.
    pub fn speed(&self) -> Speed {
        let [iterations_per_second, nodes_per_second, boards_per_second] =
            [0, 1, 2].map(|unit| self.work[unit] as f64 / self.seconds[unit].max(1e-6));
        Speed { iterations_per_second, nodes_per_second, boards_per_second }
    }
}

/// `205281 iterations/s, 90500 boards/s`, or `no search`.
impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            (self.iterations_per_second, "iterations/s"),
            (self.nodes_per_second, "nodes/s"),
            (self.boards_per_second, "boards/s"),
        ];
        let used = units.into_iter().filter(|&(rate, _)| rate > 0.0);
        let used: Vec<String> = used.map(|(rate, unit)| format!("{rate:.0} {unit}")).collect();
        f.write_str(if used.is_empty() { "no search" } else { "" })?;
        f.write_str(&used.join(", "))
    }
}

/// The resources that an entrant used, and its errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AgentFigures {
    /// Decisions made.
    pub decisions: u64,
    /// CPU seconds of these decisions.
    pub seconds: f64,
    /// The work of all its searches.
    #[serde(flatten)]
    pub work: Work,
    /// The speed of its searches.
    #[serde(flatten)]
    pub speed: Speed,
    /// The work and time from which `speed` is computed.
    #[serde(skip)]
    pub pace: Pace,
    /// Visits reused from earlier searches, per decision.
    pub mean_reused: f64,
    /// Games lost by an illegal play.
    pub illegal_plays: u64,
    /// Games lost on time.
    pub time_forfeits: u64,
    /// Games lost by a program's fault.
    pub program_faults: u64,
    /// Decisions that exceeded their limit.
    pub overdrafts: u64,
}

impl AgentFigures {
    /// Counts a decision.
    pub(super) fn add(&mut self, work: Work, seconds: f64) {
        self.decisions += 1;
        self.seconds += seconds;
        self.work.join(work);
        self.pace.add(work, seconds);
    }

    /// Adds the figures of the same entrant from other games, except rates and means.
    pub fn join(&mut self, other: &AgentFigures) {
        self.decisions += other.decisions;
        self.seconds += other.seconds;
        self.work.join(other.work);
        self.pace.join(&other.pace);
        self.illegal_plays += other.illegal_plays;
        self.time_forfeits += other.time_forfeits;
        self.program_faults += other.program_faults;
        self.overdrafts += other.overdrafts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_its_own_speed() {
        let mut pace = Pace::default();
        assert_eq!(pace.speed().to_string(), "no search");
        pace.add(Work { iterations: 1000, ..Work::default() }, 0.5);
        pace.add(Work { boards: 50, ..Work::default() }, 0.1);
        pace.add(Work { iterations: 10, boards: 500, nodes: 0 }, 3.0);
        assert_eq!(pace.speed().to_string(), "2000 iterations/s, 500 boards/s");
    }
}
