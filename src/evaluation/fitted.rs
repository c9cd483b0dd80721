//! The fitted evaluation: a few terms for each side, with weights fitted to the results of games.
//!
//! ```text
//! side score = TRAVEL[left] + REAR[rearmost piece's distance] + STRAGGLERS·Σ distance² + CORRIDOR·Σ abs(x−y)
//! left       = Σ distance + detour of the last pieces to the last holes
//! score      = side score(player) − side score(opponent) ± TEMPO
//! ```
//!
//! The closer a side is to its goal, the more a step is worth, because less can still happen: hence the table TRAVEL. One
//! piece far behind costs more than two a little behind: hence REAR and the squared distances. CORRIDOR keeps pieces
//! near the diagonal between the camps, where the ladders for long jumps are. The holes in a nearly full goal may be far
//! from its corner, so the last pieces are matched to them.
//!
//! The [weights](super::weights) were fitted by logistic regression with [`squash`](super::squash) as the link (Texel's
//! tuning method). All terms except the detour come from the position's bitboards and from sums that each play updates
//! ([`Tally`]).

use super::Evaluation;
use super::weights::{CORRIDOR, KNOTS, REAR, STRAGGLERS, TEMPO, TRAVEL};
use crate::game::{Game, Player};
use crate::rules::{Bitboard, PIECES, Play, Position, Tally, distance, goal};
use crate::support::parameters::{Named, NoParameters};
use crate::support::spec::SpecError;

/// The maximum number of pieces outside the goal that are matched to holes.
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

/// How much `play` changes the mover's score, approximately: this includes the turn, but not the rearmost piece and
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
    summed(position.tally(side), left(position, side)) + REAR[position.rearmost(side) as usize]
}

/// The terms that depend only on the sums over the side's pieces and on the distance left.
#[inline]
fn summed(tally: Tally, left: i32) -> f32 {
    TRAVEL_BY_UNIT[left as usize]
        + STRAGGLERS * tally.squared_distance() as f32
        + CORRIDOR * tally.corridor() as f32
}

/// The distance left for `side`: the sum of its pieces' distances to the goal's corner, plus the detour of the last
/// pieces.
#[inline]
fn left(position: &Position, side: Player) -> i32 {
    let tally = position.tally(side);
    let detour = if tally.in_goal() + LAST_PIECES >= PIECES { detour_to_holes(position, side) } else { 0 };
    tally.distance() + detour
}

/// An upper bound on the distance left: every piece at the maximum distance from the corner, and the last pieces with
/// the maximum detour.
const MAX_LEFT: usize = 19 * 30 + LAST_PIECES as usize * 15;

/// TRAVEL, interpolated between the knots.
static TRAVEL_BY_UNIT: [f32; MAX_LEFT + 1] = {
    let mut table = [0.0; MAX_LEFT + 1];
    let mut left = 0;
    while left <= MAX_LEFT {
        let (knot, share) = between_knots(left as i32);
        let (here, next) = (TRAVEL[knot], TRAVEL[knot + 1]);
        table[left] = here + (next - here) * share;
        left += 1;
    }
    table
};

/// The last knot at or before `left`, but never the final knot, and how far `left` is towards the next knot, 0…1.
const fn between_knots(left: i32) -> (usize, f32) {
    let mut knot = 0;
    while knot + 2 < KNOTS.len() && left >= KNOTS[knot + 1] {
        knot += 1;
    }
    let share = (left - KNOTS[knot]) as f32 / (KNOTS[knot + 1] - KNOTS[knot]) as f32;
    (knot, share.clamp(0.0, 1.0))
}

/// The detour of the pieces outside the goal: their king's steps to its holes, minus the steps that would suffice if
/// all of them were diagonal. The latter number is half the difference between the pieces' and the holes' distances
/// from the corner.
#[cold]
fn detour_to_holes(position: &Position, side: Player) -> i32 {
    let goal = goal(side);
    (halves_of_detour(side, position.pieces(side) & !goal, goal & !position.occupied()) + 1) / 2
}

/// Twice the detour from `pieces`, at most [`LAST_PIECES`], to `holes` in the best matching. If their numbers differ,
/// some pieces or the last holes are left out.
///
/// A greedy matching would depend on the order of squares, and would score a position and its half turn differently.
fn halves_of_detour(side: Player, pieces: Bitboard, holes: Bitboard) -> i32 {
    const MAX: usize = LAST_PIECES as usize;
    // Indexed by a set of pieces, as bits: twice their least detour to the first holes, one hole for each piece.
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
    fn the_half_turn_has_the_same_value_for_the_other_side() {
        let mut endings = 0;
        for position in forward_games(4, 400, Rules::Addendum) {
            assert_eq!(Fitted.value(&position, BLACK), Fitted.value(&position.half_turn(), WHITE));
            let detoured = |side| position.tally(side).in_goal() + LAST_PIECES >= PIECES;
            endings += usize::from(Player::BOTH.into_iter().any(detoured));
        }
        assert!(endings > 20, "{endings} positions near the end");
    }

    /// The least detour, found by trying all matchings.
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
    fn the_last_piece_is_attracted_by_the_hole() {
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
        assert!(at(12, 10) > at(10, 12), "at the same distance from the corner, but on the wrong wing");
    }
}
