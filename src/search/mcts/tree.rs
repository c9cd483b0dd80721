//! The tree: nodes in one arena, the children of a node side by side.
//!
//! ```text
//!   place   0     4 ……… 11   12 …… 19   20 ……………… 35
//!           root  children   children   children of 6,
//!                 of root    of 5       grown to sixteen
//!
//!   group    visits ×4 | mean ×4 | weight ×4 | first child ×4
//!           play, proof, prior, how many children, ×4
//! ```
//!
//! A node carries the play that leads to it, so there are no separate edges. Children come in
//! blocks of 4, 8, 16, … places: first only the plays of highest prior are given a node, as many as are
//! evaluated together, in whole groups; and when another play might be chosen there are twice as many, in a larger
//! block. A node seen a few times thus costs a few places and not a hundred. Blocks given back are used again.
//!
//! Choosing among children is most of the search's own work, and waiting for memory is most of that. So what
//! choosing reads stands together, in groups that the processor handles at once: a group is one cache
//! line and one round. The same line tells where the children of the chosen one are, so that the next
//! line is on its way at once. The rest is in the line after.
//!
//! `node.rs`: a node and its group; `arena.rs`: where they lie; `transpositions.rs`: which stand at one position, and
//! so share their children; `reuse.rs`: what stays when the game goes on.

mod arena;
mod node;
mod reuse;
mod transpositions;

pub(crate) use node::{ChildGroup, GROUP, Node, NodeId};

use super::formula::Formula;
use super::params::Params;
use crate::game::{Outcome, Player, Value};
use arena::{Arena, block_class};
use transpositions::Transpositions;

/// +1 for player one, −1 for player two: what turns a value for player one into the player's own.
#[inline]
pub(crate) fn sign(player: Player) -> f32 {
    match player {
        Player::One => 1.0,
        Player::Two => -1.0,
    }
}

/// A node and its children, as the way down meets them.
#[derive(Clone, Copy)]
pub(crate) struct Branch<'a, P> {
    /// The group that the node lies in, and where.
    group: &'a ChildGroup<P>,
    lane: usize,
    /// Its children that have a node; the last group may have places without one.
    pub groups: &'a [ChildGroup<P>],
    /// Whether these may be shared with other nodes.
    shares: bool,
    /// Whether the node is the tree's root.
    pub is_root: bool,
}

impl<'a, P: Copy> Branch<'a, P> {
    /// The node.
    #[inline]
    pub fn node(&self) -> &'a Node<P> {
        &self.group.nodes[self.lane % GROUP]
    }

    /// The mean of the values that iterations through it backed up, for player one.
    #[inline]
    pub fn mean(&self) -> f32 {
        self.group.means[self.lane % GROUP]
    }

    /// The iterations through this node or, where nodes share children, through its children if these are more.
    #[inline]
    pub fn visits(&self) -> u32 {
        let own = self.group.visits[self.lane % GROUP];
        if !self.shares {
            return own;
        }
        let mut below = [0u32; GROUP];
        for group in self.groups {
            below.iter_mut().zip(group.visits).for_each(|(sum, visits)| *sum += visits);
        }
        own.max(below.into_iter().sum())
    }

    /// The place of its `offset`-th child.
    #[inline]
    pub fn child(&self, offset: usize) -> NodeId {
        self.group.first_children[self.lane % GROUP].offset(offset)
    }

    /// The least prior among its children that have a node; 0 if there is none.
    #[inline]
    pub fn least_prior(&self) -> f32 {
        let last = self.node().expanded().wrapping_sub(1);
        self.groups.last().map_or(0.0, |group| group.nodes[last % GROUP].prior)
    }

    /// Whether nothing is known of it yet but its prior.
    #[inline]
    pub fn is_fresh(&self) -> bool {
        self.group.visits[self.lane % GROUP] == 0 && self.node().proof.is_none()
    }
}

/// A tree.
#[derive(Clone, Debug)]
pub(crate) struct Tree<P> {
    arena: Arena<P>,
    /// The formula for which weights are kept.
    pub formula: Formula,
    /// How many children a node has at first: those that may be evaluated together, in whole groups.
    first_size: usize,
    /// Whether nodes at one position share their children.
    shares: bool,
    /// Which nodes have children at which positions.
    transpositions: Transpositions,
}

impl<P: Copy> Tree<P> {
    /// A tree of just the root, for a search by `params`, which may take `bytes` of memory.
    pub fn new(bytes: usize, params: &Params) -> Tree<P> {
        Tree {
            arena: Arena::new(bytes, params.transpositions),
            formula: Formula::new(params),
            first_size: (params.leaf_batch as usize).next_multiple_of(GROUP),
            shares: params.transpositions,
            transpositions: Transpositions::new(),
        }
    }

    /// Leaves just the root, as in a new tree, and keeps the memory for what comes.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.transpositions.clear();
    }

    /// The node at `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<P> {
        &self.arena.group(id).nodes[id.lane()]
    }

    /// The node at `id`, to be changed.
    #[inline]
    fn node_mut(&mut self, id: NodeId) -> &mut Node<P> {
        &mut self.arena.group_mut(id).nodes[id.lane()]
    }

    /// How many iterations came through `id`.
    #[inline]
    pub fn visits(&self, id: NodeId) -> u32 {
        self.arena.group(id).visits[id.lane()]
    }

    /// The mean of the values they backed up, for player one.
    #[inline]
    pub fn mean(&self, id: NodeId) -> f32 {
        self.arena.group(id).means[id.lane()]
    }

    /// The first child of `id`, the root if it has none.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> NodeId {
        self.arena.group(id).first_children[id.lane()]
    }

    /// Makes `first` the first child of `id`.
    fn set_first_child(&mut self, id: NodeId, first: NodeId) {
        self.arena.group_mut(id).first_children[id.lane()] = first;
    }

    /// The `offset`-th child of `id`.
    #[cfg(test)]
    pub fn child(&self, id: NodeId, offset: usize) -> NodeId {
        self.first_child(id).offset(offset)
    }

    /// The children of `id` that have a node.
    #[inline]
    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<P> {
        let first = self.first_child(id);
        (0..self.node(id).expanded()).map(move |offset| first.offset(offset))
    }

    /// What `id` has shown itself to be worth to `player`.
    #[inline]
    pub fn value_for(&self, id: NodeId, player: Player) -> Value {
        match self.node(id).proof {
            Some(outcome) => outcome.value_for(player),
            None => Value::new(sign(player) * self.mean(id)),
        }
    }

    /// The node at `id` and its children.
    #[inline]
    pub fn branch(&self, id: NodeId) -> Branch<'_, P> {
        Branch { is_root: id == NodeId::ROOT, ..self.branch_of(self.arena.group(id), id.lane()) }
    }

    /// The `offset`-th child of `branch` and its children.
    #[inline]
    pub fn branch_below<'a>(&'a self, branch: &Branch<'a, P>, offset: usize) -> Branch<'a, P> {
        self.branch_of(&branch.groups[offset / GROUP], offset % GROUP)
    }

    #[inline]
    fn branch_of<'a>(&'a self, group: &'a ChildGroup<P>, lane: usize) -> Branch<'a, P> {
        let groups = self.arena.groups(group.first_children[lane], group.nodes[lane].expanded());
        Branch { group, lane, groups, shares: self.shares, is_root: false }
    }

    /// Counts `count` more iterations through `id`, at least one, for which `value` for player one is backed up.
    #[inline]
    pub fn add(&mut self, id: NodeId, value: f32, count: u32) {
        let (group, lane) = (self.arena.group_mut(id), id.lane());
        group.add(lane, value, count, &self.formula);
    }

    /// Makes `id` what `visits` iterations of mean value `mean` would have made of it.
    #[inline]
    pub fn set(&mut self, id: NodeId, visits: u32, mean: f32) {
        let (group, lane) = (self.arena.group_mut(id), id.lane());
        group.set(lane, visits, mean, &self.formula);
    }

    /// Notes that `id`, where `mover` is to move, ends in `outcome`. If `mover` wins, the opponent
    /// will not choose it any more.
    pub fn prove(&mut self, id: NodeId, outcome: Outcome, mover: Player) {
        self.node_mut(id).proof = Some(outcome);
        if outcome == Outcome::Win(mover) {
            self.arena.group_mut(id).weights[id.lane()] = f32::NEG_INFINITY;
        }
    }

    /// Lets the tree take `bytes` of memory from now on. Nothing that is there goes away.
    pub fn set_limit(&mut self, bytes: usize) {
        self.arena.set_limit(bytes);
    }

    /// How many places there may be.
    pub fn limit(&self) -> usize {
        self.arena.limit()
    }

    /// Places for which memory has been taken.
    pub fn capacity(&self) -> usize {
        self.arena.capacity()
    }

    /// Places in use or waiting to be used again.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// How many children `id` would have a node for after growing once: all its `legal` plays at
    /// the most.
    #[inline]
    pub fn next_size(&self, id: NodeId, legal: usize) -> usize {
        (self.node(id).expanded() * 2).max(self.first_size).min(legal)
    }

    /// The offsets of the children that may be evaluated together with the `offset`-th of their parent: that one, those
    /// after it, and then those before it. Some may have no node.
    #[inline]
    pub fn evaluated_with(&self, offset: usize) -> impl Iterator<Item = usize> + use<P> {
        let first = offset - offset % self.first_size;
        (offset..first + self.first_size).chain(first..offset)
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
        let (old, old_first) = (*self.node(id), self.first_child(id));
        let wanted = ranked.len();
        let Some(first) = self.arena.take_block(block_class(wanted), id == NodeId::ROOT) else {
            return false;
        };
        for offset in 0..old.expanded() {
            let (from, to) = (old_first.offset(offset), first.offset(offset));
            if offset % GROUP == 0 {
                *self.arena.group_mut(to) = *self.arena.group(from);
            }
            let key = self.arena.key(from);
            if key != 0 {
                self.set_key(to, key);
                self.transpositions.follow(from, to, key);
            }
        }
        let groups = self.arena.groups_mut(first, wanted);
        for (offset, (play, prior)) in ranked.enumerate().skip(old.expanded()) {
            let (group, lane) = (&mut groups[offset / GROUP], offset % GROUP);
            group.nodes[lane] = Node::new(Some(play), prior);
            group.weights[lane] = self.formula.weight(prior, 0);
        }
        if old.is_expanded() {
            self.arena.give_back(old_first, block_class(old.expanded()));
        }
        self.set_first_child(id, first);
        let node = self.node_mut(id);
        node.expanded = wanted as u16;
        node.legal = legal as u16;
        true
    }

    /// Notes that `id`, which has children, stands at a position with this `key`, so that its transpositions
    /// find it.
    pub fn note(&mut self, id: NodeId, key: u64) {
        self.set_key(id, key);
        let Tree { transpositions, arena, .. } = self;
        transpositions.note(id, key, |id| arena.key(id));
    }

    /// The node noted for the position with this `key`, if there is one.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeId> {
        self.transpositions.find(key, |id| self.arena.key(id))
    }

    /// Notes at `id` that its position has this `key`, by which its transposition is found.
    #[inline]
    pub fn set_key(&mut self, id: NodeId, key: u64) {
        self.arena.set_key(id, key);
    }

    /// The node at which the children are of the position that `id` stands at: `id` or its transposition.
    #[inline]
    pub fn canonical(&self, id: NodeId) -> NodeId {
        let key = self.arena.key(id);
        if key == 0 || self.node(id).is_expanded() { id } else { self.find(key).unwrap_or(id) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Play;

    fn tree(bytes: usize) -> Tree<u16> {
        Tree::new(bytes, &Params::default())
    }

    fn ranked(count: usize) -> impl ExactSizeIterator<Item = (u16, f32)> {
        (0..count).map(|play| (play as u16, 1.0 / (1 + play) as f32))
    }

    #[test]
    fn a_node_of_halma_is_small() {
        assert_eq!(size_of::<ChildGroup<Play>>(), 128);
    }

    #[test]
    fn children_keep_what_they_know_when_their_block_grows() {
        let mut tree = tree(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 100));
        let second = tree.child(NodeId::ROOT, 1);
        tree.add(second, 0.5, 1);
        assert!(tree.grow(second, ranked(4), 4));
        let grandchild = tree.child(second, 3);
        tree.add(grandchild, -1.0, 1);
        assert!(tree.grow(NodeId::ROOT, ranked(8), 100));
        let moved = tree.child(NodeId::ROOT, 1);
        assert_ne!(moved, second);
        assert_eq!(tree.visits(moved), 1);
        assert_eq!(tree.mean(tree.child(moved, 3)), -1.0);
        assert_eq!(tree.children(NodeId::ROOT).count(), 8);
        assert_eq!(tree.node(NodeId::ROOT).legal(), 100);
    }

    #[test]
    fn blocks_given_back_are_used_again() {
        let mut tree = tree(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        assert!(tree.grow(NodeId::ROOT, ranked(8), 9));
        let before = tree.len();
        let child = tree.child(NodeId::ROOT, 0);
        assert!(tree.grow(child, ranked(3), 3));
        assert_eq!(tree.len(), before);
        // The place that is left over holds nothing of the old block.
        assert_eq!(tree.branch(child).groups[0].weights[3], f32::NEG_INFINITY);
    }

    #[test]
    fn the_limit_holds_for_all_but_the_root() {
        let mut tree = tree(1);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        let child = tree.child(NodeId::ROOT, 0);
        assert!(!tree.grow(child, ranked(4), 4));
        assert!(!tree.node(child).is_expanded());
    }
}
