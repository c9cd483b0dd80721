//! Keeping the subtree of the next position when the game goes on.
//!
//! The subtree below the last play and the opponent's answer is already a search of the current position. It moves into
//! another arena, where its nodes lie close together again, and the rest is dropped.

use super::search::{Search, new_tree};
use super::tree::NodeId;
use crate::game::Game;
use crate::playout::Playout;
use crate::prior::Prior;

/// The old arena is kept for the next move if it takes at most a quarter of the memory limit.
const SPARE_DIVISOR: usize = 4;

/// The reused tree may take at most half of the memory limit.
const REUSED_DIVISOR: usize = 2;

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// Makes `now`, reached by `play` and an answer, the new root, and keeps about `limit` places of the tree below it:
    /// the last block of children may exceed the limit. [Restarts](Self::restart) if the tree has no visits to `now` or
    /// has proved its outcome.
    pub fn advance(&mut self, play: G::Play, now: G, seed: u64, limit: usize) {
        let Some(id) = self.node_after(play, &now) else { return self.restart(now, seed) };
        let mut spare = self.spare.take().unwrap_or_else(|| new_tree(&self.params, self.memory));
        spare.arena.set_limit(self.params.select.tree_bytes(self.memory));
        let mut old = std::mem::replace(&mut self.tree, spare);
        let limit = limit.min(old.arena.limit() / REUSED_DIVISOR);
        self.tree.take_over(&mut old, id, limit);
        self.selector.retain(&self.tree);
        self.spare = (old.arena.capacity() <= old.arena.limit() / SPARE_DIVISOR).then_some(old);
        self.begin(now, seed);
        if !self.tree.node(NodeId::ROOT).is_expanded() {
            self.expand_root();
        }
        self.prove_root_from_children();
    }

    /// The node of `now`, to which `play` and an answer lead, if it has visits and no proof. A proof is not reused,
    /// because the search must also find the play that achieves it.
    fn node_after(&self, play: G::Play, now: &G) -> Option<NodeId> {
        let mut before = self.root.clone();
        let played = self.child_by_play(NodeId::ROOT, play)?;
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
