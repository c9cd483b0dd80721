//! Properties of every position of Halma, tried on positions from games and on scattered pieces, and agreement with a
//! second, naive implementation of the rules (`support/naive.rs`).

use crate::support::naive::{self, Movement, Xy};
use crate::support::plays::{after, legal_plays};
use crate::support::positions::{naive, play_game, random_source, scattered};
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, Square, WHITE, camp, chain, parse_board};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

const BOTH_RULES: [Rules; 2] = [Rules::Addendum, Rules::Original];

/// The noise of the random games: the share of plays that are uniformly random. The others go as far forward as
/// possible.
const NOISES: [f64; 4] = [1.0, 0.5, 0.2, 0.05];

fn letter(side: Player) -> u8 {
    if side == BLACK { b'B' } else { b'W' }
}

fn xy(square: Square) -> Xy {
    (square.x(), square.y())
}

fn movement(play: Play) -> Movement {
    (xy(play.from), xy(play.to))
}

/// Calls `check` with all positions of 64 games.
fn for_games(rng: &mut Xoshiro256PlusPlus, mut check: impl FnMut(&Position)) {
    for game in 0..64 {
        let start = Position::initial(Player::BOTH[game / 2 % 2], BOTH_RULES[game % 2]);
        play_game(start, 400, NOISES[game / 4 % 4], rng, &mut |position, _| check(position));
    }
}

/// Calls `check` with about 7,000 positions from games and 5,000 scattered ones.
fn for_positions(seed: u64, mut check: impl FnMut(&Position, &mut Xoshiro256PlusPlus)) {
    let mut rng = random_source(seed);
    let mut sampling = random_source(seed + 1);
    for_games(&mut rng, |position| {
        if sampling.random_bool(0.35) {
            check(position, &mut sampling);
        }
    });
    for _ in 0..5_000 {
        check(&scattered(&mut rng), &mut sampling);
    }
}

#[test]
fn legal_plays_equal_those_of_the_naive_rules() {
    let mut positions = 0;
    let (mut without_plays, mut with_pieces_home, mut fallen_back) = (0, 0, 0);
    for_positions(1, |position, _| {
        for rules in BOTH_RULES {
            let position = position.with_rules(rules);
            let listed = legal_plays(&position);
            let mut sorted: Vec<Movement> = listed.iter().copied().map(movement).collect();
            sorted.sort();
            assert_eq!(
                sorted,
                naive(&position).legal_plays(),
                "{rules:?}, {:?}\n{position}",
                position.to_move()
            );
            assert_eq!(position.count_plays(), listed.len());
            without_plays += usize::from(listed.is_empty());
            let home = camp(position.to_move());
            let enters = |play: &Play| !home.contains(play.from) && home.contains(play.to);
            fallen_back += usize::from(rules == Rules::Addendum && listed.iter().any(enters));
            with_pieces_home += usize::from(position.tally(position.to_move()).at_home() > 0);
        }
        positions += 1;
    });
    assert!(positions > 10_000, "only {positions} positions");
    assert!(without_plays > 10 && with_pieces_home > 1_000, "{without_plays}, {with_pieces_home}");
    assert!(fallen_back > 10, "the original rules applied only {fallen_back} times under the addendum");
}

#[test]
fn exactly_the_listed_plays_are_legal() {
    for_positions(2, |position, rng| {
        let listed = legal_plays(position);
        let set: HashSet<Play> = listed.iter().copied().collect();
        assert_eq!(set.len(), listed.len(), "a play is listed twice\n{position}");
        let own: Vec<Square> = position.pieces(position.to_move()).into_iter().collect();
        for _ in 0..20 {
            let any = |rng: &mut Xoshiro256PlusPlus| Square::from_number(rng.random());
            let from = if rng.random_bool(0.9) { *own.choose(rng).expect("a piece") } else { any(rng) };
            let play = Play::new(from, any(rng));
            assert_eq!(position.is_legal(play), set.contains(&play), "{play}\n{position}");
        }
        assert!(listed.iter().take(20).all(|&play| position.is_legal(play)), "\n{position}");
    });
}

#[test]
fn a_position_played_to_equals_the_same_position_set_up() {
    for_games(&mut random_source(3), |position| {
        let pieces = Player::BOTH.map(|side| position.pieces(side));
        assert_eq!(*position, Position::new(pieces, position.to_move(), position.rules()));
    });
}

#[test]
fn tallies_equal_their_definitions() {
    for_positions(4, |position, _| {
        for (side, corner) in [(BLACK, 15), (WHITE, 0)] {
            let squares: Vec<Xy> = position.pieces(side).into_iter().map(xy).collect();
            let sum = |of: fn(i32, i32, i32) -> i32| {
                squares.iter().map(|&(x, y)| of(x.into(), y.into(), corner)).sum::<i32>()
            };
            let count = |within: fn(u8, Xy) -> bool| {
                squares.iter().filter(|&&square| within(letter(side), square)).count() as u32
            };
            let tally = position.tally(side);
            assert_eq!(tally.distance(), sum(|x, y, c| (x - c).abs() + (y - c).abs()));
            assert_eq!(tally.squared_distance(), sum(|x, y, c| ((x - c).abs() + (y - c).abs()).pow(2)));
            assert_eq!(tally.corridor(), sum(|x, y, _| (x - y).abs()));
            assert_eq!(tally.in_goal(), count(naive::in_goal));
            assert_eq!(tally.at_home(), count(naive::in_camp));
        }
    });
}

#[test]
fn a_half_turn_turns_the_legal_plays() {
    for_positions(5, |position, _| {
        let turned = position.half_turn();
        assert_eq!(turned.half_turn(), *position);
        assert_eq!(turned.to_move(), position.to_move().opponent());
        let expected: HashSet<Play> = legal_plays(position).into_iter().map(Play::half_turn).collect();
        assert_eq!(legal_plays(&turned).into_iter().collect::<HashSet<_>>(), expected, "\n{position}");
        for side in [BLACK, WHITE] {
            assert_eq!(turned.has_filled_goal(side), position.has_filled_goal(side.opponent()));
            assert_eq!(turned.tally(side), position.tally(side.opponent()));
        }
    });
}

#[test]
fn printed_positions_and_plays_parse_back() {
    for_positions(6, |position, _| {
        let pieces = parse_board(position.rows().lines()).expect("a board");
        assert_eq!(Position::new(pieces, position.to_move(), position.rules()), *position);
        assert_eq!(position.to_string().parse(), Ok(position.with_rules(Rules::default())));
        for play in legal_plays(position).into_iter().take(10) {
            assert_eq!(play.to_string().parse(), Ok(play));
        }
        let picture = format!("{:?}", position.occupied());
        assert_eq!(Bitboard::from_picture(&picture), position.occupied());
    });
}

#[test]
fn wins_equal_those_of_the_naive_rules() {
    let (mut wins, mut full_goals) = (0, 0);
    for_positions(7, |position, _| {
        let board = naive(position);
        let listed = legal_plays(position);
        let naive_wins = board.wins_among(&board.legal_plays());
        match position.winning_play(&listed) {
            Some(play) => {
                assert!(naive_wins.contains(&movement(play)), "{play} does not win\n{position}");
                let won = after(position, &[play]);
                assert_eq!(won.outcome(), Some(Outcome::Win(position.to_move())), "{play}\n{position}");
            }
            None => assert_eq!(naive_wins, [], "a win is overlooked\n{position}"),
        }
        let opponent = position.to_move().opponent();
        let expected = board.has_won(letter(opponent)).then_some(Outcome::Win(opponent));
        assert_eq!(position.outcome(), expected, "\n{position}");
        wins += usize::from(!naive_wins.is_empty());
        full_goals += usize::from(expected.is_some());
    });
    assert!(wins > 200 && full_goals > 20, "only {wins} wins in one and {full_goals} full goals");
}

#[test]
fn chains_are_the_shortest_of_the_safe_ones() {
    let (mut safe, mut unsafe_only, mut detours) = (0, 0, 0);
    for_positions(8, |position, rng| {
        let board = naive(position);
        let listed = legal_plays(position);
        for _ in 0..listed.len().min(4) {
            let play = *listed.choose(rng).expect("a play");
            let written = chain(position, play).expect("a legal play has a chain");
            let path: Vec<Xy> = written.iter().copied().map(xy).collect();
            assert_eq!((path[0], path[path.len() - 1]), movement(play));
            if !play.is_jump() {
                assert_eq!(path.len(), 2, "a step has two squares\n{position}");
                continue;
            }
            assert!(board.is_chain_of_jumps(&path), "{path:?}\n{position}");
            let fewest = board.fewest_jumps(movement(play), false);
            let fewest_safe = board.fewest_jumps(movement(play), true);
            assert_eq!(board.is_hop_safe(&path), fewest_safe.is_some(), "{path:?}\n{position}");
            assert_eq!(Some(path.len() - 1), fewest_safe.or(fewest), "{path:?}\n{position}");
            safe += usize::from(fewest_safe == fewest);
            unsafe_only += usize::from(fewest_safe.is_none());
            detours += usize::from(fewest_safe.is_some() && fewest_safe != fewest);
        }
    });
    assert!(safe > 1_000 && unsafe_only > 10 && detours > 10, "{safe}, {unsafe_only}, {detours}");
}

#[test]
fn an_impossible_movement_has_no_chain() {
    for_positions(9, |position, rng| {
        let board = naive(&position.with_rules(Rules::Original));
        let legal = board.legal_plays();
        let outside_goal = |square: Square| !naive::in_goal(letter(position.to_move()), xy(square));
        let own: Vec<Square> =
            position.pieces(position.to_move()).into_iter().filter(|&at| outside_goal(at)).collect();
        let Some(&from) = own.choose(rng) else { return };
        let to = Square::from_number(rng.random());
        let play = Play::new(from, if to == from { from.half_turn() } else { to });
        // Outside the goal the original rules forbid nothing, so every possible movement is legal.
        assert_eq!(chain(position, play).is_some(), legal.contains(&movement(play)), "{play}\n{position}");
    });
}
