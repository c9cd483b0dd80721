//! What stays of a tree when the game goes on: the part below one node, moved into another arena.

use super::{FOUR, NodeId, Tree, block_class};
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
            if self.len >= limit {
                break;
            }
            let Some(first) = self.take_block(block_class(parent.materialised()), to == NodeId::ROOT) else {
                break;
            };
            old.node_mut(from).materialised = 0;
            self.copy_block(old, parent.first_child, first, parent.materialised());
            let node = self.node_mut(to);
            node.first_child = first;
            node.materialised = parent.materialised;
            node.legal = parent.legal;
            let hash = old.hash(from);
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

    /// Copies `count` nodes without their children from a block of `old` to one of this tree.
    fn copy_block(&mut self, old: &Tree<P>, from: NodeId, to: NodeId, count: usize) {
        let (source, target) = (&old.chunks[from.chunk()], &mut self.chunks[to.chunk()]);
        let (from, to) = (from.place(), to.place());
        let fours = count.div_ceil(FOUR);
        target.fours[to / FOUR..][..fours].copy_from_slice(&source.fours[from / FOUR..][..fours]);
        target.hashes[to..][..count].copy_from_slice(&source.hashes[from..][..count]);
        for (node, &known) in target.nodes[to..].iter_mut().zip(&source.nodes[from..][..count]) {
            *node = known.without_children();
        }
    }
}
