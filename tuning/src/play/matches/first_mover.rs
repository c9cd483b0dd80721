//! The advantage of the first move.

use crate::stats::{Estimate, Interval, PairCounts};
use serde::Serialize;
use std::fmt;

/// The score of the side that moved first. In a pair of games, each entrant moves first once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstMover {
    /// Pairs of games in which that side scored 0, ½, 1, 1½ and 2 points.
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

    /// The score in several matches, each with openings of its own.
    pub fn joined(counts: impl IntoIterator<Item = PairCounts>) -> FirstMover {
        let mut all = PairCounts::default();
        counts.into_iter().for_each(|pairs| all.join(pairs));
        FirstMover::of(all)
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
