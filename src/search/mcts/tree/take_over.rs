//! Moving the subtree below a node into another arena after plays have been made.

use super::{NodeId, Tree};
use std::collections::VecDeque;

impl<P: Copy> Tree<P> {
    /// Replaces this tree with the part of `old` below `id`, the new root. `old` must be cleared before it is used again.
    /// Stops once `limit` places are filled: the nodes furthest from the root are left behind.
    ///
    /// Of several nodes that share children, the first one reached keeps them.
    pub fn take_over(&mut self, old: &mut Tree<P>, id: NodeId, limit: usize) {
        self.clear();
        self.set(NodeId::ROOT, old.visits(id), old.mean(id));
        // Breadth first.
        let mut open = VecDeque::from([(old.canonical(id), NodeId::ROOT)]);
        while let Some((from, to)) = open.pop_front() {
            let parent = *old.node(from);
            // A transposition may have taken the children already.
            if !parent.is_expanded() {
                continue;
            }
            if self.arena.len() >= limit {
                break;
            }
            let Some(first) = self.arena.take_block(self.block_size(parent.expanded()), to == NodeId::ROOT)
            else {
                break;
            };
            let children = old.children(from);
            old.node_mut(from).expanded = 0;
            let old_first = old.first_child(from);
            self.arena.copy_block(&old.arena, old_first, first, parent.expanded());
            self.set_first_child(to, first);
            let node = self.node_mut(to);
            node.expanded = parent.expanded;
            node.legal = parent.legal;
            node.visits_below = parent.visits_below;
            let key = old.arena.key(from);
            if key != 0 {
                self.note(to, key);
            }
            for child in children {
                let canonical = old.canonical(child);
                if old.node(canonical).is_expanded() {
                    open.push_back((canonical, first.offset(child.after(old_first))));
                }
            }
        }
    }
}
