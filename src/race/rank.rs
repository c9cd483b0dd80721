//! Which boards of a race look promising: lower ranks are better.
//!
//! A rank is a sum over the pieces, plus what the parity classes lack, plus the bound:
//!
//! ```text
//! rank = Σ (DISTANCE·d + STRAGGLER·d² + CORRIDOR·abs(x−y)) + PARITY·steps + BOUND·(plays needed)
//! ```
//!
//! where d is the distance to the goal's corner. The weights were found by trying random changes
//! for some minutes, on the 200 positions in `tests/data/race/`: the fewest plays in all, with 3,000
//! and with 375 boards each.

use crate::halma::{Bitboard, Play, Square};

const DISTANCE: i32 = 1;
const STRAGGLER: i32 = 2;
const CORRIDOR: i32 = 4;
const PARITY: i32 = 4;
const BOUND: i32 = 49;

/// What a piece on each square adds.
static SQUARES: [i32; 256] = {
    let mut table = [0; 256];
    let mut number = 0;
    while number < 256 {
        let square = Square::from_number(number as u8);
        let away = 30 - square.x() as i32 - square.y() as i32;
        let off = square.x().abs_diff(square.y()) as i32;
        table[number] = DISTANCE * away + STRAGGLER * away * away + CORRIDOR * off;
        number += 1;
    }
    table
};

/// The sum over the pieces on `pieces`.
#[inline]
pub(super) fn sum(pieces: Bitboard) -> i32 {
    let mut sum = 0;
    pieces.for_each(|piece| sum += SQUARES[piece.index()]);
    sum
}

/// What `play` adds to that sum.
#[inline]
pub(super) fn change(play: Play) -> i32 {
    SQUARES[play.to.index()] - SQUARES[play.from.index()]
}

/// The rank of a board with that sum, `steps` short of the right parity classes, from which it
/// takes `needed` plays at the least.
#[inline]
pub(super) fn rank(sum: i32, steps: u32, needed: u32) -> i32 {
    sum + PARITY * steps as i32 + BOUND * needed as i32
}
