//! Sets of squares: one bit for each of the board's 256 squares, one word for each parity class.

use super::square::{BOARD_SIZE, Square};
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of squares.
///
/// Word `c` holds the squares of parity class `c` (see [`Square`]). The operators are set operations:
///
/// ```
/// use halma::rules::{Bitboard, Square};
///
/// let corner = Bitboard::from_picture("
///     X X . . . . . . . . . . . . . .
///     X . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
///     . . . . . . . . . . . . . . . .
/// ");
/// let column: Bitboard = (0..16).map(|y| Square::new(1, y)).collect();
/// assert_eq!((corner & column).to_string(), "1,0");
/// assert_eq!((corner & !column).to_string(), "0,0 0,1");
/// assert_eq!((corner | column).count(), 18);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub(crate) [u64; 4]);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard([0; 4]);

    /// The set drawn by `picture`: 16 rows of 16 marks, `X` for a square in the set and `.` for one outside. Blanks and
    /// line ends are ignored.
    ///
    /// # Panics
    /// If the picture contains another mark, or does not have 256 marks. For a constant, this is a compile error.
    pub const fn from_picture(picture: &str) -> Bitboard {
        let marks = picture.as_bytes();
        let mut words = [0; 4];
        let (mut at, mut seen) = (0, 0);
        while at < marks.len() {
            match marks[at] {
                b'X' | b'.' => {
                    assert!(seen < 256, "the picture has more than 256 marks");
                    if marks[at] == b'X' {
                        let square = Square::new((seen % 16) as u8, (seen / 16) as u8);
                        words[square.class()] |= square.bit();
                    }
                    seen += 1;
                }
                b' ' | b'\n' | b'\r' => {}
                _ => panic!("the picture contains a mark other than X and a dot"),
            }
            at += 1;
        }
        assert!(seen == 256, "the picture has fewer than 256 marks");
        Bitboard(words)
    }

    /// The squares of one parity class, given by its word.
    #[inline]
    pub const fn of_class(class: usize, word: u64) -> Bitboard {
        let mut words = [0; 4];
        words[class & 3] = word;
        Bitboard(words)
    }

    /// The word of one parity class, 0…3.
    #[inline]
    pub const fn class_word(self, class: usize) -> u64 {
        self.0[class & 3]
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0[square.class()] & square.bit() != 0
    }

    /// Adds `square` if it is not in the set, and removes it if it is.
    #[inline]
    pub const fn toggle(&mut self, square: Square) {
        self.0[square.class()] ^= square.bit();
    }

    /// The set with `square` added.
    #[inline]
    pub const fn with(mut self, square: Square) -> Bitboard {
        self.0[square.class()] |= square.bit();
        self
    }

    /// The set turned by 180° (see [`Square::half_turn`]).
    pub const fn half_turn(self) -> Bitboard {
        let [a, b, c, d] = self.0;
        Bitboard([d.reverse_bits(), c.reverse_bits(), b.reverse_bits(), a.reverse_bits()])
    }

    /// The smallest and the largest column + row of the squares, 0…30; `None` if the set is empty.
    #[inline]
    pub const fn diagonal_span(self) -> Option<(u8, u8)> {
        // Diagonal d of a class is diagonal 2d, 2d+1 or 2d+2 of the board.
        let [even, one, other, odd] = self.0;
        let even = class_diagonals(even) | class_diagonals(odd) << 1;
        let mixed = class_diagonals(one | other);
        if even | mixed == 0 {
            return None;
        }
        let (first_even, first_mixed) = (2 * even.trailing_zeros(), 2 * mixed.trailing_zeros() + 1);
        let (last_even, last_mixed) = (2 * even.leading_zeros(), 2 * mixed.leading_zeros() - 1);
        let first = if first_even < first_mixed { first_even } else { first_mixed };
        let last = if last_even < last_mixed { last_even } else { last_mixed };
        Some((first as u8, (62 - last) as u8))
    }

    /// Calls `visit` for each square of the set, in the order of their numbers. On hot paths this is faster than the
    /// iterator.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(Square)) {
        for (class, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                visit(Square::from_number((class as u8) << 6 | word.trailing_zeros() as u8));
                word &= word - 1;
            }
        }
    }
}

/// The diagonals (column + row) of a class's 8×8 board on which `word` has a bit: bit `d` for diagonal `d`, 0…14.
///
/// Row `r` is shifted by `r` bits, and all rows are combined, in three rounds: pairs, fours and eights.
#[inline(always)]
pub const fn class_diagonals(word: u64) -> u32 {
    let pairs = word & 0x00ff_00ff_00ff_00ff | (word >> 8 & 0x00ff_00ff_00ff_00ff) << 1;
    let fours = pairs & 0x0000_ffff_0000_ffff | (pairs >> 16 & 0x0000_ffff_0000_ffff) << 2;
    (fours | (fours >> 32) << 4) as u32 & 0x7fff
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        let (a, b) = (self.0, other.0);
        Bitboard([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        let (a, b) = (self.0, other.0);
        Bitboard([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(self.0.map(|word| !word))
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        *self = *self | other;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// Iterates over the squares of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let class = self.0.0.iter().position(|&word| word != 0)?;
        let word = &mut self.0.0[class];
        let square = Square::from_number((class as u8) << 6 | word.trailing_zeros() as u8);
        *word &= *word - 1;
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Display for Bitboard {
    /// Writes the squares in reading order, separated by spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut squares: Vec<Square> = self.into_iter().collect();
        squares.sort_by_key(|square| (square.y(), square.x()));
        for (at, square) in squares.iter().enumerate() {
            write!(f, "{}{square}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the picture that [`Bitboard::from_picture`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..BOARD_SIZE {
            writeln!(f)?;
            for x in 0..BOARD_SIZE {
                f.write_str(if self.contains(Square::new(x, y)) { "X" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_counts_and_iterators_agree() {
        let set: Bitboard = (0..16).map(|i| Square::new(i, (i * 7) % 16)).collect();
        assert_eq!(Bitboard::from_picture(&format!("{set:?}")), set);
        assert_eq!(set.count(), 16);
        assert_eq!(set.into_iter().count(), 16);
        assert_eq!(set.half_turn().half_turn(), set);
        assert!(set.into_iter().all(|square| set.half_turn().contains(square.half_turn())));
        let mut seen = Vec::new();
        set.for_each(|square| seen.push(square));
        assert_eq!(seen, set.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn the_diagonal_span_covers_the_squares() {
        assert_eq!(Bitboard::EMPTY.diagonal_span(), None);
        for one in Square::all() {
            for other in Square::all().step_by(7) {
                let diagonals = [one, other].map(|square| square.x() + square.y());
                let span = (diagonals[0].min(diagonals[1]), diagonals[0].max(diagonals[1]));
                let set = Bitboard::EMPTY.with(one).with(other);
                assert_eq!(set.diagonal_span(), Some(span), "{set}");
            }
        }
    }
}
