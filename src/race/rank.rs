//! Which boards of a race look promising: lower ranks are better.
//!
//! A rank is a sum over the pieces, plus what the parity classes lack, plus the bound:
//!
//! ```text
//! rank = Σ (distance·d + straggler·d² + corridor·abs(x−y)) + parity·steps + bound·(plays needed)
//! ```
//!
//! where d is the distance to the goal's corner. There are two, for what one of them drops from a narrow beam the
//! other may keep: [`TOGETHER`] dislikes pieces that stay behind, [`APART`] counts how far all have to go, and
//! lets one wait while others make a ladder for it.
//!
//! The weights of the first were found by trying random changes for some minutes, on the 200 positions in
//! `tests/data/race/`: the fewest plays in all, with 3,000 and with 375 boards each. Those of the second are about
//! what the random ones had in common that solved an ending on which the first fails: no weight for d².

use crate::halma::{Bitboard, Play, Square};

/// How a board is ranked.
pub(super) struct Rank {
    /// What a piece on each square adds.
    squares: [i32; 256],
    /// What each step that the parity classes lack adds.
    parity: i32,
    /// What each play needed at the least adds.
    bound: i32,
}

/// Stragglers count by the square of their distance.
pub(super) static TOGETHER: Rank = Rank { squares: squares(1, 2, 4), parity: 4, bound: 49 };
/// All distances count alike.
pub(super) static APART: Rank = Rank { squares: squares(6, 0, 6), parity: 8, bound: 40 };

/// What a piece on each square adds, by these weights.
const fn squares(distance: i32, straggler: i32, corridor: i32) -> [i32; 256] {
    let mut table = [0; 256];
    let mut number = 0;
    while number < 256 {
        let square = Square::from_number(number as u8);
        let away = 30 - square.x() as i32 - square.y() as i32;
        let off = square.x().abs_diff(square.y()) as i32;
        table[number] = distance * away + straggler * away * away + corridor * off;
        number += 1;
    }
    table
}

impl Rank {
    /// The sum over the pieces on `pieces`.
    #[inline]
    pub fn sum(&self, pieces: Bitboard) -> i32 {
        let mut sum = 0;
        pieces.for_each(|piece| sum += self.squares[piece.index()]);
        sum
    }

    /// What `play` adds to that sum.
    #[inline]
    pub fn change(&self, play: Play) -> i32 {
        self.squares[play.to.index()] - self.squares[play.from.index()]
    }

    /// The rank of a board with that sum, `steps` short of the right parity classes, from which it
    /// takes `needed` plays at the least.
    #[inline]
    pub fn of(&self, sum: i32, steps: u32, needed: u32) -> i32 {
        sum + self.parity * steps as i32 + self.bound * needed as i32
    }
}
