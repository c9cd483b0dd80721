//! `output.txt`: the play.
//!
//! ```text
//! E 11,15 10,15         a step to an adjacent square, or
//!
//! J 9,9 11,9            a chain of jumps, one on each line,
//! J 11,9 11,11          which starts where the last one ended
//! J 11,11 13,13
//! ```
//!
//! Every line ends in LF, including the last one.

use crate::rules::{Play, Position, chain};

/// The `output.txt` for `play`; `None` if the piece can't reach its destination.
///
/// ```
/// use halma::{Position, homework::output::output_text};
///
/// let start = Position::default();
/// let play = "3,1 5,1".parse().expect("a play");
/// assert_eq!(output_text(&start, play).expect("a legal play"), "J 3,1 5,1\n");
/// ```
pub fn output_text(position: &Position, play: Play) -> Option<String> {
    let letter = if play.is_jump() { 'J' } else { 'E' };
    let squares = chain(position, play)?;
    Some(squares.windows(2).map(|hop| format!("{letter} {} {}\n", hop[0], hop[1])).collect())
}
