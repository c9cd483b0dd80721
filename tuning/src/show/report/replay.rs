//! A game as the page's script replays it: the script knows which piece goes where, but no rules.

use crate::figures::drawing::chain_text;
use crate::play::record::{GameRecord, NotedPlay};
use anyhow::{Result, ensure};
use halma::game::{Game as _, Player};
use halma::rules::{Play, Position, colour};
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
    /// Replays `plays` from `position`. Also returns the positions before and after each play.
    pub fn of_plays(
        plays: impl Iterator<Item = Play>,
        first: Player,
        mut position: Position,
    ) -> Result<(Replay, Vec<Position>)> {
        let (mut texts, mut positions) = (Vec::new(), vec![position]);
        for play in plays {
            let number = texts.len() + 1;
            ensure!(position.is_legal(play), "ply {number}, {play}, is not legal");
            texts.push(chain_text(&position, play).unwrap_or_default());
            position.play(play);
            positions.push(position);
        }
        let replay = Replay {
            first: colour(first),
            plays: texts,
            seconds: Vec::new(),
            values: Vec::new(),
            iterations: Vec::new(),
            reused: Vec::new(),
            candidates: Vec::new(),
        };
        Ok((replay, positions))
    }

    /// The game in `record`, which began at `start`.
    pub fn of_record(record: &GameRecord, start: Position) -> Result<Replay> {
        let plays = record.opening.iter().chain(&record.plays).copied();
        let (replay, positions) = Replay::of_plays(plays, start.to_move(), start)?;
        let candidates = record.candidates.iter().enumerate().map(|(decision, best)| {
            let Some(position) = positions.get(record.opening.len() + decision) else { return Vec::new() };
            let visits = record.all_visits(decision) as f32;
            let entry = |candidate: &NotedPlay| {
                let share = (candidate.1 as f32 / visits.max(1.0)).min(1.0);
                Some((chain_text(position, candidate.0)?, (share * 1e3).round() / 1e3, candidate.2))
            };
            best.iter().filter_map(entry).collect()
        });
        Ok(Replay {
            seconds: record.seconds.clone(),
            values: (0..record.plays.len()).map(|decision| value(record, decision)).collect(),
            iterations: record.iterations.clone(),
            reused: record.reused.clone(),
            candidates: candidates.collect(),
            ..replay
        })
    }
}

/// The value of the position for the side to move, to a thousandth. `None` if the agent did not search, in which case
/// the record has exactly 0.
pub(super) fn value(record: &GameRecord, decision: usize) -> Option<f32> {
    let value = record.values[decision];
    let silent = value == 0.0 && record.work(decision).is_none();
    (!silent).then(|| (value * 1e3).round() / 1e3)
}
