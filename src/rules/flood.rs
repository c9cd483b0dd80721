//! Destinations of chains of jumps, and the diagonals of sets of squares, in all four parity classes at once.

use super::bitboard::Bitboard;
use super::reach::{NOT_FIRST_COLUMN, NOT_LAST_COLUMN, NOT_LAST_ROW};
use crate::game::Player;
use crate::support::simd::Simd;

/// The open jumps of all four classes. Each field holds one word per class, as in [`Jumps`](super::reach::Jumps), which
/// explains the words.
#[derive(Clone, Copy)]
pub struct Field<S: Simd> {
    pub simd: S,
    east: S::Words,
    south: S::Words,
    south_east: S::Words,
    south_west: S::Words,
    pub empty: S::Words,
}

/// The eight squares of each class's longest diagonal.
const LONGEST_DIAGONAL: [u64; 4] = [0x0102_0408_1020_4080; 4];

impl<S: Simd> Field<S> {
    /// The open jumps over the pieces on `occupied`.
    #[inline(always)]
    pub fn new(simd: S, occupied: Bitboard) -> Field<S> {
        let [a, b, c, d] = occupied.0;
        let [not_last_column, not_first_column, not_last_row] =
            [NOT_LAST_COLUMN, NOT_FIRST_COLUMN, NOT_LAST_ROW].map(|word| simd.load([word; 4]));
        let beside = simd.load([b, a, d, c]);
        let below = simd.load([c, d, a, b]);
        let across = simd.and(simd.shr_each(simd.load([d, c, b, a]), simd.load([0, 0, 8, 8])), not_last_row);
        Field {
            simd,
            east: simd.and(simd.shr_each(beside, simd.load([0, 1, 0, 1])), not_last_column),
            south: simd.and(simd.shr_each(below, simd.load([0, 0, 8, 8])), not_last_row),
            south_east: simd.and(simd.shr_each(across, simd.load([0, 1, 0, 1])), not_last_column),
            south_west: simd.and(simd.shl_each(across, simd.load([1, 0, 1, 0])), not_first_column),
            empty: simd.load((!occupied).0),
        }
    }

    /// The open jumps of these four classes, 0…3; a class may occur more than once.
    #[inline(always)]
    pub fn select(&self, classes: [usize; 4]) -> Field<S> {
        let Field { simd, east, south, south_east, south_west, empty } = *self;
        Field {
            simd,
            east: simd.select(east, classes),
            south: simd.select(south, classes),
            south_east: simd.select(south_east, classes),
            south_west: simd.select(south_west, classes),
            empty: simd.select(empty, classes),
        }
    }

    /// The squares, empty or not, that are one open jump away from any square of `from`.
    #[inline(always)]
    pub fn beside(&self, from: S::Words) -> S::Words {
        let Field { simd, east, south, south_east, south_west, .. } = *self;
        let row = simd.or(simd.shl::<1>(simd.and(from, east)), simd.and(simd.shr::<1>(from), east));
        let column = simd.or(simd.shl::<8>(simd.and(from, south)), simd.and(simd.shr::<8>(from), south));
        let falling =
            simd.or(simd.shl::<9>(simd.and(from, south_east)), simd.and(simd.shr::<9>(from), south_east));
        let rising =
            simd.or(simd.shl::<7>(simd.and(from, south_west)), simd.and(simd.shr::<7>(from), south_west));
        simd.or(simd.or(row, column), simd.or(falling, rising))
    }

    /// The empty squares one open jump away from any square of `from`.
    #[inline(always)]
    pub fn landings(&self, from: S::Words) -> S::Words {
        self.simd.and(self.beside(from), self.empty)
    }

    /// The number of the foremost diagonal of each word's `squares`, counted forward for `side`, 1…15; 0 if there are
    /// no squares.
    #[inline(always)]
    pub fn front(&self, side: Player, squares: S::Words) -> S::Words {
        match side {
            Player::One => self.last_diagonal(squares),
            Player::Two => self.simd.sub(self.simd.load([16; 4]), self.first_diagonal(squares)),
        }
    }

    /// The number of the rearmost diagonal of each word's `squares`, counted forward for `side`, 1…15; 16 if there are
    /// no squares.
    #[inline(always)]
    pub fn rear(&self, side: Player, squares: S::Words) -> S::Words {
        match side {
            Player::One => self.first_diagonal(squares),
            Player::Two => self.simd.sub(self.simd.load([16; 4]), self.last_diagonal(squares)),
        }
    }

    /// The squares on the diagonal with the number in each word of `numbers`, counted forward for `side`; none for 0 and
    /// 16.
    #[inline(always)]
    pub fn on_diagonal(&self, side: Player, numbers: S::Words) -> S::Words {
        let simd = self.simd;
        let (longest, eight_rows) = (simd.load(LONGEST_DIAGONAL), simd.load([64; 4]));
        // Diagonal 8 is the longest. The others are parts of it, shifted by whole rows, one way or the other. A negative
        // number of bits counts as a huge one, so the shift the wrong way leaves no squares.
        let bits = simd.shl::<3>(numbers);
        let (ahead, behind) = (simd.sub(bits, eight_rows), simd.sub(eight_rows, bits));
        match side {
            Player::One => simd.or(simd.shl_each(longest, ahead), simd.shr_each(longest, behind)),
            Player::Two => simd.or(simd.shr_each(longest, ahead), simd.shl_each(longest, behind)),
        }
    }

    /// The number of the last of each word's diagonals, counted from 1; 0 if there is none.
    #[inline(always)]
    fn last_diagonal(&self, squares: S::Words) -> S::Words {
        let simd = self.simd;
        simd.highest_bit(simd.or(simd.shl::<1>(self.diagonals(squares)), simd.load([1; 4])))
    }

    /// The number of the first of each word's diagonals, counted from 1; 16 if there is none.
    #[inline(always)]
    fn first_diagonal(&self, squares: S::Words) -> S::Words {
        let simd = self.simd;
        let bits = simd.or(simd.shl::<1>(self.diagonals(squares)), simd.load([1 << 16; 4]));
        simd.highest_bit(simd.and(bits, simd.sub(simd.load([0; 4]), bits)))
    }

    /// The [`class_diagonals`] of each word.
    ///
    /// [`class_diagonals`]: super::bitboard::class_diagonals
    #[inline(always)]
    fn diagonals(&self, words: S::Words) -> S::Words {
        let simd = self.simd;
        let [pairs, fours, eights] =
            [[0x00ff_00ff_00ff_00ff; 4], [0x0000_ffff_0000_ffff; 4], [0x7fff; 4]].map(|mask| simd.load(mask));
        let odd = simd.and(simd.shr::<8>(words), pairs);
        let words = simd.or(simd.and(words, pairs), simd.shl::<1>(odd));
        let odd = simd.and(simd.shr::<16>(words), fours);
        let words = simd.or(simd.and(words, fours), simd.shl::<2>(odd));
        let words = simd.or(words, simd.shl::<4>(simd.shr::<32>(words)));
        simd.and(words, eights)
    }

    /// Extends each of the sets in `from` by all squares that chains of jumps can reach. The floods run side by side,
    /// so that the processor can overlap the steps of independent floods.
    #[inline(always)]
    pub fn flood<const MANY: usize>(&self, from: [S::Words; MANY]) -> [S::Words; MANY] {
        let mut reached = from;
        loop {
            let (before, mut all_equal) = (reached, true);
            for (squares, before) in reached.iter_mut().zip(&before) {
                *squares = self.simd.or(*squares, self.landings(*squares));
                all_equal &= self.simd.equal(*squares, *before);
            }
            if all_equal {
                return reached;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::simd::{SimdTask, with_each_simd};

    /// Finds the foremost and the rearmost diagonal of each set, and all squares on these two.
    struct FindDiagonals {
        side: Player,
        sets: [u64; 4],
    }

    impl SimdTask for FindDiagonals {
        type Output = [[u64; 4]; 4];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [[u64; 4]; 4] {
            let field = Field::new(simd, Bitboard::EMPTY);
            let sets = simd.load(self.sets);
            let (front, rear) = (field.front(self.side, sets), field.rear(self.side, sets));
            [
                simd.store(front),
                simd.store(rear),
                simd.store(field.on_diagonal(self.side, front)),
                simd.store(field.on_diagonal(self.side, rear)),
            ]
        }
    }

    #[test]
    fn each_side_counts_diagonals_forward() {
        // No square; One's corner; Two's corner; and squares on One's third, eighth and fourteenth diagonals.
        let sets = [0, 1, 1 << 63, 1 << 9 | 1 << 56 | 1 << 55];
        let (third, fourteenth) = (0x0001_0204, 0x4080_0000_0000_0000);
        let [on_third, on_fourteenth] = [third, fourteenth].map(|diagonal| [0, 1, 1 << 63, diagonal]);
        for (side, expected) in [
            (Player::One, [[0, 1, 15, 14], [16, 1, 15, 3], on_fourteenth, on_third]),
            (Player::Two, [[0, 15, 1, 13], [16, 15, 1, 2], on_third, on_fourteenth]),
        ] {
            for found in with_each_simd(|| FindDiagonals { side, sets }) {
                assert_eq!(found, expected, "{side:?}");
            }
        }
    }

    #[test]
    fn every_square_is_on_its_diagonal() {
        for place in 0..64 {
            let diagonal = place / 8 + place % 8;
            let squares = (0..64).filter(|other| other / 8 + other % 8 == diagonal);
            let squares = squares.fold(0, |squares, other| squares | 1 << other);
            for (side, number) in [(Player::One, diagonal + 1), (Player::Two, 15 - diagonal)] {
                let expected = [[number; 4], [number; 4], [squares; 4], [squares; 4]];
                for found in with_each_simd(|| FindDiagonals { side, sets: [1 << place; 4] }) {
                    assert_eq!(found, expected, "{side:?} {place}");
                }
            }
        }
    }
}
