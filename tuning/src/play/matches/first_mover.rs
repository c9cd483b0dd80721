//! The advantage of the first move.

use super::count::Count;
use crate::stats::{Estimate, Interval, PairCounts};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;

/// The score of the side that moved first. In a pair of games, each entrant moves first once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstMover {
    /// Distinct pairs of games in which that side scored 0, ½, 1, 1½ and 2 points.
    pub pairs: PairCounts,
    /// Its points per game, 0…1.
    pub score: f64,
    /// The 95 % interval; `None` if pairs share openings, because they are not independent then.
    pub score_interval: Option<Interval>,
}

impl FirstMover {
    /// The score in `pairs`, whose openings differ.
    pub fn of(pairs: PairCounts) -> FirstMover {
        let Estimate { score, score_interval, .. } = Estimate::of(pairs);
        FirstMover { pairs, score, score_interval: Some(score_interval) }
    }

    /// The score in several matches with the same openings.
    pub fn of_same_openings(pairs: PairCounts) -> FirstMover {
        FirstMover { pairs, score: pairs.mean(), score_interval: None }
    }

    /// The score in several matches, each with openings of its own. A pair that repeats one of another match is left
    /// out, whoever played it.
    pub fn joined(counts: &[Count]) -> FirstMover {
        let (mut pairs, mut seen) = (PairCounts::default(), HashSet::new());
        for result in counts.iter().flat_map(|count| &count.results) {
            if seen.insert(result.games_by_any()) {
                pairs.add(result.first_mover);
            }
        }
        FirstMover::of(pairs)
    }
}

/// `54.2 % of the points (47.1 … 61.0, 95 %)`; the interval is omitted if unknown.
impl fmt::Display for FirstMover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} % of the points", 100.0 * self.score)?;
        self.score_interval.map_or(Ok(()), |Interval { from, to }| {
            write!(f, " ({:.1} … {:.1}, 95 %)", 100.0 * from, 100.0 * to)
        })
    }
}
