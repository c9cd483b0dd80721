//! The squares that a piece can reach: by one of eight steps, or by a chain of jumps, found by flooding.
//!
//! A jump within a parity class leads from a square to a neighbour on that class's 8×8 board. It is open if the square
//! half-way, which lies in another class, is occupied. One word for each of four directions (east, south, south-east and
//! south-west) describes all jumps of a class, because jumps in the opposite directions cross the same squares.
//!
//! A chain is a king's walk over empty squares of the 8×8 board along open jumps. Spreading a set of squares until it
//! stops growing finds the ends of all chains. A round takes about thirty operations on whole words, regardless of the
//! number of squares in the set.
//!
//! The piece's own square needs no special treatment. It is never half-way on a jump of its own class. It counts as
//! occupied, which changes nothing: a chain that returns to it reaches no square that it could not reach before.

use super::bitboard::Bitboard;
use super::square::Square;

pub(super) const NOT_LAST_COLUMN: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_FIRST_COLUMN: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_LAST_ROW: u64 = 0x00ff_ffff_ffff_ffff;

/// The neighbours of each square.
static STEPS: [Bitboard; 256] = {
    let mut table = [Bitboard::EMPTY; 256];
    let mut number = 0;
    while number < 256 {
        let from = Square::from_number(number as u8);
        let mut direction = 0;
        while direction < 9 {
            let (dx, dy) = (direction % 3 - 1, direction / 3 - 1);
            if let (false, Some(to)) = (dx == 0 && dy == 0, from.offset(dx, dy)) {
                table[number] = table[number].with(to);
            }
            direction += 1;
        }
        number += 1;
    }
    table
};

/// The squares next to `from`.
#[inline]
pub fn neighbours(from: Square) -> Bitboard {
    STEPS[from.index()]
}

/// The open jumps of one parity class. Bit `b` of a word is set if the jump from square `b` of the class's board in the
/// word's direction is open: to `b + 1` (east), `b + 8` (south), `b + 9` (south-east) or `b + 7` (south-west).
#[derive(Clone, Copy, Debug, Default)]
pub struct Jumps {
    east: u64,
    south: u64,
    south_east: u64,
    south_west: u64,
    empty: u64,
}

impl Jumps {
    /// The open jumps of `class`, 0…3, over the pieces on `occupied`.
    #[inline(always)]
    pub fn of_class(occupied: Bitboard, class: usize) -> Jumps {
        let (odd_x, odd_y) = (class as u32 & 1, class as u32 >> 1);
        let beside = occupied.0[class ^ 1];
        let below = occupied.0[class ^ 2];
        let across = occupied.0[class ^ 3] >> (8 * odd_y);
        // On its own 8×8 board, the square to the south-west is one column further left if x is even. If x is odd, its
        // column number is the same, and the square to the south-east is one column further right.
        let south_west = if odd_x == 0 { across << 1 } else { across };
        Jumps {
            east: beside >> odd_x & NOT_LAST_COLUMN,
            south: below >> (8 * odd_y) & NOT_LAST_ROW,
            south_east: across >> odd_x & NOT_LAST_COLUMN & NOT_LAST_ROW,
            south_west: south_west & NOT_FIRST_COLUMN & NOT_LAST_ROW,
            empty: !occupied.0[class],
        }
    }

    /// The empty squares one open jump away from any square of `from`.
    #[inline(always)]
    pub fn landings(&self, from: u64) -> u64 {
        let Jumps { east, south, south_east, south_west, empty } = *self;
        let along = (from & east) << 1 | from >> 1 & east | (from & south) << 8 | from >> 8 & south;
        let across = (from & south_east) << 9
            | from >> 9 & south_east
            | (from & south_west) << 7
            | from >> 7 & south_west;
        (along | across) & empty
    }

    /// The squares where chains of jumps from any square of `from` can end.
    #[inline(always)]
    pub fn chains(&self, from: u64) -> u64 {
        let mut reached = self.landings(from);
        let mut edge = reached;
        while edge != 0 {
            edge = self.landings(edge) & !reached;
            reached |= edge;
        }
        reached
    }
}

/// The open jumps of one parity class, and its known *components*: sets of empty squares that jumps connect.
///
/// A jump between two empty squares can be reversed, so a piece's chains end on exactly the squares in the components
/// of its first landing squares. Neighbouring pieces usually jump into the same one or two components, so remembering
/// the last two saves half of the rounds of flooding.
#[derive(Clone, Copy, Debug)]
struct Class {
    jumps: Jumps,
    /// The empty squares connected with another one by a jump; any other empty square is a component by itself.
    linked: u64,
    /// The last two components found.
    known: [u64; 2],
}

impl Class {
    #[inline(always)]
    fn new(occupied: Bitboard, class: usize) -> Class {
        let jumps = Jumps::of_class(occupied, class);
        Class { jumps, linked: jumps.landings(jumps.empty), known: [0; 2] }
    }

    /// [`Jumps::chains`], reusing known components.
    #[inline(always)]
    fn chains(&mut self, from: u64) -> u64 {
        let mut reached = self.jumps.landings(from);
        let mut to_flood = reached & self.linked;
        for component in self.known {
            if to_flood & component != 0 {
                reached |= component;
            }
            to_flood &= !component;
        }
        while to_flood != 0 {
            let landing = to_flood & to_flood.wrapping_neg();
            let component = self.jumps.chains(landing);
            reached |= component;
            to_flood &= !component;
            self.known = [component, self.known[0]];
        }
        reached
    }
}

/// Finds the squares that pieces of a position can reach. It is made once per position and then used for each piece.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    classes: [Class; 4],
    empty: Bitboard,
}

impl Reach {
    /// The reach of pieces on a board with these occupied squares.
    #[inline]
    pub fn new(occupied: Bitboard) -> Reach {
        Reach { classes: [0, 1, 2, 3].map(|class| Class::new(occupied, class)), empty: !occupied }
    }

    /// The squares where a piece on `from` can end its turn, by a step or a chain of jumps, regardless of the camp rules.
    /// Remembers the components it finds.
    #[inline(always)]
    pub fn from(&mut self, from: Square) -> Bitboard {
        let mut to = STEPS[from.index()] & self.empty;
        to.0[from.class()] = self.classes[from.class()].chains(from.bit());
        to
    }
}
