//! A position judged without looking ahead.
//!
//! Each side has a *merit*, which rises as its pieces arrive:
//!
//! ```text
//! merit = TRAVEL[way] + REAR[rearmost piece's distance] + STRAGGLERS·Σ distance² + CORRIDOR·Σ abs(x−y)
//! way   = Σ distance + (what the last pieces have to go about to get into the last holes)
//! score = merit(player) − merit(opponent) ± TEMPO
//! value = score / √(1 + score²)
//! ```
//!
//! The way left to travel counts for more the less is left of it, for then less can happen: so
//! TRAVEL is a table. One piece far behind costs more than two a little behind: REAR, and the
//! squares. The corridor term keeps pieces near the diagonal, where ladders are. Distances to the
//! corner leave a side that has almost arrived without a hint where its last pieces belong, so then
//! these are matched to the holes.
//!
//! The weights ([`weights`]) are fitted to the results of games by `lab fit`, with this very
//! sigmoid as the link. It is algebraic and not logistic because square roots, unlike
//! exponentials, are rounded the same way on every machine. All of it but the holes is read from
//! sums that the position keeps as pieces move ([`Tally`]) and from its
//! bitboards.

pub mod weights;

use crate::game::{Game, Outcome, Player, Value};
use crate::halma::{Bitboard, PIECES, Play, Position, Tally, distance, goal};
use weights::{CORRIDOR, KNOTS, REAR, STRAGGLERS, TEMPO, TRAVEL, WEIGHTS};

/// With this many pieces or fewer outside its goal, a side's pieces are matched to holes.
const LAST_PIECES: u32 = 4;

/// What `position` is worth to `player`.
#[inline]
pub fn evaluate(position: &Position, player: Player) -> Value {
    if let Some(outcome) = position.outcome() {
        return Outcome::value_for(outcome, player);
    }
    squash(score(position, player))
}

/// What a score is worth between a loss and a win.
#[inline]
pub fn squash(score: f32) -> Value {
    Value::new(score / (1.0 + score * score).sqrt())
}

/// How far `player` is ahead in `position`, whose turn it is included, in the unit of the sigmoid:
/// 1 is an expected score of 85 %.
#[inline]
pub fn score(position: &Position, player: Player) -> f32 {
    let tempo = if position.to_move() == player { WEIGHTS[TEMPO] } else { -WEIGHTS[TEMPO] };
    merit(position, player) - merit(position, player.opponent()) + tempo
}

/// By how much `play` changes the score for the player to move in `position`, the turn included, at
/// first sight: as if the rearmost piece stayed the rearmost, and no detour grew or shrank.
#[inline]
pub fn gain(position: &Position, play: Play) -> f32 {
    let side = position.to_move();
    let before = position.tally(side);
    let mut after = before;
    after.remove(side, play.from);
    after.add(side, play.to);
    summed(after, after.distance()) - summed(before, before.distance()) - 2.0 * WEIGHTS[TEMPO]
}

/// How far `side` has come.
#[inline]
fn merit(position: &Position, side: Player) -> f32 {
    summed(position.tally(side), way(position, side)) + WEIGHTS[REAR.start + position.rearmost(side) as usize]
}

/// What of a side's merit is read from sums: those of its pieces, and their way.
#[inline]
fn summed(tally: Tally, way: i32) -> f32 {
    TRAVELLED[way as usize]
        + WEIGHTS[STRAGGLERS] * tally.squared_distance() as f32
        + WEIGHTS[CORRIDOR] * tally.corridor() as f32
}

/// The columns and rows that the pieces of `side` are from their goal's corner, and the detour of
/// the last ones.
#[inline]
fn way(position: &Position, side: Player) -> i32 {
    let tally = position.tally(side);
    let detour = if tally.in_goal() + LAST_PIECES >= PIECES { detour_to_holes(position, side) } else { 0 };
    tally.distance() + detour
}

/// Longer than any way there is, in columns and rows: every piece as far from the corner as can be,
/// and the last ones as far from their holes.
const LONGEST_WAY: usize = 19 * 30 + LAST_PIECES as usize * 15;

/// TRAVEL between its knots, by straight lines.
static TRAVELLED: [f32; LONGEST_WAY + 1] = {
    let mut table = [0.0; LONGEST_WAY + 1];
    let mut way = 0;
    while way <= LONGEST_WAY {
        let (knot, share) = between_knots(way as i32);
        let (here, next) = (WEIGHTS[TRAVEL.start + knot], WEIGHTS[TRAVEL.start + knot + 1]);
        table[way] = here + (next - here) * share;
        way += 1;
    }
    table
};

/// The knot at or before `way`, the last but one at the most, and how much of the way from there to
/// the next one has been gone, 0…1.
const fn between_knots(way: i32) -> (usize, f32) {
    let mut knot = 0;
    while knot + 2 < KNOTS.len() && way >= KNOTS[knot + 1] {
        knot += 1;
    }
    let share = (way - KNOTS[knot]) as f32 / (KNOTS[knot + 1] - KNOTS[knot]) as f32;
    (knot, share.clamp(0.0, 1.0))
}

/// The score of `position` for its player to move as a sum, for those who fit the weights: calls
/// `term` with each weight's number and by how much it counts.
pub fn for_each_term(position: &Position, mut term: impl FnMut(usize, f32)) {
    for side in Player::BOTH {
        let sign = if side == position.to_move() { 1.0 } else { -1.0 };
        let tally = position.tally(side);
        let (knot, share) = between_knots(way(position, side));
        term(TRAVEL.start + knot, sign * (1.0 - share));
        term(TRAVEL.start + knot + 1, sign * share);
        term(REAR.start + position.rearmost(side) as usize, sign);
        term(STRAGGLERS, sign * tally.squared_distance() as f32);
        term(CORRIDOR, sign * tally.corridor() as f32);
    }
    term(TEMPO, 1.0);
}

/// The king's steps from the pieces outside the goal to its empty squares, each piece in turn
/// taking the nearest one left, beyond those that they need at least: half of what they are further
/// from the corner than the holes are, which diagonal steps would do.
#[cold]
fn detour_to_holes(position: &Position, side: Player) -> i32 {
    let goal = goal(side);
    let mut holes = goal & !position.occupied();
    let (mut steps, mut nearer) = (0, 0);
    for piece in position.pieces(side) & !goal {
        if let Some(hole) = holes.into_iter().min_by_key(|&hole| piece.steps_to(hole)) {
            steps += i32::from(piece.steps_to(hole));
            nearer += i32::from(distance(side, piece)) - i32::from(distance(side, hole));
            holes &= !Bitboard::EMPTY.with(hole);
        }
    }
    (steps - nearer / 2).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::{BLACK, Rules, Square, WHITE};

    #[test]
    fn the_start_is_worth_a_tempo() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(score(&start, BLACK), WEIGHTS[TEMPO]);
        assert_eq!(evaluate(&start, BLACK), -evaluate(&start, WHITE));
    }

    #[test]
    fn the_terms_add_up_to_the_score() {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut plays = Vec::new();
        for ply in 0..300 {
            let mut sum = 0.0;
            for_each_term(&position, |weight, amount| sum += WEIGHTS[weight] * amount);
            let score = score(&position, position.to_move());
            assert!((sum - score).abs() < 1e-3, "{sum} for {score}");
            position.plays(&mut plays);
            let Some(&play) = plays.iter().max_by_key(|&&play| (position.progress(play), (ply * 7) % 11))
            else {
                break;
            };
            position.play(play);
        }
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
