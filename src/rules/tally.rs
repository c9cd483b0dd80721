//! Sums over a side's pieces, for evaluations.

use super::camps::{camp, distance, goal};
use super::square::Square;
use crate::game::Player;

/// Five sums over the pieces of one side, packed into one word: a play updates all of them with one addition and one
/// subtraction.
///
/// | bits | sum over the side's pieces | maximum |
/// |---|---|---|
/// | 0–15 | [`distance`]² | 19·30² = 17,100 |
/// | 16–31 | [`distance`] | 19·30 = 570 |
/// | 32–47 | corridor: the offset from the diagonal between the camps, abs(x−y) | 19·15 = 285 |
/// | 48–55 | pieces in the goal | 19 |
/// | 56–63 | pieces in the side's own camp | 19 |
///
/// No sum can overflow into its neighbour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally(u64);

impl Tally {
    /// Adds a piece of `side` on `square`.
    #[inline]
    pub fn add(&mut self, side: Player, square: Square) {
        self.0 = self.0.wrapping_add(WEIGHTS[side.index()][square.index()]);
    }

    /// Removes a piece of `side` on `square`, which must have been added.
    #[inline]
    pub fn remove(&mut self, side: Player, square: Square) {
        self.0 = self.0.wrapping_sub(WEIGHTS[side.index()][square.index()]);
    }

    /// The sum of the squared distances to the goal's corner.
    #[inline]
    pub const fn squared_distance(self) -> i32 {
        (self.0 & 0xffff) as i32
    }

    /// The sum of the distances to the goal's corner.
    #[inline]
    pub const fn distance(self) -> i32 {
        (self.0 >> 16 & 0xffff) as i32
    }

    /// The sum of the offsets from the diagonal between the camps, abs(x−y).
    #[inline]
    pub const fn corridor(self) -> i32 {
        (self.0 >> 32 & 0xffff) as i32
    }

    /// The number of pieces in the goal.
    #[inline]
    pub const fn in_goal(self) -> u32 {
        (self.0 >> 48 & 0xff) as u32
    }

    /// The number of pieces in the side's own camp.
    #[inline]
    pub const fn at_home(self) -> u32 {
        (self.0 >> 56) as u32
    }
}

static WEIGHTS: [[u64; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut number = 0;
    while number < 256 {
        let square = Square::from_number(number as u8);
        let mut side = 0;
        while side < 2 {
            let player = Player::BOTH[side];
            let distance = distance(player, square) as u64;
            let corridor = square.x().abs_diff(square.y()) as u64;
            let in_goal = goal(player).contains(square) as u64;
            let at_home = camp(player).contains(square) as u64;
            table[side][number] =
                (distance * distance) | distance << 16 | corridor << 32 | in_goal << 48 | at_home << 56;
            side += 1;
        }
        number += 1;
    }
    table
};
