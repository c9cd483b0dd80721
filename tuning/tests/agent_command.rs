//! `lab agent`: any agent as a program of the homework.

use crate::support::Folder;
use halma::agent;
use halma::game::Game;
use halma::rules::Position;
use halma::search::Limits;
use halma::support::clock::ThreadClock;
use halma_lab::play::{check, parse_output};

/// A folder whose input.txt holds `position`, in a game with one second left.
fn folder(position: &Position) -> Folder {
    Folder::with("input.txt", format!("GAME\nBLACK\n1\n{}", position.rows()))
}

/// Runs the agent in `folder`, where it must print nothing, and returns its output.txt.
fn answer(folder: &Folder, agent: &str) -> String {
    let output = folder.output(&format!("agent {agent}"));
    assert!(output.status.success(), "{agent}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{agent}");
    folder.read("output.txt")
}

#[test]
fn every_kind_of_agent_answers_with_a_legal_play_and_leaves_nothing_else() {
    for spec in ["mcts", "minimax(depth=2)", "alphabeta(depth=2)", "greedy", "random"] {
        let folder = folder(&Position::default());
        let turn = parse_output(answer(&folder, spec).as_bytes()).expect("well-formed");
        assert_eq!(check(&Position::default(), &turn), Ok(turn.play()), "{spec}");
        assert_eq!(folder.files(".").len(), 2, "{spec}");
    }
}

#[test]
fn random_plays_follow_from_the_seed_and_the_position() {
    let first = folder(&Position::default());
    let answers: Vec<String> = (0..8).map(|seed| answer(&first, &format!("random --seed {seed}"))).collect();
    assert!(answers.iter().any(|answer| *answer != answers[0]));
    assert_eq!(answer(&first, "random --seed 0"), answers[0]);
    // After one play by each side, the same seed gives different numbers.
    let mut position = Position::default();
    let mut legal_plays = Vec::new();
    let mut eighths = Vec::new();
    for _ in 0..8 {
        position.legal_plays(&mut legal_plays);
        let text = answer(&folder(&position), "random --seed 0");
        let play = parse_output(text.as_bytes()).expect("well-formed").play();
        let place = legal_plays.iter().position(|&legal| legal == play).expect("a legal play");
        eighths.push(place * 8 / legal_plays.len());
        position.play(play);
        position.legal_plays(&mut legal_plays);
        position.play(legal_plays[0]);
    }
    assert!(eighths.iter().any(|&eighth| eighth != eighths[0]), "{eighths:?}");
}

#[test]
fn a_number_of_iterations_takes_the_place_of_time() {
    for iterations in [1, 100, 3_000] {
        let mut agent = agent::parse("mcts", 1).expect("an agent");
        let limits = Limits::iterations(iterations);
        let decision = agent.decide(&Position::default(), &limits, &ThreadClock, None).expect("a play");
        let text = answer(&folder(&Position::default()), &format!("mcts --iterations {iterations}"));
        assert_eq!(parse_output(text.as_bytes()).expect("well-formed").play(), decision.play, "{iterations}");
    }
}

#[test]
fn errors_leave_no_output() {
    let folder = folder(&Position::default());
    folder.refuses(
        "agent",
        &[
            ("gready", "there is no agent 'gready'"),
            ("minimax(depth=9)", "expected a whole number from 1 to 3"),
        ],
    );
    folder.write("input.txt", "SINGLE\nGREEN\n");
    folder.refused("agent greedy", "line 2, column 1");
    assert!(!folder.exists("output.txt"));
}
