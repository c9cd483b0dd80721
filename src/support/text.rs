//! What is wrong with a text, and where.
//!
//! Every reader of a file or a board in this crate returns a [`TextError`]: boards and squares, the files of the
//! homework, problems of Star and Circle. A message is made only when there is a fault, so a sound text
//! costs nothing.

use std::fmt;

/// A fault in a text: its place, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line of the fault, from 1.
    pub line: usize,
    /// The column of the fault in characters, from 1.
    pub column: usize,
    /// What is wrong, and what should stand there instead.
    pub message: String,
}

impl TextError {
    /// The fault that `message` describes, at this place.
    pub fn new(line: usize, column: usize, message: impl Into<String>) -> TextError {
        TextError { line, column, message: message.into() }
    }

    /// The same fault, in a larger text of which this one begins at `line` and `column`.
    pub fn within(self, line: usize, column: usize) -> TextError {
        let column = if self.line == 1 { self.column + column - 1 } else { self.column };
        TextError { line: self.line + line - 1, column, ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TextError {}

/// The beginning of `text`, for a message: a message must fit on a screen, whatever it quotes.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 20;
    let mut excerpt: String = text.chars().take(LONGEST).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

/// Checks that `lines` are blank; the first of them is line `number` of its text. `message` gets the text
/// from the first other character to the end of its line.
///
/// # Errors
/// The first character that is not blank.
pub(crate) fn expect_blank<'t>(
    lines: impl Iterator<Item = &'t str>,
    number: usize,
    message: impl FnOnce(&'t str) -> String,
) -> Result<(), TextError> {
    let mut lines = lines.zip(number..).map(|(line, number)| (line.trim_start(), line, number));
    match lines.find(|(found, ..)| !found.is_empty()) {
        None => Ok(()),
        Some((found, line, number)) => {
            let blanks = line.chars().count() - found.chars().count();
            Err(TextError::new(number, blanks + 1, message(found.trim_end())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_a_part_is_found_in_the_whole() {
        let fault = TextError::new(1, 3, "wrong");
        assert_eq!(fault.to_string(), "line 1, column 3: wrong");
        assert_eq!(fault.within(5, 10), TextError::new(5, 12, "wrong"));
        assert_eq!(TextError::new(2, 3, "wrong").within(5, 10), TextError::new(6, 3, "wrong"));
    }

    #[test]
    fn long_texts_are_quoted_in_part() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"ä".repeat(1000)), "ä".repeat(20) + "…");
    }

    #[test]
    fn only_blank_lines_are_blank() {
        let check = |text: &str| expect_blank(text.lines(), 7, |found| format!("found {found:?}"));
        assert_eq!(check(""), Ok(()));
        assert_eq!(check("\n \u{3000}\r\n\t"), Ok(()));
        assert_eq!(check("\n \u{3000}x y \nz"), Err(TextError::new(8, 3, "found \"x y\"")));
    }
}
