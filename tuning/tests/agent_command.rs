//! `lab agent` from outside: any agent as a program of the homework.

use halma::agent;
use halma::game::Game;
use halma::rules::{BLACK, Position, Rules};
use halma::search::Limits;
use halma::support::clock::ThreadClock;
use halma_lab::play::programs::{check, parse_output};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::{TempDir, tempdir};

/// A folder with an input.txt.
fn folder(input: &str) -> TempDir {
    let folder = tempdir().expect("a temporary folder");
    fs::write(folder.path().join("input.txt"), input).expect("a new file");
    folder
}

/// The input.txt of a game's first move, with so many seconds left.
fn first_move(seconds: f64) -> String {
    format!("GAME\nBLACK\n{seconds}\n{}", Position::initial(BLACK, Rules::Addendum).rows())
}

fn lab_agent(folder: &Path, arguments: &[&str]) -> Output {
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"));
    lab.arg("agent").args(arguments).current_dir(folder).output().expect("lab can be started")
}

/// The output.txt that the agent writes.
fn answer(folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = lab_agent(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{arguments:?}");
    fs::read(folder.join("output.txt")).expect("an output.txt")
}

#[test]
fn every_kind_of_agent_answers_with_a_legal_play_and_leaves_nothing_else() {
    let start = Position::initial(BLACK, Rules::Addendum);
    for spec in ["mcts", "minimax(depth=2)", "alphabeta(depth=2)", "greedy", "random"] {
        let folder = folder(&first_move(1.0));
        let turn = parse_output(&answer(folder.path(), &[spec])).expect("well-formed");
        assert_eq!(check(&start, &turn), Ok(turn.play()), "{spec}");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2, "{spec}");
    }
}

#[test]
fn what_is_random_follows_from_the_seed_and_the_position() {
    let start = folder(&first_move(1.0));
    let with_seed = |folder: &Path, seed: &str| answer(folder, &["random", "--seed", seed]);
    let answers: Vec<Vec<u8>> = (0..8).map(|seed: u32| with_seed(start.path(), &seed.to_string())).collect();
    assert!(answers.iter().any(|answer| *answer != answers[0]));
    assert_eq!(with_seed(start.path(), "0"), answers[0]);
    // Not the same dice again after a ply of each side.
    let mut position = Position::initial(BLACK, Rules::Addendum);
    let mut plays = Vec::new();
    let mut places = Vec::new();
    for _ in 0..8 {
        let folder = folder(&format!("GAME\nBLACK\n1\n{}", position.rows()));
        position.legal_plays(&mut plays);
        let play = parse_output(&with_seed(folder.path(), "0")).expect("well-formed").play();
        places.push(plays.iter().position(|&listed| listed == play).expect("a legal play") * 8 / plays.len());
        position.play(play);
        position.legal_plays(&mut plays);
        position.play(plays[0]);
    }
    assert!(places.iter().any(|&place| place != places[0]), "{places:?}");
}

#[test]
fn a_number_of_iterations_takes_the_place_of_time() {
    let start = Position::initial(BLACK, Rules::Addendum);
    for iterations in [1, 100, 3_000] {
        let mut agent = agent::parse("mcts", 1).expect("an agent");
        let decision =
            agent.decide(&start, &Limits::iterations(iterations), &ThreadClock, None).expect("a play");
        let folder = folder(&first_move(1.0));
        let turn = parse_output(&answer(folder.path(), &["mcts", "--iterations", &iterations.to_string()]));
        assert_eq!(turn.expect("well-formed").play(), decision.play, "{iterations}");
    }
}

#[test]
fn errors_leave_no_output() {
    let good = first_move(1.0);
    for (input, spec, message) in [
        ("SINGLE\nGREEN\n", "greedy", "line 2, column 1"),
        (good.as_str(), "gready", "there is no agent 'gready'"),
        (good.as_str(), "minimax(depth=9)", "expected a whole number from 1 to 3"),
    ] {
        let folder = folder(input);
        let output = lab_agent(folder.path(), &[spec]);
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(message), "{errors}");
        assert!(!folder.path().join("output.txt").exists());
    }
}
