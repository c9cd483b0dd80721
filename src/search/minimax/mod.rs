//! Depth-bounded minimax and alpha-beta over any [`Game`], counting nodes.
//!
//! Both value a position for the player to move at the root, who maximises, by an evaluation of
//! the leaves; the opponent minimises. A node is counted when it is entered, and then is a *leaf*
//! if the depth is used up or the game is over. Plays are taken in the game's own order, and only
//! a strictly better one replaces the best so far, so among equals the first is chosen.
//!
//! The evaluation is a closure that gets a position and returns its value for the root's player. It also
//! values games that are over: the search never looks at who has won.

mod alpha_beta;
mod memory;
mod plain;

pub use alpha_beta::alpha_beta;
pub use plain::{minimax, minimax_until};

use crate::game::Game;

/// How the game tree is to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Every node down to the depth limit.
    Minimax,
    /// Only the nodes that can matter to the root's value.
    AlphaBeta,
}

/// What a search found for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult<P> {
    /// The first of the best plays; `None` at a leaf.
    pub play: Option<P>,
    /// The value for the player to move at the root of the search.
    pub value: i64,
    /// How many nodes the algorithm visits, the position itself included.
    pub nodes: u64,
}

impl<P> SearchResult<P> {
    /// The result of a leaf with this value.
    #[inline]
    fn leaf(value: i64) -> SearchResult<P> {
        SearchResult { play: None, value, nodes: 1 }
    }
}

/// One list of plays for each ply above the leaves, so that the search does not allocate as it goes.
fn play_lists<G: Game>(depth: u8) -> Vec<Vec<G::Play>> {
    vec![Vec::new(); depth.into()]
}
