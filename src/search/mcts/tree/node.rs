//! A node, what is known of it, and its place.

use super::super::formula::Formula;
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

    /// The first of the `group`-th group in the chunk number `chunk`.
    pub(super) fn at(chunk: usize, group: usize) -> NodeId {
        NodeId((chunk * CHUNK + GROUP * group) as u32)
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

    /// The place in its chunk, counted in groups.
    #[inline]
    pub(super) fn group(self) -> usize {
        self.0 as usize % CHUNK / GROUP
    }

    /// How many places it comes after `first`.
    #[inline]
    pub(super) fn after(self, first: NodeId) -> usize {
        (self.0 - first.0) as usize
    }

    /// The place in its group.
    #[inline]
    pub(super) fn lane(self) -> usize {
        self.0 as usize % GROUP
    }
}

/// [`GROUP`] neighbouring nodes: two lines of the cache for games with small plays, of which the first has what
/// choosing among them takes.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct ChildGroup<P> {
    /// How many iterations came through each.
    pub visits: [u32; GROUP],
    /// The mean of the values these backed up, for player one.
    pub means: [f32; GROUP],
    /// How much exploring each deserves (see `formula.rs`); −∞ for places without a node and for
    /// proved losses of the player who would choose them.
    pub weights: [f32; GROUP],
    /// The first child of each that has children.
    pub first_children: [NodeId; GROUP],
    /// The rest.
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

    /// Counts `count` more iterations, at least one, for which `value` for player one is backed up.
    #[inline]
    pub(super) fn add(&mut self, lane: usize, value: f32, count: u32, formula: &Formula) {
        let (visits, mean) = (self.visits[lane].saturating_add(count), self.means[lane]);
        self.set(lane, visits, mean + (value - mean) * (count as f32 / visits as f32), formula);
    }

    /// Makes a node what `visits` iterations of mean value `mean` would have made of it.
    #[inline]
    pub(super) fn set(&mut self, lane: usize, visits: u32, mean: f32, formula: &Formula) {
        self.visits[lane] = visits;
        self.means[lane] = mean;
        if self.weights[lane] >= 0.0 {
            self.weights[lane] = formula.weight(self.nodes[lane].prior, visits);
        }
    }
}

/// A position in the tree, as reached through its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<P> {
    /// The play that leads here; at the root, none.
    pub play: Option<P>,
    /// How it ends with best play by both, once that is proved.
    pub proof: Option<Outcome>,
    /// The share of its parent's visits that it deserves at first sight, 0…1.
    pub prior: f32,
    /// Children that have a node.
    pub(super) expanded: u16,
    /// Legal plays, 0 as long as they have not been counted.
    pub(super) legal: u16,
}

impl<P: Copy> Node<P> {
    pub(super) const fn new(play: Option<P>, prior: f32) -> Node<P> {
        Node { play, proof: None, prior, expanded: 0, legal: 0 }
    }

    /// The same as long as it has no children.
    pub(super) fn without_children(self) -> Node<P> {
        Node { proof: self.proof, ..Node::new(self.play, self.prior) }
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
}
