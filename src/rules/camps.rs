//! The two camps, and distances from them.

use super::bitboard::Bitboard;
use super::square::{BOARD_SIZE, Square};
use crate::game::Player;

/// The number of pieces of a side: one for each square of its camp.
pub const PIECES: u32 = 19;

const BLACK_CAMP: Bitboard = Bitboard::from_picture(
    "
    X X X X X . . . . . . . . . . .
    X X X X X . . . . . . . . . . .
    X X X X . . . . . . . . . . . .
    X X X . . . . . . . . . . . . .
    X X . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . . .
    ",
);

const CAMPS: [Bitboard; 2] = [BLACK_CAMP, BLACK_CAMP.half_turn()];

/// The 19 squares on which `side` starts.
#[inline]
pub const fn camp(side: Player) -> Bitboard {
    CAMPS[side.index()]
}

/// The 19 squares that `side` must fill: the opponent's camp.
#[inline]
pub const fn goal(side: Player) -> Bitboard {
    CAMPS[side.opponent().index()]
}

/// The distance from `square` to the corner of `side`'s goal: columns plus rows, 0…30.
#[inline]
pub const fn distance(side: Player, square: Square) -> u8 {
    DISTANCES[side.index()][square.index()]
}

/// The squares further than `from` from the corner of `side`'s camp: further in at least one coordinate, and closer in
/// neither (addendum, rule 2b).
#[inline]
pub fn further(side: Player, from: Square) -> Bitboard {
    FURTHER[side.index()][from.index()]
}

static DISTANCES: [[u8; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut number = 0;
    while number < 256 {
        let square = Square::from_number(number as u8);
        table[0][number] = 30 - square.x() - square.y();
        table[1][number] = square.x() + square.y();
        number += 1;
    }
    table
};

// Each set is derived from that of the neighbouring square, to keep compile time short.
static FURTHER: [[Bitboard; 256]; 2] = {
    let mut table = [[Bitboard::EMPTY; 256]; 2];
    let mut at = 256;
    while at > 0 {
        at -= 1;
        let from = Square::new((at % 16) as u8, (at / 16) as u8);
        let mut further = match from.offset(1, 0) {
            Some(beside) => table[0][beside.index()].with(beside),
            None => Bitboard::EMPTY,
        };
        let mut y = from.y() + 1;
        while y < BOARD_SIZE {
            further = further.with(Square::new(from.x(), y));
            y += 1;
        }
        table[0][from.index()] = further;
        table[1][from.half_turn().index()] = further.half_turn();
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_camps_have_the_shape_in_the_rules() {
        let rows = [5, 5, 4, 3, 2];
        let black: Bitboard =
            (0..5u8).flat_map(|y| (0..rows[y as usize]).map(move |x| Square::new(x, y))).collect();
        assert_eq!(camp(Player::One), black);
        assert_eq!(camp(Player::One).count(), PIECES);
        assert_eq!(camp(Player::Two), black.half_turn());
        assert_eq!(goal(Player::One), camp(Player::Two));
    }

    #[test]
    fn distance_and_further_mirror_each_other() {
        for square in Square::all() {
            assert_eq!(distance(Player::One, square), distance(Player::Two, square.half_turn()));
            let mirrored = further(Player::Two, square.half_turn()).half_turn();
            assert_eq!(further(Player::One, square), mirrored);
            for to in Square::all() {
                let is_further = to != square && to.x() >= square.x() && to.y() >= square.y();
                assert_eq!(further(Player::One, square).contains(to), is_further, "{square} {to}");
            }
        }
        assert_eq!(distance(Player::One, Square::new(0, 0)), 30);
        assert_eq!(distance(Player::One, Square::new(15, 15)), 0);
    }
}
