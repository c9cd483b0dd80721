//! Positions of Halma: written out, from games, and scattered at random.

use super::naive::NaiveBoard;
use super::plays::{after, legal_plays};
use halma::game::{Game, Player};
use halma::rules::{
    BLACK, Bitboard, PIECES, Play, Position, Rules, Square, WHITE, camp, goal, neighbours, parse_board,
};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random number generator that gives the same numbers in every run.
pub fn random_source(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// `position` as a board of the naive rules.
pub fn naive(position: &Position) -> NaiveBoard {
    let mover = if position.to_move() == BLACK { b'B' } else { b'W' };
    NaiveBoard::from_drawing(&position.rows(), mover, position.rules() == Rules::Addendum)
}

/// The squares written in `text`, separated by spaces.
pub fn squares(text: &str) -> Bitboard {
    text.split_whitespace().map(|square| square.parse::<Square>().expect("a square")).collect()
}

/// The position with pieces on these squares.
pub fn position(to_move: Player, rules: Rules, black: &str, white: &str) -> Position {
    Position::new([squares(black), squares(white)], to_move, rules)
}

/// The position with these rows of three squares in the top-left corner, otherwise empty, Black to move.
pub fn cornered(corner: [&str; 3]) -> Position {
    let mut rows = vec![".".repeat(16); 16];
    rows.iter_mut().zip(corner).for_each(|(row, squares)| row.replace_range(..3, squares));
    let pieces = parse_board(rows.iter().map(String::as_str)).expect("a board");
    Position::new(pieces, BLACK, Rules::Addendum)
}

/// A corner in which Black has one play, along the diagonal.
pub const ONE_PLAY: [&str; 3] = ["BWW", "W..", "W.."];

/// A corner in which Black has no play.
pub const NO_PLAY: [&str; 3] = ["BWW", "WW.", "W.W"];

/// Boards of finished games with their winner, for either side to move and under either rule set.
pub fn finished() -> Vec<(Position, Player)> {
    let stayed = squares("15,15");
    let boards = [
        [goal(BLACK), squares("3,7 8,8")],
        [goal(BLACK), Bitboard::EMPTY],
        // White has left a piece at home.
        [goal(BLACK) & !stayed | squares("9,4"), stayed | squares("3,7")],
    ];
    let sides = Player::BOTH.into_iter().flat_map(|side| [(side, Rules::Addendum), (side, Rules::Original)]);
    let positions = sides.flat_map(|(side, rules)| boards.map(|pieces| Position::new(pieces, side, rules)));
    positions.flat_map(|position| [(position, BLACK), (position.half_turn(), WHITE)]).collect()
}

/// A midgame with chains of jumps, Black to move.
pub fn midgame() -> Position {
    let mut position = Position::default();
    play_game(position, 50, 0.1, &mut random_source(5), &mut |after, _| position = *after);
    position
}

/// A board on which each side has 615 plays, Black to move.
pub fn many_plays() -> Position {
    let rows = [
        "................",
        ".....W..........",
        ".....W.B.B......",
        "..B.W...W.W.....",
        "......WW........",
        ".B.WB.....W.....",
        ".B...B..B.B.....",
        "...W...B........",
        "..W..B...B.W....",
        "..W.B...B..W....",
        "......W...B.....",
        ".......BW...W...",
        "......W...BB....",
        ".........B......",
        "...........W....",
        "................",
    ];
    Position::new(parse_board(rows).expect("a board"), BLACK, Rules::Original)
}

/// Plays a game of up to `plies` plies and calls `visit` with each position and the play made there, and with
/// the last position. Each play goes as far forward as possible, except for a share `noise` of uniformly random
/// plays. With a noise of 0.1, games end with a filled goal.
pub fn play_game(
    start: Position,
    plies: usize,
    noise: f64,
    rng: &mut Xoshiro256PlusPlus,
    visit: &mut dyn FnMut(&Position, Option<Play>),
) {
    let mut position = start;
    for _ in 0..plies {
        let mut plays = legal_plays(&position);
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

/// Visits at least `count` positions, in rounds: the positions of a game, each followed by some of its children, then
/// scattered pieces.
pub fn for_many_positions(seed: u64, count: usize, visit: &mut dyn FnMut(&Position)) {
    let mut rng = random_source(seed);
    let mut left = count;
    while left > 0 {
        let start = Position::default();
        play_game(start, 200, 0.1, &mut rng.clone(), &mut |position, play| {
            visit(position);
            visit(&position.pass());
            left = left.saturating_sub(2);
            // The siblings come one after another, as a search evaluates them.
            for other in legal_plays(position).into_iter().filter(|&other| Some(other) != play).take(3) {
                visit(&after(position, &[other]));
                left = left.saturating_sub(1);
            }
        });
        for _ in 0..100 {
            visit(&scattered(&mut rng));
            left = left.saturating_sub(1);
        }
    }
}

/// Pieces scattered at random: 1 to 19 a side, thinly over the board, or densely in the middle, at home or in the
/// goal. In a quarter of the positions a side has won or its goal has one hole; in a tenth the side to move is
/// hemmed in around its camp.
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

/// One or two pieces of `mover` in its camp or next to it, and the opponent's pieces placed one after another on
/// squares that they can reach, so that few plays or none are left.
fn hemmed_in(mover: Player, rules: Rules, rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut pieces = [Bitboard::EMPTY; 2];
    let count = rng.random_range(1..=2);
    scatter(&mut pieces, mover, count, with_neighbours(camp(mover)), rng);
    for _ in 0..rng.random_range(2..=PIECES) {
        let plays = legal_plays(&Position::new(pieces, mover, Rules::Addendum));
        let Some(play) = plays.choose(rng) else { break };
        pieces[mover.opponent().index()].toggle(play.to);
    }
    Position::new(pieces, mover, rules)
}

/// Puts pieces of `side` on empty squares of `region` until it has `count` or the region is full; a side without
/// pieces gets one anywhere.
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

/// Fills the goal of `winner` with pieces of both sides; usually one square stays empty, with a piece of `winner`
/// next to it.
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

/// The squares of `set` and their neighbours.
fn with_neighbours(set: Bitboard) -> Bitboard {
    set.into_iter().fold(set, |all, square| all | neighbours(square))
}

/// A random region for the pieces of `side`.
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
