//! The tree: nodes in one arena, the children of a node side by side.
//!
//! ```text
//!   place   0     4 ……… 11   12 …… 19   20 ……………… 35
//!           root  children   children   children of 6,
//!                 of root    of 5       grown to sixteen
//!
//!   group    visits ×4 | mean ×4 | weight ×4 | first child ×4
//!           play, proof, prior, number of children, ×4
//! ```
//!
//! There are no separate edges: a node carries the play that leads to it. Children lie in blocks of 4, 8, 16, … places.
//! At first only one evaluation batch of plays, those with the highest priors, get a node. Whenever a play without a
//! node might be selected, the children move to a larger block and their number doubles. So a node with a few visits
//! costs a few places, not a hundred. Freed blocks are reused. Under a selection rule that may prefer any play, all
//! plays get a node at once.
//!
//! Most of the search's own time goes into selecting children, and most of that into waiting for memory. So nodes lie
//! in groups of four. In games with small plays, a group fills two cache lines. PUCT and UCT score its children from
//! the first, in one round of a loop. That line also holds the place of the selected child's own children, so that
//! theirs can be fetched immediately.
//!
//! - `node.rs`: a node and its group;
//! - `arena.rs`: where nodes are stored;
//! - `transpositions.rs`: nodes that have the same position, and so share children;
//! - `take_over.rs`: moving the subtree that is kept when the game goes on.

mod arena;
mod node;
mod take_over;
mod transpositions;

pub(crate) use node::{ChildGroup, GROUP, Node, NodeId};

use super::params::Params;
use super::selection::{Formula, Selection};
use crate::game::{Outcome, Player, Value};
use arena::{Arena, Contents};
use transpositions::Transpositions;

/// +1 for player one, −1 for player two: turns a value for player one into the player's own.
#[inline]
pub(crate) fn sign(player: Player) -> f32 {
    match player {
        Player::One => 1.0,
        Player::Two => -1.0,
    }
}

/// A node and its children, as selection reads them.
#[derive(Clone, Copy)]
pub(crate) struct Branch<'a, P> {
    /// The group that holds the node, at `lane`.
    group: &'a ChildGroup<P>,
    lane: usize,
    /// The children that have a node. The last group may have places without one.
    pub groups: &'a [ChildGroup<P>],
    pub is_root: bool,
}

impl<'a, P: Copy> Branch<'a, P> {
    #[inline]
    pub fn node(&self) -> &'a Node<P> {
        &self.group.nodes[self.lane % GROUP]
    }

    /// The mean of the values backed up through the node, for player one.
    #[inline]
    pub fn mean(&self) -> f32 {
        self.group.means[self.lane % GROUP]
    }

    /// The visits to the node or to its children, whichever are more: nodes can share children.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.group.visits[self.lane % GROUP].max(self.node().visits_below)
    }

    /// The child at `offset`.
    #[inline]
    pub fn child(&self, offset: usize) -> NodeId {
        self.group.first_children[self.lane % GROUP].offset(offset)
    }

    /// The lowest prior of a child that has a node; 0 if there is none.
    #[inline]
    pub fn min_prior(&self) -> f32 {
        let last = self.node().expanded().wrapping_sub(1);
        self.groups.last().map_or(0.0, |group| group.nodes[last % GROUP].prior)
    }

    /// Whether the node has neither visits nor a proof.
    #[inline]
    pub fn is_new(&self) -> bool {
        self.group.visits[self.lane % GROUP] == 0 && self.node().proof.is_none()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Tree<P> {
    pub arena: Arena<P>,
    /// The formula whose weights the nodes keep.
    pub formula: Formula,
    /// The size of an evaluation batch, rounded up to whole groups.
    batch_size: usize,
    /// How many children get a node at first: one evaluation batch, or all under a formula that may prefer any play.
    first_size: usize,
    transpositions: Transpositions,
}

impl<P: Copy> Tree<P> {
    /// A tree that consists of just the root and may take `bytes` of memory.
    pub fn new(bytes: usize, params: &Params) -> Tree<P> {
        let batch_size = (params.leaf_batch as usize).next_multiple_of(GROUP);
        let contents = Contents {
            keys: params.transpositions || params.select == Selection::Grave,
            spreads: params.select == Selection::Ucb1Tuned,
        };
        Tree {
            arena: Arena::new(bytes, contents),
            formula: Formula::new(params),
            batch_size,
            first_size: if params.select.is_rule() { usize::MAX } else { batch_size },
            transpositions: Transpositions::new(),
        }
    }

    /// Leaves just the root, as in a new tree, but keeps the memory.
    pub fn clear(&mut self) {
        self.arena.clear();
        self.transpositions.clear();
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<P> {
        &self.arena.group(id).nodes[id.lane()]
    }

    #[inline]
    fn node_mut(&mut self, id: NodeId) -> &mut Node<P> {
        &mut self.arena.group_mut(id).nodes[id.lane()]
    }

    #[inline]
    pub fn visits(&self, id: NodeId) -> u32 {
        self.arena.group(id).visits[id.lane()]
    }

    /// The mean of the values backed up through `id`, for player one. From 2²⁰ visits on, later values weigh more.
    #[inline]
    pub fn mean(&self, id: NodeId) -> f32 {
        self.arena.group(id).means[id.lane()]
    }

    /// The first child of `id`, or the root if it has none.
    #[inline]
    pub fn first_child(&self, id: NodeId) -> NodeId {
        self.arena.group(id).first_children[id.lane()]
    }

    /// Whether `child` is a child of `id`.
    pub fn is_parent(&self, id: NodeId, child: NodeId) -> bool {
        let first = self.first_child(id);
        first <= child && child < first.offset(self.node(id).expanded())
    }

    fn set_first_child(&mut self, id: NodeId, first: NodeId) {
        self.arena.group_mut(id).first_children[id.lane()] = first;
    }

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

    /// The value of `id` for `player`: its proved outcome, or else its mean.
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

    /// The child of `branch` at `offset` and its own children.
    #[inline]
    pub fn branch_below<'a>(&'a self, branch: &Branch<'a, P>, offset: usize) -> Branch<'a, P> {
        self.branch_of(&branch.groups[offset / GROUP], offset % GROUP)
    }

    #[inline]
    fn branch_of<'a>(&'a self, group: &'a ChildGroup<P>, lane: usize) -> Branch<'a, P> {
        let groups = self.arena.groups(group.first_children[lane], group.nodes[lane].expanded());
        Branch { group, lane, groups, is_root: false }
    }

    /// Counts `count` more iterations through `id`, each backing up `value` for player one. `count` is at least 1.
    #[inline]
    pub fn add(&mut self, id: NodeId, value: f32, count: u32) {
        let (visits, mean) = (self.visits(id).saturating_add(count), self.mean(id));
        // From 2^20 visits on, a value counts as one of 2^20: in a longer mean it would be lost to rounding.
        self.set(id, visits, mean + (value - mean) * (count as f32 / visits.min(1 << 20) as f32));
    }

    /// Counts `count` more visits to the children of `id`.
    #[inline]
    pub fn add_below(&mut self, id: NodeId, count: u32) {
        self.set_below(id, self.node(id).visits_below.saturating_add(count));
    }

    /// Sets the number of visits to the children of `id`.
    #[inline]
    pub fn set_below(&mut self, id: NodeId, visits: u32) {
        self.node_mut(id).visits_below = visits;
    }

    /// Sets the `visits` and the `mean` of `id`.
    #[inline]
    pub fn set(&mut self, id: NodeId, visits: u32, mean: f32) {
        let (group, lane) = (self.arena.group_mut(id), id.lane());
        group.visits[lane] = visits;
        group.means[lane] = mean;
        if group.weights[lane] >= 0.0 {
            group.weights[lane] = self.formula.weight(group.nodes[lane].prior, visits);
        }
    }

    /// Notes that `id`, with `mover` to move, ends with `outcome`. If `mover` wins, the opponent will not select `id`
    /// again.
    pub fn prove(&mut self, id: NodeId, outcome: Outcome, mover: Player) {
        self.node_mut(id).proof = Some(outcome);
        if outcome == Outcome::Win(mover) {
            self.arena.group_mut(id).weights[id.lane()] = f32::NEG_INFINITY;
        }
    }

    /// How many of its `legal` plays will have a node after `id` grows once more.
    #[inline]
    pub fn next_size(&self, id: NodeId, legal: usize) -> usize {
        (self.node(id).expanded() * 2).max(self.first_size).min(legal)
    }

    /// The number of groups in a block for `children`. If all children get a node at once, blocks never grow.
    #[inline]
    fn block_size(&self, children: usize) -> usize {
        let groups = children.div_ceil(GROUP);
        if self.first_size == usize::MAX { groups } else { groups.next_power_of_two() }
    }

    /// The offsets of the children in the same evaluation batch as `offset`: first `offset`, then the later ones, then
    /// the earlier ones. Some may have no node.
    #[inline]
    pub fn evaluated_with(&self, offset: usize) -> impl Iterator<Item = usize> + use<P> {
        let first = offset - offset % self.batch_size;
        (offset..first + self.batch_size).chain(first..offset)
    }

    /// Whether there is room for `id` to have `wanted` children.
    pub fn has_room(&self, id: NodeId, wanted: usize) -> bool {
        id == NodeId::ROOT || self.arena.has_room(self.block_size(wanted))
    }

    /// Gives `id` a child for each play in `ranked`, which are the first of its `legal` plays in descending order of
    /// prior. Existing children come first and keep their statistics. Returns whether there was room; if not, nothing
    /// has changed.
    pub fn grow(
        &mut self,
        id: NodeId,
        ranked: impl ExactSizeIterator<Item = (P, f32)>,
        legal: usize,
    ) -> bool {
        let (old, old_first) = (*self.node(id), self.first_child(id));
        let wanted = ranked.len();
        let Some(first) = self.arena.take_block(self.block_size(wanted), id == NodeId::ROOT) else {
            return false;
        };
        for offset in 0..old.expanded() {
            let (from, to) = (old_first.offset(offset), first.offset(offset));
            if offset % GROUP == 0 {
                self.arena.copy_group(from, to);
            }
            let key = self.arena.key(from);
            if key != 0 {
                self.arena.set_key(to, key);
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
            self.arena.give_back(old_first, self.block_size(old.expanded()));
        }
        self.set_first_child(id, first);
        let node = self.node_mut(id);
        node.expanded = wanted as u16;
        node.legal = legal as u16;
        true
    }

    /// Whether the tree keeps the position keys of nodes that have children.
    #[inline]
    pub fn keeps_keys(&self) -> bool {
        self.arena.contents().keys
    }

    /// Records `id`, which has children, as the node of the position with this `key`, so that its transpositions find
    /// it.
    pub fn note(&mut self, id: NodeId, key: u64) {
        self.arena.set_key(id, key);
        let Tree { transpositions, arena, .. } = self;
        transpositions.note(id, key, |id| arena.key(id));
    }

    /// The node noted for the position with this `key`.
    #[inline]
    pub fn find(&self, key: u64) -> Option<NodeId> {
        self.transpositions.find(key, |id| self.arena.key(id))
    }

    /// The node that holds the children of the position at `id`: `id` itself, or the canonical node of which it is a
    /// transposition.
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
    fn children_keep_their_statistics_when_their_block_grows() {
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
    fn a_mean_of_millions_of_values_still_moves() {
        let mut tree = tree(1 << 20);
        tree.set(NodeId::ROOT, 1 << 24, 0.25);
        tree.add(NodeId::ROOT, 0.3, 1);
        assert!(tree.mean(NodeId::ROOT) > 0.25);
    }

    #[test]
    fn blocks_given_back_are_used_again() {
        let mut tree = tree(1 << 20);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        assert!(tree.grow(NodeId::ROOT, ranked(8), 9));
        let before = tree.arena.len();
        let child = tree.child(NodeId::ROOT, 0);
        assert!(tree.grow(child, ranked(3), 3));
        assert_eq!(tree.arena.len(), before);
        // The block's fourth place is unused, so it was emptied.
        assert_eq!(tree.branch(child).groups[0].weights[3], f32::NEG_INFINITY);
    }

    #[test]
    fn blocks_have_room_to_grow_only_where_they_may() {
        for (select, children, expected) in [
            (Selection::Puct, 4, 4),
            (Selection::Puct, 5, 8),
            (Selection::Uct, 17, 32),
            (Selection::Grave, 4, 4),
            (Selection::Grave, 17, 20),
        ] {
            let mut tree = Tree::new(1 << 20, &Params { select, ..Params::default() });
            let before = tree.arena.len();
            assert!(tree.grow(NodeId::ROOT, ranked(children), children));
            assert_eq!(tree.arena.len() - before, expected, "{select:?}, {children} children");
        }
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
