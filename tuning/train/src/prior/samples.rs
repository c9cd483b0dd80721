//! Positions of recorded games, with the plays that searches visited.

use crate::samples::{Sample, Squares, squares};
use halma::game::Game;
use halma::network::seen_by;
use halma::rules::{Play, Position, Square};
use halma_lab::learn::games::Drawn;
use halma_lab::play::record::NotedPlay;
use std::hash::{Hash, Hasher};

/// Runs hold at most so many plays of a search.
const MOST_PLAYS: usize = 4;

/// A position and the plays that its search visited.
#[derive(Clone, Copy, Debug)]
pub struct PolicySample {
    /// Where the pieces stand.
    pub squares: Squares,
    /// The plays by their squares, each with its share of the visits to all of them. Shares after the last play are 0.
    visited: [(u8, u8, f32); MOST_PLAYS],
}

impl PolicySample {
    /// The position seen by its player to move, and the plays that were visited, at least once in all.
    pub fn of(position: &Position, candidates: &[NotedPlay]) -> PolicySample {
        let visits: u32 = candidates.iter().map(|noted| noted.1).sum();
        let seen = |square| seen_by(position.to_move(), square) as u8;
        let mut visited = [(0, 0, 0.0); MOST_PLAYS];
        for (visited, noted) in visited.iter_mut().zip(candidates) {
            *visited = (seen(noted.0.from), seen(noted.0.to), noted.1 as f32 / visits as f32);
        }
        PolicySample { squares: squares(position), visited }
    }

    /// The visited plays and their shares.
    pub fn visited(&self) -> impl Iterator<Item = (Play, f32)> {
        let play = |&(from, to, share): &(u8, u8, f32)| {
            (Play::new(Square::from_number(from), Square::from_number(to)), share)
        };
        self.visited.iter().filter(|visited| visited.2 > 0.0).map(play)
    }
}

impl Hash for PolicySample {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.squares, self.visited.map(|(from, to, share)| (from, to, share.to_bits()))).hash(hasher);
    }
}

impl Sample for PolicySample {
    type Choice = ();

    fn add(drawn: &Drawn<'_>, _: &(), samples: &mut Vec<PolicySample>) {
        let candidates = &drawn.record.candidates[drawn.decision];
        if candidates.iter().any(|noted| noted.1 > 0) {
            samples.push(PolicySample::of(&drawn.position, candidates));
        }
    }

    fn squares(&self) -> &Squares {
        &self.squares
    }
}
