//! The input: a position and the search to run on it, in twelve lines of text.

use crate::game::Player;
use crate::search::minimax::Algorithm;
use crate::star_circle::{BOARD_SIZE, CIRCLE, Position, RowValues, STAR, Square};
use crate::support::text::{TextError, excerpt, expect_blank};
use std::fmt::Display;

/// The maximum search depth.
const MAX_DEPTH: u8 = 10;

/// The number of entries in each line of the board and in the line of row values.
const WIDTH: usize = BOARD_SIZE as usize;

/// A position, and the search to run for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The search depth in plies.
    pub depth: u8,
    /// The position.
    pub position: Position,
}

impl Problem {
    /// Reads the player, the algorithm, the depth limit, the eight rows of the board from H to A, and the eight row
    /// values. White space at the ends of lines, CRLF and blank lines at the end are accepted, and the last line end is
    /// optional.
    ///
    /// # Errors
    /// The first error in reading order. A missing line counts as empty.
    pub fn parse(text: &str) -> Result<Problem, TextError> {
        let (mut lines, mut read) = (text.lines(), 0);
        let mut next = || {
            read += 1;
            Part { text: lines.next().unwrap_or_default().trim_end(), line: read, column: 1 }
        };
        let player = parse_player(next())?;
        let algorithm = parse_algorithm(next())?;
        let depth = parse_depth(next())?;
        let mut stacks = Vec::with_capacity(WIDTH * WIDTH);
        for row in 0..BOARD_SIZE {
            for (column, stack) in (0..).zip(next().entries(|entry| parse_square(entry, row))?) {
                stacks.extend(stack.map(|(side, count)| (side, Square::new(row, column), count)));
            }
        }
        let values: RowValues = next().entries(parse_value)?;
        expect_blank(lines, read + 1, |found| {
            format!("found {:?}; nothing but blank lines may follow the row values", excerpt(found))
        })?;
        // A position needs the row values before its pieces, but in the text the values come last.
        let mut position = Position::empty(values, player);
        for (side, square, count) in stacks {
            position.place(side, square, count);
        }
        Ok(Problem { algorithm, depth, position })
    }
}

/// A line or a part of a line, with its line number and column.
#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Part<'t> {
    /// An error at this part, with the rule that it breaks.
    fn error(self, rule: impl Display) -> TextError {
        let found = match self.text {
            "" => "nothing".to_string(),
            text => format!("{:?}", excerpt(text)),
        };
        TextError::new(self.line, self.column, format!("found {found}; {rule}"))
    }

    /// The part after the first `letters` bytes, which must be ASCII.
    fn skip(self, letters: usize) -> Part<'t> {
        Part { text: &self.text[letters..], column: self.column + letters, ..self }
    }

    /// Reads a line of eight comma-separated entries.
    fn entries<T: Copy + Default>(
        self,
        parse: impl Fn(Part<'t>) -> Result<T, TextError>,
    ) -> Result<[T; WIDTH], TextError> {
        let mut entries = [T::default(); WIDTH];
        let mut slots = entries.iter_mut();
        let mut column = self.column;
        for text in self.text.split(',') {
            let part = Part { text, column, ..self };
            let Some(slot) = slots.next() else {
                return Err(part.error(format_args!("the line must end after its {WIDTH}th entry")));
            };
            *slot = parse(part)?;
            column += text.chars().count() + 1;
        }
        if slots.next().is_some() {
            let end = Part { text: "", column: column - 1, ..self };
            return Err(
                end.error(format_args!("the line must have {WIDTH} entries with commas between them"))
            );
        }
        Ok(entries)
    }
}

fn parse_player(line: Part) -> Result<Player, TextError> {
    match line.text {
        "Star" => Ok(STAR),
        "Circle" => Ok(CIRCLE),
        _ => Err(line.error("the player must be Star or Circle")),
    }
}

fn parse_algorithm(line: Part) -> Result<Algorithm, TextError> {
    match line.text {
        "MINIMAX" => Ok(Algorithm::Minimax),
        "ALPHABETA" => Ok(Algorithm::AlphaBeta),
        _ => Err(line.error("the algorithm must be MINIMAX or ALPHABETA")),
    }
}

fn parse_depth(line: Part) -> Result<u8, TextError> {
    let depth = if is_whole_number(line.text) { line.text.parse().ok() } else { None };
    depth.filter(|&depth| depth <= MAX_DEPTH).ok_or_else(|| {
        line.error(format_args!("the depth limit must be a whole number from 0 to {MAX_DEPTH}"))
    })
}

const SQUARE: &str = "a square must be 0, S1 or C1; S2 or more only in row H, C2 or more only in row A";

/// Reads a square in `row`: the owner and the number of its pieces; `None` if it is empty.
fn parse_square(entry: Part, row: u8) -> Result<Option<(Player, u32)>, TextError> {
    let (side, last_row) = match entry.text.as_bytes() {
        b"0" => return Ok(None),
        [b'S', ..] => (STAR, 0),
        [b'C', ..] => (CIRCLE, BOARD_SIZE - 1),
        _ => return Err(entry.error(SQUARE)),
    };
    let digits = entry.skip(1);
    if !is_whole_number(digits.text) {
        return Err(entry.error(SQUARE));
    }
    match digits.text.parse() {
        Ok(0) | Err(_) => Err(digits.error(format_args!("a count of pieces must be from 1 to {}", u32::MAX))),
        Ok(2..) if row != last_row => {
            Err(digits.error("only Star in row H and Circle in row A may share a square"))
        }
        Ok(count) => Ok(Some((side, count))),
    }
}

/// Reads a row value: a 32-bit number, signed or unsigned.
fn parse_value(entry: Part) -> Result<i64, TextError> {
    if !is_whole_number(entry.text.strip_prefix('-').unwrap_or(entry.text)) {
        return Err(entry.error("a row value must be a whole number"));
    }
    let value = entry.text.parse().ok();
    value
        .filter(|value| (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(value))
        .ok_or_else(|| entry.error(format_args!("a row value must be from {} to {}", i32::MIN, u32::MAX)))
}

/// Whether `text` consists of digits. The standard parsers also accept a plus sign.
fn is_whole_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
