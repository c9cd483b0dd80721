//! The best step and the furthest jump forward of one piece.

use super::bitboard::{Bitboard, class_diagonals};
use super::furthest::{FurthestJump, diagonal, front, rear, square_of};
use super::reach::Jumps;
use super::square::Square;
use crate::game::Player;

/// The jump furthest forward of the piece on `from` that ends outside `barred`; `None` if no jump leads forward.
/// `occupied` are all pieces on the board.
///
/// ```
/// use halma::rules::{furthest_jump_of, furthest_step};
/// use halma::{Game, Position, Square};
///
/// let position = Position::default();
/// let (side, occupied) = (position.to_move(), position.occupied());
/// let (_, barred) = position.forward_bounds(side);
/// // The piece on 2,2 can jump out of the camp. The one on 4,1 cannot, but can step.
/// let jump = furthest_jump_of(side, Square::new(2, 2), occupied, barred).unwrap();
/// assert_eq!((jump.to, jump.diagonals), (Square::new(4, 2), 1));
/// let edge = Square::new(4, 1);
/// assert_eq!(furthest_jump_of(side, edge, occupied, barred), None);
/// assert_eq!(furthest_step(side, edge, occupied | barred), Some((Square::new(5, 2), 2)));
/// ```
#[inline(always)]
pub fn furthest_jump_of(
    side: Player,
    from: Square,
    occupied: Bitboard,
    barred: Bitboard,
) -> Option<FurthestJump> {
    let class = from.class();
    let landings = Jumps::of_class(occupied, class).chains(from.bit()) & !barred.class_word(class);
    if landings == 0 {
        return None;
    }
    let start = rear(side, 1 << ((from.number() & 7) + (from.number() >> 3 & 7)));
    let front = front(side, class_diagonals(landings).into());
    (front > start).then(|| {
        let to = square_of(class, landings & diagonal(side, front));
        FurthestJump { from, to, diagonals: (front - start) as u32 }
    })
}

/// The best step forward of the piece on `from` to a square outside `taken`, and its progress in columns plus rows:
/// along the diagonal between the camps if it is open, else straight. `taken` contains `from`.
#[inline(always)]
pub fn furthest_step(side: Player, from: Square, taken: Bitboard) -> Option<(Square, i32)> {
    let [diagonal, along_row, along_column] = FORWARD[side.index()][from.index()];
    if !taken.contains(diagonal) {
        Some((diagonal, 2))
    } else if !taken.contains(along_row) {
        Some((along_row, 1))
    } else if !taken.contains(along_column) {
        Some((along_column, 1))
    } else {
        None
    }
}

/// The squares one step forward: diagonally, along the row, along the column. The piece's own square, which is taken,
/// stands for a square beyond the edge.
static FORWARD: [[[Square; 3]; 256]; 2] = {
    let mut table = [[[Square::new(0, 0); 3]; 256]; 2];
    let mut number = 0;
    while number < 256 {
        let from = Square::from_number(number as u8);
        let mut direction = 0;
        while direction < 3 {
            let (dx, dy) = [(1, 1), (1, 0), (0, 1)][direction];
            table[0][number][direction] = match from.offset(dx, dy) {
                Some(to) => to,
                None => from,
            };
            table[1][number][direction] = match from.offset(-dx, -dy) {
                Some(to) => to,
                None => from,
            };
            direction += 1;
        }
        number += 1;
    }
    table
};
