//! Which boards of a race look good: lower ranks are better.
//!
//! A rank is a sum over the pieces, plus what the parity classes lack, plus the bound:
//!
//! ```text
//! rank = Σ (distance·d + straggler·d² + corridor·abs(x−y)) + parity·steps + bound·(plays needed)
//! ```
//!
//! where d is the distance to the goal's corner. There are four sets of weights, because one may keep in a
//! narrow beam what another drops: some dislike pieces that stay behind, others count how far all have to
//! go, and let one piece wait while the others make a ladder for it.
//!
//! Random search found the weights. The third set needs the fewest plays in all on the 200 positions in
//! `tests/data/race/endings.txt`, with 3,000 and with 375 boards each. The others are the best of 300 on the seven
//! hardest positions: the two that solve the most together, and one that is good where these fail.

use crate::rules::{Bitboard, Play, Square};

/// How a board is ranked.
pub(super) struct Rank {
    /// What a piece on each square adds.
    squares: [i32; 256],
    /// What each step that the parity classes lack adds.
    parity: i32,
    /// What each play needed at the least adds.
    bound: i32,
}

/// The ranks, in the order in which beams take them.
#[rustfmt::skip]
pub(super) static RANKS: [Rank; 4] = [
    //   distance, straggler, corridor   parity       bound
    Rank { squares: squares(0, 1, 12), parity: 4,  bound: 10 },
    Rank { squares: squares(4, 0, 6),  parity: 16, bound: 120 },
    Rank { squares: squares(1, 2, 4),  parity: 4,  bound: 49 },
    Rank { squares: squares(6, 0, 12), parity: 0,  bound: 40 },
];

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
