//! A play: a step, a capture or a pass.

use super::square::Square;
use std::fmt;

/// One turn of Star and Circle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// A piece steps one row forward, or jumps two rows and captures the piece in between.
    Move {
        /// The square that the piece leaves.
        from: Square,
        /// The square that it reaches.
        to: Square,
    },
    /// The turn of a player who has no move.
    Pass,
}

impl Play {
    /// The square of the piece captured by this play, if it is a capture.
    #[inline]
    pub const fn captured(self) -> Option<Square> {
        match self {
            Play::Move { from, to } if from.row().abs_diff(to.row()) == 2 => {
                Some(Square::from_number((from.number() + to.number()) / 2))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Play {
    /// Writes a move as `C5-D4`, and a pass as `pass`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Play::Move { from, to } => write!(f, "{from}-{to}"),
            Play::Pass => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}
