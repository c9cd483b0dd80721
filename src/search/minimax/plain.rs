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
//! The value and the number of nodes of a subtree depend only on its root and depth. The same plays in different orders
//! lead to the same subtrees, so subtrees are cached; a cached subtree counts all its nodes again.

use super::cache::Cache;
use super::{SearchResult, play_lists};
use crate::game::{Game, Player};

/// The size of the cache in bytes. It takes half as much again while it grows.
const CACHE_BYTES: usize = 256 << 20;

/// Subtrees of at least this depth are cached: searching one of depth 1 costs less than caching it.
const MIN_CACHED_DEPTH: u8 = 2;

/// The minimum number of nodes between two calls to `is_over`.
const NODES_PER_CHECK: usize = 4096;

/// Searches every node to `depth` plies below `root`. `evaluate` values a position for the player to move at the root.
///
/// A position without a legal play is a leaf.
pub fn minimax<G: Game + Eq>(root: &G, depth: u8, evaluate: impl Fn(&G) -> i64) -> SearchResult<G::Play> {
    let mut search = Minimax::new(root.to_move(), evaluate, || false, CACHE_BYTES);
    search.visit(root, depth, &mut play_lists::<G>(depth))
}

/// [`minimax`], stopped when `is_over` returns true. `is_over` is called every few thousand nodes.
///
/// # Errors
/// The number of nodes visited, if the search was stopped.
pub fn minimax_until<G: Game + Eq>(
    root: &G,
    depth: u8,
    evaluate: impl Fn(&G) -> i64,
    is_over: impl FnMut() -> bool,
) -> Result<SearchResult<G::Play>, u64> {
    let mut search = Minimax::new(root.to_move(), evaluate, is_over, CACHE_BYTES);
    let found = search.visit(root, depth, &mut play_lists::<G>(depth));
    if search.stopped { Err(found.nodes) } else { Ok(found) }
}

struct Minimax<G: Game, E, O> {
    /// The maximiser.
    player: Player,
    evaluate: E,
    is_over: O,
    /// The number of nodes counted since the last call to `is_over`.
    since_check: usize,
    stopped: bool,
    cache: Cache<G>,
}

impl<G: Game + Eq, E: Fn(&G) -> i64, O: FnMut() -> bool> Minimax<G, E, O> {
    fn new(player: Player, evaluate: E, is_over: O, bytes: usize) -> Minimax<G, E, O> {
        Minimax { player, evaluate, is_over, since_check: 0, stopped: false, cache: Cache::new(bytes) }
    }

    /// Searches the subtree of `node`, with a list of plays for each ply.
    fn visit(&mut self, node: &G, depth: u8, lists: &mut [Vec<G::Play>]) -> SearchResult<G::Play> {
        if depth == 0 || node.outcome().is_some() {
            return SearchResult::leaf((self.evaluate)(node));
        }
        if depth < MIN_CACHED_DEPTH {
            return self.expand(node, depth, lists);
        }
        if let Some(known) = self.cache.get(node, depth) {
            return known;
        }
        let found = self.expand(node, depth, lists);
        if !self.stopped {
            self.cache.insert(node, depth, found);
        }
        found
    }

    /// Counts `nodes` more, and returns whether the search must stop.
    fn must_stop(&mut self, nodes: usize) -> bool {
        self.since_check += nodes;
        if self.since_check >= NODES_PER_CHECK {
            self.since_check = 0;
            self.stopped = self.stopped || (self.is_over)();
        }
        self.stopped
    }

    /// Searches the children of `node`, which is not a leaf unless it has no legal play.
    fn expand(&mut self, node: &G, depth: u8, lists: &mut [Vec<G::Play>]) -> SearchResult<G::Play> {
        let (plays, lists) = lists.split_first_mut().expect("a list for each ply");
        node.legal_plays(plays);
        if self.must_stop(plays.len()) {
            return SearchResult::leaf(0);
        }
        let maximising = node.to_move() == self.player;
        let mut nodes = 1;
        let mut best: Option<(i64, G::Play)> = None;
        for &play in plays.iter() {
            let mut child = node.clone();
            child.play(play);
            let found = self.visit(&child, depth - 1, lists);
            nodes += found.nodes;
            if self.stopped {
                return SearchResult { play: None, value: 0, nodes };
            }
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
            let mut search = Minimax::new(STAR, evaluate, || false, bytes);
            assert_eq!(search.visit(&root, depth, &mut play_lists::<Position>(depth)), found);
        }
    }

    #[test]
    fn a_stopped_search_returns_the_number_of_nodes_visited() {
        let root = Position::initial([10, 20, 30, 40, 50, 60, 70, 80]);
        let evaluate = |position: &Position| position.utility(STAR) as i64;
        let mut calls = 0;
        let mut until = |max| {
            calls = 0;
            minimax_until(&root, 7, evaluate, || {
                calls += 1;
                calls > max
            })
        };
        assert_eq!(until(u32::MAX).map(|found| found.nodes), Ok(1_801_129));
        let nodes = until(9).expect_err("stopped by the tenth call");
        // Cached subtrees count again, so this is more than the nodes between ten calls.
        assert!((10 * NODES_PER_CHECK as u64..500_000).contains(&nodes), "{nodes} nodes");
        assert_eq!(calls, 10, "once `is_over` has returned true, it is not called again");
    }
}
