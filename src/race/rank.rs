//! Which boards of a race look promising: lower ranks are better.
//!
//! A rank is a sum over the pieces plus what the parity classes lack, so a play changes it by a
//! difference of two entries of a table and a look at two classes. It is not a bound.

use super::bound::{STEPS_TO_GOAL, Shortage};
use super::side::{GOAL, Race};
use crate::halma::{Bitboard, Square};

/// For each column and row of distance to the corner.
const DISTANCE: i32 = 16;
/// For its square: one piece far behind is worse than two a little behind.
const STRAGGLER: i32 = 1;
/// For being outside the goal.
const OUTSIDE: i32 = 60;
/// For each step to the goal.
const STEPS: i32 = 8;
/// For each step that the parity classes ask for.
const PARITY: i32 = 30;

/// What a piece on each square adds.
static SQUARES: [i32; 256] = {
    let mut table = [0; 256];
    let mut number = 0;
    while number < 256 {
        let square = Square::from_number(number as u8);
        let away = 30 - square.x() as i32 - square.y() as i32;
        table[number] = DISTANCE * away + STRAGGLER * away * away;
        if !GOAL.contains(square) {
            table[number] += OUTSIDE + STEPS * STEPS_TO_GOAL[number] as i32;
        }
        number += 1;
    }
    table
};


/// The rank of the board with the side's pieces on `pieces`.
#[inline]
pub(super) fn rank(race: &Race, pieces: Bitboard) -> i32 {
    let mut sum = PARITY * Shortage::of(race, pieces).steps as i32;
    pieces.for_each(|piece| sum += SQUARES[piece.index()]);
    sum
}
