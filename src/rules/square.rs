//! Squares, numbered so that jumps stay inside one machine word.
//!
//! A jump moves a piece by 0 or ±2 in each coordinate, so it keeps `(x mod 2, y mod 2)`. The board therefore splits into
//! four *parity classes* of 8×8 squares, and no jump leads from one to another. The upper two bits of a square's number
//! are its class, and the lower six are its index on the class's 8×8 board, row by row:
//!
//! ```text
//! number = class·64 + (y/2)·8 + x/2      class = (x mod 2) + 2·(y mod 2)
//! ```
//!
//! A half turn of the board, which swaps the two sides, is then the complement of all eight bits.

use crate::support::text::TextError;
use std::fmt;
use std::str::FromStr;

/// The number of squares along each edge of the board.
pub const BOARD_SIZE: u8 = 16;

/// One of the board's 256 squares.
///
/// ```
/// use halma::Square;
///
/// let square: Square = "3,12".parse()?;
/// assert_eq!((square.x(), square.y()), (3, 12));
/// assert_eq!(square.half_turn().to_string(), "12,3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square in column `x` and row `y`, both 0…15 from the top-left corner; larger numbers are taken modulo 16.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Square {
        let (x, y) = (x & 15, y & 15);
        Square((x & 1) << 6 | (y & 1) << 7 | (y >> 1) << 3 | x >> 1)
    }

    /// The square with this number.
    #[inline]
    pub const fn from_number(number: u8) -> Square {
        Square(number)
    }

    /// The square's number, 0…255.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The square's number, as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, 0…15 from the left.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0 & 7) << 1 | (self.0 >> 6 & 1)
    }

    /// The row, 0…15 from the top.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0 >> 3 & 7) << 1 | self.0 >> 7
    }

    /// The parity class, 0…3: `(x mod 2) + 2·(y mod 2)`.
    #[inline]
    pub const fn class(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// The square as a one-bit mask in its class's word.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The square turned by 180°: `(15−x, 15−y)`.
    #[inline]
    pub const fn half_turn(self) -> Square {
        Square(!self.0)
    }

    /// The square `dx` columns to the right and `dy` rows down, if it is on the board.
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Square> {
        let (x, y) = (self.x() as i8 + dx, self.y() as i8 + dy);
        if x < 0 || x > 15 || y < 0 || y > 15 { None } else { Some(Square::new(x as u8, y as u8)) }
    }

    /// The number of king's steps from here to `other`, 0…15.
    #[inline]
    pub const fn steps_to(self, other: Square) -> u8 {
        let (dx, dy) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        if dx > dy { dx } else { dy }
    }

    /// All 256 squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..=255).map(Square)
    }
}

impl fmt::Display for Square {
    /// Writes `x,y`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

impl FromStr for Square {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Square, TextError> {
        let fault = || TextError::new(1, 1, "expected a square x,y: two whole numbers from 0 to 15");
        let coordinate = |digits: &str| match digits.as_bytes() {
            [b'0'..=b'9'] | [b'1', b'0'..=b'5'] => digits.parse().map_err(|_| fault()),
            _ => Err(fault()),
        };
        let (x, y) = text.split_once(',').ok_or_else(fault)?;
        Ok(Square::new(coordinate(x)?, coordinate(y)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_coordinates_agree() {
        for y in 0..16 {
            for x in 0..16 {
                let square = Square::new(x, y);
                assert_eq!((square.x(), square.y()), (x, y));
                assert_eq!(square.class() as u8, x % 2 + 2 * (y % 2));
                assert_eq!(square.half_turn(), Square::new(15 - x, 15 - y));
                assert_eq!(square.to_string().parse(), Ok(square));
            }
        }
        assert_eq!(Square::all().count(), 256);
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "3", "3,", ",3", "16,0", "0,16", "-1,0", "+1,2", "01,2", "1, 2", "1,2,3", "x,y"] {
            let error = text.parse::<Square>().expect_err(text);
            assert_eq!((error.line, error.column), (1, 1), "{text:?}");
            assert!(error.message.contains("two whole numbers from 0 to 15"), "{error}");
        }
    }
}
