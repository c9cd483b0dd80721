//! The positions of the single moves.

use anyhow::{Context, Result};
use halma::game::Game;
use halma::homework::input::parse_input;
use halma::rules::{BLACK, Position, Rules, WHITE};
use halma::support::random::Random;

/// The course's samples, with what each is about.
const SAMPLES: [(&str, &str); 6] = [
    ("sample 1: a win in one", include_str!("../../../../tests/data/halma/1.input.txt")),
    ("sample 2: a win in one", include_str!("../../../../tests/data/halma/2.input.txt")),
    ("sample 3: the ending", include_str!("../../../../tests/data/halma/3.input.txt")),
    ("sample 4: must leave the camp", include_str!("../../../../tests/data/halma/4.input.txt")),
    ("sample 5: no exit from the camp", include_str!("../../../../tests/data/halma/5.input.txt")),
    ("sample 6: a piece stuck at home", include_str!("../../../../tests/data/halma/6.input.txt")),
];

/// Very short times, in seconds; other positions get the usual time.
const LOW_TIMES: [f64; 2] = [0.01, 0.05];

/// A single move to make.
#[derive(Clone, Debug)]
pub struct SingleMove {
    /// What is special about it.
    pub name: String,
    /// The position.
    pub position: Position,
    /// CPU seconds.
    pub seconds: f64,
}

/// `count` problems with `seconds` for most moves: two with very little time, the samples, and random
/// positions from games, which follow from `seed`.
///
/// # Errors
/// If a sample is broken.
pub fn problems(count: usize, seconds: f64, seed: u64) -> Result<Vec<SingleMove>> {
    let mut random = Random::new(seed);
    let mut problems = Vec::new();
    for time in LOW_TIMES {
        let position = from_game(30 + random.below(60), &mut random);
        problems.push(SingleMove { name: format!("only {time} s"), position, seconds: time });
    }
    for (name, text) in SAMPLES {
        let input = parse_input(text.as_bytes()).with_context(|| name.to_string())?;
        problems.push(SingleMove { name: name.to_string(), position: input.position, seconds });
    }
    let start = Position::initial(WHITE, Rules::Addendum);
    problems.push(SingleMove { name: "the first move".to_string(), position: start, seconds });
    while problems.len() < count {
        let plies = 20 + random.below(160);
        let position = from_game(plies, &mut random);
        problems.push(SingleMove { name: format!("after {plies} plies"), position, seconds });
    }
    problems.truncate(count);
    Ok(problems)
}

/// A position of a game, not yet over, in which each side makes the best of three random plays.
fn from_game(plies: usize, random: &mut Random) -> Position {
    let mut position = Position::initial(BLACK, Rules::Addendum);
    let mut plays = Vec::new();
    for _ in 0..plies {
        position.legal_plays(&mut plays);
        let choice = |random: &mut Random| plays[random.below(plays.len())];
        let drawn = [choice(random), choice(random), choice(random)];
        let best = drawn.into_iter().max_by_key(|&play| position.progress(play));
        let mut next = position;
        best.into_iter().for_each(|play| next.play(play));
        if next.outcome().is_some() || next.count_plays() == 0 {
            break;
        }
        position = next;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_varied_and_have_an_answer() {
        let problems = problems(14, 30.0, 1).expect("good samples");
        assert_eq!(problems.len(), 14);
        for problem in &problems {
            assert!(problem.position.count_plays() > 0, "{}", problem.name);
            assert_eq!(problem.position.outcome(), None, "{}", problem.name);
        }
        assert_eq!(problems.iter().filter(|problem| problem.seconds < 0.1).count(), 2);
        assert!([BLACK, WHITE].iter().all(|&side| problems.iter().any(|p| p.position.to_move() == side)));
    }
}
