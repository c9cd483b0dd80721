//! The rules of Halma against published counts and the course's sample files.

use crate::support::plays::{after, legal_plays};
use crate::support::positions::position;
use crate::support::samples::Sample;
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Position, Rules, Square, WHITE, camp, chain, further};

/// The number of sequences of `depth` plays; a sequence that ends the game earlier does not count.
fn perft(position: &Position, depth: u32) -> u64 {
    if position.outcome().is_some() {
        return 0;
    }
    if depth == 1 {
        return position.count_plays() as u64;
    }
    legal_plays(position).into_iter().map(|play| perft(&after(position, &[play]), depth - 1)).sum()
}

/// For each depth, the number of sequences of plays from the initial position under the addendum and under the original
/// rules. Source: an independent, slow generator written from the rules before this crate existed.
const FROM_THE_START: [(u32, u64, u64); 4] =
    [(1, 40, 40), (2, 1_600, 1_600), (3, 62_240, 85_440), (4, 2_421_136, 4_562_496)];

/// The number of plays in each of the course's samples 1 to 6 under the addendum and the original rules, from the same
/// source.
const IN_THE_SAMPLES: [(usize, usize); 6] = [(17, 17), (20, 20), (49, 49), (22, 133), (6, 123), (78, 112)];

#[test]
fn a_position_is_small() {
    assert_eq!(size_of::<Position>(), 96);
}

#[test]
fn perft_from_the_initial_position() {
    for first in [BLACK, WHITE] {
        for (depth, addendum, original) in FROM_THE_START {
            for (rules, count) in [(Rules::Addendum, addendum), (Rules::Original, original)] {
                let start = Position::initial(first, rules);
                assert_eq!(perft(&start, depth), count, "{first:?} first, {rules:?}, depth {depth}");
            }
        }
    }
}

#[test]
fn samples_have_the_known_counts_and_their_answers_are_legal_and_written_alike() {
    for (number, counts) in Sample::NUMBERS.zip(IN_THE_SAMPLES) {
        let sample = Sample::read(number);
        for (rules, count) in [(Rules::Addendum, counts.0), (Rules::Original, counts.1)] {
            let position = sample.position.with_rules(rules);
            assert_eq!(position.count_plays(), count, "sample {number}, {rules:?}");
            assert!(position.is_legal(sample.answer()), "sample {number}, {rules:?}");
        }
        let written = chain(&sample.position, sample.answer()).expect("a legal play has a chain");
        assert_eq!(written.as_slice(), sample.chain, "sample {number}");
        assert_eq!(sample.answer().is_jump(), sample.jumps, "sample {number}");
    }
}

#[test]
fn only_samples_1_and_2_are_won_in_one() {
    for number in Sample::NUMBERS {
        let sample = Sample::read(number);
        let win = sample.position.winning_play(&legal_plays(&sample.position));
        assert_eq!(win, (number <= 2).then(|| sample.answer()), "sample {number}");
        if let Some(win) = win {
            let won = Some(Outcome::Win(sample.position.to_move()));
            assert_eq!(after(&sample.position, &[win]).outcome(), won, "sample {number}");
        }
    }
}

#[test]
fn samples_4_to_6_obey_the_camp_rules() {
    type Rule = fn(Square, Square) -> bool;
    let rules: [(usize, Rule); 3] = [
        // A piece leaves its camp.
        (4, |from, to| camp(WHITE).contains(from) && !camp(WHITE).contains(to)),
        // No piece can leave, so one moves away from its corner.
        (5, |from, to| {
            camp(BLACK).contains(from) && camp(BLACK).contains(to) && further(BLACK, from).contains(to)
        }),
        // No piece at home can do either, so the others move.
        (6, |from, to| !camp(BLACK).contains(from) && !camp(BLACK).contains(to)),
    ];
    for (number, rule) in rules {
        let position = Sample::read(number).position;
        let plays = legal_plays(&position);
        assert!(position.tally(position.to_move()).at_home() > 0 && !plays.is_empty(), "sample {number}");
        for play in plays {
            assert!(rule(play.from, play.to), "sample {number}: {play}");
        }
    }
}

#[test]
fn where_the_addendum_allows_no_play_the_original_rules_apply() {
    for (black, white, destinations) in [
        // From outside its camp the piece can only enter it, which rule 1 forbids.
        ("5,0", "6,0 7,0 5,1 6,1 5,2 7,2", vec!["4,0", "4,1"]),
        // Inside its camp it can only approach its corner, which rule 2b forbids.
        ("1,1", "2,0 2,1 3,1 0,2 1,2 2,2 1,3 3,3", vec!["0,0", "0,1", "1,0"]),
        // The piece has no play at all.
        ("0,0", "1,0 2,0 0,1 1,1 0,2 2,2", vec![]),
    ] {
        for rules in [Rules::Addendum, Rules::Original] {
            let position = position(BLACK, rules, black, white);
            let plays = legal_plays(&position);
            let mut found: Vec<String> = plays.iter().map(|play| play.to.to_string()).collect();
            found.sort();
            assert_eq!(found, destinations, "{rules:?}\n{position}");
        }
    }
}
