//! The fitted evaluation: a few terms for each side, with weights fitted to results of games.
//!
//! ```text
//! side score = TRAVEL[way] + REAR[rearmost piece's distance] + STRAGGLERS·Σ distance² + CORRIDOR·Σ abs(x−y)
//! way        = Σ distance + detour of the last pieces to the last holes
//! score      = side score(player) − side score(opponent) ± TEMPO
//! ```
//!
//! A step counts for more as the remaining way gets shorter, because less can still happen: hence the table TRAVEL. One
//! piece far behind costs more than two a little behind: hence REAR and the squared distances. CORRIDOR keeps pieces
//! near the diagonal between the camps, where ladders are. Distances to the corner do not say where the last pieces of
//! a side that has almost arrived belong, so these are matched to the holes.
//!
//! The [weights](super::weights) were fitted by logistic regression with [`squash`](super::squash) as the link (Texel's
//! tuning method). All terms except the detour come from sums that the position updates with each play ([`Tally`]) and
//! from its bitboards.

use super::Evaluation;
use super::weights::{CORRIDOR, KNOTS, REAR, STRAGGLERS, TEMPO, TRAVEL};
use crate::game::{Game, Player};
use crate::rules::{Bitboard, PIECES, Play, Position, Tally, distance, goal};
use crate::support::parameters::{Named, NoParameters};
use crate::support::spec::SpecError;

/// The most pieces outside the goal that are matched to holes.
const LAST_PIECES: u32 = 4;

/// The fitted evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fitted;

impl Named for Fitted {
    const NAME: &'static str = "fitted";
    const ABOUT: &'static str =
        "distances, the rearmost piece, stragglers and tempo, fitted to results of games";
    type Parameters = NoParameters;
    type Context = ();

    fn build(_parameters: NoParameters, (): ()) -> Result<Fitted, SpecError> {
        Ok(Fitted)
    }
}

impl Evaluation for Fitted {
    #[inline]
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        let tempo = if position.to_move() == player { TEMPO } else { -TEMPO };
        side_score(position, player) - side_score(position, player.opponent()) + tempo
    }
}

/// Roughly the change of the mover's score by `play`, including the turn: without changes of the rearmost piece and of
/// detours.
#[inline]
pub(crate) fn gain(position: &Position, play: Play) -> f32 {
    let side = position.to_move();
    let before = position.tally(side);
    let mut after = before;
    after.remove(side, play.from);
    after.add(side, play.to);
    summed(after, after.distance()) - summed(before, before.distance()) - 2.0 * TEMPO
}

/// The part of the score that belongs to `side`; it rises as the pieces arrive.
#[inline]
fn side_score(position: &Position, side: Player) -> f32 {
    summed(position.tally(side), way(position, side)) + REAR[position.rearmost(side) as usize]
}

/// The terms that depend only on the sums over the side's pieces and on their way.
#[inline]
fn summed(tally: Tally, way: i32) -> f32 {
    TRAVELLED[way as usize]
        + STRAGGLERS * tally.squared_distance() as f32
        + CORRIDOR * tally.corridor() as f32
}

/// The columns and rows from the pieces of `side` to their goal's corner, plus the detour of the last pieces.
#[inline]
fn way(position: &Position, side: Player) -> i32 {
    let tally = position.tally(side);
    let detour = if tally.in_goal() + LAST_PIECES >= PIECES { detour_to_holes(position, side) } else { 0 };
    tally.distance() + detour
}

/// An upper bound on the way: every piece as far from the corner as possible, and the last pieces as far from their
/// holes.
const MAX_WAY: usize = 19 * 30 + LAST_PIECES as usize * 15;

/// TRAVEL for each way, interpolated between the knots.
static TRAVELLED: [f32; MAX_WAY + 1] = {
    let mut table = [0.0; MAX_WAY + 1];
    let mut way = 0;
    while way <= MAX_WAY {
        let (knot, share) = between_knots(way as i32);
        let (here, next) = (TRAVEL[knot], TRAVEL[knot + 1]);
        table[way] = here + (next - here) * share;
        way += 1;
    }
    table
};

/// The knot at or before `way`, but not the last one, and how far `way` is from there to the next knot, 0…1.
const fn between_knots(way: i32) -> (usize, f32) {
    let mut knot = 0;
    while knot + 2 < KNOTS.len() && way >= KNOTS[knot + 1] {
        knot += 1;
    }
    let share = (way - KNOTS[knot]) as f32 / (KNOTS[knot + 1] - KNOTS[knot]) as f32;
    (knot, share.clamp(0.0, 1.0))
}

/// The king's steps from the pieces outside the goal to its holes, minus the steps that would suffice if all were
/// diagonal: half of the columns and rows by which the pieces are further from the corner than the holes.
#[cold]
fn detour_to_holes(position: &Position, side: Player) -> i32 {
    let goal = goal(side);
    (halves_of_detour(side, position.pieces(side) & !goal, goal & !position.occupied()) + 1) / 2
}

/// Twice the detour from `pieces`, at most [`LAST_PIECES`], to `holes` in the best matching. If there are more of one
/// than of the other, some pieces or the last holes are left out.
///
/// Matching them one by one would depend on the order of squares, and would score a position and its half turn
/// differently.
fn halves_of_detour(side: Player, pieces: Bitboard, holes: Bitboard) -> i32 {
    const MAX: usize = LAST_PIECES as usize;
    // For each set of pieces, a bit each: twice the least detour to as many of the first holes.
    let mut least = [i32::MAX; 1 << MAX];
    least[0] = 0;
    let count = pieces.count().min(LAST_PIECES) as usize;
    let sets = 1usize << count;
    let mut result = 0;
    for (number, hole) in holes.into_iter().take(count).enumerate() {
        let mut costs = [0; MAX];
        for (cost, piece) in costs.iter_mut().zip(pieces) {
            let nearer = i32::from(distance(side, piece)) - i32::from(distance(side, hole));
            *cost = 2 * i32::from(piece.steps_to(hole)) - nearer;
        }
        result = i32::MAX;
        for set in (1..sets).filter(|set| set.count_ones() as usize == number + 1) {
            for (piece, cost) in costs.iter().enumerate().filter(|(piece, _)| set >> piece & 1 == 1) {
                least[set] = least[set].min(least[set & !(1 << piece)] + cost);
            }
            result = result.min(least[set]);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::test_games::forward_games;
    use crate::rules::{BLACK, Rules, Square, WHITE};
    use crate::support::random::Random;

    #[test]
    fn the_start_is_worth_a_tempo() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(Fitted.score(&start, BLACK), TEMPO);
        assert_eq!(Fitted.value(&start, BLACK), -Fitted.value(&start, WHITE));
    }

    #[test]
    fn the_half_turn_is_worth_as_much_to_the_other_side() {
        let mut endings = 0;
        for position in forward_games(4, 400, Rules::Addendum) {
            assert_eq!(Fitted.value(&position, BLACK), Fitted.value(&position.half_turn(), WHITE));
            let detoured = |side| position.tally(side).in_goal() + LAST_PIECES >= PIECES;
            endings += usize::from(Player::BOTH.into_iter().any(detoured));
        }
        assert!(endings > 20, "{endings} positions near the end");
    }

    /// The least detour of all matchings, tried one by one.
    fn by_all_matchings(side: Player, pieces: &[Square], holes: &[Square]) -> i32 {
        let Some((&hole, holes)) = holes.split_first() else { return 0 };
        let with = |number: usize| {
            let (piece, mut others) = (pieces[number], pieces.to_vec());
            others.remove(number);
            let nearer = i32::from(distance(side, piece)) - i32::from(distance(side, hole));
            2 * i32::from(piece.steps_to(hole)) - nearer + by_all_matchings(side, &others, holes)
        };
        (0..pieces.len()).map(with).min().unwrap_or(0)
    }

    #[test]
    fn the_matching_is_the_best() {
        let mut random = Random::new(7);
        for number in 0..2000 {
            let side = Player::BOTH[number % 2];
            let mut some = |max: usize| -> Bitboard {
                (0..random.below(max + 1)).map(|_| Square::from_number(random.below(256) as u8)).collect()
            };
            let (pieces, holes) = (some(LAST_PIECES as usize), some(LAST_PIECES as usize + 1));
            let [all_pieces, all_holes] = [pieces, holes].map(|set| set.into_iter().collect::<Vec<_>>());
            let expected = by_all_matchings(side, &all_pieces, &all_holes);
            assert_eq!(halves_of_detour(side, pieces, holes), expected, "{all_pieces:?} to {all_holes:?}");
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
            Fitted.score(&position, BLACK)
        };
        assert!(at(13, 10) > at(12, 10));
        assert!(at(12, 10) > at(10, 12), "as far from the corner, but on the wrong wing");
    }
}
