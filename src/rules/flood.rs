//! Where chains of jumps lead, for the four parity classes side by side.

use super::bitboard::Bitboard;
#[cfg(doc)]
use super::reach::Jumps;
use crate::support::simd::Lanes;

/// The open jumps of all four classes, as [`Jumps`] has them for one.
#[derive(Clone, Copy)]
pub struct Field<L: Lanes> {
    /// How the four classes are handled.
    pub lanes: L,
    east: L::Words,
    south: L::Words,
    south_east: L::Words,
    south_west: L::Words,
    /// The squares without a piece.
    pub empty: L::Words,
}

const NOT_LAST_COLUMN: [u64; 4] = [0x7f7f_7f7f_7f7f_7f7f; 4];
const NOT_FIRST_COLUMN: [u64; 4] = [0xfefe_fefe_fefe_fefe; 4];
const NOT_LAST_ROW: [u64; 4] = [0x00ff_ffff_ffff_ffff; 4];

impl<L: Lanes> Field<L> {
    /// The jumps where just the squares of `occupied` have pieces.
    #[inline(always)]
    pub fn new(lanes: L, occupied: Bitboard) -> Field<L> {
        let [a, b, c, d] = occupied.0;
        let [not_last_column, not_first_column, not_last_row] =
            [NOT_LAST_COLUMN, NOT_FIRST_COLUMN, NOT_LAST_ROW].map(|words| lanes.load(words));
        let beside = lanes.load([b, a, d, c]);
        let below = lanes.load([c, d, a, b]);
        let across = lanes.and(lanes.down_by(lanes.load([d, c, b, a]), [0, 0, 8, 8]), not_last_row);
        Field {
            lanes,
            east: lanes.and(lanes.down_by(beside, [0, 1, 0, 1]), not_last_column),
            south: lanes.and(lanes.down_by(below, [0, 0, 8, 8]), not_last_row),
            south_east: lanes.and(lanes.down_by(across, [0, 1, 0, 1]), not_last_column),
            south_west: lanes.and(lanes.up_by(across, [1, 0, 1, 0]), not_first_column),
            empty: lanes.load((!occupied).0),
        }
    }

    /// The squares, empty or not, between which and a square of `from` a jump is open.
    #[inline(always)]
    pub fn beside(&self, from: L::Words) -> L::Words {
        let Field { lanes, east, south, south_east, south_west, .. } = *self;
        let row = lanes.or(lanes.up::<1>(lanes.and(from, east)), lanes.and(lanes.down::<1>(from), east));
        let column = lanes.or(lanes.up::<8>(lanes.and(from, south)), lanes.and(lanes.down::<8>(from), south));
        let falling = lanes
            .or(lanes.up::<9>(lanes.and(from, south_east)), lanes.and(lanes.down::<9>(from), south_east));
        let rising = lanes
            .or(lanes.up::<7>(lanes.and(from, south_west)), lanes.and(lanes.down::<7>(from), south_west));
        lanes.or(lanes.or(row, column), lanes.or(falling, rising))
    }

    /// The empty squares one jump away from any square of `from`.
    #[inline(always)]
    pub fn landings(&self, from: L::Words) -> L::Words {
        self.lanes.and(self.beside(from), self.empty)
    }

    /// Of each class, which diagonals of its board have a bit, as [`class_diagonals`] finds them for one.
    #[inline(always)]
    pub fn diagonals(&self, words: L::Words) -> [u64; 4] {
        let lanes = self.lanes;
        let [pairs, fours, eights] = [[0x00ff_00ff_00ff_00ff; 4], [0x0000_ffff_0000_ffff; 4], [0x7fff; 4]]
            .map(|mask| lanes.load(mask));
        let odd = lanes.and(lanes.down::<8>(words), pairs);
        let words = lanes.or(lanes.and(words, pairs), lanes.up::<1>(odd));
        let odd = lanes.and(lanes.down::<16>(words), fours);
        let words = lanes.or(lanes.and(words, fours), lanes.up::<2>(odd));
        let words = lanes.or(words, lanes.up::<4>(lanes.down::<32>(words)));
        lanes.store(lanes.and(words, eights))
    }

    /// The squares of each of `from`, and those that chains of jumps lead to from any of them.
    #[inline(always)]
    pub fn flood<const MANY: usize>(&self, from: [L::Words; MANY]) -> [L::Words; MANY] {
        let mut reached = from;
        loop {
            let (before, mut all_same) = (reached, true);
            for (squares, before) in reached.iter_mut().zip(&before) {
                *squares = self.lanes.or(*squares, self.landings(*squares));
                all_same &= self.lanes.same(*squares, *before);
            }
            if all_same {
                return reached;
            }
        }
    }
}
