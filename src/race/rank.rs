//! Which boards of a race look promising: lower ranks are better.
//!
//! A rank is a sum over the pieces plus what the parity classes lack, so a play changes it by a
//! difference of two entries of a table and a look at two classes. It is not a bound.

use super::bound::STEPS_TO_GOAL;
use super::side::GOAL;
use crate::halma::{Bitboard, Play, Square};


use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
/// Tuning.
pub static W: [AtomicI32; 7] = [AtomicI32::new(1), AtomicI32::new(2), AtomicI32::new(0), AtomicI32::new(0), AtomicI32::new(4), AtomicI32::new(49), AtomicI32::new(4)];

pub(super) struct Ranking {
    squares: [i32; 256],
    parity: i32,
    needed: i32,
}

impl Ranking {
    pub(super) fn new() -> Ranking {
        let w: Vec<i32> = W.iter().map(|w| w.load(Relaxed)).collect();
        let squares = std::array::from_fn(|number| {
            let square = Square::from_number(number as u8);
            let away = 30 - square.x() as i32 - square.y() as i32;
            let off = (square.x() as i32 - square.y() as i32).abs();
            let mut v = w[0] * away + w[1] * away * away + w[6] * off;
            if !GOAL.contains(square) {
                v += w[2] + w[3] * STEPS_TO_GOAL[number] as i32;
            }
            v
        });
        Ranking { squares, parity: w[4], needed: w[5] }
    }

    #[inline]
    pub(super) fn squares(&self, pieces: Bitboard) -> i32 {
        let mut sum = 0;
        pieces.for_each(|piece| sum += self.squares[piece.index()]);
        sum
    }

    #[inline]
    pub(super) fn gain(&self, play: Play) -> i32 {
        self.squares[play.to.index()] - self.squares[play.from.index()]
    }

    #[inline]
    pub(super) fn rank(&self, squares: i32, steps: u32, needed: u32) -> i32 {
        squares + self.parity * steps as i32 + self.needed * needed as i32
    }
}
