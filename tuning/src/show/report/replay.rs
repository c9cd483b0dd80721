//! A game as the page's script replays it: the script knows which piece goes where, but no rules.

use crate::figures::drawing::chain_text;
use crate::play::record::{GameRecord, NotedPlay};
use anyhow::{Result, ensure};
use halma::game::Game as _;
use halma::rules::{Position, colour};
use serde::Serialize;

/// A game, ply by ply. A play is the squares that its piece touches: `2,0 4,2 6,4`.
///
/// The lists from `seconds` on are about the plays after the opening.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Replay {
    /// The side that moves first, `BLACK` or `WHITE`.
    pub first: &'static str,
    /// All plays, including the opening.
    pub plays: Vec<String>,
    pub seconds: Vec<f64>,
    /// The search's value for the side to move, −1…+1.
    pub values: Vec<Option<f32>>,
    pub iterations: Vec<u64>,
    /// Visits reused from earlier searches.
    pub reused: Vec<u32>,
    /// The best plays of each search: squares, share of the visits, value for the side to move.
    pub candidates: Vec<Vec<(String, f32, f32)>>,
}

impl Replay {
    /// The game in `record`, which began at `start`.
    ///
    /// # Errors
    /// A play is not legal.
    pub fn of_record(record: &GameRecord, start: Position) -> Result<Replay> {
        let (mut plays, mut positions, mut position) = (Vec::new(), Vec::new(), start);
        for (number, &play) in (1..).zip(record.opening.iter().chain(&record.plays)) {
            ensure!(position.is_legal(play), "ply {number}, {play}, is not legal");
            plays.push(chain_text(&position, play).unwrap_or_default());
            positions.push(position);
            position.play(play);
        }
        let decided = positions[record.opening.len()..].iter();
        let candidates = decided.zip(&record.candidates).enumerate().map(|(decision, (position, best))| {
            let visits = record.all_visits(decision) as f32;
            let entry = |candidate: &NotedPlay| {
                let share = (candidate.1 as f32 / visits.max(1.0)).min(1.0);
                Some((chain_text(position, candidate.0)?, (share * 1e3).round() / 1e3, candidate.2))
            };
            best.iter().filter_map(entry).collect()
        });
        Ok(Replay {
            first: colour(start.to_move()),
            candidates: candidates.collect(),
            plays,
            seconds: record.seconds.clone(),
            values: (0..record.plays.len()).map(|decision| value(record, decision)).collect(),
            iterations: record.iterations.clone(),
            reused: record.reused.clone(),
        })
    }
}

/// The value of the position for the side to move, to a thousandth; `None` if the agent did not search.
pub(super) fn value(record: &GameRecord, decision: usize) -> Option<f32> {
    record.value(decision).map(|value| (value * 1e3).round() / 1e3)
}
