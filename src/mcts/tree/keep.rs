//! What stays of a tree when the game goes on: the part below one node, moved into another arena.

use super::arena::block_class;
use super::{NodeId, Tree};
use std::collections::VecDeque;

impl<P: Copy> Tree<P> {
    /// Becomes the part of `old` below `id`, whose statistics are the root's now, and leaves `old` as good as
    /// empty. At most `limit` places are filled: what is furthest from the root is left behind first.
    ///
    /// The first node of each position that is met gets the children that it shares with its twins.
    pub fn take_over(&mut self, old: &mut Tree<P>, id: NodeId, limit: usize) {
        self.clear();
        self.set(NodeId::ROOT, old.visits(id), old.mean(id));
        self.set_estimate(NodeId::ROOT, old.estimate(id));
        // Nearest to the root first.
        let mut open = VecDeque::from([(old.sharer(id), NodeId::ROOT)]);
        while let Some((from, to)) = open.pop_front() {
            let parent = *old.node(from);
            // A twin may have taken them already.
            if !parent.is_expanded() {
                continue;
            }
            if self.len() >= limit {
                break;
            }
            let Some(first) = self.arena.take_block(block_class(parent.materialised()), to == NodeId::ROOT)
            else {
                break;
            };
            old.arena.node_mut(from).materialised = 0;
            self.arena.copy_block(&old.arena, parent.first_child, first, parent.materialised());
            let node = self.arena.node_mut(to);
            node.first_child = first;
            node.materialised = parent.materialised;
            node.legal = parent.legal;
            let hash = old.arena.hash(from);
            if hash != 0 {
                self.note(to, hash);
            }
            for child in parent.children() {
                let sharer = old.sharer(child);
                if old.node(sharer).is_expanded() {
                    open.push_back((sharer, first.offset(child.place() - parent.first_child.place())));
                }
            }
        }
    }
}
