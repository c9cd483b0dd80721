//! Positions as the page sends them: the beginning and the plays of a game, or the text of an input.txt.

use crate::play::text;
use crate::show::analysis::rows;
use anyhow::{Context, Result, ensure};
use halma::agent::time::Mode;
use halma::game::{Game, Outcome, Player};
use halma::homework::input::{Input, parse_input};
use halma::rules::{BOARD_SIZE, Play, Position, Rules, colour, parse_board, parse_colour};
use serde::{Deserialize, Serialize};

/// The maximum number of plies of a game.
const MAX_PLIES: usize = 10_000;

/// A position of a game: the beginning, all plays, and the number of plies up to the position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionRequest {
    #[serde(with = "text")]
    pub rules: Rules,
    /// The side that moves first, `BLACK` or `WHITE`.
    first: String,
    /// The board at the beginning, as in input.txt; by default the start of the game.
    rows: Option<Vec<String>>,
    /// The plays, `x,y x,y` each.
    plays: Vec<String>,
    /// The plies made so far; by default all.
    ply: Option<usize>,
}

/// The plays of a game and the positions between them.
pub(super) struct GameLine {
    /// The position before each play, and the last one.
    pub positions: Vec<Position>,
    pub plays: Vec<Play>,
    /// The plies made so far.
    pub ply: usize,
}

impl GameLine {
    /// The position after the plies made so far.
    pub fn position(&self) -> &Position {
        &self.positions[self.ply]
    }

    /// The winner, if the game is over. A board at the beginning may show that the side to move has won.
    pub fn winner(&self) -> Option<Player> {
        let position = self.position();
        match position.outcome() {
            Some(Outcome::Win(winner)) => Some(winner),
            _ => position.winner().filter(|_| self.ply == 0),
        }
    }

    /// Makes `play`, in place of any plays that followed.
    pub fn play(&mut self, play: Play) -> Result<()> {
        let mut position = *self.position();
        position.try_play(play).with_context(|| format!("play {}", self.ply + 1))?;
        self.plays.truncate(self.ply);
        self.positions.truncate(self.ply + 1);
        self.plays.push(play);
        self.positions.push(position);
        self.ply += 1;
        Ok(())
    }
}

impl PositionRequest {
    /// The game that leads to the position, replayed.
    ///
    /// # Errors
    /// The board is malformed, the side to move has no piece, or a play is not legal.
    pub fn replay(&self) -> Result<GameLine> {
        ensure!(self.plays.len() <= MAX_PLIES, "the game has more than {MAX_PLIES} plies, the maximum here");
        let mut line = GameLine { positions: vec![self.beginning()?], plays: Vec::new(), ply: 0 };
        for (number, text) in (1..).zip(&self.plays) {
            line.play(text.parse().with_context(|| format!("play {number}"))?)?;
        }
        line.ply = self.ply.unwrap_or(line.ply).min(line.ply);
        Ok(line)
    }

    fn beginning(&self) -> Result<Position> {
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

/// The text of an input.txt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputRequest {
    text: String,
}

/// The contents of an input.txt.
#[derive(Serialize)]
pub(super) struct InputContents {
    first: &'static str,
    rows: Vec<String>,
    seconds: f64,
    /// Whether the seconds are for the rest of a game.
    game: bool,
}

impl InputRequest {
    /// # Errors
    /// The text is malformed; the message says where.
    pub fn read(&self) -> Result<InputContents> {
        let Input { mode, seconds, position } = parse_input(self.text.as_bytes()).context("input.txt")?;
        Ok(InputContents {
            first: colour(position.to_move()),
            rows: rows(&position),
            seconds,
            game: mode == Mode::Game,
        })
    }
}
