//! A node, its group, and its place in the arena.

use crate::game::Outcome;

/// The number of places in a chunk of the arena. No block of children is larger, and none spans two chunks.
pub(super) const CHUNK: usize = 1 << 16;

/// The number of places in the smallest block of children, and in each group of the arena.
pub(crate) const GROUP: usize = 4;

/// A node's place in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The root of any tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The first place of group number `group` in chunk number `chunk`.
    pub(super) fn at(chunk: usize, group: usize) -> NodeId {
        NodeId((chunk * CHUNK + GROUP * group) as u32)
    }

    /// The node `offset` places further on.
    #[inline]
    pub fn offset(self, offset: usize) -> NodeId {
        NodeId(self.0 + offset as u32)
    }

    /// This node's place once the `count` nodes from `old` on have moved to `new`.
    pub fn moved(self, old: NodeId, new: NodeId, count: usize) -> NodeId {
        let offset = self.0.wrapping_sub(old.0);
        if (offset as usize) < count { NodeId(new.0 + offset) } else { self }
    }

    /// The number of the node's chunk.
    #[inline]
    pub(super) fn chunk(self) -> usize {
        self.0 as usize / CHUNK
    }

    /// The number of the node's group in its chunk.
    #[inline]
    pub(super) fn group(self) -> usize {
        self.0 as usize % CHUNK / GROUP
    }

    /// The node's index in its group.
    #[inline]
    pub(super) fn lane(self) -> usize {
        self.0 as usize % GROUP
    }

    /// The number of places from `first` to this one.
    #[inline]
    pub(super) fn after(self, first: NodeId) -> usize {
        (self.0 - first.0) as usize
    }
}

/// [`GROUP`] neighbouring nodes. For games with small plays they fill two cache lines, and PUCT and UCT score the nodes
/// from the first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct ChildGroup<P> {
    pub visits: [u32; GROUP],
    /// The means of the values backed up, for player one.
    pub means: [f32; GROUP],
    /// The factor of exploration that depends on the child alone (see `selection/puct_uct.rs`); −∞ for places without a
    /// node and for proved losses of the player who selects.
    pub weights: [f32; GROUP],
    /// The first child of each node; the root if it has no children.
    pub first_children: [NodeId; GROUP],
    pub nodes: [Node<P>; GROUP],
}

impl<P: Copy> ChildGroup<P> {
    /// [`GROUP`] places without a node.
    pub(super) const fn empty() -> ChildGroup<P> {
        ChildGroup {
            visits: [0; GROUP],
            means: [0.0; GROUP],
            weights: [f32::NEG_INFINITY; GROUP],
            first_children: [NodeId::ROOT; GROUP],
            nodes: [Node::new(None, 0.0); GROUP],
        }
    }
}

/// A position in the tree, as reached through its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<P> {
    /// The play that leads here; `None` at the root.
    pub play: Option<P>,
    /// The outcome with best play by both sides, once proved.
    pub proof: Option<Outcome>,
    /// The probability that the play is the best one, before search.
    pub prior: f32,
    /// The number of children that have a node.
    pub(super) expanded: u16,
    /// The number of legal plays; 0 until they have been counted.
    pub(super) legal: u16,
    /// The number of visits to the children, through any parent.
    pub(super) visits_below: u32,
}

impl<P: Copy> Node<P> {
    pub(super) const fn new(play: Option<P>, prior: f32) -> Node<P> {
        Node { play, proof: None, prior, expanded: 0, legal: 0, visits_below: 0 }
    }

    pub(super) fn without_children(self) -> Node<P> {
        Node { proof: self.proof, ..Node::new(self.play, self.prior) }
    }

    /// Whether the node has children.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.expanded > 0
    }

    /// How many children have a node: the plays of highest prior.
    #[inline]
    pub fn expanded(&self) -> usize {
        self.expanded as usize
    }

    /// How many legal plays there are; 0 until they have been counted.
    #[inline]
    pub fn legal(&self) -> usize {
        self.legal as usize
    }
}
