//! `input.txt`: the mode, the side to move, the time left, and the board.
//!
//! ```text
//! SINGLE                SINGLE or GAME
//! WHITE                 BLACK or WHITE, the side to move
//! 100.0                 CPU seconds left, more than 0
//! BBBBB...........      sixteen rows of sixteen squares
//! ⋮
//! ```
//!
//! Lines end in LF or CRLF; the last line end is optional. A byte order mark at the start, white space at the ends of
//! lines and blank lines after the board are ignored. Any other deviation is an error: an error helps a grader more
//! than a play chosen on a misread board.
//!
//! Bytes that are not UTF-8 are read as U+FFFD, which is an error wherever it stands.

use super::star_circle::Problem;
use crate::agent::time::Mode;
use crate::game::Game;
use crate::rules::{BLACK, BOARD_SIZE, Position, Rules, WHITE, colour, parse_board};
use crate::support::text::{TextError, excerpt, expect_blank, without_mark};
use std::borrow::Cow;
use std::fmt;
use std::str::Lines;

/// The maximum size of `input.txt`, in bytes. Usually a file has fewer than 400.
pub const MAX_BYTES: usize = 64 * 1024;

/// The line on which the board starts.
const BOARD_LINE: usize = 4;
const BOARD_ROWS: usize = BOARD_SIZE as usize;

/// The contents of an `input.txt` of either homework.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Homework {
    /// A Halma position.
    Halma(Input),
    /// A position of Star and Circle.
    StarAndCircle(Problem),
}

/// The contents of a Halma `input.txt`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input {
    /// Whether the time is for one move or for the rest of the game.
    pub mode: Mode,
    /// The CPU seconds left, finite and above 0.
    pub seconds: f64,
    /// The board and the side to move, under the default [`Rules`].
    pub position: Position,
}

/// Reads the `input.txt` of either homework; the first line decides which. To detect a file that is too long, pass at
/// least one byte more than [`MAX_BYTES`].
///
/// # Errors
/// The first error in reading order, or a side to move without a piece.
pub fn parse_homework(bytes: &[u8]) -> Result<Homework, TextError> {
    let text = readable(bytes);
    let text = without_mark(&text);
    let mut lines = text.lines();
    let [single, game] = MODES.map(|(word, mode)| (word, Some(mode)));
    let words = [single, game, ("Star", None), ("Circle", None)];
    match word(1, lines.next(), "SINGLE, GAME, Star or Circle", &words)? {
        Some(mode) => Ok(Homework::Halma(parse_after_mode(mode, lines, bytes)?)),
        None => {
            check_length(bytes)?;
            Ok(Homework::StarAndCircle(Problem::parse(text)?))
        }
    }
}

/// Reads a Halma `input.txt`. To detect a file that is too long, pass at least one byte more than [`MAX_BYTES`].
///
/// ```
/// use halma::homework::input::parse_input;
///
/// let error = parse_input(b"GAME\nGREEN\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 1: expected BLACK or WHITE, found \"GREEN\"");
/// ```
///
/// # Errors
/// The first error in reading order, or a side to move without a piece.
pub fn parse_input(bytes: &[u8]) -> Result<Input, TextError> {
    let text = readable(bytes);
    let mut lines = without_mark(&text).lines();
    let mode = word(1, lines.next(), "SINGLE or GAME", &MODES)?;
    parse_after_mode(mode, lines, bytes)
}

const MODES: [(&str, Mode); 2] = [("SINGLE", Mode::Single), ("GAME", Mode::Game)];

/// Reads the `lines` of a Halma `input.txt` after the first.
fn parse_after_mode(mode: Mode, mut lines: Lines, bytes: &[u8]) -> Result<Input, TextError> {
    let side = word(2, lines.next(), "BLACK or WHITE", &[("BLACK", BLACK), ("WHITE", WHITE)])?;
    let seconds = seconds(lines.next()).map_err(|(column, message)| TextError::new(3, column, message))?;
    let rows = lines.by_ref().take(BOARD_ROWS);
    let pieces = parse_board(rows).map_err(|error| error.within(BOARD_LINE, 1))?;
    expect_blank(lines, BOARD_LINE + BOARD_ROWS, |found| {
        let found = found.chars().next().unwrap_or_default();
        format!("expected the end of the file after {BOARD_ROWS} rows, found {found:?}")
    })?;
    check_length(bytes)?;
    if pieces[side.index()].is_empty() {
        let message = format!("{} is to move but has no piece on the board", colour(side));
        return Err(TextError::new(BOARD_LINE, 1, message));
    }
    Ok(Input { mode, seconds, position: Position::new(pieces, side, Rules::default()) })
}

/// Checks that an `input.txt` has at most [`MAX_BYTES`]. The error is at the first excess byte.
fn check_length(bytes: &[u8]) -> Result<(), TextError> {
    if bytes.len() <= MAX_BYTES {
        return Ok(());
    }
    let text = readable(bytes);
    let text = without_mark(&text);
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let line = before.matches('\n').count() + 1 + (last.len() < text.len()) as usize;
    let message = format!("expected at most {MAX_BYTES} bytes; the file continues here");
    Err(TextError::new(line, last.chars().count() + 1, message))
}

/// The first [`MAX_BYTES`] as text.
fn readable(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)])
}

/// Reads `line`, which must be one of `words`. An error is at the first letter that matches none of them.
fn word<T: Copy>(
    number: usize,
    line: Option<&str>,
    expected: &str,
    words: &[(&str, T)],
) -> Result<T, TextError> {
    let text = line.unwrap_or_default().trim_end();
    if let Some(&(_, meaning)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(meaning);
    }
    let alike = |word: &str| text.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
    let column = 1 + words.iter().map(|(word, _)| alike(word)).max().unwrap_or(0);
    let found = match line {
        None => "the end of the file".to_string(),
        Some(_) => format!("{:?}", excerpt(text)),
    };
    Err(TextError::new(number, column, format!("expected {expected}, found {found}")))
}

/// Reads the time left. An error is a column and a message.
fn seconds(line: Option<&str>) -> Result<f64, (usize, String)> {
    let unlike =
        |found: &str| format!("expected the CPU seconds left, such as 300, 6.6 or 1e-3, found {found}");
    let text = line.ok_or_else(|| (1, unlike("the end of the file")))?.trim_end();
    if let Err(at) = check_number(text.as_bytes()) {
        let found = text.get(at..).and_then(|rest| rest.chars().next());
        let found = found.map_or("the end of the line".to_string(), |found| format!("{found:?}"));
        return Err((at + 1, unlike(&found)));
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_infinite() => Err((1, "the CPU seconds left must be finite".into())),
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err((1, "the CPU seconds left must be more than 0".into())),
    }
}

/// Checks that `text` is a decimal number as programs print it: digits with an optional point, then an optional exponent of
/// `e` or `E`, an optional sign and digits. Leading signs, `nan`, `inf`, hexadecimal digits, separators and units are
/// errors.
///
/// The error is the number of correct bytes, all ASCII.
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

impl fmt::Display for Input {
    /// Writes an `input.txt` that [`parse_input`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Single => "SINGLE",
            Mode::Game => "GAME",
        };
        let side = colour(self.position.to_move());
        write!(f, "{mode}\n{side}\n{}\n{}", self.seconds, self.position.rows())
    }
}
