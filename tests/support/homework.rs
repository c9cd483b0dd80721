//! Inputs for `homework`, and checks of its answers.

use super::naive::Xy;
use super::positions::naive;
use super::program::{Folder, Run};
use halma::game::Game;
use halma::homework::input::parse_input;
use halma::rules::{BLACK, Play, Position, Rules, Square};

/// The start of a game, Black to move.
pub fn start() -> Position {
    Position::initial(BLACK, Rules::default())
}

/// The `input.txt` for `position`.
pub fn input(mode: &str, seconds: f64, position: &Position) -> String {
    let side = halma::rules::colour(position.to_move());
    format!("{mode}\n{side}\n{seconds}\n{}", position.rows())
}

/// Reads an `output.txt`, to the letter: whether it is jumps, and the squares that the piece touches.
pub fn read_output(text: &str) -> Result<(bool, Vec<Xy>), String> {
    let squares = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
    let square = |text: &str| {
        squares.clone().find(|(x, y)| format!("{x},{y}") == text).ok_or(format!("{text:?} is no square"))
    };
    let jumps = text.starts_with('J');
    let mut chain: Vec<Xy> = Vec::new();
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        let (["E", from, to] | ["J", from, to]) = words[..] else {
            return Err(format!("{line:?} is no hop"));
        };
        if jumps != line.starts_with('J') {
            return Err(format!("{line:?} is of another kind than the first"));
        }
        let (from, to) = (square(from)?, square(to.strip_suffix('\n').ok_or("the last line has no end")?)?);
        if *chain.last().unwrap_or(&from) != from {
            return Err(format!("{line:?} starts elsewhere"));
        }
        chain.resize(chain.len().max(1), from);
        chain.push(to);
    }
    if chain.is_empty() || (!jumps && chain.len() > 2) {
        return Err(format!("{} hops", chain.len()));
    }
    Ok((jumps, chain))
}

/// The play of an `output.txt`, if by the naive rules every hop is possible in `position` and the play
/// legal.
pub fn judge(position: &Position, text: &str) -> Result<Play, String> {
    let (jumps, chain) = read_output(text)?;
    let (from, to) = (chain[0], chain[chain.len() - 1]);
    let board = naive(position);
    if !board.legal_plays().contains(&(from, to)) {
        return Err(format!("{from:?} to {to:?} is not legal"));
    }
    let beside = from.0.abs_diff(to.0) <= 1 && from.1.abs_diff(to.1) <= 1;
    if jumps && !board.is_chain_of_jumps(&chain) || !jumps && !beside {
        return Err("a hop is none".to_string());
    }
    Ok(Play::new(Square::new(from.0, from.1), Square::new(to.0, to.1)))
}

/// The play in `output.txt`, which must be well-formed and legal.
pub fn legal_play(folder: &Folder) -> Play {
    let position =
        parse_input(&folder.read("input.txt").expect("an input")).expect("a proper input").position;
    let text = folder.text("output.txt");
    judge(&position, &text).unwrap_or_else(|error| panic!("{error}:\n{position}{text}"))
}

/// The play that `run` in `folder` answered with. It must have succeeded, and its notes must contain `note`;
/// if that is empty, there must be none.
pub fn play_of(folder: &Folder, run: &Run, note: &str) -> Play {
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.contains(note) && run.stderr.is_empty() == note.is_empty(), "{note:?}: {run:?}");
    legal_play(folder)
}

/// An `input.txt` with 300 s left, Black to move and the top-left corner filled so.
pub fn cornered(mode: &str, corner: [&str; 3]) -> String {
    let mut rows = vec![".".repeat(16); 16];
    rows.iter_mut().zip(corner).for_each(|(row, squares)| row.replace_range(..3, squares));
    format!("{mode}\nBLACK\n300\n{}\n", rows.join("\n"))
}

/// An `input.txt` in which Black has one play, from the corner along the diagonal.
pub fn forced(mode: &str) -> String {
    cornered(mode, ["BWW", "W..", "W.."])
}
