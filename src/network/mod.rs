//! The two neural networks: one [evaluates positions](value), the other [ranks plays](policy).
//!
//! Each network is one plain struct of integer weights: [`ValueNetwork`](value::ValueNetwork) and
//! [`PolicyNetwork`](policy::PolicyNetwork). Both share the input features for pieces, the code that updates the hidden
//! units' sums, and the file format.
//!
//! ```text
//! sums(view) = biases + Σ row of each piece's feature
//! ```
//!
//! All arithmetic is in integers, so results are the same on every machine. The sums of consecutive positions differ by
//! one row for each square that changed, so they are updated instead of computed anew (an efficiently updatable neural
//! network: Nasu 2018).
//!
//! | file | contents |
//! |---|---|
//! | `value.rs`, `policy.rs` | one network each: its shape, its limits, and the evaluation or prior that uses it |
//! | `value/jumps.rs` | the value network's input features for jumps |
//! | `accumulator.rs` | the hidden units' sums |
//! | `file.rs`, `error.rs` | network files, and errors in them |
//! | `overflow.rs` | the check that no hidden unit's sum can overflow |

mod accumulator;
mod error;
mod file;
mod overflow;
pub mod policy;
pub mod value;

pub(crate) use accumulator::{Accumulator, dot, sixteen};
pub use error::{NetworkError, NetworkKind};
pub use file::{Network, NetworkFile, read_bytes};

use crate::game::Player;
use crate::rules::{Square, WHITE};
use std::ops::Deref;
use std::sync::Arc;

/// The number of inputs for pieces: the viewer's pieces on 256 squares, then the opponent's.
pub const FEATURES: usize = 512;

/// The name of the built-in network, used instead of a file's path.
pub const BUILT_IN: &str = "built-in";

/// The input for a piece of `side` on `square`, as `view` sees it.
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

/// Weights in use, shared between threads: built-in ones in the program's read-only data, others on the heap.
#[derive(Clone, Debug)]
pub(crate) enum Shared<T: 'static> {
    BuiltIn(&'static T),
    Loaded(Arc<T>),
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        match self {
            Shared::BuiltIn(weights) => weights,
            Shared::Loaded(weights) => weights,
        }
    }
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
