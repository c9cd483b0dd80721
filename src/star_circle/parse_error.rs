//! What is wrong with the text of a problem, and where.

use super::problem::MAX_DEPTH;
use std::fmt;

/// A text that is no problem of Star and Circle. [`Display`](fmt::Display) says what is wrong and
/// what it must be; the place is told apart, by [`line`](Self::line) and [`column`](Self::column).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: usize,
    column: usize,
    fault: Fault,
    /// The offending text, cut short if it is long.
    found: String,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The first line names no player.
    Player,
    /// The second line names no algorithm.
    Algorithm,
    /// The third line is no depth limit.
    Depth,
    /// An entry of the board stands for no square.
    Square,
    /// A number of pieces is zero or too large.
    Count,
    /// Several pieces on a square that holds one at most.
    Stack,
    /// An entry of the last line is no number.
    Value,
    /// A row value is too large or too small.
    ValueRange,
    /// A line of the board or of the values ends before its eighth entry.
    TooFewEntries,
    /// A line of the board or of the values goes on after its eighth entry.
    TooManyEntries,
    /// Something follows the row values.
    TextAfterEnd,
}

impl ParseError {
    /// `fault` at this place, where `found` stands; lines and columns count from 1.
    pub(super) fn new(line: usize, column: usize, fault: Fault, found: &str) -> ParseError {
        ParseError { line, column, fault, found: excerpt(found) }
    }

    /// The line of the fault, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the fault in characters, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What kind of fault it is.
    pub fn fault(&self) -> Fault {
        self.fault
    }
}

/// The beginning of `text`: a message must fit on a screen, whatever it quotes.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut excerpt: String = text.chars().take(LONGEST).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.found.as_str() {
            "" => f.write_str("found nothing; ")?,
            found => write!(f, "found {found:?}; ")?,
        }
        match self.fault {
            Fault::Player => f.write_str("the player must be Star or Circle"),
            Fault::Algorithm => f.write_str("the algorithm must be MINIMAX or ALPHABETA"),
            Fault::Depth => write!(f, "the depth limit must be a whole number from 0 to {MAX_DEPTH}"),
            Fault::Square => f.write_str("a square must be 0, S1 or C1, or a higher count on a last row"),
            Fault::Count => write!(f, "a count of pieces must be from 1 to {}", u32::MAX),
            Fault::Stack => f.write_str("only Star in row H and Circle in row A may share a square"),
            Fault::Value => f.write_str("a row value must be a whole number"),
            Fault::ValueRange => write!(f, "a row value must be from {} to {}", i32::MIN, u32::MAX),
            Fault::TooFewEntries => f.write_str("the line must have 8 entries with commas between them"),
            Fault::TooManyEntries => f.write_str("the line must end after its 8th entry"),
            Fault::TextAfterEnd => f.write_str("nothing but blank lines may follow the row values"),
        }
    }
}

impl std::error::Error for ParseError {}
