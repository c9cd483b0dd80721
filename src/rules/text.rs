//! Sides and boards as text: `BLACK` and `WHITE`, and sixteen rows of `B`, `W` and `.`.

use super::bitboard::Bitboard;
use super::camps::PIECES;
use super::position::{BLACK, Position, Rules, WHITE};
use super::square::{BOARD_SIZE, Square};
use crate::game::{Game, Player};
use crate::support::text::{TextError, expect_blank};
use std::fmt;
use std::str::FromStr;

/// The number of rows on a board, and of squares in a row.
const ROWS: usize = BOARD_SIZE as usize;

/// The side in files: `BLACK` or `WHITE`. [`parse_colour`] reads it.
///
/// ```
/// use halma::rules::{WHITE, colour, parse_colour};
///
/// assert_eq!(colour(WHITE), "WHITE");
/// assert_eq!(parse_colour("WHITE"), Some(WHITE));
/// assert_eq!(parse_colour("White"), None);
/// ```
pub const fn colour(side: Player) -> &'static str {
    match side {
        Player::One => "BLACK",
        Player::Two => "WHITE",
    }
}

/// The side whose [`colour`] is `text`.
pub fn parse_colour(text: &str) -> Option<Player> {
    Player::BOTH.into_iter().find(|&side| colour(side) == text)
}

/// The side in running text: `Black` or `White`.
pub const fn colour_name(side: Player) -> &'static str {
    match side {
        Player::One => "Black",
        Player::Two => "White",
    }
}

/// The letter for the side's pieces on a board: `B` or `W`.
pub const fn letter(side: Player) -> char {
    match side {
        Player::One => 'B',
        Player::Two => 'W',
    }
}

/// `addendum` or `original`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rules::Addendum => "addendum",
            Rules::Original => "original",
        })
    }
}

impl FromStr for Rules {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Rules, &'static str> {
        match text {
            "addendum" => Ok(Rules::Addendum),
            "original" => Ok(Rules::Original),
            _ => Err("expected addendum or original"),
        }
    }
}

/// Reads a board from its sixteen `rows`: Black's pieces and White's. Trailing white space is ignored, and so are rows
/// after the sixteenth.
///
/// # Errors
/// The first error in reading order; the first row is line 1.
pub fn parse_board<'a>(rows: impl IntoIterator<Item = &'a str>) -> Result<[Bitboard; 2], TextError> {
    let mut pieces = [Bitboard::EMPTY; 2];
    let mut rows_read = 0;
    for (y, row) in rows.into_iter().take(ROWS).enumerate() {
        let row = row.trim_end();
        for (x, found) in row.chars().take(ROWS).enumerate() {
            let fault = |message| TextError::new(y + 1, x + 1, message);
            let side = match found {
                'B' => BLACK,
                'W' => WHITE,
                '.' => continue,
                _ => {
                    return Err(fault(format!("expected 'B', 'W' or '.' on the board, found {found:?}")));
                }
            };
            let own = &mut pieces[side.index()];
            if own.count() == PIECES {
                let side = colour(side);
                return Err(fault(format!(
                    "{side} has more than {PIECES} pieces; this is the first extra one"
                )));
            }
            *own = own.with(Square::new(x as u8, y as u8));
        }
        let length = row.chars().count();
        if length != ROWS {
            let message = format!("this row of the board has {length} characters; it must have {ROWS}");
            return Err(TextError::new(y + 1, length.min(ROWS) + 1, message));
        }
        rows_read = y + 1;
    }
    if rows_read < ROWS {
        let message = format!("the board ends after {rows_read} rows; it must have {ROWS}");
        return Err(TextError::new(rows_read + 1, 1, message));
    }
    Ok(pieces)
}

impl Position {
    /// The board as sixteen rows of `B`, `W` and `.`, each with a line feed.
    pub fn rows(&self) -> String {
        let squares = |y| (0..BOARD_SIZE).map(move |x| Square::new(x, y));
        let row = |y| squares(y).map(|square| self.at(square).map_or('.', letter)).chain(['\n']);
        (0..BOARD_SIZE).flat_map(row).collect()
    }
}

impl fmt::Display for Position {
    /// Writes the side to move, `BLACK` or `WHITE`, and below it the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", colour(self.to_move()), self.rows())
    }
}

impl FromStr for Position {
    type Err = TextError;

    /// Reads the output of [`Display`](fmt::Display), under the default [`Rules`]. Lines may end in white space, and
    /// blank lines may follow.
    fn from_str(text: &str) -> Result<Position, TextError> {
        let mut lines = text.lines();
        let position = parse_position(&mut lines)?;
        expect_blank(lines, ROWS + 2, |_| format!("expected nothing after the {ROWS} rows of the board"))?;
        Ok(position)
    }
}

/// Reads a position under the default [`Rules`] from the next lines: the side to move, then the board.
///
/// # Errors
/// The first error in reading order; the line with the side is line 1.
pub(crate) fn parse_position<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Result<Position, TextError> {
    let word = lines.next().unwrap_or_default().trim_end();
    let side = parse_colour(word)
        .ok_or_else(|| TextError::new(1, 1, "expected the side to move, BLACK or WHITE"))?;
    let pieces = parse_board(lines.take(ROWS)).map_err(|error| error.within(2, 1))?;
    Ok(Position::new(pieces, side, Rules::default()))
}
