//! What the networks of [evaluations](crate::network::value) and of [priors](crate::network::policy) share:
//! their input, the sums of the hidden layer, and how a file is framed and checked.
//!
//! ```text
//! sums(view) = biases + Σ row of each piece's feature
//! ```
//!
//! All of it is in integers. The sums change by one row for each square that changes, so a network keeps those of the
//! position it looked at last (an efficiently updatable network: Nasu 2018).
//!
//! `file.rs` reads and writes what all files have in common, `sums.rs` keeps the sums.

mod file;
pub mod policy;
mod sums;
pub mod value;

pub(crate) use file::{BuiltInReader, InputGroup, Reader, Writer, check_size, check_sums};
pub use file::{Kind, NetworkError, read_bytes};
pub(crate) use sums::Sums;
pub use sums::UnitRow;

use crate::game::Player;
use crate::rules::{Square, WHITE};

/// Inputs: the own pieces on 256 squares, and the opponent's.
pub const FEATURES: usize = 512;

/// The word for the network that comes with the crate, in place of a file.
pub const BUILT_IN: &str = "built-in";

/// The input that a piece of `side` on `square` switches on, seen by `view`.
///
/// The board is turned so that the viewer always travels as Black does: from the top left to the bottom right.
#[inline]
pub fn feature(view: Player, side: Player, square: Square) -> usize {
    let half = if side == view { 0 } else { FEATURES / 2 };
    half + seen_by(view, square)
}

/// The number of `square` on the board turned so that `view` travels as Black does.
#[inline]
pub fn seen_by(view: Player, square: Square) -> usize {
    let seen = if view == WHITE { square.half_turn() } else { square };
    seen.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_has_one_feature_in_each_view() {
        for square in Square::all() {
            for view in Player::BOTH {
                let own = feature(view, view, square);
                assert!(own < FEATURES / 2);
                assert_eq!(feature(view, view.opponent(), square), own + FEATURES / 2);
                assert_eq!(feature(view.opponent(), view.opponent(), square.half_turn()), own);
            }
        }
    }
}
