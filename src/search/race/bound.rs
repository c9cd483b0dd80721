//! How many plays a race takes at the least.
//!
//! Let `h` be the number of holes, the empty squares of the goal. A play fills at most one, so at least
//! `h` plays *enter*; the rest are *extra*. Three arguments ask for extra plays, and the bound is `h` plus
//! the most that one of them asks for:
//!
//! - **Parity** (after Bell, "Minimum-length games of Halma-like games", 2008, who has it for whole
//!   games). Jumps keep a piece's parity class; only a step changes it, to one other. If the classes
//!   lack `s` pieces of what the goal needs, there are `s` steps at least. A piece that now stands
//!   next to the goal may make one as it enters; any other needs an extra play before it can enter by
//!   a step, and that may be a step too. So `s ≤ (pieces next to the goal) + 2·extra`.
//! - **Contact.** A piece that is neither next to the goal nor to any other piece cannot enter at once,
//!   nor can a play that enters bring another piece to its side. An extra play can make contact
//!   for five of them: the piece that moves, and one at each corner of the square where it lands.
//! - **Stones.** A chain of jumps needs a piece to jump over for every two rows or columns outside the
//!   goal. The piece that enters with `i` pieces outside, itself included, must then be no more than
//!   `2i−1` steps away, and an extra play brings a piece nearer by `2(h−1)` steps at the most (by one,
//!   if it is the last piece).
//!
//! The last two hold if exactly as many pieces are outside as there are holes, and the opponent's
//! are out of reach; else only the first argument is used.

use super::side::{GOAL, Race};
use crate::rules::{BOARD_SIZE, Bitboard, Play, Square, neighbours};

/// One play can make contact for at most this many pieces without a neighbour.
const MADE_BY_ONE: u32 = 5;

/// How many king's steps each square is away from the goal.
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

/// What the goal lacks on some board. The shortage after a play follows from the one before it, which
/// is enough to drop most boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortage {
    /// How many squares of the goal are empty.
    pub holes: u32,
    /// How many pieces of each parity class the goal needs more than there are, all together.
    pub steps: u32,
    /// How many pieces of each parity class there are more than the goal needs.
    surplus: [i8; 4],
}

impl Shortage {
    /// The shortage of `race` when the pieces are on `pieces`.
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
    /// How many plays it takes at the least to fill the goal.
    pub fn plays_needed(&self) -> u32 {
        let Shortage { holes, steps, .. } = Shortage::of(self, self.pieces);
        plays_needed(self, self.pieces, holes, steps)
    }
}

/// How many plays it takes at the least to finish `race` when the pieces are on `pieces`, and `holes` and `steps` are
/// those of their [`Shortage`].
#[inline]
pub(super) fn plays_needed(race: &Race, pieces: Bitboard, holes: u32, steps: u32) -> u32 {
    let at_rim = (pieces & RIM).count();
    let parity = steps.saturating_sub(at_rim).div_ceil(2);
    let outside = pieces & !GOAL;
    if !race.alone || outside.count() != holes {
        return holes + parity;
    }
    holes + parity.max(contact(pieces, outside & !RIM)).max(stones(outside))
}

/// Extra plays to bring the pieces of `away` that have no neighbour among `pieces` into contact.
#[inline]
fn contact(pieces: Bitboard, away: Bitboard) -> u32 {
    let mut lonely = 0;
    away.for_each(|piece| lonely += u32::from((neighbours(piece) & pieces).is_empty()));
    lonely.div_ceil(MADE_BY_ONE)
}

/// Extra plays to bring the pieces `outside` as near as they must be when they enter.
#[inline]
fn stones(outside: Bitboard) -> u32 {
    // Nearest first, so that the i-th has to be within 2i−1 steps: counted by distance, in a byte each.
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
