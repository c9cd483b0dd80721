//! An estimate, without a search, of the number of plays that a side still needs.
//!
//! It is a weighted sum of features of the side's pieces. The weights were fitted by least squares to the number of
//! plays that [`solve`](super::solve) finds with 2,000 boards, at every fifth ply after the first 40 plies of 30 games
//! of the engine against itself (two thirds for fitting, one third for testing). The root-mean-square error is 3.0
//! plays over all positions, which need up to 62 plays, and 1.4 over those that need at most 12. With distance alone,
//! the errors are 7.9 and 4.6.

use super::side::GOAL;
use crate::game::Player;
use crate::rules::{PIECES, Position, Square, distance, goal, neighbours};

/// Plays added for each piece outside the goal.
const OUTSIDE: f32 = 0.614;
/// Plays added for each row or column of a piece's distance.
const DISTANCE: f32 = 0.1155;
/// Plays added for each row or column of the pieces' offsets from the diagonal, beyond their sum in a full goal.
const CORRIDOR: f32 = 0.151;
/// Plays added for each step that the parity classes require.
const PARITY: f32 = 0.191;
/// Plays added for each row or column of the rearmost piece's distance beyond [`NEAR`].
const REARMOST: f32 = 0.512;
/// Plays added for each piece outside the goal without a neighbour of its own side.
const LONELY: f32 = 0.355;

/// Up to this distance from the goal's corner, in rows plus columns, the rearmost piece adds no plays. The goal's own
/// squares are at most 5 away.
const NEAR: u8 = 8;

/// The sums over a full goal's squares of their distances from the corner and of their offsets from the diagonal,
/// abs(x−y).
const GOAL_SUMS: (i32, i32) = {
    let (mut distance, mut corridor, mut number) = (0, 0, 0);
    while number < 256 {
        let square = Square::from_number(number as u8);
        if GOAL.contains(square) {
            distance += 30 - square.x() as i32 - square.y() as i32;
            corridor += square.x().abs_diff(square.y()) as i32;
        }
        number += 1;
    }
    (distance, corridor)
};

/// Estimates how many plays `side` needs to fill its goal, if it has all its pieces and the opponent is out of the way.
/// The result is 0 when the goal is full, and about 75 at the start. Takes some tens of nanoseconds.
#[inline]
pub fn estimate(position: &Position, side: Player) -> f32 {
    let (tally, pieces, target) = (position.tally(side), position.pieces(side), goal(side));
    let missing = |class| {
        let (wanted, there) = (target.class_word(class), pieces.class_word(class));
        wanted.count_ones().saturating_sub(there.count_ones())
    };
    let steps = missing(0) + missing(1) + missing(2) + missing(3);
    let (mut rearmost, mut lonely) = (NEAR, 0);
    (pieces & !target).for_each(|piece| {
        rearmost = rearmost.max(distance(side, piece));
        lonely += u32::from((neighbours(piece) & pieces).is_empty());
    });
    let plays = OUTSIDE * (PIECES - tally.in_goal().min(PIECES)) as f32
        + DISTANCE * (tally.distance() - GOAL_SUMS.0) as f32
        + CORRIDOR * (tally.corridor() - GOAL_SUMS.1) as f32
        + PARITY * steps as f32
        + REARMOST * f32::from(rearmost - NEAR)
        + LONELY * lonely as f32;
    plays.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{BLACK, Bitboard, Rules, WHITE};
    use crate::search::Limits;
    use crate::search::race::{Race, solve};
    use crate::support::clock::FakeClock;

    #[test]
    fn the_estimate_falls_from_the_start_to_zero() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(estimate(&start, BLACK), estimate(&start, WHITE));
        let mut position = Position::new([start.pieces(BLACK), Bitboard::EMPTY], BLACK, Rules::Addendum);
        let race = Race::solo(&position, BLACK).expect("all pieces");
        let found = solve(&race, &Limits::iterations(4000), &FakeClock::new()).expect("a line");
        for (left, &play) in (1..=found.length()).rev().zip(&found.line) {
            let plays = estimate(&position, BLACK);
            assert!((plays - left as f32).abs() < 10.0, "{plays} for {left}:\n{position}");
            position.play(play);
            position = position.pass();
        }
        assert!(estimate(&position, BLACK).abs() < 1e-3, "{position}");
    }
}
