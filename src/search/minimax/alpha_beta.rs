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
    let window = Window { alpha: i64::MIN, beta: i64::MAX };
    let (value, play) = search.visit(root, depth, window, &mut play_lists::<G>(depth));
    SearchResult { play, value, nodes: search.nodes }
}

/// The values that still matter: the maximiser is sure of at least α, the minimiser of at most β.
#[derive(Clone, Copy)]
struct Window {
    alpha: i64,
    beta: i64,
}

impl Window {
    /// Narrows the window, given that the mover can get `value` here. Returns whether that causes a cutoff, because the
    /// opponent will avoid this node.
    #[inline]
    fn narrow(&mut self, maximising: bool, value: i64) -> bool {
        if maximising {
            self.alpha = self.alpha.max(value);
            value >= self.beta
        } else {
            self.beta = self.beta.min(value);
            value <= self.alpha
        }
    }
}

struct AlphaBeta<E> {
    /// The maximiser.
    player: Player,
    evaluate: E,
    nodes: u64,
}

impl<E> AlphaBeta<E> {
    /// The value of `node` within the window and, unless it is a leaf, the first play that reaches it.
    fn visit<G: Game>(
        &mut self,
        node: &G,
        depth: u8,
        mut window: Window,
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
            let (value, _) = self.visit(&child, depth - 1, window, lists);
            let improves = if maximising { value > best_value } else { value < best_value };
            if improves {
                (best_value, best) = (value, Some(play));
            }
            if window.narrow(maximising, best_value) {
                break;
            }
        }
        match best {
            Some(_) => (best_value, best),
            None => ((self.evaluate)(node), None),
        }
    }
}
