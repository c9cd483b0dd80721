//! A play: one piece from one square to another.

use super::square::Square;
use crate::support::text::TextError;
use std::fmt;
use std::str::FromStr;

/// One turn of Halma: the piece on `from` ends up on `to`.
///
/// Only the resulting board matters, so a play leaves out the jumps in between; [`chain`](super::chain())
/// finds them again for writing it out. A square that a step reaches can't be reached by jumps: these keep
/// `(x mod 2, y mod 2)`, and steps do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play {
    /// Where the piece stands before.
    pub from: Square,
    /// Where it stands after.
    pub to: Square,
}

impl Play {
    /// The play of the piece on `from` to `to`.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Play {
        Play { from, to }
    }

    /// Whether this is a chain of jumps rather than one step.
    #[inline]
    pub const fn is_jump(self) -> bool {
        self.from.class() == self.to.class()
    }

    /// The same play seen from the other side of the board.
    #[inline]
    pub const fn half_turn(self) -> Play {
        Play::new(self.from.half_turn(), self.to.half_turn())
    }
}

impl fmt::Display for Play {
    /// Writes `FROM_X,FROM_Y TO_X,TO_Y`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.from, self.to)
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

impl FromStr for Play {
    type Err = TextError;

    /// Reads what [`Display`](fmt::Display) writes: two squares with one blank between them.
    fn from_str(text: &str) -> Result<Play, TextError> {
        let Some((from, to)) = text.split_once(' ') else {
            return Err(TextError::new(1, 1, "a play is written x,y x,y: two squares and one blank"));
        };
        let second = from.len() + 2;
        Ok(Play::new(from.parse()?, to.parse().map_err(|error: TextError| error.within(1, second))?))
    }
}
