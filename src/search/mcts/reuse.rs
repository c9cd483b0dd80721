//! Reusing the tree after two plays.
//!
//! The subtree below them is a search of the position that they led to. It moves into another arena, and
//! the rest is dropped: nodes that belong together lie together again, and all can be reached.

use super::search::{Search, new_tree};
use super::tree::NodeId;
use crate::game::Game;
use crate::playout::Playout;
use crate::prior::Prior;
use crate::support::random::Random;

/// An arena is kept for the next move if it takes at most one `SPARE`th of the memory allowed: a small one
/// is not worth allocating again and again.
const SPARE: usize = 4;

/// The reused tree may take at most one `REUSED`th of the memory allowed.
const REUSED: usize = 2;

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// Makes `now` the root, to which `play` and the opponent's answer have led, and reuses at most `limit`
    /// places of the tree below it. Starts afresh as [`restart`](Self::restart) does if the tree knows
    /// nothing of `now`.
    pub fn advance(&mut self, play: G::Play, now: G, seed: u64, limit: usize) {
        let Some(id) = self.node_after(play, &now) else { return self.restart(now, seed) };
        let spare = self.spare.take().unwrap_or_else(|| new_tree(&self.params));
        let mut old = std::mem::replace(&mut self.tree, spare);
        let limit = limit.min(old.limit() / REUSED);
        self.tree.take_over(&mut old, id, limit);
        self.spare = (old.capacity() <= old.limit() / SPARE).then_some(old);
        self.random = Random::new(seed);
        self.depth = 0;
        self.root = now;
        if !self.tree.node(NodeId::ROOT).is_expanded() {
            let root = self.root.clone();
            self.expand(NodeId::ROOT, &root);
        }
        self.prove_root_from_children();
    }

    /// The node of `now`, to which `play` and an answer lead from the root, if it has visits and no proof: a
    /// proof is not reused, because the play that keeps it must be known too.
    fn node_after(&self, play: G::Play, now: &G) -> Option<NodeId> {
        let mut before = self.root.clone();
        let played = self.child_of(NodeId::ROOT, play)?;
        before.play(play);
        let answered = self.tree.children(self.tree.canonical(played)).find(|&child| {
            self.tree.node(child).play.is_some_and(|answer| {
                let mut after = before.clone();
                after.play(answer);
                after.key() == now.key()
            })
        })?;
        let is_open = |id: NodeId| self.tree.node(id).proof.is_none();
        (self.tree.visits(answered) > 0 && is_open(answered) && is_open(self.tree.canonical(answered)))
            .then_some(answered)
    }
}
