//! The solver of races: its bound never exceeds the fewest plays, and its lines are legal and finish the race.

use crate::support::endings::{Ending, alone, boards, endings, race, solved, write_endings};
use crate::support::plays::legal_plays;
use crate::support::positions::{play_game, position, random_source, squares};
use halma::agent;
use halma::game::{Game, Player};
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, goal};
use halma::search::Limits;
use halma::search::race::{Race, Solution, estimate, improve, passed, solve};
use halma::support::clock::{FakeClock, ThreadClock};
use rand::RngExt;
use std::collections::HashSet;

#[test]
fn endings_are_races_no_shorter_than_the_bound() {
    let endings = endings();
    assert_eq!(endings.len(), 200);
    for Ending { position, fewest, .. } in &endings {
        let race = race(position);
        assert!(passed(position) && (1..=6).contains(&race.outside()));
        assert!(race.min_plays() <= *fewest);
    }
}

#[test]
fn lines_are_legal_and_finish() {
    for Ending { position, fewest, proved } in endings().iter().step_by(3) {
        let race = race(position);
        let solution = solved(&race, &boards(500));
        let last = solution.line.iter().fold(*position, |at, &play| alone(&at, play));
        assert!(last.has_filled_goal(position.to_move()));
        assert!(solution.min_length <= *fewest);
        assert!(!proved || solution.length() >= *fewest);
        assert!(!solution.is_proved() || solution.length() == *fewest);
    }
}

/// The fewest plays, found by searching all lines without bound, ordering or beam; `None` if more than `max` are
/// needed.
fn by_brute_force(position: &Position, max: u32) -> Option<u32> {
    let side = position.to_move();
    let mut layer = vec![*position];
    let mut met = HashSet::new();
    for depth in 1..=max {
        let mut next = Vec::new();
        for at in &layer {
            for play in legal_plays(at) {
                let after = alone(at, play);
                if after.has_filled_goal(side) {
                    return Some(depth);
                }
                if met.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    None
}

#[test]
fn proved_lines_are_as_short_as_brute_force_says() {
    let mut compared = [0; 5];
    for Ending { position, fewest, .. } in endings().iter().filter(|ending| ending.fewest <= 4) {
        let race = race(position);
        let solution = solved(&race, &Limits::default());
        assert!(solution.is_proved());
        let max = if race.outside() <= 3 { 3 } else { 2 };
        match by_brute_force(position, max) {
            Some(plays) => assert_eq!((solution.length(), *fewest), (plays, plays)),
            None => assert!(solution.length() > max),
        }
        compared[*fewest as usize] += 1;
    }
    assert!(compared[1] > 3 && compared[2] > 3 && compared[3] > 3, "{compared:?}");
}

/// A play shortens a race by at most one play, so the bound must not fall by two.
#[test]
fn the_bound_never_falls_by_two() {
    let mut rng = random_source(5);
    let mut compared = 0;
    let mut compare = |position: &Position, race: fn(&Position, Player) -> Option<Race>| {
        let needed = |at: &Position| race(at, position.to_move()).map(|race| race.min_plays());
        for play in legal_plays(position) {
            if let (Some(before), Some(after)) = (needed(position), needed(&alone(position, play))) {
                assert!(before <= after + 1, "{before}, then {after}: {play} in\n{position}");
                compared += 1;
            }
        }
    };
    for game in 0..20 {
        let start = Position::initial(Player::BOTH[game % 2], Rules::Addendum);
        let noise = [0.05, 0.3][game / 2 % 2];
        play_game(start, 250, noise, &mut rng, &mut |position, _| {
            let mut pieces = Player::BOTH.map(|side| position.pieces(side));
            compare(position, Race::against_frozen);
            pieces[position.to_move().opponent().index()] = Bitboard::EMPTY;
            compare(&Position::new(pieces, position.to_move(), position.rules()), Race::solo);
        });
    }
    assert!(compared > 100_000, "{compared} compared");
}

#[test]
fn armies_still_in_contact_are_not_a_race() {
    assert!(!passed(&Position::default()));
    for (black, white, expected, why) in [
        ("9,9 12,12", "8,9 2,3", true, "passed"),
        ("9,8 12,12", "8,9 2,3", false, "on one diagonal"),
        ("7,7 12,12", "8,8 2,3", false, "face to face"),
        ("9,9 12,12", "2,3 15,15", false, "a white piece is at home"),
        ("5,5", "", false, "there is no opponent"),
    ] {
        assert_eq!(passed(&position(BLACK, Rules::Addendum, black, white)), expected, "{why}");
    }
}

#[test]
fn estimates_are_near_the_truth() {
    let endings = endings();
    let off = |ending: &Ending| estimate(&ending.position, ending.position.to_move()) - ending.fewest as f32;
    let mean =
        |part: fn(f32) -> f32| endings.iter().map(|e| part(off(e))).sum::<f32>() / endings.len() as f32;
    let (bias, absolute) = (mean(|off| off), mean(f32::abs));
    assert!(bias.abs() < 1.0 && absolute < 1.5, "{bias:+} {absolute}");
}

#[test]
fn a_half_turn_changes_neither_lengths_nor_estimates() {
    for Ending { position, .. } in endings().iter().step_by(10) {
        let turned = position.half_turn();
        let [here, there] = [position, &turned].map(|position| solved(&race(position), &boards(300)));
        // The border between the halves may shift by one diagonal, so only the lengths are compared.
        assert_eq!(here.length(), there.length());
        assert_eq!(estimate(position, position.to_move()), estimate(&turned, turned.to_move()));
    }
}

#[test]
fn searches_stay_within_their_effort() {
    let Ending { position, .. } = endings().into_iter().max_by_key(|ending| ending.fewest).expect("endings");
    let race = race(&position);
    for max in [200, 1000, 5000] {
        assert!(solved(&race, &boards(max)).boards <= max);
    }
    assert_eq!(solve(&race, &boards(1), &FakeClock::new()), None);
    let clock = FakeClock::ticking(0.01);
    let solution = solve(&race, &Limits::cpu(1.0), &clock).expect("a way");
    assert!((2..=103).contains(&clock.reads()), "{} readings of the clock", clock.reads());
    assert!(solution.boards <= 103 * 8);
    let little = Limits { memory: Some(2_000_000), ..boards(50_000) };
    let (free, bound) = (solved(&race, &boards(50_000)).boards, solved(&race, &little).boards);
    assert!(bound < free, "{bound} of {free} boards");
}

#[test]
fn a_known_line_gets_no_longer() {
    let mut shorter = 0;
    for Ending { position, .. } in endings().iter().filter(|ending| ending.fewest > 2).step_by(5) {
        let clock = FakeClock::new();
        let line = solved(&race(position), &boards(2000)).line;
        let (next, rest) = (alone(position, line[0]), &line[1..]);
        // One board is too few to find anything, so the known line stays.
        let found = improve(&race(&next), rest, &[], &boards(1), &clock).expect("the known line");
        assert_eq!(found.line, rest);
        let found = improve(&race(&next), rest, &[], &boards(100), &clock).expect("the known line");
        assert!(found.length() <= rest.len() as u32);
        let unaided = solve(&race(&next), &boards(40), &clock);
        shorter += u32::from(unaided.is_none_or(|unaided| unaided.length() > found.length()));
        // A line that does not finish the race is ignored.
        let short = &rest[..rest.len() - 1];
        for wrong in [&line[..], short, &[]] {
            assert_eq!(improve(&race(&next), wrong, &[], &boards(1), &clock).map(|found| found.boards), None);
        }
    }
    assert!(shorter > 0, "a search of 40 boards never needs the known line");
}

#[test]
fn lines_avoid_the_boards_of_the_game() {
    let mut avoided = 0;
    for Ending { position, .. } in endings().iter().filter(|ending| ending.fewest > 2).step_by(20) {
        let side = position.to_move();
        let race = race(position);
        let boards_on = |line: &[Play]| -> Vec<Bitboard> {
            let mut at = *position;
            let next = |play: &Play| {
                at = alone(&at, *play);
                at.pieces(side)
            };
            line.iter().map(next).collect()
        };
        let shortest = solved(&race, &boards(300));
        // Forbid the board after the first play.
        let forbidden = boards_on(&shortest.line)[0];
        let other = improve(&race, &[], &[forbidden], &boards(300), &FakeClock::new()).expect("another line");
        assert!(race.is_finished_by(&other.line) && !boards_on(&other.line).contains(&forbidden));
        avoided += usize::from(other.line != shortest.line);
    }
    assert!(avoided > 5);
}

#[test]
fn a_shortest_line_goes_through_an_earlier_board_if_it_must() {
    let with = |outside| goal(BLACK) & !squares("11,14 11,15") | squares(outside);
    let pieces = [with("8,15 10,15"), squares("4,4")];
    let race = race(&Position::new(pieces, BLACK, Rules::Addendum));
    for history in [&[][..], &[with("9,15 10,15")]] {
        let found = improve(&race, &[], history, &boards(10_000), &FakeClock::new()).expect("a line");
        assert_eq!((found.length(), found.is_proved()), (3, true), "{history:?}");
    }
}

/// The number of boards in each search for the file of endings.
const LONG: u64 = 500_000;

/// Makes the file of endings: `cargo test --release --test engine -- --ignored make_the_endings`. A changed engine
/// makes different endings.
#[test]
#[ignore = "replaces the data of other tests; takes minutes"]
fn make_the_endings() {
    let positions = (1..).filter_map(|seed| from_game(seed, &mut random_source(seed + 1_000_000)));
    write_endings(positions.take(200).map(|position| {
        let found = long_solved(&position);
        Ending { position, fewest: found.length(), proved: found.is_proved() }
    }));
}

/// Solves the unproved endings again with today's search:
/// `cargo test --release --test engine -- --ignored solve_the_endings_again`.
#[test]
#[ignore = "replaces the data of other tests; takes minutes"]
fn solve_the_endings_again() {
    write_endings(endings().into_iter().map(|ending| {
        if ending.proved {
            return ending;
        }
        let found = long_solved(&ending.position);
        let fewest = ending.fewest.min(found.length());
        Ending { fewest, proved: found.is_proved() || found.min_length >= fewest, ..ending }
    }));
}

/// The result of a long search.
fn long_solved(position: &Position) -> Solution {
    solved(&race(position), &boards(LONG))
}

/// A race with a few pieces outside the goal, from a game of the engine against itself.
fn from_game(seed: u64, rng: &mut impl rand::Rng) -> Option<Position> {
    let mut agent = agent::parse("mcts(reuse=off, race=off)", seed).expect("the engine");
    let mut opening = random_source(seed);
    let mut position = Position::initial(Player::BOTH[seed as usize % 2], Rules::Addendum);
    let mut found = Vec::new();
    for ply in 0..400 {
        if position.outcome().is_some() {
            break;
        }
        let race = Race::new(&position, position.to_move());
        if race.is_some_and(|race| (1..=6).contains(&race.outside())) {
            found.push(position);
        }
        let plays = legal_plays(&position);
        let play = match ply {
            0..8 => plays[opening.random_range(0..plays.len())],
            _ => agent.decide(&position, &Limits::iterations(300), &ThreadClock, None).expect("a play").play,
        };
        position.play(play);
    }
    (!found.is_empty()).then(|| found[rng.random_range(0..found.len())])
}
