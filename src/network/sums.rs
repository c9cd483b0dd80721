//! The hidden units' sums of a position, changed from those of another one.
//!
//! Search looks at positions that differ in few squares from the one before: 5 on average in tree search, 9 where it
//! has playouts, 3 in alpha-beta. So it costs little to keep the sums of the last position only, and
//! nobody has to say what was played: the squares are found by comparing bitboards.

use super::FEATURES;
use crate::game::Player;
use crate::rules::{BLACK, Bitboard, Position, WHITE};
use crate::support::simd::Lanes;
use std::ops::{Deref, DerefMut};
use std::slice;

/// Sums or weights of the hidden units, in whole cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct UnitRow<const HIDDEN: usize>(pub [i16; HIDDEN]);

impl<const HIDDEN: usize> Deref for UnitRow<HIDDEN> {
    type Target = [i16; HIDDEN];

    #[inline(always)]
    fn deref(&self) -> &[i16; HIDDEN] {
        &self.0
    }
}

impl<const HIDDEN: usize> DerefMut for UnitRow<HIDDEN> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [i16; HIDDEN] {
        &mut self.0
    }
}

impl<'a, const HIDDEN: usize> IntoIterator for &'a UnitRow<HIDDEN> {
    type Item = &'a i16;
    type IntoIter = slice::Iter<'a, i16>;

    #[inline(always)]
    fn into_iter(self) -> slice::Iter<'a, i16> {
        self.iter()
    }
}

impl<const HIDDEN: usize> UnitRow<HIDDEN> {
    /// All zeros.
    pub const ZEROS: UnitRow<HIDDEN> = UnitRow([0; HIDDEN]);

    /// How many parts of sixteen numbers it has.
    pub(crate) const SIXTEENS: usize = {
        assert!(HIDDEN.is_multiple_of(16));
        HIDDEN / 16
    };

    /// Part number `part` of its [`SIXTEENS`](Self::SIXTEENS).
    #[inline(always)]
    pub(crate) fn sixteen(&self, part: usize) -> [i16; 16] {
        self.0.as_chunks().0[part]
    }

    /// The sum of this row's numbers times those of `other`, which is no more than an `i32` holds.
    #[inline(always)]
    pub(crate) fn dot<L: Lanes>(&self, other: &Self, lanes: L) -> i32 {
        let mut sums = [0; 8];
        for part in 0..Self::SIXTEENS {
            sums = lanes.add_products(sums, self.sixteen(part), other.sixteen(part));
        }
        sums.iter().sum()
    }

    /// Subtracts the rows `gone` and adds the rows `come`, so many at once.
    #[inline(always)]
    fn exchange<const GONE: usize, const COME: usize>(&mut self, gone: [&Self; GONE], come: [&Self; COME]) {
        for (unit, sum) in self.0.iter_mut().enumerate() {
            // Part of the way a sum may be out of bounds, so it goes round.
            for row in gone {
                *sum = sum.wrapping_sub(row.0[unit]);
            }
            for row in come {
                *sum = sum.wrapping_add(row.0[unit]);
            }
        }
    }
}

/// The hidden units' sums of the position looked at last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sums<const HIDDEN: usize> {
    /// Where its pieces stood, by [`Player::index`].
    pieces: [Bitboard; 2],
    /// The sums in each player's view.
    views: [UnitRow<HIDDEN>; 2],
}

impl<const HIDDEN: usize> Sums<HIDDEN> {
    /// The sums before any piece: the biases.
    pub fn of_no_pieces(biases: UnitRow<HIDDEN>) -> Self {
        Sums { pieces: [Bitboard::EMPTY; 2], views: [biases; 2] }
    }

    /// The sums in the view of `player`.
    #[inline(always)]
    pub fn seen_by(&self, player: Player) -> &UnitRow<HIDDEN> {
        &self.views[player.index()]
    }

    /// Changes the sums to those of `position`.
    #[inline(always)]
    pub fn change_to(&mut self, position: &Position, rows: &[UnitRow<HIDDEN>; FEATURES]) {
        let after = [position.pieces(BLACK), position.pieces(WHITE)];
        let before = std::mem::replace(&mut self.pieces, after);
        let mut gone = Features::new([before[0] & !after[0], before[1] & !after[1]]);
        let mut come = Features::new([after[0] & !before[0], after[1] & !before[1]]);
        // Two positions of one game have as many pieces, so nearly all changes are moves.
        while !gone.is_empty() && !come.is_empty() {
            let (from, to) = (gone.take(), come.take());
            if gone.is_empty() || come.is_empty() {
                self.exchange([from], [to], rows);
            } else {
                self.exchange([from, gone.take()], [to, come.take()], rows);
            }
        }
        while !gone.is_empty() {
            self.exchange([gone.take()], [], rows);
        }
        while !come.is_empty() {
            self.exchange([], [come.take()], rows);
        }
    }

    /// Takes the features `gone`, in Black's view, out of the sums and adds the features `come`.
    #[inline(always)]
    fn exchange<const GONE: usize, const COME: usize>(
        &mut self,
        gone: [usize; GONE],
        come: [usize; COME],
        rows: &[UnitRow<HIDDEN>; FEATURES],
    ) {
        let [black, white] = &mut self.views;
        black.exchange(gone.map(|feature| &rows[feature]), come.map(|feature| &rows[feature]));
        let (gone, come) = (gone.map(seen_by_white), come.map(seen_by_white));
        white.exchange(gone.map(|feature| &rows[feature]), come.map(|feature| &rows[feature]));
    }
}

/// A feature in Black's view, as White sees it: the square's half turn is the complement of its number, and the
/// own pieces are the other's.
#[inline(always)]
fn seen_by_white(feature: usize) -> usize {
    FEATURES - 1 - feature
}

/// A set of features in Black's view: the two bitboards, one after the other.
///
/// Loops over the bits of eight words would be hard to predict, as most words are empty. So `busy` says which
/// bytes are not.
struct Features {
    words: [[u8; 8]; 8],
    /// Bit `8·byte + word`: whether that byte of that word has a bit.
    busy: u64,
}

impl Features {
    #[inline(always)]
    fn new([black, white]: [Bitboard; 2]) -> Features {
        /// All bits of a byte but the highest.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        // Word by word: the positions have just been written so, and wider reads would wait for that.
        let ([a, b, c, d], [e, f, g, h]) = (black.0, white.0);
        let words = [a, b, c, d, e, f, g, h];
        let mut busy = 0;
        for (place, word) in words.into_iter().enumerate() {
            // The highest bit of each byte, if the byte has any.
            let highest = (((word & LOW) + LOW) | word) & !LOW;
            busy |= highest >> (7 - place);
        }
        Features { words: words.map(u64::to_le_bytes), busy }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.busy == 0
    }

    /// Takes a feature out of the set, which is not empty.
    #[inline(always)]
    fn take(&mut self) -> usize {
        let place = self.busy.trailing_zeros() as usize;
        let (byte, word) = (place >> 3 & 7, place & 7);
        let bits = self.words[word][byte];
        let rest = bits & bits.wrapping_sub(1);
        if rest == 0 {
            self.busy &= self.busy.wrapping_sub(1);
        } else {
            self.words[word][byte] = rest;
        }
        word << 6 | byte << 3 | bits.trailing_zeros() as usize & 7
    }
}
