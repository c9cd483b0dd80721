//! The rules on a mailbox, made as fast as possible, for comparison with bitboards.
//!
//! The board is an array of bytes with a rim of border squares, so no coordinates are compared. Squares are numbers,
//! and a direction is the difference between two of them. The pieces are kept in a list. Each search for chains of
//! jumps has a number and marks visited squares with it, so marks need no clearing; its queue is the list of
//! destinations. Array sizes are powers of two and indices are masked, which avoids bounds checks. A square is written
//! down whether or not it is open, but counted only if it is: avoiding these unpredictable branches makes the search
//! 1.45 times as fast.

use halma::game::{Game, Player};
use halma::rules::{PIECES, Position, Rules, Square, camp};

/// The number of a square: its row and column, both plus one, in rows of [`STRIDE`].
pub type Cell = u16;

const STRIDE: i16 = 18;
const SIZE: usize = 512;
const DIRECTIONS: [i16; 8] = [-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1];

const EMPTY: u8 = 0;
const BORDER: u8 = 1;
/// Pieces have this mark or a larger one.
const PIECE: u8 = 2;

/// The maximum number of squares that a piece can go to: eight steps, and the other squares of its parity class.
const MAX_DESTINATIONS: usize = 8 + 63;

/// A position on a mailbox.
pub struct Mailbox {
    marks: [u8; SIZE],
    /// Bit `i` is set on the squares of the camp of the player with index `i`.
    camps: [u8; SIZE],
    /// The pieces of the side to move; the first `count` entries are used.
    own: [Cell; PIECES as usize],
    count: usize,
    mover: Player,
    rules: Rules,
}

/// The buffers of a search for destinations.
pub struct Scratch {
    /// The number of the last search that visited each square.
    visited: [u32; SIZE],
    /// The number of the current search.
    search: u32,
    destinations: [Cell; 128],
}

impl Scratch {
    pub fn new() -> Scratch {
        Scratch { visited: [0; SIZE], search: 0, destinations: [0; 128] }
    }
}

pub fn cell(square: Square) -> Cell {
    (square.y() as Cell + 1) * STRIDE as Cell + square.x() as Cell + 1
}

#[inline(always)]
fn at(table: &[u8; SIZE], cell: Cell) -> u8 {
    table[cell as usize & (SIZE - 1)]
}

#[inline(always)]
fn step(from: Cell, difference: i16) -> Cell {
    from.wrapping_add_signed(difference)
}

impl From<&Position> for Mailbox {
    fn from(position: &Position) -> Mailbox {
        let (mut marks, mut camps) = ([BORDER; SIZE], [0; SIZE]);
        let (mut own, mut count) = ([0; PIECES as usize], 0);
        let mover = position.to_move();
        for square in Square::all() {
            let cell = cell(square);
            marks[cell as usize] = position.at(square).map_or(EMPTY, |side| PIECE + side as u8);
            for side in Player::BOTH {
                camps[cell as usize] |= (camp(side).contains(square) as u8) << side.index();
            }
            if position.at(square) == Some(mover) {
                own[count] = cell;
                count += 1;
            }
        }
        Mailbox { marks, camps, own, count, mover, rules: position.rules() }
    }
}

impl Mailbox {
    /// Replaces the contents of `plays` with the legal plays.
    #[inline]
    pub fn legal_plays(&self, scratch: &mut Scratch, plays: &mut Vec<(Cell, Cell)>) {
        plays.clear();
        self.for_each_source(scratch, |from, to| plays.extend(to.iter().map(|&to| (from, to))));
    }

    /// Calls `visit` with every piece that has a legal play, and the squares it may go to.
    #[inline(always)]
    pub fn for_each_source(&self, scratch: &mut Scratch, mut visit: impl FnMut(Cell, &[Cell])) {
        let (home_bit, goal_bit) = (1 << self.mover.index(), 1 << self.mover.opponent().index());
        let home = |cell| at(&self.camps, cell) & home_bit != 0;
        let goal = |cell| at(&self.camps, cell) & goal_bit != 0;
        let stays_in = |from, to| !goal(from) | goal(to);
        let visit = &mut visit;
        if self.rules == Rules::Addendum {
            let found = if self.own[..self.count].iter().any(|&cell| home(cell)) {
                self.visit_if(scratch, home, |_, to| !home(to), visit)
                    || self.visit_if(scratch, home, |from, to| home(to) & self.further(from, to), visit)
                    || self.visit_if(
                        scratch,
                        |from| !home(from),
                        |from, to| !home(to) & stays_in(from, to),
                        visit,
                    )
            } else {
                self.visit_if(scratch, |_| true, |from, to| !home(to) & stays_in(from, to), visit)
            };
            if found {
                return;
            }
        }
        self.visit_if(scratch, |_| true, stays_in, visit);
    }

    /// Calls `visit` with each piece that may `start` and the squares where it may `land`. Returns whether there were any.
    #[inline(always)]
    fn visit_if(
        &self,
        scratch: &mut Scratch,
        start: impl Fn(Cell) -> bool,
        land: impl Fn(Cell, Cell) -> bool,
        visit: &mut impl FnMut(Cell, &[Cell]),
    ) -> bool {
        let mut found = false;
        for &from in self.own[..self.count].iter().filter(|&&from| start(from)) {
            let count = self.destinations(scratch, from);
            let mut kept = 0;
            for index in 0..count {
                let to = scratch.destinations[index & 127];
                scratch.destinations[kept & 127] = to;
                kept += land(from, to) as usize;
            }
            if kept > 0 {
                found = true;
                visit(from, &scratch.destinations[..kept]);
            }
        }
        found
    }

    /// Writes the squares that the piece on `from` reaches to the beginning of `scratch.destinations`, and returns their
    /// number.
    #[inline(always)]
    fn destinations(&self, scratch: &mut Scratch, from: Cell) -> usize {
        const { assert!(MAX_DESTINATIONS <= 128) };
        let Scratch { visited, search, destinations } = scratch;
        *search += 1;
        visited[from as usize & (SIZE - 1)] = *search;
        let mut count = 0;
        for difference in DIRECTIONS {
            let to = step(from, difference);
            destinations[count & 127] = to;
            count += (at(&self.marks, to) == EMPTY) as usize;
        }
        let (mut jumper, mut queued) = (from, count);
        loop {
            for difference in DIRECTIONS {
                let over = step(jumper, difference);
                let to = step(over, difference);
                let seen = &mut visited[to as usize & (SIZE - 1)];
                let open =
                    (at(&self.marks, over) >= PIECE) & (at(&self.marks, to) == EMPTY) & (*seen != *search);
                *seen = if open { *search } else { *seen };
                destinations[count & 127] = to;
                count += open as usize;
            }
            if queued == count {
                return count;
            }
            jumper = destinations[queued & 127];
            queued += 1;
        }
    }

    /// Whether `to` is further from the corner of the mover's camp than `from`.
    fn further(&self, from: Cell, to: Cell) -> bool {
        let (near, far) = if self.mover == Player::One { (from, to) } else { (to, from) };
        let stride = STRIDE as Cell;
        from != to && near % stride <= far % stride && near / stride <= far / stride
    }
}
