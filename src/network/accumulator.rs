//! The hidden units' sums, updated from one position to the next.
//!
//! Positions that a search evaluates one after the other differ in few squares: 5 on average in tree search, 9 with
//! playouts, 3 in alpha-beta. So only the sums of the last position are kept. Comparing bitboards finds the changed
//! squares, so callers need not know which plays lie between two positions.

use super::FEATURES;
use crate::game::Player;
use crate::rules::{BLACK, Bitboard, Position, WHITE};
use crate::support::simd::Simd;

/// The sums of the last position, from both points of view.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Accumulator<const HIDDEN: usize> {
    /// The sums from each player's point of view, indexed by [`Player::index`].
    views: [[i16; HIDDEN]; 2],
    /// The pieces included in the sums, indexed by [`Player::index`].
    pieces: [Bitboard; 2],
}

impl<const HIDDEN: usize> Accumulator<HIDDEN> {
    /// The sums for an empty board.
    pub fn new(biases: &[i16; HIDDEN]) -> Self {
        Accumulator { views: [*biases; 2], pieces: [Bitboard::EMPTY; 2] }
    }

    /// The sums from the point of view of `player`.
    #[inline(always)]
    pub fn view(&self, player: Player) -> &[i16; HIDDEN] {
        &self.views[player.index()]
    }

    /// Updates the sums to those of `position`.
    #[inline(always)]
    pub fn update(&mut self, position: &Position, rows: &[[i16; HIDDEN]; FEATURES]) {
        let after = [position.pieces(BLACK), position.pieces(WHITE)];
        let before = std::mem::replace(&mut self.pieces, after);
        let mut removed = PieceSet::new([before[0] & !after[0], before[1] & !after[1]]);
        let mut added = PieceSet::new([after[0] & !before[0], after[1] & !before[1]]);
        // The number of pieces is constant during a game, so nearly all changes are moves.
        while !removed.is_empty() && !added.is_empty() {
            let (from, to) = (removed.take(), added.take());
            if removed.is_empty() || added.is_empty() {
                self.exchange([from], [to], rows);
            } else {
                self.exchange([from, removed.take()], [to, added.take()], rows);
            }
        }
        while !removed.is_empty() {
            self.exchange([removed.take()], [], rows);
        }
        while !added.is_empty() {
            self.exchange([], [added.take()], rows);
        }
    }

    /// The features are numbered from Black's point of view.
    #[inline(always)]
    fn exchange<const REMOVED: usize, const ADDED: usize>(
        &mut self,
        removed: [usize; REMOVED],
        added: [usize; ADDED],
        rows: &[[i16; HIDDEN]; FEATURES],
    ) {
        let [black, white] = &mut self.views;
        exchange(black, removed.map(|feature| &rows[feature]), added.map(|feature| &rows[feature]));
        let (removed, added) = (removed.map(seen_by_white), added.map(seen_by_white));
        exchange(white, removed.map(|feature| &rows[feature]), added.map(|feature| &rows[feature]));
    }
}

/// Subtracts the rows `removed` from `sums` and adds the rows `added`.
#[inline(always)]
fn exchange<const HIDDEN: usize, const REMOVED: usize, const ADDED: usize>(
    sums: &mut [i16; HIDDEN],
    removed: [&[i16; HIDDEN]; REMOVED],
    added: [&[i16; HIDDEN]; ADDED],
) {
    for (unit, sum) in sums.iter_mut().enumerate() {
        // Intermediate sums may be out of range, so they wrap.
        for row in removed {
            *sum = sum.wrapping_sub(row[unit]);
        }
        for row in added {
            *sum = sum.wrapping_add(row[unit]);
        }
    }
}

/// Part number `part` of `row`, sixteen numbers long.
#[inline(always)]
pub(crate) fn sixteen<const HIDDEN: usize>(row: &[i16; HIDDEN], part: usize) -> [i16; 16] {
    row.as_chunks().0[part]
}

/// The dot product of two rows, which must fit an `i32`.
#[inline(always)]
pub(crate) fn dot<S: Simd, const HIDDEN: usize>(a: &[i16; HIDDEN], b: &[i16; HIDDEN], simd: S) -> i32 {
    const { assert!(HIDDEN.is_multiple_of(16)) };
    let mut sums = [0; 8];
    for part in 0..HIDDEN / 16 {
        sums = simd.add_products(sums, sixteen(a, part), sixteen(b, part));
    }
    sums.iter().sum()
}

/// Converts a feature from Black's point of view to White's: a half turn complements the square's number, and own
/// pieces become opposing ones.
#[inline(always)]
fn seen_by_white(feature: usize) -> usize {
    FEATURES - 1 - feature
}

/// Pieces of both sides, two bitboards one after the other: a set of features numbered from Black's point of view.
///
/// Most of the eight words are empty, so a loop over their bits would be hard to predict. `occupied` says which bytes
/// hold bits.
struct PieceSet {
    words: [[u8; 8]; 8],
    /// Bit `8·byte + word` is set if that byte of that word is not 0.
    occupied: u64,
}

impl PieceSet {
    #[inline(always)]
    fn new([black, white]: [Bitboard; 2]) -> PieceSet {
        /// All bits of a byte but the highest.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        // Read word by word: a wider load right after narrower stores defeats store forwarding.
        let ([a, b, c, d], [e, f, g, h]) = (black.0, white.0);
        let words = [a, b, c, d, e, f, g, h];
        let mut occupied = 0;
        for (number, word) in words.into_iter().enumerate() {
            // The highest bit of each byte that is not 0.
            let highest = (((word & LOW) + LOW) | word) & !LOW;
            occupied |= highest >> (7 - number);
        }
        PieceSet { words: words.map(u64::to_le_bytes), occupied }
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// Removes a feature from the set, which must not be empty.
    #[inline(always)]
    fn take(&mut self) -> usize {
        let place = self.occupied.trailing_zeros() as usize;
        let (byte, word) = (place >> 3 & 7, place & 7);
        let bits = self.words[word][byte];
        let rest = bits & bits.wrapping_sub(1);
        if rest == 0 {
            self.occupied &= self.occupied.wrapping_sub(1);
        } else {
            self.words[word][byte] = rest;
        }
        word << 6 | byte << 3 | bits.trailing_zeros() as usize & 7
    }
}
