//! Races from the ends of games, and helpers to solve them.

use super::positions::squares;
use halma::game::{Game, Player};
use halma::rules::{Play, Position, Rules, colour, parse_colour};
use halma::search::Limits;
use halma::search::race::{Race, Solution, solve};
use halma::support::clock::FakeClock;
use std::fmt::Write;

/// A position from a game in which the side to move is racing.
pub struct Ending {
    pub position: Position,
    /// The fewest plays that a long search found.
    pub fewest: u32,
    /// Whether `fewest` is proved to be the minimum.
    pub proved: bool,
}

/// The file of endings, relative to the crate's root.
const ENDINGS: &str = "tests/data/race/endings.txt";

/// The endings in the file.
pub fn endings() -> Vec<Ending> {
    let text = include_str!("../data/race/endings.txt");
    text.lines().filter(|line| !line.starts_with('#')).map(ending).collect()
}

/// Reads a line: side to move | fewest plays | `proved` or `found` | Black | White.
pub fn ending(line: &str) -> Ending {
    let parts: Vec<&str> = line.split(" | ").collect();
    let &[side, fewest, how, black, white] = parts.as_slice() else { panic!("five parts: {line}") };
    let side = parse_colour(side).expect("BLACK or WHITE");
    let position = Position::new([squares(black), squares(white)], side, Rules::Addendum);
    Ending { position, fewest: fewest.parse().expect("a number"), proved: how == "proved" }
}

/// Replaces the endings in the file.
pub fn write_endings(endings: impl Iterator<Item = Ending>) {
    let mut text = String::from(
        "# One position from each of 200 games of the engine against itself, at most 6 pieces of the side to move\n\
         # outside its goal: side to move | fewest plays found | are they proved | Black | White.\n\
         # cargo test --release --test engine -- --ignored make_the_endings\n",
    );
    for Ending { position, fewest, proved } in endings {
        let name = colour(position.to_move());
        let how = if proved { "proved" } else { "found" };
        let [black, white] = Player::BOTH.map(|side| position.pieces(side));
        writeln!(text, "{name} | {fewest} | {how} | {black} | {white}").expect("a String");
    }
    std::fs::write(ENDINGS, text).expect("a file in the repository");
}

/// The race of the side to move.
pub fn race(position: &Position) -> Race {
    Race::new(position, position.to_move()).expect("a race")
}

/// Limits a search to this many boards.
pub fn boards(boards: u64) -> Limits {
    Limits::iterations(boards)
}

/// The solution that a search finds; there must be one.
pub fn solved(race: &Race, limits: &Limits) -> Solution {
    solve(race, limits, &FakeClock::new()).expect("a way to the goal")
}

/// The position after `play` and a pass by the opponent.
pub fn alone(position: &Position, play: Play) -> Position {
    let mut next = *position;
    assert!(next.is_legal(play), "{play} in\n{next}");
    next.play(play);
    Position::new(Player::BOTH.map(|side| next.pieces(side)), position.to_move(), position.rules())
}
