//! A play: one piece from one square to another.

use super::square::Square;
use crate::game::MoveIndex;
use crate::support::text::TextError;
use std::fmt;
use std::str::FromStr;

/// One turn of Halma: the piece on `from` ends up on `to`.
///
/// Only the resulting board matters, so a play omits the jumps in between; [`chain`](super::chain()) reconstructs them
/// for output. No square can be reached both by a step and by jumps: jumps keep `(x mod 2, y mod 2)`, steps do not.
///
/// ```
/// use halma::{Play, Square};
///
/// let play: Play = "2,2 4,4".parse()?;
/// assert_eq!(play, Play::new(Square::new(2, 2), Square::new(4, 4)));
/// assert!(play.is_jump());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that it reaches.
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

    /// The play turned by 180°.
    #[inline]
    pub const fn half_turn(self) -> Play {
        Play::new(self.from.half_turn(), self.to.half_turn())
    }
}

impl MoveIndex for Play {
    const COUNT: usize = 1 << 16;

    #[inline]
    fn index(self) -> usize {
        self.from.index() << 8 | self.to.index()
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

    /// Reads the output of [`Display`](fmt::Display): two squares separated by one space.
    fn from_str(text: &str) -> Result<Play, TextError> {
        let Some((from, to)) = text.split_once(' ') else {
            return Err(TextError::new(1, 1, "expected a play x,y x,y: two squares separated by one space"));
        };
        let second = from.len() + 2;
        Ok(Play::new(from.parse()?, to.parse().map_err(|error: TextError| error.within(1, second))?))
    }
}
