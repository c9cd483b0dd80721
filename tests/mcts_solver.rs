//! The search core's solver from outside, on games whose truth is known.

use crate::support::connect_four::{ConnectFour, Drop};
use crate::support::searches::{BOTH, after, params, run, search};
use crate::support::tic_tac_toe::{Cell, TicTacToe};
use halma::game::{Game, Outcome, Player, Value};
use halma::search::mcts::Params;
use halma::search::{Limits, Stop};
use halma::support::clock::FakeClock;
use std::collections::HashMap;

/// How `position` ends with best play: plain negamax with a table.
fn truth(position: &TicTacToe, known: &mut HashMap<TicTacToe, Outcome>) -> Outcome {
    if let Some(&outcome) = known.get(position) {
        return outcome;
    }
    let outcome = position.outcome().unwrap_or_else(|| {
        let (mover, mut plays) = (position.to_move(), Vec::new());
        position.legal_plays(&mut plays);
        let outcomes = plays.into_iter().map(|play| truth(&after(position, &[play]), known));
        let best = outcomes.max_by(|a, b| a.value_for(mover).get().total_cmp(&b.value_for(mover).get()));
        best.expect("a game that is not over goes on")
    });
    known.insert(*position, outcome);
    outcome
}

#[test]
fn solve_win() {
    let mut known = HashMap::new();
    for select in BOTH {
        // A win in three plies: no play wins at once, 2 and 8 make two threats.
        let position = TicTacToe::from_drawing("X.. .O. O.X");
        let report = run(&position, params(select), 1, 1000);
        assert_eq!(truth(&position, &mut known), Outcome::Win(Player::One));
        assert_eq!((report.proof, report.stop), (Some(Outcome::Win(Player::One)), Stop::Proved));
        assert_eq!(report.best().unwrap().play, Cell(2));
        assert_eq!(report.value, Value::WIN);
        assert!(report.iterations < 1000);
    }
}

#[test]
fn solve_loss() {
    for select in BOTH {
        // O to move cannot stop both 1 (top row) and 5 (right column).
        let position = TicTacToe::from_drawing("X.X .O. O.X");
        let report = run(&position, params(select), 1, 1000);
        assert_eq!((report.proof, report.stop), (Some(Outcome::Win(Player::One)), Stop::Proved));
        assert_eq!(report.value, Value::LOSS);
        assert!(report.best().is_some());
    }
}

#[test]
fn solve_draw() {
    for select in BOTH {
        // O to move must stop the top row, X then the middle column, and so on to the end.
        let position = TicTacToe::from_drawing("X.X .O. ...");
        let report = run(&position, params(select), 1, 20_000);
        assert_eq!(truth(&position, &mut HashMap::new()), Outcome::Draw);
        assert_eq!((report.proof, report.stop), (Some(Outcome::Draw), Stop::Proved));
        assert_eq!(report.value, Value::DRAW);
        assert_eq!(report.best().unwrap().play, Cell(1));
    }
}

#[test]
fn every_proof_is_true_and_every_position_is_proved() {
    let mut known = HashMap::new();
    truth(&TicTacToe::new(), &mut known);
    assert_eq!(known.len(), 5478);
    let truths = known.clone();
    for (seed, (position, truth)) in truths.iter().enumerate() {
        if position.outcome().is_some() {
            continue;
        }
        for select in BOTH {
            // Half a search may have proved only some plays. It explores a lot, because a search that has
            // proved a draw has no other reason to search plays that are no better.
            let mut search = search(position, Params { c: 100.0, ..params(select) }, seed as u64);
            for iterations in [8, 100, 1000, 300_000] {
                let report = search.run(&Limits::iterations(iterations), &FakeClock::default());
                for candidate in report.candidates.iter().filter(|candidate| candidate.proof.is_some()) {
                    let next = after(position, &[candidate.play]);
                    assert_eq!(candidate.proof, Some(truths[&next]), "{position}{candidate:?}");
                }
                assert!(report.proof.is_none_or(|proof| proof == *truth), "{position}{report:?}");
            }
            let mut plays = Vec::new();
            position.legal_plays(&mut plays);
            let report = search.run(&Limits::iterations(0), &FakeClock::default());
            // With a single play the search does not look for the outcome; the first two plies take too long.
            assert!(
                plays.len() == 1 || plays.len() > 7 || report.proof == Some(*truth),
                "{position}{report:?}"
            );
            let best = after(position, &[report.best().unwrap().play]);
            assert_eq!(truths[&best], *truth, "{position}{report:?}");
        }
    }
}

#[test]
fn connect_four_has_the_published_counts() {
    fn perft(position: &ConnectFour, depth: u32) -> u64 {
        if depth == 0 || position.outcome().is_some() {
            return u64::from(depth == 0);
        }
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        let winning = plays.iter().find(|&&play| after(position, &[play]).outcome().is_some());
        let shortcut = position.winning_play(&plays);
        assert_eq!(winning.is_some(), shortcut.is_some());
        assert!(shortcut.is_none_or(|play| after(position, &[play]).outcome().is_some()));
        plays.into_iter().map(|play| perft(&after(position, &[play]), depth - 1)).sum()
    }
    // Number of games by length, as published by John Tromp (OEIS A212693).
    assert_eq!([1, 4, 6, 7].map(|depth| perft(&ConnectFour::default(), depth)), [7, 2401, 117_649, 823_536]);
}

#[test]
fn connect_four_tactics_are_proved() {
    for select in BOTH {
        // Two in the middle of an empty bottom row: a third makes two threats.
        let position = ConnectFour::after(&[3, 3, 2, 2]);
        let report = run(&position, params(select), 1, 20_000);
        assert_eq!(report.proof, Some(Outcome::Win(Player::One)));
        assert!([Drop(1), Drop(4)].contains(&report.best().unwrap().play));
        // And after it the other side is lost.
        let lost = after(&position, &[Drop(4)]);
        assert_eq!(run(&lost, params(select), 1, 20_000).proof, Some(Outcome::Win(Player::One)));
    }
}
