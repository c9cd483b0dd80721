//! Plain minimax and alpha-beta to a fixed depth, over any [`Game`], counting nodes.
//!
//! The player to move at the root maximises an evaluation of the leaves, and the opponent minimises it. A node counts
//! when it is entered; it is a *leaf* if no depth is left or the game is over. Plays are tried in the game's own order,
//! and only a strictly better one replaces the best so far: among equals the first is chosen.
//!
//! The evaluation is a closure that returns a position's value for the root's player. It values finished games too: the
//! search never asks who won.

mod alpha_beta;
mod cache;
mod plain;

pub use alpha_beta::alpha_beta;
pub use plain::{minimax, minimax_until};

use crate::game::Game;

/// Which of the two searches to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Every node down to the depth limit.
    Minimax,
    /// Only the nodes that may affect the value of the root.
    AlphaBeta,
}

/// The result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult<P> {
    /// The first of the best plays; `None` at a leaf.
    pub play: Option<P>,
    /// The value for the player to move at the root of the search.
    pub value: i64,
    /// The number of nodes visited, including the position itself.
    pub nodes: u64,
}

impl<P> SearchResult<P> {
    #[inline]
    fn leaf(value: i64) -> SearchResult<P> {
        SearchResult { play: None, value, nodes: 1 }
    }
}

/// A list of plays for each ply above the leaves, so that the search does not allocate.
fn play_lists<G: Game>(depth: u8) -> Vec<Vec<G::Play>> {
    vec![Vec::new(); depth.into()]
}
