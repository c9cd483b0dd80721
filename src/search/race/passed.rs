//! Whether the armies have passed each other.
//!
//! The diagonals `x + y` run from Black's camp (0) to White's (30). If every black piece stands on a higher diagonal than
//! every white one, a line between them cuts the board into two halves. A half is convex, so a jump within it crosses
//! only squares within it: plays in one half neither help nor hinder the other side. (Only the last square of a chain
//! is required to be in the half. If the chain leaves the half on its way, the play may be illegal, and the race player
//! then leaves the decision to the search.)

use crate::game::Player;
use crate::rules::{BLACK, Bitboard, Position, Square, WHITE, camp};

/// The highest diagonal.
const LAST: usize = 30;

/// For each diagonal, the squares on it and beyond it, as seen from Black's camp.
static BEYOND: [Bitboard; LAST + 2] = {
    let mut table = [Bitboard::EMPTY; LAST + 2];
    let mut from = 0;
    while from <= LAST {
        let mut number = 0;
        while number < 256 {
            let square = Square::from_number(number as u8);
            if (square.x() + square.y()) as usize >= from {
                table[from] = table[from].with(square);
            }
            number += 1;
        }
        from += 1;
    }
    table
};

/// Whether the armies have passed each other: every black piece is nearer to Black's goal than every white one, and no
/// piece is in its own camp. Unless a side turns back, each then has half of the board to itself.
pub fn passed(position: &Position) -> bool {
    halves(position).is_some()
}

/// For each side, indexed by [`Player::index`], the half of the board that it has to itself once the armies have passed
/// each other; `None` before that. The diagonals between the armies are divided equally.
pub(super) fn halves(position: &Position) -> Option<[Bitboard; 2]> {
    let at_home = |side: Player| !(position.pieces(side) & camp(side)).is_empty();
    if Player::BOTH.into_iter().any(at_home) {
        return None;
    }
    let (blacks_rear, _) = position.pieces(BLACK).diagonal_span()?;
    let (_, whites_rear) = position.pieces(WHITE).diagonal_span()?;
    let border = usize::from(blacks_rear + whites_rear) / 2 + 1;
    (whites_rear < blacks_rear).then(|| [BEYOND[border], !BEYOND[border]])
}
