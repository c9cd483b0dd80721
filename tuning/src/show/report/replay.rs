//! What the page's script needs to replay a game: only which piece goes where, no rules.

use crate::figures::drawing::chain_text;
use crate::play::record::{GameRecord, NotedPlay};
use anyhow::{Result, ensure};
use halma::game::{Game as _, Player};
use halma::rules::{Play, Position, colour};
use serde::Serialize;

/// A game, ply by ply. Squares are two hexadecimal digits, x and y; a play is all the squares that
/// its piece touches, as in `204264`.
///
/// The lists from `seconds` on are for the plays after the opening.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Replay {
    /// Who moves first, `BLACK` or `WHITE`.
    pub first: &'static str,
    /// Every play, the opening's included.
    pub plays: Vec<String>,
    /// CPU seconds.
    pub seconds: Vec<f64>,
    /// The search's value for the side to move, −1…+1.
    pub values: Vec<Option<f32>>,
    /// Iterations.
    pub iterations: Vec<u64>,
    /// Visits reused.
    pub reused: Vec<u32>,
    /// The search's best plays: squares, share of the visits, value to the side to move.
    pub candidates: Vec<Vec<(String, f32, f32)>>,
}

impl Replay {
    /// Plays `plays` from the start of the game, `first` to move.
    ///
    /// # Errors
    /// A play is not legal.
    pub fn of_plays(
        plays: impl Iterator<Item = Play>,
        first: Player,
        mut position: Position,
    ) -> Result<(Replay, Vec<Position>)> {
        let (mut texts, mut positions) = (Vec::new(), vec![position]);
        for play in plays {
            let number = texts.len() + 1;
            ensure!(position.is_legal(play), "ply {number}, {play}, is not legal there");
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
    ///
    /// # Errors
    /// A play is not legal.
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

/// The search's value of the position for the side to move, to a thousandth; `None` if the agent does not
/// search: then the value is exactly 0.
pub(super) fn value(record: &GameRecord, decision: usize) -> Option<f32> {
    let value = record.values[decision];
    let silent = value == 0.0 && record.work(decision).is_none();
    (!silent).then(|| (value * 1e3).round() / 1e3)
}
