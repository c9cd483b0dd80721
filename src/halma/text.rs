//! Boards as text: sixteen rows of `B`, `W` and `.`.

use super::bitboard::Bitboard;
use super::camps::PIECES;
use super::position::{BLACK, Position, WHITE};
use super::square::{BOARD_SIZE, Square};
use crate::game::Player;
use std::fmt;

/// What is wrong with the text of a board, and where. Lines and columns count from 1, the board's
/// first row being line 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The text ends after this many rows.
    MissingRows {
        /// How many rows there are.
        rows: usize,
    },
    /// A row does not have sixteen squares.
    WrongLength {
        /// The row's line.
        line: usize,
        /// How many characters it has.
        length: usize,
    },
    /// A character that stands for no square.
    BadSquare {
        /// The character's line.
        line: usize,
        /// The character's column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A side has more pieces than it can have: this is the first one too many.
    TooManyPieces {
        /// The piece's line.
        line: usize,
        /// The piece's column.
        column: usize,
        /// Whose piece it is.
        side: Player,
    },
}

impl BoardError {
    /// The line and column of the fault, from 1.
    pub fn place(&self) -> (usize, usize) {
        match *self {
            BoardError::MissingRows { rows } => (rows + 1, 1),
            BoardError::WrongLength { line, length } => (line, length.min(BOARD_SIZE as usize) + 1),
            BoardError::BadSquare { line, column, .. } | BoardError::TooManyPieces { line, column, .. } => {
                (line, column)
            }
        }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::MissingRows { rows } => {
                write!(f, "the board ends after {rows} rows; it must have 16")
            }
            BoardError::WrongLength { length, .. } => {
                write!(f, "this row of the board has {length} characters; it must have 16")
            }
            BoardError::BadSquare { found, .. } => {
                write!(f, "found {found:?} on the board; a square is 'B', 'W' or '.'")
            }
            BoardError::TooManyPieces { side, .. } => {
                write!(f, "{} has more than {PIECES} pieces; this is the first one too many", colour(*side))
            }
        }
    }
}

impl std::error::Error for BoardError {}

/// What the side is called in the files: `BLACK` or `WHITE`.
pub const fn colour(side: Player) -> &'static str {
    match side {
        Player::One => "BLACK",
        Player::Two => "WHITE",
    }
}

/// The letter of the side's pieces: `B` or `W`.
pub const fn letter(side: Player) -> char {
    match side {
        Player::One => 'B',
        Player::Two => 'W',
    }
}

/// Reads a board from its sixteen `rows`: the pieces of Black and of White. Blanks at the ends of
/// rows are ignored; rows after the sixteenth are not looked at.
///
/// # Errors
/// The first fault in reading order; see [`BoardError`].
pub fn parse_board<'a>(rows: impl IntoIterator<Item = &'a str>) -> Result<[Bitboard; 2], BoardError> {
    let size = BOARD_SIZE as usize;
    let mut pieces = [Bitboard::EMPTY; 2];
    let mut rows_read = 0;
    for (y, row) in rows.into_iter().take(size).enumerate() {
        let row = row.trim_end();
        for (x, found) in row.chars().take(size).enumerate() {
            let (line, column) = (y + 1, x + 1);
            let side = match found {
                'B' => BLACK,
                'W' => WHITE,
                '.' => continue,
                _ => return Err(BoardError::BadSquare { line, column, found }),
            };
            let own = &mut pieces[side.index()];
            if own.count() == PIECES {
                return Err(BoardError::TooManyPieces { line, column, side });
            }
            *own = own.with(Square::new(x as u8, y as u8));
        }
        let length = row.chars().count();
        if length != size {
            return Err(BoardError::WrongLength { line: y + 1, length });
        }
        rows_read = y + 1;
    }
    if rows_read == size { Ok(pieces) } else { Err(BoardError::MissingRows { rows: rows_read }) }
}

impl fmt::Display for Position {
    /// Draws the board in its sixteen rows of sixteen letters, each row ended by a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in 0..BOARD_SIZE {
            for x in 0..BOARD_SIZE {
                let mark = self.at(Square::new(x, y)).map_or('.', letter);
                write!(f, "{mark}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
