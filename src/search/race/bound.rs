//! A lower bound on the number of plays of a race.
//!
//! Let `h` be the number of holes, the empty squares of the goal. A play fills at most one, so at least `h` plays
//! *enter*; all others are *extra*. The bound is `h` plus the largest number of extra plays that one of three arguments
//! requires:
//!
//! - **Parity** (after Bell, "The Shortest Game of Chinese Checkers and Related Problems", 2009, who applies it to
//!   whole games). Jumps keep a piece's parity class, and a step changes it. If the classes together lack `s` pieces
//!   that the goal needs, at least `s` steps are needed. A piece next to the goal may make one as it enters; any other
//!   needs an extra play before it can enter by a step, and that play may be a step too. So `s ≤ (pieces next to the
//!   goal) + 2·extra`.
//! - **Contact.** A piece that is neither next to the goal nor next to another piece cannot enter with its next play,
//!   and no play that enters brings another piece next to it. An extra play can make contact for five such pieces: the
//!   one that moves, and one at each corner of the square where it lands.
//! - **Stones.** A chain of jumps needs one piece to jump over for every two rows or columns outside the goal. So the
//!   piece that enters with `i` pieces outside, including itself, must be at most `2i−1` steps away, and an extra play
//!   brings a piece nearer by at most `2(h−1)` steps (by one, if it is the last piece).
//!
//! The last two arguments hold only if the number of pieces outside equals the number of holes and the opponent's pieces
//! are out of reach. Otherwise only parity is used.

use super::side::{GOAL, Race};
use crate::rules::{BOARD_SIZE, Bitboard, Play, Square, neighbours};

/// The maximum number of pieces for which one play makes contact.
const CONTACTS_PER_PLAY: u32 = 5;

/// The number of king's steps from each square to the goal.
pub(super) static STEPS_TO_GOAL: [u8; 256] = {
    let mut table = [BOARD_SIZE; 256];
    let mut other = 0;
    while other < 256 {
        let to = Square::from_number(other as u8);
        let mut number = if GOAL.contains(to) { 0 } else { 256 };
        while number < 256 {
            let steps = Square::from_number(number as u8).steps_to(to);
            if steps < table[number] {
                table[number] = steps;
            }
            number += 1;
        }
        other += 1;
    }
    table
};

/// The squares next to the goal.
const RIM: Bitboard = {
    let mut rim = Bitboard::EMPTY;
    let mut number = 0;
    while number < 256 {
        if STEPS_TO_GOAL[number] == 1 {
            rim = rim.with(Square::from_number(number as u8));
        }
        number += 1;
    }
    rim
};

/// The pieces that the goal still lacks. It is updated play by play, and is enough to rule out most boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortage {
    /// The number of empty squares in the goal.
    pub holes: u32,
    /// The number of pieces missing from the parity classes that the goal needs.
    pub steps: u32,
    /// The number of pieces in each parity class beyond those that the goal needs.
    surplus: [i8; 4],
}

impl Shortage {
    #[inline]
    pub(super) fn of(race: &Race, pieces: Bitboard) -> Shortage {
        let count = |squares: Bitboard, class| squares.class_word(class).count_ones() as i8;
        let surplus = [0, 1, 2, 3].map(|class| count(pieces, class) - count(race.target, class));
        let steps = surplus.iter().map(|&surplus| u32::from((-surplus).max(0) as u8)).sum();
        Shortage { holes: (race.target & !pieces).count(), steps, surplus }
    }

    /// `holes` and `steps` after `play`.
    #[inline(always)]
    pub(super) fn after(&self, race: &Race, play: Play) -> (u32, u32) {
        let Play { from, to } = play;
        let holes = self.holes + u32::from(race.target.contains(from)) - u32::from(race.target.contains(to));
        if play.is_jump() {
            return (holes, self.steps);
        }
        let [lost, gained] = [from, to].map(|square| self.surplus[square.class()]);
        (holes, self.steps + u32::from(lost <= 0) - u32::from(gained < 0))
    }
}

impl Race {
    /// A lower bound on the number of plays needed to fill the goal.
    pub fn min_plays(&self) -> u32 {
        let Shortage { holes, steps, .. } = Shortage::of(self, self.pieces);
        min_plays(self, self.pieces, holes, steps)
    }
}

/// A lower bound on the number of plays that finish `race` from `pieces`, which have a [`Shortage`] of `holes` and
/// `steps`.
#[inline]
pub(super) fn min_plays(race: &Race, pieces: Bitboard, holes: u32, steps: u32) -> u32 {
    let at_rim = (pieces & RIM).count();
    let parity = steps.saturating_sub(at_rim).div_ceil(2);
    let outside = pieces & !GOAL;
    if !race.alone || outside.count() != holes {
        return holes + parity;
    }
    holes + parity.max(contact(pieces, outside & !RIM)).max(stones(outside))
}

/// The extra plays needed to make contact for the pieces in `away` that have no neighbour in `pieces`.
#[inline]
fn contact(pieces: Bitboard, away: Bitboard) -> u32 {
    let mut lonely = 0;
    away.for_each(|piece| lonely += u32::from((neighbours(piece) & pieces).is_empty()));
    lonely.div_ceil(CONTACTS_PER_PLAY)
}

/// The extra plays needed to bring the pieces `outside` near enough to enter.
#[inline]
fn stones(outside: Bitboard) -> u32 {
    // The i-th nearest must be within 2i−1 steps. Each byte counts the pieces at one distance.
    let mut at_distance = 0u128;
    outside.for_each(|piece| at_distance += 1 << (8 * STEPS_TO_GOAL[piece.index()]));
    let (mut nth, mut missing) = (0, 0);
    while at_distance != 0 {
        let distance = at_distance.trailing_zeros() / 8;
        at_distance -= 1 << (8 * distance);
        nth += 1;
        missing += distance.saturating_sub(2 * nth - 1);
    }
    missing.div_ceil((2 * u32::saturating_sub(nth, 1)).max(1))
}
