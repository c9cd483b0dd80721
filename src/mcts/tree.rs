//! The tree: nodes in one arena, the children of a node side by side.
//!
//! ```text
//!   arena   0      1 ……… 4   5 ……… 8   9 ……………… 16
//!           root   children   children   children of 3,
//!                  of root    of 2       grown to eight
//! ```
//!
//! A node carries the play that leads to it, so there are no separate edges. Children come in
//! blocks of 4, 8, 16, … places: first only the plays of highest prior are given a node, and when
//! all of these have been visited the block is exchanged for one of twice the size. A node seen a
//! few times thus costs four places and not a hundred, and choosing among its children reads a few
//! cache lines. Blocks given back are used again.

use crate::game::{Outcome, Player, Value};

/// A node's place in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The root, in every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The node `offset` places on.
    #[inline]
    pub fn offset(self, offset: usize) -> NodeId {
        NodeId(self.0 + offset as u32)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Places in the smallest block of children.
const SMALLEST_BLOCK: usize = 4;

/// A position in the tree, as seen on the way through its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<P> {
    /// The play that leads here; at the root, none.
    pub play: Option<P>,
    /// How it ends with best play by both, once that is proved.
    pub proof: Option<Outcome>,
    /// The share of the parent's visits that this play deserves at first sight, 0…1.
    pub prior: f32,
    /// How many iterations came through here.
    pub visits: u32,
    /// The mean of the values these found, for player one.
    pub mean: f32,
    first_child: NodeId,
    /// Children that have a node.
    materialised: u16,
    /// Legal plays, 0 as long as they have not been counted.
    legal: u16,
}

impl<P: Copy> Node<P> {
    /// A node not visited yet.
    pub fn new(play: Option<P>, prior: f32) -> Node<P> {
        Node {
            play,
            proof: None,
            prior,
            visits: 0,
            mean: 0.0,
            first_child: NodeId::ROOT,
            materialised: 0,
            legal: 0,
        }
    }

    /// Whether children have been made.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.materialised > 0
    }

    /// Whether nothing is known of it yet but its prior.
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.visits == 0 && self.proof.is_none()
    }

    /// How many children have a node; they are the plays of highest prior.
    #[inline]
    pub fn materialised(&self) -> usize {
        self.materialised as usize
    }

    /// How many legal plays there are; 0 before they have been counted.
    #[inline]
    pub fn legal(&self) -> usize {
        self.legal as usize
    }

    /// The children that have a node.
    #[inline]
    pub fn children(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<P> {
        let first = self.first_child;
        (0..self.materialised()).map(move |offset| first.offset(offset))
    }

    /// What the node has shown itself to be worth to `player`.
    #[inline]
    pub fn value_for(&self, player: Player) -> Value {
        match self.proof {
            Some(outcome) => outcome.value_for(player),
            None => Value::new(sign(player) * self.mean),
        }
    }

    /// Counts one more iteration, which found `value` for player one.
    #[inline]
    pub fn add(&mut self, value: f32) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (value - self.mean) / self.visits as f32;
    }
}

/// +1 for player one, −1 for player two: what turns a value for player one into the player's own.
#[inline]
pub(crate) fn sign(player: Player) -> f32 {
    match player {
        Player::One => 1.0,
        Player::Two => -1.0,
    }
}

/// The arena.
#[derive(Clone, Debug)]
pub(crate) struct Tree<P> {
    nodes: Vec<Node<P>>,
    /// Blocks given back, by size: `free[k]` holds blocks of `SMALLEST_BLOCK << k` places.
    free: Vec<Vec<NodeId>>,
    /// How many nodes there may be.
    limit: usize,
}

impl<P: Copy> Tree<P> {
    /// A tree of just the root, which may take `bytes` of memory.
    pub fn new(bytes: usize) -> Tree<P> {
        let limit = (bytes / size_of::<Node<P>>()).clamp(1, u32::MAX as usize);
        Tree { nodes: vec![Node::new(None, 1.0)], free: Vec::new(), limit }
    }

    /// The node at `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<P> {
        &self.nodes[id.index()]
    }

    /// The node at `id`, to be changed.
    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<P> {
        &mut self.nodes[id.index()]
    }

    /// The nodes of the children of `id` that have one.
    #[inline]
    pub fn children(&self, id: NodeId) -> &[Node<P>] {
        let node = self.node(id);
        let first = node.first_child.index();
        &self.nodes[first..first + node.materialised()]
    }

    /// The id of the `offset`-th child of `id`.
    #[inline]
    pub fn child(&self, id: NodeId, offset: usize) -> NodeId {
        self.node(id).first_child.offset(offset)
    }

    /// Places in use or waiting to be used again.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many children `id` would have a node for after growing once: all its `legal` plays at
    /// the most.
    #[inline]
    pub fn next_size(&self, id: NodeId, legal: usize) -> usize {
        (self.node(id).materialised() * 2).max(SMALLEST_BLOCK).min(legal)
    }

    /// Gives `id` nodes for the plays of `ranked` (its legal plays by falling prior, or as many of
    /// the first of them as are wanted), `legal` being how many there are in all. Children that it
    /// has already are the first of `ranked` and keep what they know. Returns whether there was
    /// room: if not, nothing has changed.
    pub fn grow(
        &mut self,
        id: NodeId,
        ranked: impl ExactSizeIterator<Item = (P, f32)>,
        legal: usize,
    ) -> bool {
        let old = *self.node(id);
        let wanted = ranked.len();
        let Some(first) = self.take_block(block_class(wanted), id == NodeId::ROOT) else { return false };
        let old_first = old.first_child.index();
        self.nodes.copy_within(old_first..old_first + old.materialised(), first.index());
        for (offset, (play, prior)) in ranked.enumerate().skip(old.materialised()) {
            self.nodes[first.index() + offset] = Node::new(Some(play), prior);
        }
        if old.is_expanded() {
            self.give_back(old.first_child, block_class(old.materialised()));
        }
        let node = self.node_mut(id);
        node.first_child = first;
        node.materialised = wanted as u16;
        node.legal = legal as u16;
        true
    }

    /// A block of `SMALLEST_BLOCK << class` places, unless that would go over the limit, which
    /// holds for all but the root's (`even_if_full`).
    fn take_block(&mut self, class: usize, even_if_full: bool) -> Option<NodeId> {
        if let Some(block) = self.free.get_mut(class).and_then(Vec::pop) {
            return Some(block);
        }
        let size = SMALLEST_BLOCK << class;
        let end = self.nodes.len() + size;
        if end > self.limit && !even_if_full {
            return None;
        }
        if end > self.nodes.capacity() {
            // Doubling, but never past the limit: the last doubling would take memory in vain.
            let capacity = (self.nodes.capacity() * 2).min(self.limit).max(end);
            self.nodes.reserve_exact(capacity - self.nodes.len());
        }
        let first = NodeId(self.nodes.len() as u32);
        self.nodes.resize(end, Node::new(None, 0.0));
        Some(first)
    }

    fn give_back(&mut self, block: NodeId, class: usize) {
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        self.free[class].push(block);
    }
}

/// The size class of the smallest block with room for `children`.
fn block_class(children: usize) -> usize {
    children.div_ceil(SMALLEST_BLOCK).next_power_of_two().trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::Play;

    fn ranked(count: usize) -> impl ExactSizeIterator<Item = (u16, f32)> {
        (0..count).map(|play| (play as u16, 1.0 / (1 + play) as f32))
    }

    #[test]
    fn a_node_of_halma_fits_half_a_cache_line() {
        assert!(size_of::<Node<Play>>() <= 32, "{}", size_of::<Node<Play>>());
    }

    #[test]
    fn children_keep_what_they_know_when_their_block_grows() {
        let mut tree: Tree<u16> = Tree::new(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 100));
        let second = tree.child(NodeId::ROOT, 1);
        tree.node_mut(second).add(0.5);
        assert!(tree.grow(second, ranked(4), 4));
        let grandchild = tree.child(second, 3);
        tree.node_mut(grandchild).add(-1.0);
        assert!(tree.grow(NodeId::ROOT, ranked(8), 100));
        let moved = tree.child(NodeId::ROOT, 1);
        assert_ne!(moved, second);
        assert_eq!(tree.node(moved).visits, 1);
        assert_eq!(tree.children(moved)[3].mean, -1.0);
        assert_eq!(tree.children(NodeId::ROOT).len(), 8);
        assert_eq!(tree.node(NodeId::ROOT).legal(), 100);
    }

    #[test]
    fn blocks_given_back_are_used_again() {
        let mut tree: Tree<u16> = Tree::new(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        assert!(tree.grow(NodeId::ROOT, ranked(8), 9));
        let before = tree.len();
        let child = tree.child(NodeId::ROOT, 0);
        assert!(tree.grow(child, ranked(3), 3));
        assert_eq!(tree.len(), before);
    }

    #[test]
    fn the_limit_holds_for_all_but_the_root() {
        let mut tree: Tree<u16> = Tree::new(1);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        let child = tree.child(NodeId::ROOT, 0);
        assert!(!tree.grow(child, ranked(4), 4));
        assert!(!tree.node(child).is_expanded());
    }

    #[test]
    fn block_classes() {
        let classes: Vec<usize> = [1, 4, 5, 8, 9, 16, 17, 331].map(block_class).to_vec();
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, 7]);
    }
}
