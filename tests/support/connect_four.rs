//! Connect Four on two bitboards, for the search's tests and benchmark.
//!
//! A column takes seven bits, the lowest for the bottom row. The seventh row stays empty, so that shifted stones do not
//! wrap into the next column:
//!
//! ```text
//!    6 13 20 27 34 41 48    always empty
//!    5 12 19 26 33 40 47
//!    :  :  :  :  :  :  :
//!    0  7 14 21 28 35 42
//! ```
#![allow(dead_code, reason = "each user needs only a part")]

use halma::game::{Game, MoveIndex, Outcome, Player};
use halma::support::random::Random;
use std::fmt;

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const COLUMN: u32 = ROWS + 1;
const BOTTOM: u64 = 0x0408_1020_4081;
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// A stone dropped into this column, 0 … 6 from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drop(pub u8);

impl MoveIndex for Drop {
    const COUNT: usize = COLUMNS as usize;

    fn index(self) -> usize {
        self.0.into()
    }
}

impl fmt::Display for Drop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectFour {
    /// The stones of the player to move.
    own: u64,
    occupied: u64,
    plies: u8,
}

impl ConnectFour {
    /// The position after these drops on an empty board, with columns counted from 0.
    pub fn after(columns: &[u8]) -> ConnectFour {
        let mut position = ConnectFour::default();
        columns.iter().for_each(|&column| position.play(Drop(column)));
        position
    }

    /// The cells where a stone can land, one for each column that is not full.
    #[inline]
    pub fn open(&self) -> u64 {
        (self.occupied + BOTTOM) & BOARD
    }

    /// Calls `visit` with every legal play, from left to right.
    #[inline]
    pub fn for_each_play(&self, mut visit: impl FnMut(Drop)) {
        let mut open = self.open();
        while open != 0 {
            visit(Drop((open.trailing_zeros() / COLUMN) as u8));
            open &= open - 1;
        }
    }

    /// Puts a stone on `cell`, which must be [open](Self::open).
    #[inline]
    pub fn put(&mut self, cell: u64) {
        self.own ^= self.occupied;
        self.occupied |= cell;
        self.plies += 1;
    }

    /// Plays at random to the end from a position that is not over.
    ///
    /// Three bits draw a column; a full or non-existent one is drawn again. That is rare, whereas counting through the
    /// open columns would cost an unpredictable branch at every ply.
    #[inline]
    pub fn random_playout(mut self, random: &mut Random) -> Outcome {
        const DRAWS: u32 = u64::BITS / 3;
        let (mut bits, mut left) = (0, 0);
        loop {
            let open = self.open();
            let mut cell = 0;
            while cell == 0 {
                if left == 0 {
                    (bits, left) = (random.bits(), DRAWS);
                }
                cell = open & (column(0) << (u64::from(COLUMN) * (bits & 7)));
                (bits, left) = (bits >> 3, left - 1);
            }
            self.put(cell);
            if let Some(outcome) = self.outcome() {
                return outcome;
            }
        }
    }
}

/// The cells of a column.
#[inline]
const fn column(number: u32) -> u64 {
    ((1 << ROWS) - 1) << (COLUMN * number)
}

/// Whether four of `stones` are in a row.
#[inline]
fn four(stones: u64) -> bool {
    let row = |step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    };
    row(1) | row(COLUMN - 1) | row(COLUMN) | row(COLUMN + 1) != 0
}

/// The cells, occupied or not, that would make four in a row with three of `stones`.
#[inline]
fn completing(stones: u64) -> u64 {
    // A vertical row can only be completed at its top.
    let mut cells = stones << 1 & stones << 2 & stones << 3;
    for step in [COLUMN - 1, COLUMN, COLUMN + 1] {
        let above = stones << step & stones << (2 * step);
        let below = stones >> step & stones >> (2 * step);
        cells |= above & (stones << (3 * step) | stones >> step);
        cells |= below & (stones >> (3 * step) | stones << step);
    }
    cells
}

impl Game for ConnectFour {
    type Play = Drop;

    #[inline]
    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.plies & 1)]
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if four(self.own ^ self.occupied) {
            Some(Outcome::Win(self.to_move().opponent()))
        } else {
            (self.occupied == BOARD).then_some(Outcome::Draw)
        }
    }

    #[inline]
    fn legal_plays(&self, plays: &mut Vec<Drop>) {
        plays.clear();
        self.for_each_play(|play| plays.push(play));
    }

    #[inline]
    fn play(&mut self, play: Drop) {
        self.put(self.open() & column(u32::from(play.0)));
    }

    #[inline]
    fn key(&self) -> u64 {
        // The mover's stones and a bit on top of each column identify the position; the product spreads them.
        (self.own + self.occupied + BOTTOM).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn winning_play(&self, _plays: &[Drop]) -> Option<Drop> {
        let wins = completing(self.own) & self.open();
        (wins != 0).then(|| Drop((wins.trailing_zeros() / COLUMN) as u8))
    }
}
