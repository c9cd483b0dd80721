//! `output.txt`: the play. Written by the agent; read by a referee.
//!
//! ```text
//! E 11,15 10,15         a step to an empty square beside, or
//!
//! J 9,9 11,9            a chain of jumps, one a line,
//! J 11,9 11,11          each from where the last one ended
//! J 11,11 13,13
//! ```
//!
//! Every line that is written ends in LF, the last one too, and there is nothing else. The reader
//! is as strict, but for the last LF, which may be missing.

use crate::halma::{Chain, Play, Position, Square, chain};
use std::fmt;

/// The longest `output.txt` that is read, in bytes. Longer chains than fit can only go in circles.
pub const MAX_BYTES: usize = 16 * 1024;

/// The `output.txt` for `play`, or `None` if its piece can't get there.
///
/// ```
/// use halma::{halma::{BLACK, Position, Rules}, homework::output::output_text};
///
/// let start = Position::initial(BLACK, Rules::Addendum);
/// let play = "3,1 5,1".parse().expect("a play");
/// assert_eq!(output_text(&start, play).expect("a legal one"), "J 3,1 5,1\n");
/// ```
pub fn output_text(position: &Position, play: Play) -> Option<String> {
    let squares = chain(position, play)?;
    Some(Turn { jumps: play.is_jump(), squares }.to_string())
}

/// A turn as an `output.txt` says it: well-formed, but perhaps against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    jumps: bool,
    squares: Chain,
}

impl Turn {
    /// Whether it is written as jumps (`J`) and not as a step (`E`).
    pub fn jumps(&self) -> bool {
        self.jumps
    }

    /// The squares that the piece touches, origin first: at least two.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Where the piece starts and ends. These may be one and the same square.
    pub fn play(&self) -> Play {
        Play::new(self.squares[0], self.squares[self.squares.len() - 1])
    }
}

impl fmt::Display for Turn {
    /// Writes the whole `output.txt`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = if self.jumps { 'J' } else { 'E' };
        self.squares.windows(2).try_for_each(|hop| writeln!(f, "{letter} {} {}", hop[0], hop[1]))
    }
}

/// What is wrong with an `output.txt`, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputError {
    /// The line of the fault, from 1.
    pub line: usize,
    /// The column of the fault in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: OutputFault,
}

/// The ways in which an `output.txt` can be wrong whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFault {
    /// The file is empty.
    Empty,
    /// A line does not start with `E` or `J`.
    Letter,
    /// There is not exactly one blank where one must be.
    Blank,
    /// A square is not written `x,y` with two whole numbers from 0 to 15.
    Square,
    /// A line goes on after its second square.
    AfterSquares,
    /// A line follows a step.
    AfterStep,
    /// A step follows jumps.
    StepAfterJump,
    /// A jump does not start where the one before it ended.
    Elsewhere {
        /// Where it should start.
        expected: Square,
    },
    /// The file has more than [`MAX_BYTES`] bytes.
    TooLong,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl fmt::Display for OutputFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutputFault::Empty => "the file is empty; expected a play like E 11,15 10,15",
            OutputFault::Letter => "expected E (a step) or J (a jump) at the start of the line",
            OutputFault::Blank => "expected one blank",
            OutputFault::Square => "expected a square like 11,15, with two whole numbers from 0 to 15",
            OutputFault::AfterSquares => "expected the end of the line after the second square",
            OutputFault::AfterStep => "expected the end of the file: a step ends the turn",
            OutputFault::StepAfterJump => "expected J: a step can't follow a jump",
            OutputFault::Elsewhere { expected } => {
                return write!(f, "expected {expected}, where the jump before ended");
            }
            OutputFault::TooLong => return write!(f, "the file has more than {MAX_BYTES} bytes"),
        })
    }
}

impl std::error::Error for OutputError {}

/// Reads an `output.txt` from its bytes. Whether the play is legal is the affair
/// of [`legality`](super::legality).
///
/// # Errors
/// The first fault in reading order; but too long a file is not read at all.
pub fn parse_output(bytes: &[u8]) -> Result<Turn, OutputError> {
    let nowhere = |fault| OutputError { line: 1, column: 1, fault };
    if bytes.len() > MAX_BYTES {
        return Err(nowhere(OutputFault::TooLong));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut turn: Option<Turn> = None;
    for (number, line) in text.split_terminator('\n').enumerate() {
        let wrong = |(column, fault)| OutputError { line: number + 1, column, fault };
        let (jumps, from, to) = hop(line).map_err(wrong)?;
        match &mut turn {
            None => turn = Some(Turn { jumps, squares: Chain::from_slice(&[from, to]) }),
            Some(turn) => turn.go_on(jumps, from, to).map_err(wrong)?,
        }
    }
    turn.ok_or(nowhere(OutputFault::Empty))
}

/// A fault and its column.
type InLine = (usize, OutputFault);

impl Turn {
    /// Adds one more line.
    fn go_on(&mut self, jumps: bool, from: Square, to: Square) -> Result<(), InLine> {
        let expected = self.play().to;
        if !self.jumps {
            Err((1, OutputFault::AfterStep))
        } else if !jumps {
            Err((1, OutputFault::StepAfterJump))
        } else if from != expected {
            Err((3, OutputFault::Elsewhere { expected }))
        } else {
            self.squares.push(to);
            Ok(())
        }
    }
}

/// One line, `E x,y x,y` or `J x,y x,y`: whether it is a jump, its origin and its end.
fn hop(line: &str) -> Result<(bool, Square, Square), InLine> {
    let (jumps, rest) = match line.as_bytes().first() {
        Some(b'E') => (false, &line[1..]),
        Some(b'J') => (true, &line[1..]),
        _ => return Err((1, OutputFault::Letter)),
    };
    let rest = rest.strip_prefix(' ').ok_or((2, OutputFault::Blank))?;
    let (from, rest) = square(rest, 3)?;
    let column = line.len() - rest.len() + 1;
    let rest = rest.strip_prefix(' ').ok_or((column, OutputFault::Blank))?;
    let (to, rest) = square(rest, column + 1)?;
    let column = line.len() - rest.len() + 1;
    if rest.is_empty() { Ok((jumps, from, to)) } else { Err((column, OutputFault::AfterSquares)) }
}

/// The square that `text`, which starts in `column`, starts with, and what follows it.
fn square(text: &str, column: usize) -> Result<(Square, &str), InLine> {
    let end = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b',').count();
    let (square, rest) = text.split_at(end);
    Ok((square.parse().map_err(|_| (column, OutputFault::Square))?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_output_is_told_where() {
        for (text, line, column, message) in [
            ("", 1, 1, "the file is empty"),
            ("\n", 1, 1, "expected E (a step) or J (a jump)"),
            ("e 1,2 1,3\n", 1, 1, "expected E"),
            (" E 1,2 1,3\n", 1, 1, "expected E"),
            ("X 1,2 1,3\n", 1, 1, "expected E"),
            ("é 1,2 1,3\n", 1, 1, "expected E"),
            ("E", 1, 2, "expected one blank"),
            ("E1,2 1,3\n", 1, 2, "expected one blank"),
            ("E\t1,2 1,3\n", 1, 2, "expected one blank"),
            ("E  1,2 1,3\n", 1, 3, "expected a square like 11,15"),
            ("E 1, 2 1, 3\n", 1, 3, "expected a square"),
            ("E 16,2 1,3\n", 1, 3, "expected a square"),
            ("E 01,2 1,3\n", 1, 3, "expected a square"),
            ("E -1,2 1,3\n", 1, 3, "expected a square"),
            ("E (1,2) (1,3)\n", 1, 3, "expected a square"),
            ("E 1,2\n", 1, 6, "expected one blank"),
            ("E 1,2-1,3\n", 1, 6, "expected one blank"),
            ("E 10,12 \n", 1, 9, "expected a square"),
            ("E 1,2 1,3,4\n", 1, 7, "expected a square"),
            ("E 1,2 1,3 \n", 1, 10, "expected the end of the line"),
            ("E 1,2 1,3\r\n", 1, 10, "expected the end of the line"),
            ("E 1,2 1,3\n\n", 2, 1, "expected E"),
            ("E 1,2 1,3\nE 1,3 1,4\n", 2, 1, "a step ends the turn"),
            ("E 1,2 1,3\nJ 1,3 1,5\n", 2, 1, "a step ends the turn"),
            ("J 1,2 1,4\nE 1,4 1,5\n", 2, 1, "a step can't follow a jump"),
            ("J 1,2 1,4\nJ 1,2 1,4\n", 2, 3, "expected 1,4, where the jump before ended"),
            ("J 1,2 1,4\nJ 1,4 1,6\nJ 1,6\n", 3, 6, "expected one blank"),
        ] {
            let error = parse_output(text.as_bytes()).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{error}\n{text:?}");
            assert!(error.to_string().contains(message), "{error}\n{text:?}");
        }
        let long = "J 1,2 1,4\nJ 1,4 1,2\n".repeat(1000);
        assert!(parse_output(long.as_bytes()).is_err_and(|error| error.to_string().contains("bytes")));
    }
}
