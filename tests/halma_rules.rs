//! The rules of Halma against published counts and the course's sample files.

use crate::support::samples::Sample;
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Position, Rules, Square, WHITE, camp, chain, further};

/// How many sequences of `depth` plays there are; a sequence ends early where somebody wins.
fn perft(position: &Position, depth: u32) -> u64 {
    if position.outcome().is_some() {
        return 0;
    }
    if depth == 1 {
        return position.count_plays() as u64;
    }
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    let after = |play| {
        let mut next = *position;
        next.play(play);
        perft(&next, depth - 1)
    };
    plays.into_iter().map(after).sum()
}

/// Sequences of plays from the initial position: depth, under the addendum, under the original
/// rules. Source: an independent, slow generator written from the rules before this crate was.
const FROM_THE_START: [(u32, u64, u64); 4] =
    [(1, 40, 40), (2, 1_600, 1_600), (3, 62_240, 85_440), (4, 2_421_136, 4_562_496)];

/// Plays in the course's samples 1 to 6: under the addendum, under the original rules. Same source.
const IN_THE_SAMPLES: [(usize, usize); 6] = [(17, 17), (20, 20), (49, 49), (22, 133), (6, 123), (78, 112)];

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
fn plays_in_the_samples() {
    for (number, (addendum, original)) in Sample::NUMBERS.zip(IN_THE_SAMPLES) {
        let position = Sample::read(number).position;
        assert_eq!(position.count_plays(), addendum, "sample {number}, addendum");
        assert_eq!(position.with_rules(Rules::Original).count_plays(), original, "sample {number}, original");
    }
}

#[test]
fn accepted_answers_are_legal_under_both_rules() {
    for number in Sample::NUMBERS {
        let Sample { position, .. } = Sample::read(number);
        let answer = Sample::read(number).answer();
        assert!(position.is_legal(answer), "sample {number}, addendum");
        assert!(position.with_rules(Rules::Original).is_legal(answer), "sample {number}, original");
    }
}

#[test]
fn answers_are_written_as_the_samples_write_them() {
    for number in Sample::NUMBERS {
        let sample = Sample::read(number);
        let written = chain(&sample.position, sample.answer()).expect("a legal play has a chain");
        assert_eq!(written.as_slice(), sample.way, "sample {number}");
        assert_eq!(sample.answer().is_jump(), sample.jumps, "sample {number}");
    }
}

#[test]
fn samples_1_and_2_are_won_in_one() {
    for number in Sample::NUMBERS {
        let Sample { position, .. } = Sample::read(number);
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        let Some(win) = position.winning_play(&plays) else {
            assert!(number > 2, "sample {number} is won in one");
            continue;
        };
        assert!(number <= 2, "sample {number} is not won in one");
        assert_eq!(win, Sample::read(number).answer(), "sample {number}");
        let mut won = position;
        won.play(win);
        assert_eq!(won.outcome(), Some(Outcome::Win(position.to_move())), "sample {number}");
    }
}

/// The plays of sample `number` must all be as the rule wants them, and there must be some.
fn all_plays_of_sample(number: usize, rule: impl Fn(Square, Square) -> bool) {
    let position = Sample::read(number).position;
    let mut plays = Vec::new();
    position.legal_plays(&mut plays);
    assert!(position.tally(position.to_move()).at_home() > 0 && !plays.is_empty(), "sample {number}");
    for play in plays {
        assert!(rule(play.from, play.to), "sample {number}: {play}");
    }
}

#[test]
fn sample_4_must_leave_its_camp() {
    all_plays_of_sample(4, |from, to| camp(WHITE).contains(from) && !camp(WHITE).contains(to));
}

#[test]
fn sample_5_must_move_away_from_its_corner() {
    all_plays_of_sample(5, |from, to| {
        camp(BLACK).contains(from) && camp(BLACK).contains(to) && further(BLACK, from).contains(to)
    });
}

#[test]
fn sample_6_moves_outside_its_camp() {
    all_plays_of_sample(6, |from, to| !camp(BLACK).contains(from) && !camp(BLACK).contains(to));
}

/// Black's one piece on `black`, among White's on `white`, must have just the `expected`
/// destinations, under the addendum as under the original rules.
fn plays_fall_back_on(black: &str, white: &str, expected: &[&str]) {
    let squares =
        |text: &str| text.split(' ').map(|square| square.parse::<Square>().expect("a square")).collect();
    let position = Position::new([squares(black), squares(white)], BLACK, Rules::Addendum);
    for rules in [Rules::Addendum, Rules::Original] {
        let mut plays = Vec::new();
        position.with_rules(rules).legal_plays(&mut plays);
        let mut written: Vec<String> = plays.iter().map(|play| play.to.to_string()).collect();
        written.sort();
        assert_eq!(written, expected, "{rules:?}\n{position}");
    }
}

#[test]
fn where_the_addendum_leaves_nothing_the_original_rules_hold() {
    // From outside its camp the piece can only enter it, which rule 1 forbids.
    plays_fall_back_on("5,0", "6,0 7,0 5,1 6,1 5,2 7,2", &["4,0", "4,1"]);
    // From inside its camp it can only come closer to its corner, which rule 2b forbids.
    plays_fall_back_on("1,1", "2,0 2,1 3,1 0,2 1,2 2,2 1,3 3,3", &["0,0", "0,1", "1,0"]);
}

#[test]
fn a_side_without_any_play_has_an_empty_list() {
    plays_fall_back_on("0,0", "1,0 2,0 0,1 1,1 0,2 2,2", &[]);
}
