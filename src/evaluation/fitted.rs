//! The fitted evaluation: a few terms for each side, with weights fitted to results of games.
//!
//! Each side has a score of its own, which rises as its pieces arrive:
//!
//! ```text
//! side score = TRAVEL[way] + REAR[rearmost piece's distance] + STRAGGLERS·Σ distance² + CORRIDOR·Σ abs(x−y)
//! way        = Σ distance + detour of the last pieces to the last holes
//! score      = side score(player) − side score(opponent) ± TEMPO
//! ```
//!
//! Each step counts for more as less way is left, because less can still happen: so TRAVEL is a table.
//! One piece far behind costs more than two a little behind: hence REAR and the squared distances. The
//! corridor term keeps pieces near the diagonal, where ladders are. Distances to the corner don't tell a
//! side that has almost arrived where its last pieces belong, so these are matched to the holes.
//!
//! `lab fit` of commit a42f31d fitted the [`weights`](super::weights) by logistic regression with [`squash`](super::squash) as
//! the link (Texel's tuning method). All terms but the detour come from sums that the position updates as
//! pieces move ([`Tally`]) and from its bitboards.

use super::Evaluation;
use super::weights::{CORRIDOR, KNOTS, REAR, STRAGGLERS, TEMPO, TRAVEL, WEIGHTS};
use crate::game::{Game, Player};
use crate::rules::{Bitboard, PIECES, Play, Position, Tally, distance, goal};
use crate::support::parameters::{Named, NoParameters};
use crate::support::spec::SpecError;

/// With this many pieces or fewer outside its goal, a side's pieces are matched to holes.
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
        let tempo = if position.to_move() == player { WEIGHTS[TEMPO] } else { -WEIGHTS[TEMPO] };
        side_score(position, player) - side_score(position, player.opponent()) + tempo
    }
}

/// About how much `play` changes the score for the player to move in `position`, the turn included.
/// Ignores changes of the rearmost piece and of detours.
#[inline]
pub fn gain(position: &Position, play: Play) -> f32 {
    let side = position.to_move();
    let before = position.tally(side);
    let mut after = before;
    after.remove(side, play.from);
    after.add(side, play.to);
    summed(after, after.distance()) - summed(before, before.distance()) - 2.0 * WEIGHTS[TEMPO]
}

/// How far `side` has come: its part of the score.
#[inline]
fn side_score(position: &Position, side: Player) -> f32 {
    summed(position.tally(side), way(position, side)) + WEIGHTS[REAR.start + position.rearmost(side) as usize]
}

/// The terms that come from the sums over the side's pieces, and from their way.
#[inline]
fn summed(tally: Tally, way: i32) -> f32 {
    TRAVELLED[way as usize]
        + WEIGHTS[STRAGGLERS] * tally.squared_distance() as f32
        + WEIGHTS[CORRIDOR] * tally.corridor() as f32
}

/// The columns and rows from the pieces of `side` to their goal's corner, plus the detour of the last
/// pieces.
#[inline]
fn way(position: &Position, side: Player) -> i32 {
    let tally = position.tally(side);
    let detour = if tally.in_goal() + LAST_PIECES >= PIECES { detour_to_holes(position, side) } else { 0 };
    tally.distance() + detour
}

/// An upper bound on ways, in columns and rows: every piece as far from the corner as can be, and the
/// last pieces as far from their holes.
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

/// The knot at or before `way`, the last but one at most, and how far `way` is from there to the next
/// knot, 0…1.
const fn between_knots(way: i32) -> (usize, f32) {
    let mut knot = 0;
    while knot + 2 < KNOTS.len() && way >= KNOTS[knot + 1] {
        knot += 1;
    }
    let share = (way - KNOTS[knot]) as f32 / (KNOTS[knot + 1] - KNOTS[knot]) as f32;
    (knot, share.clamp(0.0, 1.0))
}

/// Calls `term` with each weight's number and its factor in the score of `position` for the player to
/// move, for fitting the weights.
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

/// The king's steps from the pieces outside the goal to its holes, less the fewest steps they could need:
/// half of the columns and rows by which they are further from the corner than the holes, if all steps
/// were diagonal.
#[cold]
fn detour_to_holes(position: &Position, side: Player) -> i32 {
    let goal = goal(side);
    (halves_of_detour(side, position.pieces(side) & !goal, goal & !position.occupied()) + 1) / 2
}

/// Twice the detour from `pieces`, [`LAST_PIECES`] at most, to `holes`, matched so that it is the least; if there are
/// more of one than of the other, some pieces or the last holes are left out. (Matching them one by one would depend
/// on the order of squares, and give a position and its half turn different scores.)
fn halves_of_detour(side: Player, pieces: Bitboard, holes: Bitboard) -> i32 {
    const MOST: usize = LAST_PIECES as usize;
    // For each set of pieces, by their bits: twice the least detour to as many of the first holes.
    let mut least = [i32::MAX; 1 << MOST];
    least[0] = 0;
    let count = pieces.count().min(LAST_PIECES) as usize;
    let sets = 1usize << count;
    let mut result = 0;
    for (number, hole) in holes.into_iter().take(count).enumerate() {
        let mut costs = [0; MOST];
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
    use crate::rules::{BLACK, Rules, Square, WHITE};
    use crate::support::random::Random;

    #[test]
    fn the_start_is_worth_a_tempo() {
        let start = Position::initial(BLACK, Rules::Addendum);
        assert_eq!(Fitted.score(&start, BLACK), WEIGHTS[TEMPO]);
        assert_eq!(Fitted.value(&start, BLACK), -Fitted.value(&start, WHITE));
    }

    #[test]
    fn the_terms_add_up_to_the_score() {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut plays = Vec::new();
        for ply in 0..300 {
            let mut sum = 0.0;
            for_each_term(&position, |weight, amount| sum += WEIGHTS[weight] * amount);
            let score = Fitted.score(&position, position.to_move());
            assert!((sum - score).abs() < 1e-3, "{sum} for {score}");
            position.legal_plays(&mut plays);
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
        let (mut plays, mut endings) = (Vec::new(), 0);
        // Anything first, then home.
        for ply in 0..420 {
            position.legal_plays(&mut plays);
            let homeward = plays.iter().max_by_key(|&&play| position.progress(play));
            let play = if ply < 120 { plays.get((ply * 7) % plays.len().max(1)) } else { homeward };
            let Some(&play) = play else { break };
            position.play(play);
            assert_eq!(Fitted.value(&position, BLACK), Fitted.value(&position.half_turn(), WHITE));
            let detoured = |side| position.tally(side).in_goal() + LAST_PIECES >= PIECES;
            endings += usize::from(Player::BOTH.into_iter().any(detoured));
        }
        assert!(endings > 20, "{endings} positions near the end");
    }

    /// The least over all matchings, one by one.
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
    fn no_matching_has_less_detour() {
        let mut random = Random::new(7);
        for number in 0..2000 {
            let side = Player::BOTH[number % 2];
            let mut some = |most: usize| -> Bitboard {
                (0..random.below(most + 1)).map(|_| Square::from_number(random.below(256) as u8)).collect()
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
