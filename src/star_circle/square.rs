//! Squares, numbered in the order of plays.

use std::fmt;

/// The number of squares along each edge of the board.
pub const BOARD_SIZE: u8 = 8;

/// One of the board's 64 squares, numbered from top to bottom and from left to right: H1 is 0, A8 is 63.
///
/// The game's order of squares is therefore the order of their numbers, and of the bits in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square in `row` from the top and `column` from the left, both 0…7.
    ///
    /// # Panics
    /// If `row` or `column` is greater than 7.
    #[inline]
    pub const fn new(row: u8, column: u8) -> Square {
        assert!(row < BOARD_SIZE && column < BOARD_SIZE);
        Square(row * BOARD_SIZE + column)
    }

    /// The square with this number.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Square {
        Square(number)
    }

    /// The square's number, 0…63.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The row, 0…7 from the top: 0 is row H, 7 is row A.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// The column, 0…7 from the left.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// The square as a one-bit mask in a word of all 64 squares.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    /// Writes the row's letter and the column's number: `C5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'H' - self.row()), self.column() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}
