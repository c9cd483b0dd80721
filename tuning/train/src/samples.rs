//! Positions of recorded games, seen by the player to move: the board is turned so that it travels as Black does.

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

/// One pair of games in this many is kept apart, to test on.
const KEPT_APART: u64 = 20;

/// A game's last decisions, this many, are left out: a win at once needs no evaluation.
const LAST: usize = 2;

/// A value this close to ±1 is a proof.
pub const PROVED: f32 = 0.999;

/// How many pieces there are.
pub const INPUTS: usize = 2 * PIECES as usize;

/// The numbers of the squares with the mover's pieces, then of those with the opponent's.
pub type Squares = [[u8; PIECES as usize]; 2];

/// A position, and what is to be learned of it. What is hashed tells samples apart.
pub trait Sample: Hash + Sized + Sync {
    /// Arguments that say what samples are made of.
    type Choice: clap::Args + Serialize;

    /// Adds what a decision of a search is for a network that learns.
    fn add(drawn: &Drawn<'_>, choice: &Self::Choice, samples: &mut Vec<Self>);

    /// Adds what it is for one that is tested.
    fn add_test(drawn: &Drawn<'_>, choice: &Self::Choice, samples: &mut Vec<Self>) {
        Self::add(drawn, choice, samples);
    }

    /// Where the pieces stand.
    fn squares(&self) -> &Squares;

    /// How much it counts.
    fn weight(&self) -> f32 {
        1.0
    }
}

/// Samples to train on, and those of games kept apart to test on.
#[derive(Debug)]
pub struct Samples<S> {
    /// To train on.
    pub train: Vec<S>,
    /// To test on.
    pub test: Vec<S>,
}

impl<S: Sample> Samples<S> {
    /// The samples of the decided games in `folders` and below.
    ///
    /// Left out are positions that the race player decided, whose values are no tree search's; forced plays; agents
    /// that do not search; plays that only the original rules allow; openings, in which nobody decided; proofs; and the
    /// last two decisions of a game.
    ///
    /// # Errors
    /// A folder without a run, or a broken one; or too few games to train on and to test.
    pub fn load(folders: &[PathBuf], choice: &S::Choice) -> Result<Samples<S>> {
        let [mut train, mut test] = [const { Vec::new() }; 2];
        each(folders, |drawn| {
            let Drawn { record, decision, pair, .. } = *drawn;
            let raced = record.work(decision).boards > 0;
            let settled = raced || record.values[decision].abs() > PROVED;
            if !settled && decision + LAST < record.plays.len() && is_choice(drawn) {
                if pair.is_multiple_of(KEPT_APART) {
                    S::add_test(drawn, choice, &mut test);
                } else {
                    S::add(drawn, choice, &mut train);
                }
            }
        })?;
        ensure!(
            !train.is_empty() && !test.is_empty(),
            "too few searched positions: {} to train on and {} to test, from one pair of games in {KEPT_APART}; \
             play more games, of agents that search",
            train.len(),
            test.len()
        );
        Ok(Samples { train, test })
    }

    /// How many there are.
    pub fn counts(&self) -> Counts {
        let keys: HashSet<u64> = self.train.iter().map(|sample| position(sample.squares()).key()).collect();
        Counts { train: self.train.len(), distinct: keys.len(), test: self.test.len() }
    }

    /// A number that other samples do not have.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.train, &self.test).hash(&mut hasher);
        hasher.finish()
    }
}

/// Whether a search chose between plays that are legal by the addendum.
fn is_choice(drawn: &Drawn<'_>) -> bool {
    let mut plays = Vec::new();
    drawn.position.legal_plays(&mut plays);
    // A run holds the plays with a good part of the visits only: it may be one, of a tree search none.
    let noted = &drawn.record.candidates[drawn.decision];
    let searched = drawn.record.work(drawn.decision).iterations > 0 || !noted.is_empty();
    searched && plays.len() > 1 && noted.iter().all(|noted| plays.contains(&noted.0))
}

/// The squares of `position`.
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

/// The position with pieces on these squares, or where they are seen in the mirror, Black to move.
pub fn mirrored_position(squares: &Squares, mirrored: bool) -> Position {
    let square = |&number: &u8| seen(Square::from_number(number), mirrored);
    let pieces = squares
        .map(|numbers| numbers.iter().map(square).fold(Bitboard::EMPTY, |board, square| board.with(square)));
    let mut by_player = [Bitboard::EMPTY; 2];
    by_player[BLACK.index()] = pieces[0];
    by_player[BLACK.opponent().index()] = pieces[1];
    Position::new(by_player, BLACK, Rules::Addendum)
}

/// `square`, or the one where it is seen in a mirror at the diagonal between the camps: the rules know no difference.
pub fn seen(square: Square, mirrored: bool) -> Square {
    if mirrored { Square::new(square.y(), square.x()) } else { square }
}
