//! The same rules on a mailbox, as well as that can be done: what bitboards are measured against.
//!
//! The board is bytes with a rim of border squares, so that no coordinate is ever compared; squares
//! are numbers, and a direction is a difference of two. The pieces are listed. Chains of jumps are
//! followed through a queue that is the list of destinations itself, and squares are marked as
//! visited by the number of the search, so that no marks need be wiped. The arrays have a power of
//! two of entries and are indexed through a mask, which spares the checks of the bounds. Squares
//! are written down whether they are open or not and counted only if they are: without branches on
//! what can't be foretold it is 1.45 times as fast.

use halma::game::{Game, Player};
use halma::rules::{PIECES, Position, Rules, Square, camp};

/// A square's number: its row and column, both plus one, in rows of [`STRIDE`].
pub type Cell = u16;

const STRIDE: i16 = 18;
const SIZE: usize = 512;
const DIRECTIONS: [i16; 8] = [-STRIDE - 1, -STRIDE, -STRIDE + 1, -1, 1, STRIDE - 1, STRIDE, STRIDE + 1];

const EMPTY: u8 = 0;
const BORDER: u8 = 1;
/// A piece of either side has this mark or a larger one.
const PIECE: u8 = 2;

/// Most squares one piece can go to: eight steps, and the squares of its parity class but one.
const MOST_DESTINATIONS: usize = 8 + 63;

/// A position on a mailbox.
pub struct Mailbox {
    marks: [u8; SIZE],
    /// Bit `i` is set on the squares of the camp of the player with index `i`.
    camps: [u8; SIZE],
    /// The pieces of the side to move, of which there are `count`.
    own: [Cell; PIECES as usize],
    count: usize,
    mover: Player,
    rules: Rules,
}

/// What a search for destinations needs besides the position, kept from one to the next.
pub struct Scratch {
    visited: [u32; SIZE],
    search: u32,
    destinations: [Cell; 128],
}

impl Scratch {
    /// Nothing visited yet.
    pub fn new() -> Scratch {
        Scratch { visited: [0; SIZE], search: 0, destinations: [0; 128] }
    }
}

/// The cell of `square`.
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
    /// Replaces the contents of `plays` by the legal plays.
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
                self.visit_those(scratch, home, |_, to| !home(to), visit)
                    || self.visit_those(scratch, home, |from, to| home(to) & self.further(from, to), visit)
                    || self.visit_those(
                        scratch,
                        |from| !home(from),
                        |from, to| !home(to) & stays_in(from, to),
                        visit,
                    )
            } else {
                self.visit_those(scratch, |_| true, |from, to| !home(to) & stays_in(from, to), visit)
            };
            if found {
                return;
            }
        }
        self.visit_those(scratch, |_| true, stays_in, visit);
    }

    /// Visits the pieces that may `start`, with those destinations on which they may `land`; tells
    /// whether there was any.
    #[inline(always)]
    fn visit_those(
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

    /// Writes every square that the piece on `from` reaches by a step or by jumps to the head of
    /// `scratch.destinations`, and tells how many there are.
    #[inline(always)]
    fn destinations(&self, scratch: &mut Scratch, from: Cell) -> usize {
        const { assert!(MOST_DESTINATIONS <= 128) };
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
