//! What `homework` is asked, and what it must have answered.

use super::program::{Folder, Run};
use halma::game::Game;
use halma::halma::{BLACK, Play, Position, Rules};
use halma::homework::input::parse_input;
use halma::homework::legality::check;
use halma::homework::output::parse_output;

/// The start of a game, Black to move.
pub fn start() -> Position {
    Position::initial(BLACK, Rules::default())
}

/// The `input.txt` for `position`.
pub fn input(mode: &str, seconds: f64, position: &Position) -> String {
    let side = halma::halma::colour(position.to_move());
    format!("{mode}\n{side}\n{seconds}\n{position}")
}

/// What `output.txt` says, which must be written as it should be and legal.
pub fn legal_play(folder: &Folder) -> Play {
    let position =
        parse_input(&folder.read("input.txt").expect("an input")).expect("a proper input").position;
    let text = folder.text("output.txt");
    assert!(text.ends_with('\n'), "{text:?}");
    let turn = parse_output(text.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    assert_eq!(turn.to_string(), text);
    check(&position, &turn).unwrap_or_else(|error| panic!("{error}:\n{position}{text}"))
}

/// The play that `run` in `folder` answered with, when all went well but for the notes of which
/// `note` is a part; none must be made if it is empty.
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
