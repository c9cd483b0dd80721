//! A node, what is known of it, and its place.

use crate::game::Outcome;

/// Places in a chunk of the arena. No block of children is larger or lies in two chunks.
pub(super) const CHUNK: usize = 1 << 16;

/// Places in the smallest block of children, and in each of the arena's groups.
pub(crate) const GROUP: usize = 4;

/// A node's place in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The root, in every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The `place`-th in the chunk number `chunk`.
    pub(super) fn at(chunk: usize, place: usize) -> NodeId {
        NodeId((chunk * CHUNK + place) as u32)
    }

    /// The node `offset` places on.
    #[inline]
    pub fn offset(self, offset: usize) -> NodeId {
        NodeId(self.0 + offset as u32)
    }

    /// The chunk of the arena that it lies in.
    #[inline]
    pub(super) fn chunk(self) -> usize {
        self.0 as usize / CHUNK
    }

    /// The place in its chunk.
    #[inline]
    pub(super) fn place(self) -> usize {
        self.0 as usize % CHUNK
    }

    /// The place in its group.
    #[inline]
    pub(super) fn lane(self) -> usize {
        self.0 as usize % GROUP
    }
}

/// What is known of group neighbouring nodes: a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct ChildGroup {
    /// How many iterations came through each.
    pub visits: [u32; GROUP],
    /// The mean of the values these found, for player one.
    pub means: [f32; GROUP],
    /// How much exploring each deserves (see [`weight`](super::weight)); −∞ for places without a node and for
    /// proved losses of the player who would choose them.
    pub weights: [f32; GROUP],
    /// The share of their parent's visits that each deserves at first sight, 0…1.
    pub priors: [f32; GROUP],
}

/// ChildGroup places without a node.
pub(super) const EMPTY_GROUP: ChildGroup = ChildGroup {
    visits: [0; GROUP],
    means: [0.0; GROUP],
    weights: [f32::NEG_INFINITY; GROUP],
    priors: [0.0; GROUP],
};

/// A position in the tree, as reached through its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<P> {
    /// The play that leads here; at the root, none.
    pub play: Option<P>,
    /// How it ends with best play by both, once that is proved.
    pub proof: Option<Outcome>,
    pub(super) first_child: NodeId,
    /// Children that have a node.
    pub(super) expanded: u16,
    /// Legal plays, 0 as long as they have not been counted.
    pub(super) legal: u16,
}

impl<P: Copy> Node<P> {
    pub(super) fn new(play: Option<P>) -> Node<P> {
        Node { play, proof: None, first_child: NodeId::ROOT, expanded: 0, legal: 0 }
    }

    /// The same as long as it has no children.
    pub(super) fn without_children(self) -> Node<P> {
        Node { proof: self.proof, ..Node::new(self.play) }
    }

    /// Whether children have been made.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.expanded > 0
    }

    /// How many children have a node; they are the plays of highest prior.
    #[inline]
    pub fn expanded(&self) -> usize {
        self.expanded as usize
    }

    /// How many legal plays there are; 0 before they have been counted.
    #[inline]
    pub fn legal(&self) -> usize {
        self.legal as usize
    }

    /// The `offset`-th child.
    #[inline]
    pub fn child(&self, offset: usize) -> NodeId {
        self.first_child.offset(offset)
    }

    /// The children that have a node.
    #[inline]
    pub fn children(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<P> {
        let first = self.first_child;
        (0..self.expanded()).map(move |offset| first.offset(offset))
    }
}
