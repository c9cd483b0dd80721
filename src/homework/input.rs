//! `input.txt`: what is to be played, by whom, in which time, on which board.
//!
//! ```text
//! SINGLE                SINGLE or GAME
//! WHITE                 BLACK or WHITE, the side to move
//! 100.0                 CPU seconds left, more than 0
//! BBBBB...........      sixteen rows of sixteen squares
//! ⋮
//! ```
//!
//! Lines end in LF or CRLF, the last one need not end at all; white space at the ends of lines and
//! empty lines after the board are ignored. Anything else is an error, a byte order mark as well:
//! a grader had better hear of it than get a play for a board that was misread.
//!
//! Bytes that are not UTF-8 are read as U+FFFD, which is legal nowhere, so such a fault is
//! reported where it is like any other.

use crate::budget::Mode;
use crate::game::{Game, Player};
use crate::halma::{BLACK, BoardError, Position, Rules, WHITE, colour, parse_board};
use std::fmt;

/// The longest `input.txt` that is read, in bytes. A proper one has less than 400.
pub const MAX_BYTES: usize = 64 * 1024;

/// The line on which the board starts.
const BOARD_LINE: usize = 4;
/// How many rows the board has.
const BOARD_ROWS: usize = 16;

/// Which homework an `input.txt` belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Halma, read by [`parse_input`].
    Halma,
    /// Star and Circle.
    StarAndCircle,
}

/// What a Halma `input.txt` says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// Whether the time is for one move or for the rest of a game.
    pub mode: Mode,
    /// The CPU seconds left: finite and more than 0.
    pub seconds: f64,
    /// The board and whose turn it is, under the default [`Rules`].
    pub position: Position,
}

/// What is wrong with an `input.txt`, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The line of the fault, from 1.
    pub line: usize,
    /// The column of the fault in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: InputFault,
}

/// The ways in which an `input.txt` can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputFault {
    /// A line is missing, or is none of the words it should be.
    Word {
        /// The line, shortened, or `None` where the text has ended.
        found: Option<String>,
        /// The words that may stand here.
        expected: &'static str,
    },
    /// The text ends before the time left.
    NoSeconds,
    /// The time left is not written as a number; this character is wrong, or the line too short.
    NotANumber {
        /// The character, or `None` at the end of the line.
        found: Option<char>,
    },
    /// The time left is written as a number but is not more than 0.
    NotPositive,
    /// The time left is written as a number that is too large for one.
    TooLarge,
    /// The board is wrong.
    Board(BoardError),
    /// The side to move has no piece.
    NoPiece(Player),
    /// Something follows the board.
    AfterBoard(char),
    /// The file has more than [`MAX_BYTES`] bytes.
    TooLong,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl fmt::Display for InputFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NUMBER: &str = "the CPU seconds left are written like 300, 6.6 or 1e-3";
        match self {
            InputFault::Word { found: None, expected } => {
                write!(f, "the file ends here; expected {expected}")
            }
            InputFault::Word { found: Some(found), expected } => {
                write!(f, "found {found:?}; expected {expected}")
            }
            InputFault::NoSeconds => write!(f, "the file ends here; {NUMBER}"),
            InputFault::NotANumber { found: None } => write!(f, "the number is cut short; {NUMBER}"),
            InputFault::NotANumber { found: Some(found) } => write!(f, "found {found:?}; {NUMBER}"),
            InputFault::NotPositive => f.write_str("the CPU seconds left must be more than 0"),
            InputFault::TooLarge => f.write_str("the CPU seconds left must be a finite number"),
            InputFault::Board(fault) => fault.fmt(f),
            InputFault::NoPiece(side) => {
                write!(f, "{} is to move but has no piece on the board", colour(*side))
            }
            InputFault::AfterBoard(found) => {
                write!(f, "found {found:?} after the board; nothing may follow its 16 rows")
            }
            InputFault::TooLong => write!(f, "the file goes on here; it may have {MAX_BYTES} bytes at most"),
        }
    }
}

impl std::error::Error for InputError {}

/// Tells by its first line which homework an `input.txt` belongs to.
///
/// # Errors
/// If the first line is not one of the four words that may stand there.
pub fn kind(bytes: &[u8]) -> Result<Kind, InputError> {
    let text = String::from_utf8_lossy(limited(bytes));
    let words = [
        ("SINGLE", Kind::Halma),
        ("GAME", Kind::Halma),
        ("Star", Kind::StarAndCircle),
        ("Circle", Kind::StarAndCircle),
    ];
    word(1, text.lines().next(), "SINGLE, GAME, Star or Circle", &words)
}

/// Reads a Halma `input.txt` from its bytes. Give it one byte more than [`MAX_BYTES`] of a file
/// that has so many, and it will say so.
///
/// # Errors
/// The first fault in reading order; then a side to move without a piece.
pub fn parse_input(bytes: &[u8]) -> Result<Input, InputError> {
    let text = String::from_utf8_lossy(limited(bytes));
    let mut lines = text.lines();
    let mode = word(1, lines.next(), "SINGLE or GAME", &[("SINGLE", Mode::Single), ("GAME", Mode::Game)])?;
    let side = word(2, lines.next(), "BLACK or WHITE", &[("BLACK", BLACK), ("WHITE", WHITE)])?;
    let seconds = seconds(lines.next())?;
    let pieces = parse_board(lines.clone()).map_err(|fault| {
        let (row, column) = fault.place();
        InputError { line: row + BOARD_LINE - 1, column, fault: InputFault::Board(fault) }
    })?;
    nothing_follows(lines.skip(BOARD_ROWS))?;
    check_length(bytes)?;
    if pieces[side.index()].is_empty() {
        return Err(InputError { line: BOARD_LINE, column: 1, fault: InputFault::NoPiece(side) });
    }
    Ok(Input { mode, seconds, position: Position::new(pieces, side, Rules::default()) })
}

/// Checks that an `input.txt`, whichever homework it belongs to, has no more than [`MAX_BYTES`].
///
/// # Errors
/// [`InputFault::TooLong`], where the first byte too many stands.
pub fn check_length(bytes: &[u8]) -> Result<(), InputError> {
    if bytes.len() <= MAX_BYTES {
        return Ok(());
    }
    let text = String::from_utf8_lossy(limited(bytes));
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", &text));
    let line = before.matches('\n').count() + 1 + (last.len() < text.len()) as usize;
    Err(InputError { line, column: last.chars().count() + 1, fault: InputFault::TooLong })
}

fn limited(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(MAX_BYTES)]
}

/// The meaning of `line`, which must be one of `words`. The fault is where it stops being like
/// any of them.
fn word<T: Copy>(
    number: usize,
    line: Option<&str>,
    expected: &'static str,
    words: &[(&str, T)],
) -> Result<T, InputError> {
    let text = line.unwrap_or_default().trim_end();
    if let Some(&(_, meaning)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(meaning);
    }
    let alike = |word: &str| text.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
    let column = 1 + words.iter().map(|(word, _)| alike(word)).max().unwrap_or(0);
    let found = line.map(|_| shortened(text));
    Err(InputError { line: number, column, fault: InputFault::Word { found, expected } })
}

/// As much of `text` as is of use in a message.
fn shortened(text: &str) -> String {
    const MOST: usize = 20;
    let mut start: String = text.chars().take(MOST).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// The time left.
fn seconds(line: Option<&str>) -> Result<f64, InputError> {
    let fault = |column, fault| InputError { line: 3, column, fault };
    let text = line.ok_or(fault(1, InputFault::NoSeconds))?.trim_end();
    if let Err(at) = check_number(text.as_bytes()) {
        let found = text.get(at..).and_then(|rest| rest.chars().next());
        return Err(fault(at + 1, InputFault::NotANumber { found }));
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_infinite() => Err(fault(1, InputFault::TooLarge)),
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err(fault(1, InputFault::NotPositive)),
    }
}

/// Checks that `text` is a decimal number as programs print them: digits with or without a point
/// among or beside them, then perhaps `e` or `E`, a sign and digits. A sign in front, `nan`, `inf`,
/// hexadecimal digits, separators and units are no part of that.
///
/// The error is how many bytes (all ASCII, hence characters) are in order.
fn check_number(text: &[u8]) -> Result<(), usize> {
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = digits(0);
    let mut seen = at;
    if text.get(at) == Some(&b'.') {
        seen += digits(at + 1);
        at = seen + 1;
    }
    if seen == 0 {
        return Err(at);
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        at += matches!(text.get(at), Some(b'+' | b'-')) as usize;
        let exponent = digits(at);
        at += exponent;
        if exponent == 0 {
            return Err(at);
        }
    }
    if at == text.len() { Ok(()) } else { Err(at) }
}

/// Checks that `lines`, those after the board, are blank.
fn nothing_follows<'a>(lines: impl Iterator<Item = &'a str>) -> Result<(), InputError> {
    for (line, text) in (BOARD_LINE + BOARD_ROWS..).zip(lines) {
        let blanks = text.chars().take_while(|found| found.is_whitespace()).count();
        if let Some(found) = text.trim_start().chars().next() {
            return Err(InputError { line, column: blanks + 1, fault: InputFault::AfterBoard(found) });
        }
    }
    Ok(())
}

impl fmt::Display for Input {
    /// Writes an `input.txt` that [`parse_input`] reads as this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Single => "SINGLE",
            Mode::Game => "GAME",
        };
        let side = colour(self.position.to_move());
        write!(f, "{mode}\n{side}\n{}\n{}", self.seconds, self.position)
    }
}
