//! The result of a pair of games, and when two pairs are the same.
//!
//! Agents that search alike from the same position repeat their game, so a match with few openings may play one pair
//! many times. A repeated pair is no new evidence, but would narrow every interval. So statistics count a pair once,
//! however often it was played. Pairs are compared by their games, not by their openings: an agent that draws random
//! numbers may play the same opening differently each time, and then each pair counts.

use super::figures::GameFigures;
use crate::play::record::{Contestant, GameRecord};
use halma::game::Game;
use halma::rules::Position;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The result of a pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairResult {
    /// A's half points, 0…4.
    half_points: u8,
    /// The half points of the side that moved first, 0…4.
    pub first_mover: u8,
    /// The [hash](game_hash) of each game: A is Black in the first.
    games: [u64; 2],
}

impl PairResult {
    /// The result of these two games.
    pub(super) fn of(first: &GameFigures, second: &GameFigures) -> PairResult {
        PairResult {
            half_points: first.half_points + second.half_points,
            first_mover: first.first_mover + second.first_mover,
            games: [first.hash, second.hash],
        }
    }

    /// The half points of `which`, 0…4.
    pub fn half_points(&self, which: Contestant) -> u8 {
        match which {
            Contestant::A => self.half_points,
            Contestant::B => 4 - self.half_points,
        }
    }

    /// Identifies the pair: the hash of the game in which `which` is Black, then the hash of the other game.
    pub fn games(&self, which: Contestant) -> [u64; 2] {
        let [first, second] = self.games;
        match which {
            Contestant::A => [first, second],
            Contestant::B => [second, first],
        }
    }

    /// Identifies the pair, regardless of who played which side.
    pub(super) fn games_by_any(&self) -> [u64; 2] {
        let mut games = self.games;
        games.sort_unstable();
        games
    }
}

/// A hash of the position after the opening, the plays, and how the game ended, but not of times and search results.
/// Different games have the same hash with probability 2⁻⁶⁴.
pub(super) fn game_hash(record: &GameRecord, mut start: Position) -> u64 {
    // An edited file may contain an illegal opening.
    let legal = record.opening.iter().take_while(|&&play| start.try_play(play).is_ok()).count();
    let mut hasher = DefaultHasher::new();
    start.key().hash(&mut hasher);
    record.opening[legal..].hash(&mut hasher);
    record.plays.hash(&mut hasher);
    record.illegal_play.hash(&mut hasher);
    (record.winner.map(|winner| winner == record.black), record.reason).hash(&mut hasher);
    hasher.finish()
}
