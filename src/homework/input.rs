//! `input.txt`: one move or a game, the side to move, the time left, and the board.
//!
//! ```text
//! SINGLE                SINGLE or GAME
//! WHITE                 BLACK or WHITE, the side to move
//! 100.0                 CPU seconds left, more than 0
//! BBBBB...........      sixteen rows of sixteen squares
//! ⋮
//! ```
//!
//! Lines end in LF or CRLF, and the last one need not end at all. White space at the ends of lines and
//! empty lines after the board are ignored. Anything else is an error, a byte order mark too: an error
//! helps a grader more than a play for a misread board.
//!
//! Bytes that are not UTF-8 are read as U+FFFD. That is legal nowhere, so the fault is found where it is.

use crate::agent::time::Mode;
use crate::game::Game;
use crate::rules::{BLACK, BOARD_SIZE, Position, Rules, WHITE, colour, parse_board};
use crate::support::text::{TextError, excerpt, expect_blank};
use std::borrow::Cow;
use std::fmt;

/// The longest `input.txt` that is read, in bytes. A sound one has less than 400.
pub const MAX_BYTES: usize = 64 * 1024;

/// The line on which the board starts.
const BOARD_LINE: usize = 4;
/// How many rows the board has.
const BOARD_ROWS: usize = BOARD_SIZE as usize;

/// Which homework an `input.txt` belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Homework {
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

/// Which homework an `input.txt` belongs to: its first line tells.
///
/// # Errors
/// If the first line is none of the four words that may stand there.
pub fn homework(bytes: &[u8]) -> Result<Homework, TextError> {
    let words = [
        ("SINGLE", Homework::Halma),
        ("GAME", Homework::Halma),
        ("Star", Homework::StarAndCircle),
        ("Circle", Homework::StarAndCircle),
    ];
    word(1, readable(bytes).lines().next(), "SINGLE, GAME, Star or Circle", &words)
}

/// Reads a Halma `input.txt` from its bytes. Of a longer file than [`MAX_BYTES`], pass one byte more than
/// that: then the error says so.
///
/// # Errors
/// The first fault in reading order; then a side to move without a piece.
pub fn parse_input(bytes: &[u8]) -> Result<Input, TextError> {
    let text = readable(bytes);
    let mut lines = text.lines();
    let mode = word(1, lines.next(), "SINGLE or GAME", &[("SINGLE", Mode::Single), ("GAME", Mode::Game)])?;
    let side = word(2, lines.next(), "BLACK or WHITE", &[("BLACK", BLACK), ("WHITE", WHITE)])?;
    let seconds = seconds(lines.next()).map_err(|(column, message)| TextError::new(3, column, message))?;
    let rows = lines.by_ref().take(BOARD_ROWS);
    let pieces = parse_board(rows).map_err(|error| error.within(BOARD_LINE, 1))?;
    expect_blank(lines, BOARD_LINE + BOARD_ROWS, |found| {
        let found = found.chars().next().unwrap_or_default();
        format!("found {found:?} after the board; nothing may follow its {BOARD_ROWS} rows")
    })?;
    check_length(bytes)?;
    if pieces[side.index()].is_empty() {
        let message = format!("{} is to move but has no piece on the board", colour(side));
        return Err(TextError::new(BOARD_LINE, 1, message));
    }
    Ok(Input { mode, seconds, position: Position::new(pieces, side, Rules::default()) })
}

/// Checks that an `input.txt`, whichever homework it belongs to, has no more than [`MAX_BYTES`].
///
/// # Errors
/// If it has more: the fault is the first byte too many.
pub(super) fn check_length(bytes: &[u8]) -> Result<(), TextError> {
    if bytes.len() <= MAX_BYTES {
        return Ok(());
    }
    let text = readable(bytes);
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", &text));
    let line = before.matches('\n').count() + 1 + (last.len() < text.len()) as usize;
    let message = format!("the file goes on here; it may have {MAX_BYTES} bytes at most");
    Err(TextError::new(line, last.chars().count() + 1, message))
}

/// The part of a file that is read, as text.
fn readable(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)])
}

/// The meaning of `line`, which must be one of `words`. The fault is at the first letter that none of
/// them has there.
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
        None => "the file ends here".to_string(),
        Some(_) => format!("found {:?}", excerpt(text)),
    };
    Err(TextError::new(number, column, format!("{found}; expected {expected}")))
}

/// The time left, or what is wrong with it in which column.
fn seconds(line: Option<&str>) -> Result<f64, (usize, String)> {
    let unlike = |found: String| format!("{found}; the CPU seconds left are written like 300, 6.6 or 1e-3");
    let text = line.ok_or_else(|| (1, unlike("the file ends here".to_string())))?.trim_end();
    if let Err(at) = check_number(text.as_bytes()) {
        let found = text.get(at..).and_then(|rest| rest.chars().next());
        let found = found.map_or("the number is cut short".to_string(), |found| format!("found {found:?}"));
        return Err((at + 1, unlike(found)));
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_infinite() => Err((1, "the CPU seconds left must be a finite number".into())),
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err((1, "the CPU seconds left must be more than 0".into())),
    }
}

/// Checks that `text` is a decimal number as programs print them: digits, perhaps with a point, then
/// perhaps `e` or `E`, a sign and digits. A sign in front, `nan`, `inf`, hexadecimal digits, separators
/// and units are refused.
///
/// The error is how many bytes (all ASCII, hence characters) are sound.
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
    /// Writes an `input.txt` that [`parse_input`] reads as this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Single => "SINGLE",
            Mode::Game => "GAME",
        };
        let side = colour(self.position.to_move());
        write!(f, "{mode}\n{side}\n{}\n{}", self.seconds, self.position.rows())
    }
}
