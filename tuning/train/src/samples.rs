//! Samples: positions of recorded games, turned so that the player to move travels as Black does.

use crate::provenance::Counts;
use anyhow::{Result, ensure};
use halma::game::Game;
use halma::network::seen_by;
use halma::rules::{BLACK, Bitboard, PIECES, Position, Rules, Square};
use halma_lab::learn::games::{Drawn, each};
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// One in this many pairs of games is held out for tests.
const HELD_OUT: u64 = 20;

/// The number of decisions left out at the end of a game: an immediate win needs no evaluation.
const LAST: usize = 2;

/// A value of a greater magnitude is proved.
pub const PROVED: f32 = 0.999;

/// The number of active inputs: one for each piece of both sides.
pub const INPUTS: usize = 2 * PIECES as usize;

/// The numbers of the squares with the mover's pieces, then of those with the opponent's.
pub type Squares = [[u8; PIECES as usize]; 2];

/// A position and what the network should learn about it.
pub trait Sample: Hash + Sized + Sync {
    /// Command line options for drawing samples from games.
    type Options: clap::Args + Serialize;

    /// Adds the training samples from a search's decision.
    fn add(drawn: &Drawn<'_>, options: &Self::Options, samples: &mut Vec<Self>);

    /// Adds the test samples from a search's decision.
    fn add_test(drawn: &Drawn<'_>, options: &Self::Options, samples: &mut Vec<Self>) {
        Self::add(drawn, options, samples);
    }

    /// The squares of the position's pieces.
    fn squares(&self) -> &Squares;

    /// The sample's weight in the loss.
    fn weight(&self) -> f32 {
        1.0
    }
}

/// The samples for training, and the samples of the held-out games for tests.
#[derive(Debug)]
pub struct Samples<S> {
    pub train: Vec<S>,
    pub test: Vec<S>,
    /// The number of test samples from each folder, in the order of `test`.
    pub test_by_folder: Vec<usize>,
}

impl<S: Sample> Samples<S> {
    /// The samples of the games in `folders`, and the folders below them, that ended with a filled goal.
    ///
    /// Leaves out openings, which no agent chose; forced plays; plays that only the original rules allow; agents that do
    /// not search; decisions of the race player, whose values do not come from a tree search; proved values; and the last
    /// two decisions of a game.
    ///
    /// # Errors
    /// A folder contains no run, a run is damaged, or there are too few games.
    pub fn load(folders: &[PathBuf], options: &S::Options) -> Result<Samples<S>> {
        let [mut train, mut test] = [const { Vec::new() }; 2];
        let mut test_by_folder = vec![0; folders.len()];
        each(folders, |drawn| {
            let Drawn { folder, record, decision, pair, .. } = *drawn;
            let raced = record.work(decision).boards > 0;
            let settled = raced || record.values[decision].abs() > PROVED;
            if !settled && decision + LAST < record.plays.len() && is_choice(drawn) {
                if pair.is_multiple_of(HELD_OUT) {
                    let before = test.len();
                    S::add_test(drawn, options, &mut test);
                    test_by_folder[folder] += test.len() - before;
                } else {
                    S::add(drawn, options, &mut train);
                }
            }
        })?;
        ensure!(
            !train.is_empty() && !test.is_empty(),
            "too few searched positions: {} for training and {} for tests (one pair of games in {HELD_OUT}); \
             play more games with agents that search",
            train.len(),
            test.len()
        );
        Ok(Samples { train, test, test_by_folder })
    }

    /// The test samples from each folder that has any, with the folder's index.
    pub fn test_parts(&self) -> impl Iterator<Item = (usize, &[S])> {
        let mut rest = &self.test[..];
        let parts = self.test_by_folder.iter().enumerate().map(move |(folder, &count)| {
            let part;
            (part, rest) = rest.split_at(count);
            (folder, part)
        });
        parts.filter(|(_, part)| !part.is_empty())
    }

    pub fn counts(&self) -> Counts {
        let keys: HashSet<u64> = self.train.iter().map(|sample| position(sample.squares()).key()).collect();
        Counts { train: self.train.len(), distinct: keys.len(), test: self.test.len() }
    }

    /// A hash of all samples.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.train, &self.test).hash(&mut hasher);
        hasher.finish()
    }
}

/// Whether a search chose among several plays, all legal under the addendum.
fn is_choice(drawn: &Drawn<'_>) -> bool {
    let mut plays = Vec::new();
    drawn.position.legal_plays(&mut plays);
    // A run records only plays with a good share of the visits, so a tree search may have recorded one play or none.
    let noted = &drawn.record.candidates[drawn.decision];
    let searched = drawn.record.work(drawn.decision).iterations > 0 || !noted.is_empty();
    searched && plays.len() > 1 && noted.iter().all(|noted| plays.contains(&noted.0))
}

/// The squares of the pieces in `position`, seen from the side of the player to move.
pub fn squares(position: &Position) -> Squares {
    let mover = position.to_move();
    [mover, mover.opponent()].map(|side| {
        let mut numbers = [0; PIECES as usize];
        for (number, square) in numbers.iter_mut().zip(position.pieces(side)) {
            *number = seen_by(mover, square) as u8;
        }
        numbers
    })
}

/// The position with pieces on these squares, Black to move.
pub fn position(squares: &Squares) -> Position {
    mirrored_position(squares, false)
}

/// The position with pieces on these squares, mirrored or not, Black to move.
pub fn mirrored_position(squares: &Squares, mirrored: bool) -> Position {
    let square = |&number: &u8| seen(Square::from_number(number), mirrored);
    let pieces = squares
        .map(|numbers| numbers.iter().map(square).fold(Bitboard::EMPTY, |board, square| board.with(square)));
    let mut by_player = [Bitboard::EMPTY; 2];
    by_player[BLACK.index()] = pieces[0];
    by_player[BLACK.opponent().index()] = pieces[1];
    Position::new(by_player, BLACK, Rules::Addendum)
}

/// `square`, or its mirror image in the diagonal between the camps. The rules are the same on the mirrored board.
pub fn seen(square: Square, mirrored: bool) -> Square {
    if mirrored { Square::new(square.y(), square.x()) } else { square }
}
