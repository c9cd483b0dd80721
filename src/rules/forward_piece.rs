//! The best step and the furthest jump forward of one piece, and the furthest jump of four.

use super::bitboard::{Bitboard, class_diagonals};
use super::flood::Field;
use super::furthest::{FurthestJump, diagonal, front, rear, square_of};
use super::reach::Jumps;
use super::square::Square;
use crate::game::Player;
use crate::support::simd::{Simd, SimdTask, with_simd};

/// The furthest jump forward of the piece on `from` to a square outside `barred`; `None` if no jump leads forward.
/// `occupied` holds all pieces on the board.
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

/// The furthest jump forward of any of four pieces, and the index in `from` of the piece that makes it; among equals,
/// the first. `from` may contain a square more than once. The jump ends outside `barred`; `None` if no jump leads
/// forward. `occupied` holds all pieces on the board.
///
/// All four are searched side by side, which is faster than searching three one by one (`tuning/EXPERIMENTS.md`, E258).
///
/// ```
/// use halma::rules::{furthest_jump_of, furthest_jump_of_four};
/// use halma::{Game, Position, Square};
///
/// let position = Position::default();
/// let (side, occupied) = (position.to_move(), position.occupied());
/// let (_, barred) = position.forward_bounds(side);
/// let pieces = [Square::new(4, 1), Square::new(2, 2), Square::new(4, 0), Square::new(4, 0)];
/// let jump = furthest_jump_of(side, Square::new(2, 2), occupied, barred).unwrap();
/// assert_eq!(furthest_jump_of_four(side, pieces, occupied, barred), Some((1, jump)));
/// ```
#[inline]
pub fn furthest_jump_of_four(
    side: Player,
    from: [Square; 4],
    occupied: Bitboard,
    barred: Bitboard,
) -> Option<(usize, FurthestJump)> {
    with_simd(FindJumpOfFour { side, from, occupied, barred })
}

/// Finds the furthest jump of four pieces, each with the words of its own class.
#[derive(Clone, Copy)]
struct FindJumpOfFour {
    side: Player,
    from: [Square; 4],
    occupied: Bitboard,
    barred: Bitboard,
}

impl SimdTask for FindJumpOfFour {
    type Output = Option<(usize, FurthestJump)>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<(usize, FurthestJump)> {
        let FindJumpOfFour { side, from, occupied, barred } = self;
        let [a, b, c, d] = from;
        let classes = [a.class(), b.class(), c.class(), d.class()];
        let field = Field::new(simd, occupied).select(classes);
        let pieces = simd.load([a.bit(), b.bit(), c.bit(), d.bit()]);
        let [reached] = field.flood([field.landings(pieces)]);
        let landings = simd.and_not(reached, simd.select(simd.load(barred.0), classes));
        let fronts = field.front(side, landings);
        let lengths = simd.store(simd.sub(fronts, field.rear(side, pieces)));
        let (mut longest, mut place) = (0, 0);
        for (piece, &length) in lengths.iter().enumerate() {
            // Negative without a landing square.
            let length = length as i64;
            (longest, place) = if length > longest { (length, piece) } else { (longest, place) };
        }
        if longest == 0 {
            return None;
        }
        let squares = simd.store(simd.and(landings, field.on_diagonal(side, fronts)))[place];
        let to = square_of(classes[place], squares);
        Some((place, FurthestJump { from: from[place], to, diagonals: longest as u32 }))
    }
}

/// The best step forward of the piece on `from` to a square outside `taken`, and its progress in columns plus rows. A
/// diagonal step is best; if that square is taken, a straight one is. `taken` contains `from`.
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

#[cfg(test)]
mod tests {
    use super::super::position::Rules;
    use super::super::test_games::forward_games;
    use super::*;
    use crate::game::Game;
    use crate::support::random::Random;
    use crate::support::simd::with_each_simd;

    #[test]
    fn four_pieces_jump_as_far_as_each_alone() {
        let (mut random, mut found) = (Random::new(1), [0; 4]);
        let positions = forward_games(2, 200, Rules::Addendum);
        for position in positions.flat_map(|position| [position, position.pass()]) {
            let (side, occupied) = (position.to_move(), position.occupied());
            let (movable, barred) = position.forward_bounds(side);
            let pieces: Vec<Square> = movable.into_iter().collect();
            let from = [(); 4].map(|()| pieces[random.below(pieces.len())]);
            let mut expected: Option<(usize, FurthestJump)> = None;
            for (place, from) in from.into_iter().enumerate() {
                if let Some(jump) = furthest_jump_of(side, from, occupied, barred)
                    && expected.is_none_or(|(_, best)| jump.diagonals > best.diagonals)
                {
                    expected = Some((place, jump));
                }
            }
            for jump in with_each_simd(|| FindJumpOfFour { side, from, occupied, barred }) {
                assert_eq!(jump, expected, "{from:?} in\n{position}");
            }
            expected.inspect(|&(place, _)| found[place] += 1);
        }
        assert!(found.into_iter().all(|times| times > 20), "{found:?}");
    }
}
