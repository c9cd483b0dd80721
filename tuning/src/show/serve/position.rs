//! Positions as the page sends them: the beginning of a game and its plays.

use crate::play::text;
use anyhow::{Context, Result, ensure};
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, BOARD_SIZE, Play, Position, Rules, colour, parse_board, parse_colour};
use serde::Deserialize;

/// The maximum number of plies of a game.
const MAX_PLIES: usize = 10_000;

/// A position: the beginning of a game and the plays that lead to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    #[serde(with = "text")]
    pub rules: Rules,
    /// The side that moves first, `BLACK` or `WHITE`.
    pub first: String,
    /// The board that the game begins with, as in input.txt; by default the usual initial position.
    pub rows: Option<Vec<String>>,
    /// The plays, each as `x,y x,y`.
    plays: Vec<String>,
}

/// The plays of a game and the positions between them.
pub(super) struct GameLine {
    /// The position before each play, and the final position.
    pub positions: Vec<Position>,
    pub plays: Vec<Play>,
}

impl GameLine {
    /// The position after all plays.
    pub fn position(&self) -> &Position {
        &self.positions[self.plays.len()]
    }

    /// The winner, if the game is over. A board that a game begins with may show that the side to move has won.
    pub fn winner(&self) -> Option<Player> {
        let position = self.position();
        match position.outcome() {
            Some(Outcome::Win(winner)) => Some(winner),
            _ => position.winner().filter(|_| self.plays.is_empty()),
        }
    }

    /// Makes `play`.
    pub fn play(&mut self, play: Play) -> Result<()> {
        let mut position = *self.position();
        position.try_play(play).with_context(|| format!("play {}", self.plays.len() + 1))?;
        self.plays.push(play);
        self.positions.push(position);
        Ok(())
    }
}

impl PositionRequest {
    /// The usual start of a game under these rules.
    pub fn start(rules: Rules) -> PositionRequest {
        PositionRequest { rules, first: colour(BLACK).to_string(), rows: None, plays: Vec::new() }
    }

    /// The game that leads to the position, replayed.
    ///
    /// # Errors
    /// The board is malformed, the side to move has no piece, or a play is not legal.
    pub fn replay(&self) -> Result<GameLine> {
        ensure!(self.plays.len() <= MAX_PLIES, "the game has more than {MAX_PLIES} plies, the maximum here");
        let mut line = GameLine { positions: vec![self.beginning()?], plays: Vec::new() };
        for (number, text) in (1..).zip(&self.plays) {
            line.play(text.parse().with_context(|| format!("play {number}"))?)?;
        }
        Ok(line)
    }

    /// The position before the first play.
    pub fn beginning(&self) -> Result<Position> {
        let first = parse_colour(&self.first)
            .with_context(|| format!("first: expected BLACK or WHITE, found {:?}", self.first))?;
        let Some(rows) = &self.rows else { return Ok(Position::initial(first, self.rules)) };
        ensure!(rows.len() == usize::from(BOARD_SIZE), "a board has {BOARD_SIZE} rows, not {}", rows.len());
        let pieces = parse_board(rows.iter().map(String::as_str)).context("the board")?;
        ensure!(
            !pieces[first.index()].is_empty(),
            "{} is to move but has no piece on the board",
            colour(first)
        );
        Ok(Position::new(pieces, first, self.rules))
    }
}
