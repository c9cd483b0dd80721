//! Parses the turn in an `output.txt`.
//!
//! ```text
//! E 11,15 10,15         a step to an adjacent empty square, or
//!
//! J 9,9 11,9            a chain of jumps, one on each line,
//! J 11,9 11,11          each from the square where the last one ended
//! J 11,11 13,13
//! ```
//!
//! Every line ends with LF, which is optional after the last one. The file may contain nothing else.

use halma::rules::{Chain, Play, Square};
use halma::support::text::TextError;
use std::fmt;

/// The maximum size of an `output.txt` in bytes. Longer chains can only go in circles.
pub const MAX_BYTES: usize = 16 * 1024;

/// A well-formed turn, which may still be illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    jumps: bool,
    squares: Chain,
}

impl Turn {
    /// Whether the turn consists of jumps (`J`) instead of a step (`E`).
    pub fn jumps(&self) -> bool {
        self.jumps
    }

    /// The squares that the piece touches, at least two, origin first.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The play from the first square to the last, which may be the same square.
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

/// Parses an `output.txt`. [`check`](super::check) checks whether the turn is legal.
///
/// # Errors
/// The first error in reading order, or the file is too long.
pub fn parse_output(bytes: &[u8]) -> Result<Turn, TextError> {
    if bytes.len() > MAX_BYTES {
        return Err(TextError::new(1, 1, format!("the file has more than {MAX_BYTES} bytes")));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut turn: Option<Turn> = None;
    for (line, number) in text.split_terminator('\n').zip(1..) {
        let within = |error: TextError| error.within(number, 1);
        let (jumps, from, to) = hop(line).map_err(within)?;
        match &mut turn {
            None => turn = Some(Turn { jumps, squares: Chain::from_slice(&[from, to]) }),
            Some(turn) => turn.advance(jumps, from, to).map_err(within)?,
        }
    }
    turn.ok_or_else(|| TextError::new(1, 1, "the file is empty; expected a play like E 11,15 10,15"))
}

impl Turn {
    /// Adds a hop.
    fn advance(&mut self, jumps: bool, from: Square, to: Square) -> Result<(), TextError> {
        let expected = self.play().to;
        if !self.jumps {
            Err(TextError::new(1, 1, "expected the end of the file: a step ends the turn"))
        } else if !jumps {
            Err(TextError::new(1, 1, "expected J: a step can't follow a jump"))
        } else if from != expected {
            Err(TextError::new(1, 3, format!("expected {expected}, where the last jump ended")))
        } else {
            self.squares.push(to);
            Ok(())
        }
    }
}

/// Parses a line, `E x,y x,y` or `J x,y x,y`. Returns whether it is a jump, and its origin and destination.
fn hop(line: &str) -> Result<(bool, Square, Square), TextError> {
    let (jumps, rest) = match line.as_bytes().first() {
        Some(b'E') => (false, &line[1..]),
        Some(b'J') => (true, &line[1..]),
        _ => return Err(TextError::new(1, 1, "expected E (a step) or J (a jump) at the start of the line")),
    };
    let (from, rest) = square(rest, 2)?;
    let (to, rest) = square(rest, line.len() - rest.len() + 1)?;
    if rest.is_empty() {
        return Ok((jumps, from, to));
    }
    let column = line.len() - rest.len() + 1;
    Err(TextError::new(1, column, "expected the end of the line after the second square"))
}

/// Parses a blank and a square, and returns the square and the rest. `text` starts in `column`.
fn square(text: &str, column: usize) -> Result<(Square, &str), TextError> {
    let rest = text.strip_prefix(' ').ok_or_else(|| TextError::new(1, column, "expected one blank"))?;
    let end = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b',').count();
    let (square, rest) = rest.split_at(end);
    let message = "expected a square like 11,15, with two whole numbers from 0 to 15";
    Ok((square.parse().map_err(|_| TextError::new(1, column + 1, message))?, rest))
}

#[cfg(test)]
mod tests {
    use super::super::legality::check;
    use super::*;
    use halma::game::Game;
    use halma::homework::output::output_text;
    use halma::rules::{BLACK, Position, Rules, chain};
    use halma::support::random::Random;

    #[test]
    fn malformed_outputs_are_refused_with_the_place() {
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
            ("J 1,2 1,4\nJ 1,2 1,4\n", 2, 3, "expected 1,4, where the last jump ended"),
            ("J 1,2 1,4\nJ 1,4 1,6\nJ 1,6\n", 3, 6, "expected one blank"),
        ] {
            let error = parse_output(text.as_bytes()).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{error}\n{text:?}");
            assert!(error.to_string().contains(message), "{error}\n{text:?}");
        }
        let long = "J 1,2 1,4\nJ 1,4 1,2\n".repeat(1000);
        assert!(parse_output(long.as_bytes()).is_err_and(|error| error.to_string().contains("bytes")));
    }

    #[test]
    fn random_bytes_never_panic_and_accepted_ones_print_the_same() {
        const LETTERS: &[u8] = b"EJ 019,5\n\r\xff";
        let read = |bytes: &[u8]| {
            let Ok(turn) = parse_output(bytes) else { return 0 };
            assert_eq!(turn.to_string().trim_end().as_bytes(), bytes.trim_ascii_end());
            let _ = check(&Position::initial(BLACK, Rules::Addendum), &turn);
            1
        };
        let mut random = Random::new(1);
        let mut accepted = 0;
        for round in 0..20_000 {
            let start = ["", "E 4,3 3,2\n", "J 9,9 11,9\nJ 11,9 11,11\nJ 11,11 13,13\n"][round % 3];
            let mut bytes = start.as_bytes().to_vec();
            for _ in 0..random.below(6) {
                let at = random.below(bytes.len() + 1);
                let byte = match random.below(4) {
                    0 => random.below(256) as u8,
                    _ => LETTERS[random.below(LETTERS.len())],
                };
                match random.below(3) {
                    0 => bytes.insert(at, byte),
                    1 => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(8)))),
                    _ => bytes.iter_mut().skip(at).take(1).for_each(|old| *old = byte),
                }
            }
            accepted += read(&bytes);
        }
        assert!((1_000..19_000).contains(&accepted), "{accepted} accepted");
        for head in ["", "E 1,2 ", "J 1,2 1,4\n"] {
            for filler in ["B", "\n", " ", "9", "\u{301}", "J 1,2 1,4\nJ 1,4 1,2\n"] {
                read((head.to_owned() + &filler.repeat(1_000_000 / filler.len())).as_bytes());
            }
        }
    }

    #[test]
    fn the_engines_outputs_are_parsed_and_legal() {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let (mut plays, mut hops) = (Vec::new(), 0);
        for _ in 0..120 {
            position.legal_plays(&mut plays);
            for &play in &plays {
                let text = output_text(&position, play).expect("a legal play can be written");
                let turn = parse_output(text.as_bytes()).expect(&text);
                assert_eq!(turn.to_string(), text);
                assert_eq!(turn.squares(), chain(&position, play).expect("a chain").as_slice());
                assert_eq!(turn.jumps(), play.is_jump());
                assert_eq!(check(&position, &turn), Ok(play), "{text}");
                assert_eq!(parse_output(text.trim_end().as_bytes()), Ok(turn), "the last LF is optional");
                hops = hops.max(text.lines().count());
            }
            let best = plays.iter().max_by_key(|&&play| position.progress(play)).expect("a play");
            position.play(*best);
            if position.outcome().is_some() {
                break;
            }
        }
        assert!(hops > 5, "no long chains");
    }
}
