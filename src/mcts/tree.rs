//! The tree: nodes in one arena, the children of a node side by side.
//!
//! ```text
//!   place   0     4 ……… 7    8 ……… 11   12 ……………… 19
//!           root  children   children   children of 6,
//!                 of root    of 5       grown to eight
//!
//!   groups   visits ×4 | mean ×4 | weight ×4 | prior ×4     what selection reads and an iteration changes
//!   nodes   play, proof, first child, how many children    what the way down needs
//! ```
//!
//! A node carries the play that leads to it, so there are no separate edges. Children come in
//! blocks of 4, 8, 16, … places: first only the plays of highest prior are given a node, and when
//! another play might be chosen the block is exchanged for one of twice the size. A node seen a
//! few times thus costs group places and not a hundred. Blocks given back are used again.
//!
//! Choosing among children is most of the search's own work, so what it reads stands apart, in
//! groups that the processor handles at once: group children are one cache line and one round.
//!
//! Nodes at one position share their children: see `transpositions.rs`.
//!
//! `node.rs`: a node and its group; `arena.rs`: where they lie; `keep.rs`: what stays when the game goes on.

mod arena;
mod node;
mod reuse;

pub(crate) use node::{ChildGroup, GROUP, Node, NodeId};

use super::params::Selection;
use super::transpositions::Transpositions;
use crate::game::{Outcome, Player, Value};
use arena::{Arena, block_class};

/// How much exploring a child of this `prior` deserves after so many `visits`: the factor in the
/// formulas of `select.rs` that depends on the child alone.
#[inline]
fn weight(selection: Selection, prior: f32, visits: u32) -> f32 {
    match selection {
        Selection::Puct => prior / (visits as f32 + 1.0),
        Selection::Uct => 1.0 / (visits.max(1) as f32).sqrt(),
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

/// A tree.
#[derive(Clone, Debug)]
pub(crate) struct Tree<P> {
    arena: Arena<P>,
    /// The formula for which weights are kept.
    selection: Selection,
    /// Which nodes have children at which positions.
    transpositions: Transpositions,
}

impl<P: Copy> Tree<P> {
    /// A tree of just the root, which may take `bytes` of memory.
    pub fn new(bytes: usize, selection: Selection) -> Tree<P> {
        Tree { arena: Arena::new(bytes), selection, transpositions: Transpositions::new() }
    }

    /// Leaves just the root, as in a new tree, and keeps the memory for what comes.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.transpositions.clear();
    }

    /// The node at `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<P> {
        self.arena.node(id)
    }

    /// How many iterations came through `id`.
    #[inline]
    pub fn visits(&self, id: NodeId) -> u32 {
        self.arena.group(id).visits[id.lane()]
    }

    /// The mean of the values they found, for player one.
    #[inline]
    pub fn mean(&self, id: NodeId) -> f32 {
        self.arena.group(id).means[id.lane()]
    }

    /// The share of its parent's visits that `id` deserves at first sight, 0…1.
    #[inline]
    pub fn prior(&self, id: NodeId) -> f32 {
        self.arena.group(id).priors[id.lane()]
    }

    /// What `id` has shown itself to be worth to `player`.
    #[inline]
    pub fn value_for(&self, id: NodeId, player: Player) -> Value {
        match self.node(id).proof {
            Some(outcome) => outcome.value_for(player),
            None => Value::new(sign(player) * self.mean(id)),
        }
    }

    /// What is known of the children of `id` that have a node, in groups; the last may have places
    /// without one.
    #[inline]
    pub fn child_groups(&self, id: NodeId) -> &[ChildGroup] {
        let node = self.node(id);
        self.arena.groups(node.first_child, node.expanded())
    }

    /// The most that the weight of a play of `id` can be that has no node; `None` if all have one, or none.
    #[inline]
    pub fn weight_of_unseen(&self, id: NodeId) -> Option<f32> {
        let node = self.node(id);
        let last = node.expanded().checked_sub(1).filter(|_| node.expanded < node.legal)?;
        Some(weight(self.selection, self.prior(node.child(last)), 0))
    }

    /// Counts `count` more iterations through `id`, at least one, which found `value` for player one
    /// in the mean.
    #[inline]
    pub fn add(&mut self, id: NodeId, value: f32, count: u32) {
        let (group, lane) = (self.arena.group(id), id.lane());
        let visits = group.visits[lane].saturating_add(count);
        let mean = group.means[lane] + (value - group.means[lane]) * (count as f32 / visits as f32);
        self.set(id, visits, mean);
    }

    /// Makes `id` what `visits` iterations of mean value `mean` would have made of it.
    #[inline]
    pub fn set(&mut self, id: NodeId, visits: u32, mean: f32) {
        let (group, lane) = (self.arena.group_mut(id), id.lane());
        group.visits[lane] = visits;
        group.means[lane] = mean;
        if group.weights[lane] >= 0.0 {
            group.weights[lane] = weight(self.selection, group.priors[lane], visits);
        }
    }

    /// Notes that `id`, where `mover` is to move, ends in `outcome`. If `mover` wins, the opponent
    /// will not choose it any more.
    pub fn prove(&mut self, id: NodeId, outcome: Outcome, mover: Player) {
        self.arena.node_mut(id).proof = Some(outcome);
        if outcome == Outcome::Win(mover) {
            self.arena.group_mut(id).weights[id.lane()] = f32::NEG_INFINITY;
        }
    }

    /// Whether nothing is known of `id` yet but its prior.
    #[inline]
    pub fn is_fresh(&self, id: NodeId) -> bool {
        self.visits(id) == 0 && self.node(id).proof.is_none()
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
        (self.node(id).expanded() * 2).max(GROUP).min(legal)
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
        let Some(first) = self.arena.take_block(block_class(wanted), id == NodeId::ROOT) else {
            return false;
        };
        for offset in 0..old.expanded() {
            let (from, to) = (old.first_child.offset(offset), first.offset(offset));
            *self.arena.node_mut(to) = *self.node(from);
            let key = self.arena.key(from);
            self.set_key(to, key);
            self.transpositions.follow(from, to, key);
        }
        for offset in (0..old.expanded()).step_by(GROUP) {
            *self.arena.group_mut(first.offset(offset)) = *self.arena.group(old.first_child.offset(offset));
        }
        for (offset, (play, prior)) in ranked.enumerate().skip(old.expanded()) {
            self.place(first.offset(offset), play, prior);
        }
        if old.is_expanded() {
            self.arena.give_back(old.first_child, block_class(old.expanded()));
        }
        let node = self.arena.node_mut(id);
        node.first_child = first;
        node.expanded = wanted as u16;
        node.legal = legal as u16;
        true
    }

    /// Notes that `id`, which has children, stands at a position with this `key`, so that its transpositions may
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

    /// How many iterations went through the children of `id`, whatever node they came from.
    #[inline]
    pub fn visits_below(&self, id: NodeId) -> u32 {
        let mut sums = [0; GROUP];
        for group in self.child_groups(id) {
            sums.iter_mut().zip(group.visits).for_each(|(sum, visits): (&mut u32, u32)| *sum += visits);
        }
        sums.into_iter().sum()
    }

    /// Puts a new node at `id`.
    fn place(&mut self, id: NodeId, play: P, prior: f32) {
        *self.arena.node_mut(id) = Node::new(Some(play));
        self.set_key(id, 0);
        let weight = weight(self.selection, prior, 0);
        let (group, lane) = (self.arena.group_mut(id), id.lane());
        group.visits[lane] = 0;
        group.means[lane] = 0.0;
        group.weights[lane] = weight;
        group.priors[lane] = prior;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Play;

    fn tree(bytes: usize) -> Tree<u16> {
        Tree::new(bytes, Selection::Puct)
    }

    fn ranked(count: usize) -> impl ExactSizeIterator<Item = (u16, f32)> {
        (0..count).map(|play| (play as u16, 1.0 / (1 + play) as f32))
    }

    #[test]
    fn a_node_of_halma_is_small() {
        assert!(size_of::<Node<Play>>() <= 16, "{}", size_of::<Node<Play>>());
        assert_eq!(size_of::<ChildGroup>(), 64);
    }

    #[test]
    fn children_keep_what_they_know_when_their_block_grows() {
        let mut tree = tree(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 100));
        let second = tree.node(NodeId::ROOT).child(1);
        tree.add(second, 0.5, 1);
        assert!(tree.grow(second, ranked(4), 4));
        let grandchild = tree.node(second).child(3);
        tree.add(grandchild, -1.0, 1);
        assert!(tree.grow(NodeId::ROOT, ranked(8), 100));
        let moved = tree.node(NodeId::ROOT).child(1);
        assert_ne!(moved, second);
        assert_eq!(tree.visits(moved), 1);
        assert_eq!(tree.mean(tree.node(moved).child(3)), -1.0);
        assert_eq!(tree.node(NodeId::ROOT).children().count(), 8);
        assert_eq!(tree.node(NodeId::ROOT).legal(), 100);
    }

    #[test]
    fn blocks_given_back_are_used_again() {
        let mut tree = tree(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        assert!(tree.grow(NodeId::ROOT, ranked(8), 9));
        let before = tree.len();
        let child = tree.node(NodeId::ROOT).child(0);
        assert!(tree.grow(child, ranked(3), 3));
        assert_eq!(tree.len(), before);
        // The place that is left over holds nothing of the old block.
        assert_eq!(tree.child_groups(child)[0].weights[3], f32::NEG_INFINITY);
    }

    #[test]
    fn the_limit_holds_for_all_but_the_root() {
        let mut tree = tree(1);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        let child = tree.node(NodeId::ROOT).child(0);
        assert!(!tree.grow(child, ranked(4), 4));
        assert!(!tree.node(child).is_expanded());
    }
}
