//! The ranks of boards in a race. Low ranks are good.
//!
//! A rank is a sum over the pieces, plus the steps that the parity classes require, plus the lower bound on the plays:
//!
//! ```text
//! rank = Σ (distance·d + straggler·d² + corridor·abs(x−y)) + parity·steps + bound·(plays needed)
//! ```
//!
//! where d is the distance to the goal's corner. There are four sets of weights, because in a narrow beam one may keep a
//! board that another drops: some penalise stragglers, others only sum the distances and let one piece wait while the
//! rest build a ladder for it.
//!
//! The weights come from random search. The third set needs the fewest plays in total on the 200 positions in
//! `tests/data/race/endings.txt`, with 3,000 and with 375 boards each. The others are the best of 300 on the seven
//! hardest positions: the two that together solve the most, and one that does well where those two fail.

use crate::rules::{Bitboard, Play, Square};

pub(super) struct Rank {
    /// By square: the amount added for a piece there.
    squares: [i32; 256],
    /// The amount added for each step that the parity classes require.
    parity: i32,
    /// The amount added for each play of the lower bound.
    bound: i32,
}

/// The ranks, in the order in which beams use them.
#[rustfmt::skip]
pub(super) static RANKS: [Rank; 4] = [
    //   distance, straggler, corridor   parity       bound
    Rank { squares: squares(0, 1, 12), parity: 4,  bound: 10 },
    Rank { squares: squares(4, 0, 6),  parity: 16, bound: 120 },
    Rank { squares: squares(1, 2, 4),  parity: 4,  bound: 49 },
    Rank { squares: squares(6, 0, 12), parity: 0,  bound: 40 },
];

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
    /// The part of the rank that is a sum over the pieces.
    #[inline]
    pub fn sum(&self, pieces: Bitboard) -> i32 {
        let mut sum = 0;
        pieces.for_each(|piece| sum += self.squares[piece.index()]);
        sum
    }

    /// How much `play` changes that sum.
    #[inline]
    pub fn change(&self, play: Play) -> i32 {
        self.squares[play.to.index()] - self.squares[play.from.index()]
    }

    /// The rank of a board with this `sum` that requires `steps` steps and at least `plays` plays.
    #[inline]
    pub fn of(&self, sum: i32, steps: u32, plays: u32) -> i32 {
        sum + self.parity * steps as i32 + self.bound * plays as i32
    }
}
