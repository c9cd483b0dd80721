//! Positions of Halma of every kind, at random but repeatable.

use super::naive::NaiveBoard;
use halma::game::{Game, Player};
use halma::rules::{BLACK, Bitboard, PIECES, Play, Position, Rules, Square, WHITE, camp, goal, neighbours};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random source that gives the same numbers in every run.
pub fn random_source(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// `position` as the naive rules see it.
pub fn naive(position: &Position) -> NaiveBoard {
    let mover = if position.to_move() == BLACK { b'B' } else { b'W' };
    NaiveBoard::from_drawing(&position.rows(), mover, position.rules() == Rules::Addendum)
}

/// Plays a game of up to `plies` plies and calls `visit` with every position, the last included,
/// and the play made there. A side plays forward as far as it can, except that one play in
/// `1 / noise` is any legal one; a noise of 1 is uniform play, one of 0.1 fills the goals.
pub fn play_game(
    start: Position,
    plies: usize,
    noise: f64,
    rng: &mut Xoshiro256PlusPlus,
    mut visit: impl FnMut(&Position, Option<Play>),
) {
    let mut position = start;
    let mut plays = Vec::new();
    for _ in 0..plies {
        position.legal_plays(&mut plays);
        if position.outcome().is_some() || plays.is_empty() {
            break;
        }
        plays.shuffle(rng);
        let furthest = plays.iter().copied().max_by_key(|&play| position.progress(play));
        let play = if rng.random_bool(noise) { plays[0] } else { furthest.expect("a play") };
        visit(&position, Some(play));
        position.play(play);
    }
    visit(&position, None);
}

/// Visits `count` positions: of games, with jumps from game to game, and of scattered pieces,
/// whose numbers change from one to the next.
pub fn for_many_positions(seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut rng = random_source(seed);
    let mut left = count;
    while left > 0 {
        let start = Position::initial(BLACK, Rules::Addendum);
        play_game(start, 200, 0.1, &mut rng.clone(), |position, play| {
            visit(position);
            visit(&position.pass());
            left = left.saturating_sub(2);
            // Children in a row, as search asks about them.
            let mut plays = Vec::new();
            position.legal_plays(&mut plays);
            for &other in plays.iter().filter(|&&other| Some(other) != play).take(3) {
                let mut child = *position;
                child.play(other);
                visit(&child);
                left = left.saturating_sub(1);
            }
        });
        for _ in 0..100 {
            visit(&scattered(&mut rng));
            left = left.saturating_sub(1);
        }
    }
}

/// Pieces scattered at random: 1 to 19 a side, thinly over the board, or densely in the middle, at
/// home or in the goal. In every fourth position a side has won or its goal has one hole; in every
/// tenth the side to move is hemmed in about its camp.
pub fn scattered(rng: &mut Xoshiro256PlusPlus) -> Position {
    let mover = *Player::BOTH.choose(rng).expect("two players");
    let rules = *[Rules::Addendum, Rules::Original].choose(rng).expect("two sets of rules");
    let mut pieces = [Bitboard::EMPTY; 2];
    if rng.random_bool(0.1) {
        return hemmed_in(mover, rules, rng);
    }
    if rng.random_bool(0.25) {
        let side = *Player::BOTH.choose(rng).expect("two players");
        fill_goal(side, &mut pieces, rng);
    }
    for side in [BLACK, WHITE] {
        let count = rng.random_range(1..=PIECES);
        let region = region(side, rng);
        scatter(&mut pieces, side, count, region, rng);
    }
    Position::new(pieces, mover, rules)
}

/// One or two pieces of `mover` in its camp or next to it, and pieces of the opponent put one after
/// the other where a piece could go, so that few plays or none are left.
fn hemmed_in(mover: Player, rules: Rules, rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut pieces = [Bitboard::EMPTY; 2];
    let count = rng.random_range(1..=2);
    scatter(&mut pieces, mover, count, with_neighbours(camp(mover)), rng);
    let mut plays = Vec::new();
    for _ in 0..rng.random_range(2..=PIECES) {
        Position::new(pieces, mover, Rules::Addendum).legal_plays(&mut plays);
        let Some(play) = plays.choose(rng) else { break };
        pieces[mover.opponent().index()].toggle(play.to);
    }
    Position::new(pieces, mover, rules)
}

/// Puts pieces of `side` on empty squares of `region` until it has `count`, or the region is full;
/// a side without any piece gets one somewhere.
fn scatter(
    pieces: &mut [Bitboard; 2],
    side: Player,
    count: u32,
    region: Bitboard,
    rng: &mut Xoshiro256PlusPlus,
) {
    let empty = !(pieces[0] | pieces[1]);
    let own = &mut pieces[side.index()];
    let mut free: Vec<Square> = (empty & region).into_iter().collect();
    free.shuffle(rng);
    let missing = count.saturating_sub(own.count()) as usize;
    free.into_iter().take(missing).for_each(|square| own.toggle(square));
    if own.is_empty() {
        let empty: Vec<Square> = empty.into_iter().collect();
        own.toggle(*empty.choose(rng).expect("an empty square"));
    }
}

/// Fills the goal of `winner` with pieces of both sides, mostly but for one square, next to which
/// stands a piece of `winner`.
fn fill_goal(winner: Player, pieces: &mut [Bitboard; 2], rng: &mut Xoshiro256PlusPlus) {
    let stayed_at_home = rng.random_range(0.0..0.5);
    let hole =
        goal(winner).into_iter().collect::<Vec<_>>().choose(rng).copied().filter(|_| rng.random_bool(0.9));
    for square in goal(winner).into_iter().filter(|&square| Some(square) != hole) {
        let side = if rng.random_bool(stayed_at_home) { winner.opponent() } else { winner };
        pieces[side.index()].toggle(square);
    }
    let beside = hole.map_or(Bitboard::EMPTY, neighbours) & !goal(winner);
    if let Some(square) = beside.into_iter().next() {
        pieces[winner.index()].toggle(square);
    }
}

/// The squares of `set` and those next to one.
fn with_neighbours(set: Bitboard) -> Bitboard {
    set.into_iter().fold(set, |all, square| all | neighbours(square))
}

/// The squares among which the pieces of `side` are scattered.
fn region(side: Player, rng: &mut Xoshiro256PlusPlus) -> Bitboard {
    let in_middle = |square: &Square| (5..11).contains(&square.x()) && (5..11).contains(&square.y());
    let middle: Bitboard = Square::all().filter(in_middle).collect();
    let regions = [
        !Bitboard::EMPTY,
        middle,
        camp(side),
        with_neighbours(camp(side)),
        goal(side),
        with_neighbours(goal(side)),
        middle | camp(side),
    ];
    *regions.choose(rng).expect("a region")
}
