//! Whether the armies have passed each other.
//!
//! The diagonals `x + y` order the board from Black's camp (0) to White's (30). If every piece of
//! Black's stands on a higher diagonal than every piece of White's, a line between them cuts the
//! board into two halves. A jump within a half has its middle there too, for a half is convex: a
//! side that keeps to its half is neither helped nor hindered by what goes on in the other.

use crate::game::Player;
use crate::rules::{BLACK, Bitboard, Position, Square, WHITE, camp};

/// The highest diagonal.
const LAST: usize = 30;

/// For each diagonal, the squares on it and beyond, as seen from Black's camp.
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

/// Whether the armies have passed each other: all of Black's pieces are nearer to Black's goal
/// than all of White's, and no piece is in its own camp.
///
/// Then each side has a half of the board for itself, as long as nobody turns back.
pub fn passed(position: &Position) -> bool {
    halves(position).is_some()
}

/// The half of the board that each side (by [`Player::index`]) has for itself once the armies have
/// passed each other. The diagonals between the armies are shared out. `None` before that.
pub(super) fn halves(position: &Position) -> Option<[Bitboard; 2]> {
    let at_home = |side: Player| !(position.pieces(side) & camp(side)).is_empty();
    if Player::BOTH.into_iter().any(at_home) {
        return None;
    }
    let rear = rearmost(position.pieces(BLACK))?;
    let opponents = LAST - rearmost(position.pieces(WHITE).half_turn())?;
    let border = (rear + opponents) / 2 + 1;
    (opponents < rear).then(|| [BEYOND[border], !BEYOND[border]])
}

/// The lowest diagonal with a piece.
fn rearmost(pieces: Bitboard) -> Option<usize> {
    (0..=LAST).rev().find(|&diagonal| (pieces & !BEYOND[diagonal]).is_empty()).filter(|_| !pieces.is_empty())
}
