//! Positions from the ends of games, and helpers for their tests.

use halma::game::{Game, Player};
use halma::rules::{BLACK, Bitboard, Play, Position, Rules, Square, WHITE};
use halma::search::race::{Effort, Race, Solution, solve};
use halma::support::clock::FakeClock;
use std::fmt::Write;

/// A position from a game, and the fewest plays that a long search found.
pub struct Ending {
    /// The side to move races.
    pub position: Position,
    /// The plays that the long search needed.
    pub fewest: u32,
    /// Whether there is no shorter way.
    pub proved: bool,
}

/// Where the endings are, seen from the crate's root.
const ENDINGS: &str = "tests/data/race/endings.txt";

/// The endings of the file.
pub fn endings() -> Vec<Ending> {
    let text = include_str!("../data/race/endings.txt");
    text.lines().filter(|line| !line.starts_with('#')).map(ending).collect()
}

/// One line: side to move | fewest plays | are they proved | Black | White.
pub fn ending(line: &str) -> Ending {
    let parts: Vec<&str> = line.split(" | ").collect();
    let squares = |text: &str| -> Bitboard {
        text.split(' ').map(|square| square.parse::<Square>().expect("a square")).collect()
    };
    let &[side, fewest, how, black, white] = parts.as_slice() else { panic!("five parts: {line}") };
    let side = if side == "BLACK" { BLACK } else { WHITE };
    let position = Position::new([squares(black), squares(white)], side, Rules::Addendum);
    Ending { position, fewest: fewest.parse().expect("a number"), proved: how == "proved" }
}

/// Replaces the file.
pub fn write_endings(endings: impl Iterator<Item = Ending>) {
    let mut text = String::from(
        "# One position from each of 200 games of the engine against itself, at most 6 pieces of the side to move\n\
         # outside its goal: side to move | fewest plays found | are they proved | Black | White.\n\
         # cargo test --release --test engine -- --ignored make_the_endings\n",
    );
    for Ending { position, fewest, proved } in endings {
        let name = if position.to_move() == BLACK { "BLACK" } else { "WHITE" };
        let how = if proved { "proved" } else { "found" };
        let [black, white] = Player::BOTH.map(|side| position.pieces(side));
        writeln!(text, "{name} | {fewest} | {how} | {black} | {white}").expect("a String");
    }
    std::fs::write(ENDINGS, text).expect("a file in the repository");
}

/// The effort of this many boards.
pub fn boards(boards: u64) -> Effort {
    Effort { boards: Some(boards), ..Effort::default() }
}

/// The line that a search finds, which must exist.
pub fn solved(race: &Race, effort: &Effort) -> Solution {
    solve(race, effort, &FakeClock::new()).expect("a way to the goal")
}

/// The position after `play`, the opponent passing.
pub fn alone(position: &Position, play: Play) -> Position {
    let mut next = *position;
    assert!(next.is_legal(play), "{play} in\n{next}");
    next.play(play);
    Position::new(Player::BOTH.map(|side| next.pieces(side)), position.to_move(), position.rules())
}
