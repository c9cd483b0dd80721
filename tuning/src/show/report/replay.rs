//! A game as the page's script replays it: the script knows which piece goes where, but no rules.

use crate::figures::drawing::chain_text;
use crate::play::record::{GameRecord, NotedPlay};
use halma::game::Game as _;
use halma::rules::colour;
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
    /// The work of the searches in each unit in which any of them counted: `nodes`, for example.
    pub work: Vec<(&'static str, Vec<u64>)>,
    /// Visits reused from earlier searches.
    pub reused: Vec<u32>,
    /// The best plays of each search: squares, share of the visits, value for the side to move.
    pub candidates: Vec<Vec<(String, f32, f32)>>,
    /// The plies of the plays that were mistakes by the mover's own values, each with the loss of expected score.
    pub falls: Vec<(usize, f32)>,
}

/// The minimum loss of expected score that makes a play a mistake.
const MISTAKE: f32 = 0.1;

impl Replay {
    /// The game in `record`, which must have been [checked](GameRecord::check).
    pub fn of_record(record: &GameRecord) -> Replay {
        let start = record.start();
        let (mut plays, mut positions, mut position) = (Vec::new(), Vec::new(), start);
        for &play in record.opening.iter().chain(&record.plays) {
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
        let units =
            [("iterations", &record.iterations), ("nodes", &record.nodes), ("boards", &record.boards)];
        let work = units.into_iter().filter(|(_, counts)| counts.iter().any(|&count| count > 0));
        Replay {
            first: colour(start.to_move()),
            candidates: candidates.collect(),
            plays,
            seconds: record.seconds.clone(),
            values: (0..record.plays.len()).map(|decision| value(record, decision)).collect(),
            work: work.map(|(unit, counts)| (unit, counts.clone())).collect(),
            reused: record.reused.clone(),
            falls: falls(record),
        }
    }
}

/// The plies after which the mover's own expected score was lower by [`MISTAKE`] or more, at its next decision and
/// still at the one after. Values of the race solver and of a search can't be compared. If the next play, the
/// opponent's, also qualifies, only the first counts.
fn falls(record: &GameRecord) -> Vec<(usize, f32)> {
    let by_race = |decision: usize| record.work(decision).boards > 0;
    let like = |decision: usize, later: usize| {
        let is_alike = later < record.plays.len() && by_race(decision) == by_race(later);
        is_alike.then(|| value(record, later)).flatten()
    };
    let mut falls: Vec<(usize, f32)> = Vec::new();
    for decision in 0..record.plays.len() {
        let (Some(before), Some(after)) = (value(record, decision), like(decision, decision + 2)) else {
            continue;
        };
        let after = like(decision, decision + 4).map_or(after, |later| later.max(after));
        let (ply, loss) = (record.opening.len() + decision, (before - after) / 2.0);
        if loss >= MISTAKE && falls.last().is_none_or(|&(last, _)| last + 1 < ply) {
            falls.push((ply, (loss * 1e3).round() / 1e3));
        }
    }
    falls
}

/// The value of the position for the side to move, rounded to a thousandth; `None` if the agent did not search.
pub(super) fn value(record: &GameRecord, decision: usize) -> Option<f32> {
    record.value(decision).map(|value| (value * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::record::from_line;
    use serde_json::json;

    #[test]
    fn a_tenth_of_the_expected_score_lost_for_good_by_like_values_is_a_mistake() {
        let falls = |values: &[f32], boards: &[u64]| {
            let each = |number: u64| vec![number; values.len()];
            let record = json!({
                "match": 1, "game": 0, "seed": 1, "black": "A", "winner": null, "reason": "ply-limit",
                "overdrafts": [0, 0], "opening": ["2,0 4,2"], "plays": vec!["2,0 4,2"; values.len()],
                "seconds": each(1), "values": values, "iterations": each(9), "boards": boards, "reused": each(0),
                "candidates": vec![json!([]); values.len()],
            });
            falls(&from_line(record.to_string().as_bytes()).expect("a record"))
        };
        assert_eq!(falls(&[0.5, 0.0, 0.31, 0.0], &[]), []);
        assert_eq!(falls(&[0.5, 0.0, 0.29, 0.0], &[]), [(1, 0.105)]);
        assert_eq!(falls(&[0.5, 0.0, 0.29, 0.0, 0.4, 0.0], &[]), [], "undone");
        assert_eq!(falls(&[0.99, 0.0, -0.7, 0.0], &[9, 0, 0, 0]), [], "a race, then a search");
        assert_eq!(falls(&[0.99, 0.0, -0.7, 0.0], &[9, 0, 9, 0]), [(1, 0.845)]);
        assert_eq!(falls(&[0.5, 0.5, 0.1, 0.1], &[]), [(1, 0.2)], "both sides in turn");
    }
}
