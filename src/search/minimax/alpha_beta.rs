//! Alpha-beta (Knuth and Moore 1975). The bounds begin at −∞ and +∞ and are updated as in the textbooks (Russell and
//! Norvig, *Artificial Intelligence*, "Alpha-Beta-Search"):
//!
//! ```text
//! alpha_beta(node, depth, α, β):
//!     count node
//!     if depth = 0 or node is over:  return evaluate(node)
//!     if the root's player is to move:
//!         v ← −∞
//!         for each play, in order:
//!             v ← max(v, alpha_beta(node after play, depth − 1, α, β))
//!             if v ≥ β:  return v
//!             α ← max(α, v)
//!     else:
//!         v ← +∞
//!         for each play, in order:
//!             v ← min(v, alpha_beta(node after play, depth − 1, α, β))
//!             if v ≤ α:  return v
//!             β ← min(β, v)
//!     return v
//! ```
//!
//! The number of nodes in a subtree depends on the bounds at its root, so subtrees are not cached.

use super::{SearchResult, play_lists};
use crate::game::{Game, Player};

/// Searches `depth` plies below `root` by alpha-beta. `evaluate` values a position for the player to move at the root,
/// above `i64::MIN` and below `i64::MAX`, which stand for ±∞.
///
/// It finds the same play and value as [`minimax`](super::minimax). A position without a legal play is a leaf.
pub fn alpha_beta<G: Game>(root: &G, depth: u8, evaluate: impl Fn(&G) -> i64) -> SearchResult<G::Play> {
    let mut search = AlphaBeta { player: root.to_move(), evaluate, nodes: 0 };
    let (value, play) = search.visit(root, depth, [i64::MIN, i64::MAX], &mut play_lists::<G>(depth));
    SearchResult { play, value, nodes: search.nodes }
}

struct AlphaBeta<E> {
    /// The maximiser.
    player: Player,
    evaluate: E,
    nodes: u64,
}

impl<E> AlphaBeta<E> {
    /// The value of `node` between the bounds and, unless it is a leaf, the first play that reaches it. The maximiser is
    /// sure of at least α, the minimiser of at most β.
    fn visit<G: Game>(
        &mut self,
        node: &G,
        depth: u8,
        [mut alpha, mut beta]: [i64; 2],
        lists: &mut [Vec<G::Play>],
    ) -> (i64, Option<G::Play>)
    where
        E: Fn(&G) -> i64,
    {
        self.nodes += 1;
        if depth == 0 || node.outcome().is_some() {
            return ((self.evaluate)(node), None);
        }
        let (plays, lists) = lists.split_first_mut().expect("a list for each ply");
        node.legal_plays(plays);
        let maximising = node.to_move() == self.player;
        let mut best = None;
        let mut best_value = if maximising { i64::MIN } else { i64::MAX };
        for &play in plays.iter() {
            let mut child = node.clone();
            child.play(play);
            let (value, _) = self.visit(&child, depth - 1, [alpha, beta], lists);
            let improves = if maximising { value > best_value } else { value < best_value };
            if improves {
                (best_value, best) = (value, Some(play));
            }
            // The opponent will avoid a node where the bounds meet.
            let is_cut = if maximising { best_value >= beta } else { best_value <= alpha };
            if is_cut {
                break;
            }
            if maximising {
                alpha = alpha.max(best_value);
            } else {
                beta = beta.min(best_value);
            }
        }
        match best {
            Some(_) => (best_value, best),
            None => ((self.evaluate)(node), None),
        }
    }
}
