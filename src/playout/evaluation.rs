//! A position judged without looking ahead.
//!
//! Each side has a *cost*, roughly the rows and columns it still has to travel, made of running
//! sums that the position keeps ([`Tally`](crate::halma::Tally)):
//!
//! ```text
//! cost  = distance + STRAGGLER · distance² + CORRIDOR · abs(x−y) + HOLES · (way to the last holes)
//! score = cost(opponent) − cost(player) ± TEMPO
//! value = s / √(1 + s²),  s = score / SCALE
//! ```
//!
//! The squared term makes one piece far behind dearer than two a little behind; the corridor term
//! keeps pieces near the diagonal, where ladders are. The sums alone leave a side that has almost
//! arrived without a hint where its last pieces belong, so then these are matched to the holes.
//! The sigmoid is algebraic and not logistic because square roots, unlike exponentials, are
//! rounded the same way on every machine.

use crate::game::{Game, Outcome, Player, Value};
use crate::halma::{Bitboard, PIECES, Position, goal};

const STRAGGLER: f32 = 0.03;
const CORRIDOR: f32 = 0.3;
const HOLES: f32 = 1.0;
const TEMPO: f32 = 3.0;
const SCALE: f32 = 25.0;

/// With this many pieces or fewer outside its goal, a side's pieces are matched to holes.
const LAST_PIECES: u32 = 4;

/// What `position` is worth to `player`.
#[inline]
pub fn evaluate(position: &Position, player: Player) -> Value {
    if let Some(outcome) = position.outcome() {
        return Outcome::value_for(outcome, player);
    }
    let s = score(position, player) * (1.0 / SCALE);
    Value::new(s / (1.0 + s * s).sqrt())
}

/// By how many rows or columns of travel `player` is ahead in `position`, whose turn it is
/// included.
#[inline]
pub fn score(position: &Position, player: Player) -> f32 {
    let tempo = if position.to_move() == player { TEMPO } else { -TEMPO };
    cost(position, player.opponent()) - cost(position, player) + tempo
}

/// What `side` still has to travel.
#[inline]
fn cost(position: &Position, side: Player) -> f32 {
    let tally = position.tally(side);
    let travel = tally.distance() as f32
        + STRAGGLER * tally.squared_distance() as f32
        + CORRIDOR * tally.corridor() as f32;
    if tally.in_goal() + LAST_PIECES >= PIECES {
        travel + HOLES * way_to_holes(position, side)
    } else {
        travel
    }
}

/// The king's steps from the pieces outside the goal to its empty squares, each piece in turn
/// taking the nearest one left.
#[cold]
fn way_to_holes(position: &Position, side: Player) -> f32 {
    let goal = goal(side);
    let mut holes = goal & !position.occupied();
    let mut steps = 0;
    for piece in position.pieces(side) & !goal {
        if let Some(nearest) = holes.into_iter().min_by_key(|&hole| piece.steps_to(hole)) {
            steps += i32::from(piece.steps_to(nearest));
            holes &= !Bitboard::EMPTY.with(nearest);
        }
    }
    steps as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::{BLACK, Rules, Square, WHITE};

    #[test]
    fn the_start_is_worth_a_tempo() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(score(&start, BLACK), TEMPO);
        assert_eq!(evaluate(&start, BLACK), -evaluate(&start, WHITE));
    }

    #[test]
    fn the_half_turn_is_worth_as_much_to_the_other_side() {
        let mut position = Position::initial(WHITE, Rules::Addendum);
        let mut plays = Vec::new();
        for ply in 0..120 {
            position.plays(&mut plays);
            position.play(plays[(ply * 7) % plays.len()]);
            assert_eq!(evaluate(&position, BLACK), evaluate(&position.half_turn(), WHITE));
        }
    }

    #[test]
    fn the_last_piece_is_drawn_to_the_hole() {
        // All but one of Black's pieces are in the goal; the last is two steps from the only hole.
        let hole = Square::new(14, 11);
        let mut black = goal(BLACK);
        black.toggle(hole);
        let at = |x, y| {
            let position =
                Position::new([black.with(Square::new(x, y)), Bitboard::EMPTY], WHITE, Rules::Addendum);
            score(&position, BLACK)
        };
        assert!(at(13, 10) > at(12, 10));
        assert!(at(12, 10) > at(10, 12), "as far from the corner, but on the wrong wing");
    }
}
