//! Minimax without pruning (von Neumann 1928; Shannon 1950 for the depth limit):
//!
//! ```text
//! minimax(node, depth):
//!     count node
//!     if depth = 0 or node is over:  return evaluate(node)
//!     v ← −∞ if the root's player is to move, else +∞
//!     for each play, in order:
//!         v ← the better for the mover of v and minimax(node after play, depth − 1)
//!     return v
//! ```
//!
//! The value and the number of nodes of a subtree depend only on its root and depth, so subtrees are
//! cached: plays in different orders lead to the same ones over and over. The count is that of the
//! algorithm above.

use super::memory::Memory;
use super::{SearchResult, play_lists};
use crate::game::{Game, Player};

/// The size of the cache in bytes; half as much again while it grows.
const MEMORY_BYTES: usize = 256 << 20;

/// Subtrees of at least this depth are cached: searching one of depth 1 costs less than caching it.
const LEAST_CACHED: u8 = 2;

/// Searches every node to `depth` plies below `root`; `evaluate` values a position for the player to move
/// at the root.
///
/// A position in which the game's rules leave no play at all is a leaf.
pub fn minimax<G: Game + Eq>(root: &G, depth: u8, evaluate: impl Fn(&G) -> i64) -> SearchResult<G::Play> {
    let mut search = Minimax { player: root.to_move(), evaluate, memory: Memory::new(MEMORY_BYTES) };
    search.visit(root, depth, &mut play_lists::<G>(depth))
}

struct Minimax<G: Game, E> {
    /// Who maximises.
    player: Player,
    evaluate: E,
    memory: Memory<G>,
}

impl<G: Game + Eq, E: Fn(&G) -> i64> Minimax<G, E> {
    /// Searches the subtree under `node`, with a list of plays for each of its plies.
    fn visit(&mut self, node: &G, depth: u8, lists: &mut [Vec<G::Play>]) -> SearchResult<G::Play> {
        if depth == 0 || node.outcome().is_some() {
            return SearchResult::leaf((self.evaluate)(node));
        }
        if depth < LEAST_CACHED {
            return self.expand(node, depth, lists);
        }
        if let Some(known) = self.memory.get(node, depth) {
            return known;
        }
        let found = self.expand(node, depth, lists);
        self.memory.insert(node, depth, found);
        found
    }

    /// Searches the children of `node`, which is no leaf.
    fn expand(&mut self, node: &G, depth: u8, lists: &mut [Vec<G::Play>]) -> SearchResult<G::Play> {
        let (plays, lists) = lists.split_first_mut().expect("there is a list for each ply");
        node.plays(plays);
        let maximising = node.to_move() == self.player;
        let mut nodes = 1;
        let mut best: Option<(i64, G::Play)> = None;
        for &play in plays.iter() {
            let mut child = node.clone();
            child.play(play);
            let found = self.visit(&child, depth - 1, lists);
            nodes += found.nodes;
            let improves = best
                .is_none_or(|(value, _)| if maximising { found.value > value } else { found.value < value });
            if improves {
                best = Some((found.value, play));
            }
        }
        match best {
            Some((value, play)) => SearchResult { play: Some(play), value, nodes },
            None => SearchResult::leaf((self.evaluate)(node)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::star_circle::{Position, STAR};

    #[test]
    fn the_count_does_not_depend_on_the_cache() {
        let root = Position::initial([10, 20, 30, 40, 50, 60, 70, 80]);
        let depth = 7;
        let evaluate = |position: &Position| position.utility(STAR) as i64;
        let found = minimax(&root, depth, evaluate);
        assert_eq!(found.nodes, 1_801_129);
        for bytes in [0, 1 << 10, 1 << 16] {
            let mut search = Minimax { player: STAR, evaluate, memory: Memory::new(bytes) };
            assert_eq!(search.visit(&root, depth, &mut play_lists::<Position>(depth)), found);
        }
    }
}
