//! Files for `homework`, and checks of its answers.

use super::naive::{self, Xy};
use super::plays::after;
use super::positions::{ONE_PLAY, cornered, naive};
use super::program::{Folder, Run};
use halma::agent::SavedGame;
use halma::game::Game;
use halma::homework::input::parse_input;
use halma::homework::playdata::playdata_text;
use halma::rules::{BLACK, Play, Position, Square, colour};
use halma::search::mcts::SavedNode;

/// The `input.txt` for `position`.
pub fn input(mode: &str, seconds: f64, position: &Position) -> String {
    let side = colour(position.to_move());
    format!("{mode}\n{side}\n{seconds}\n{}", position.rows())
}

/// Reads an `output.txt` strictly. Returns whether its hops are jumps, and the squares that the piece visits.
pub fn read_output(text: &str) -> Result<(bool, Vec<Xy>), String> {
    let square = |text: &str| {
        naive::squares().find(|(x, y)| format!("{x},{y}") == text).ok_or(format!("{text:?} is not a square"))
    };
    let jumps = text.starts_with('J');
    let mut chain: Vec<Xy> = Vec::new();
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        let (["E", from, to] | ["J", from, to]) = words[..] else {
            return Err(format!("{line:?} is not a hop"));
        };
        if jumps != line.starts_with('J') {
            return Err(format!("{line:?} differs in kind from the first line"));
        }
        let (from, to) =
            (square(from)?, square(to.strip_suffix('\n').ok_or("the last line lacks a line feed")?)?);
        if *chain.last().unwrap_or(&from) != from {
            return Err(format!("{line:?} does not start where the line before it ends"));
        }
        chain.resize(chain.len().max(1), from);
        chain.push(to);
    }
    if chain.is_empty() || (!jumps && chain.len() > 2) {
        return Err(format!("{} hops", chain.len()));
    }
    Ok((jumps, chain))
}

/// The play of an `output.txt`, if it is legal in `position` and each of its hops is possible under the naive rules.
pub fn judge(position: &Position, text: &str) -> Result<Play, String> {
    let (jumps, chain) = read_output(text)?;
    let (from, to) = (chain[0], chain[chain.len() - 1]);
    let board = naive(position);
    if !board.legal_plays().contains(&(from, to)) {
        return Err(format!("{from:?} to {to:?} is not legal"));
    }
    let beside = from.0.abs_diff(to.0) <= 1 && from.1.abs_diff(to.1) <= 1;
    if jumps && !board.is_chain_of_jumps(&chain) || !jumps && !beside {
        return Err("a hop is impossible".to_string());
    }
    Ok(Play::new(Square::new(from.0, from.1), Square::new(to.0, to.1)))
}

/// The play in `output.txt`, which must be well-formed and legal.
pub fn legal_play(folder: &Folder) -> Play {
    let input = folder.read("input.txt").expect("an input");
    let position = parse_input(&input).expect("a valid input").position;
    let text = folder.text("output.txt");
    judge(&position, &text).unwrap_or_else(|error| panic!("{error}:\n{position}{text}"))
}

/// The play that `run` left in `folder`, which must be legal. Standard error must contain `note`, and must be empty if
/// `note` is.
pub fn answered(folder: &Folder, run: &Run, note: &str) -> Play {
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.stderr.contains(note) && run.stderr.is_empty() == note.is_empty(), "{note:?}: {run:?}");
    legal_play(folder)
}

/// Asserts that `program`, run in `folder` after `setup`, fails with one line that starts with `error` and changes
/// nothing.
pub fn assert_refused(folder: &Folder, setup: &str, program: &str, error: &str) {
    let before = folder.contents();
    let run = folder.run_after(setup, program);
    let input = || String::from_utf8_lossy(&folder.read("input.txt").unwrap_or_default()).into_owned();
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}\n{}", input());
    assert!(run.stderr.starts_with(error), "{error}: {run:?}\n{}", input());
    assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
    assert!(folder.contents() == before, "{:?}: {run:?}\n{}", folder.names(), input());
}

/// An `input.txt` with 300 s left in which Black has one play.
pub fn forced(mode: &str) -> String {
    input(mode, 300.0, &cornered(ONE_PLAY))
}

/// A saved node of a search.
pub fn saved_node(depth: u32, play: &str) -> SavedNode<Play> {
    SavedNode { depth, play: play.parse().expect("a play"), visits: 10, mean: 0.0, proof: None }
}

/// A position, and a valid `playdata.txt` for it with `nodes` nodes; 300,000 nodes take 9 MB.
pub fn playdata(nodes: usize) -> (Position, String) {
    let play = |text: &str| text.parse().expect("a play");
    let start = Position::default();
    let before = after(&start, &[play("4,1 5,2")]);
    let mut saved = vec![saved_node(1, "11,14 10,13"); nodes];
    saved.iter_mut().skip(1).step_by(2).for_each(|reply| *reply = saved_node(2, "3,1 5,3"));
    let boards = vec![start.pieces(BLACK), before.pieces(BLACK)];
    let text = playdata_text(&SavedGame { before, nodes: saved, boards });
    (after(&before, &[play("11,14 10,13")]), text)
}
