//! What is wrong with the text of a problem, and where.

use super::problem::MAX_DEPTH;
use std::fmt;

/// A text that is no problem of Star and Circle. [`Display`](fmt::Display) says what to do about
/// it; the place is told apart, by [`line`](Self::line) and [`column`](Self::column).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: usize,
    column: usize,
    fault: Fault,
}

/// The kinds of fault. `found` is the offending text, cut short if it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The first line names no player.
    Player {
        /// What stands there.
        found: String,
    },
    /// The second line names no algorithm.
    Algorithm {
        /// What stands there.
        found: String,
    },
    /// The third line is no depth limit.
    Depth {
        /// What stands there.
        found: String,
    },
    /// An entry of the board stands for no square.
    Square {
        /// What stands there.
        found: String,
    },
    /// A number of pieces is zero or too large.
    Count {
        /// The number.
        found: String,
    },
    /// Several pieces on a square where there can be only one.
    Stack {
        /// Their number.
        found: String,
    },
    /// An entry of the last line is no number.
    Value {
        /// What stands there.
        found: String,
    },
    /// A row value is too large or too small.
    ValueRange {
        /// The value.
        found: String,
    },
    /// A line of the board or of the values ends too early.
    TooFewEntries {
        /// How many entries it has.
        found: usize,
    },
    /// A line of the board or of the values goes on after its eighth entry.
    TooManyEntries,
    /// Something follows the row values.
    TextAfterEnd,
}

impl ParseError {
    /// `fault` at this place; lines and columns count from 1.
    pub(super) fn new(line: usize, column: usize, fault: Fault) -> ParseError {
        ParseError { line, column, fault }
    }

    /// The line of the fault, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the fault in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }
}

/// Makes a constructor for each kind of fault that quotes what was found.
macro_rules! quoting {
    ($($name:ident => $fault:ident),* $(,)?) => {
        impl Fault {
            $(pub(super) fn $name(found: &str) -> Fault {
                Fault::$fault { found: excerpt(found) }
            })*
        }
    };
}

quoting! {
    player => Player,
    algorithm => Algorithm,
    depth => Depth,
    square => Square,
    count => Count,
    stack => Stack,
    value => Value,
    value_range => ValueRange,
}

/// The beginning of `text`, for a message must fit on a screen whatever it quotes.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut excerpt: String = text.chars().take(LONGEST).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

/// Quotes what was found, or says that there is nothing.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("nothing") } else { write!(f, "{:?}", self.0) }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Player { found } => {
                write!(f, "found {}; the player must be Star or Circle", Quoted(found))
            }
            Fault::Algorithm { found } => {
                write!(f, "found {}; the algorithm must be MINIMAX or ALPHABETA", Quoted(found))
            }
            Fault::Depth { found } => {
                write!(
                    f,
                    "found {}; the depth limit must be a whole number from 0 to {MAX_DEPTH}",
                    Quoted(found)
                )
            }
            Fault::Square { found } => {
                write!(
                    f,
                    "found {}; a square must be 0, S1 or C1, or a higher count on a last row",
                    Quoted(found)
                )
            }
            Fault::Count { found } => {
                write!(f, "found {}; a count of pieces must be from 1 to {}", Quoted(found), u32::MAX)
            }
            Fault::Stack { found } => write!(
                f,
                "found {}; there must be one piece to a square, but for Star in row H and Circle in row A",
                Quoted(found)
            ),
            Fault::Value { found } => {
                write!(f, "found {}; a row value must be a whole number", Quoted(found))
            }
            Fault::ValueRange { found } => {
                write!(f, "found {}; a row value must be from {} to {}", Quoted(found), i32::MIN, u32::MAX)
            }
            Fault::TooFewEntries { found } => {
                write!(f, "the line ends after {found} entries; it must have 8, with commas between them")
            }
            Fault::TooManyEntries => f.write_str("the line must end after its 8th entry"),
            Fault::TextAfterEnd => f.write_str("nothing but blank lines may follow the row values"),
        }
    }
}

impl std::error::Error for ParseError {}
