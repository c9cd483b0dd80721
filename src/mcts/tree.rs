//! The tree: nodes in one arena, the children of a node side by side.
//!
//! ```text
//!   place   0     4 ……… 7    8 ……… 11   12 ……………… 19
//!           root  children   children   children of 6,
//!                 of root    of 5       grown to eight
//!
//!   fours   visits ×4 | mean ×4 | weight ×4 | estimate ×4     what selection reads
//!   nodes   play, prior, proof, first child, how many children what the way down needs
//! ```
//!
//! A node carries the play that leads to it, so there are no separate edges. Children come in
//! blocks of 4, 8, 16, … places: first only the plays of highest prior are given a node, and when
//! another play might be chosen the block is exchanged for one of twice the size. A node seen a
//! few times thus costs four places and not a hundred. Blocks given back are used again.
//!
//! Choosing among children is most of the search's own work, so what it reads stands apart, in
//! fours that the processor handles at once: four children are one cache line and one round.
//!
//! Nodes at one position share their children: see `twins.rs`.
//!
//! The arena grows by chunks that stay where they are. One vector that doubles would now and then
//! copy a hundred megabytes between two looks at the clock, and a move would overrun its time.

mod keep;

use super::params::Selection;
use super::twins::Twins;
use crate::game::{Outcome, Player, Value};

/// A node's place in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    fn chunk(self) -> usize {
        self.0 as usize / CHUNK
    }

    /// The place in its chunk.
    #[inline]
    fn place(self) -> usize {
        self.0 as usize % CHUNK
    }

    /// The place in its four.
    #[inline]
    fn lane(self) -> usize {
        self.0 as usize % FOUR
    }
}

/// Places in a chunk of the arena. No block of children is larger or lies in two chunks.
const CHUNK: usize = 1 << 16;

/// Places in the smallest block of children, and in each of the arena's fours.
pub(crate) const FOUR: usize = 4;

/// What is known of four neighbouring nodes: a line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Four {
    /// How many iterations came through each.
    pub visits: [u32; FOUR],
    /// The mean of the values these found, for player one.
    pub means: [f32; FOUR],
    /// How much exploring each deserves (see [`weight`]); −∞ for places without a node and for
    /// proved losses of the player who would choose them.
    pub weights: [f32; FOUR],
    /// What each is worth to player one by minimax over the part of the tree below it, whose leaves
    /// are judged without a playout.
    pub estimates: [f32; FOUR],
}

const NOTHING: Four = Four {
    visits: [0; FOUR],
    means: [0.0; FOUR],
    weights: [f32::NEG_INFINITY; FOUR],
    estimates: [0.0; FOUR],
};

/// A position in the tree, as reached through its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<P> {
    /// The play that leads here; at the root, none.
    pub play: Option<P>,
    /// How it ends with best play by both, once that is proved.
    pub proof: Option<Outcome>,
    /// The share of its parent's visits that it deserves at first sight, 0…1.
    pub prior: f32,
    first_child: NodeId,
    /// Children that have a node.
    materialised: u16,
    /// Legal plays, 0 as long as they have not been counted.
    legal: u16,
}

impl<P: Copy> Node<P> {
    fn new(play: Option<P>, prior: f32) -> Node<P> {
        Node { play, proof: None, prior, first_child: NodeId::ROOT, materialised: 0, legal: 0 }
    }

    /// The same as long as it has no children.
    fn without_children(self) -> Node<P> {
        Node { proof: self.proof, ..Node::new(self.play, self.prior) }
    }

    /// Whether children have been made.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.materialised > 0
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

    /// The `offset`-th child.
    #[inline]
    pub fn child(&self, offset: usize) -> NodeId {
        self.first_child.offset(offset)
    }

    /// The children that have a node.
    #[inline]
    pub fn children(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<P> {
        let first = self.first_child;
        (0..self.materialised()).map(move |offset| first.offset(offset))
    }
}

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

/// A part of the arena. It is filled from its start, so only what is used takes memory.
#[derive(Clone, Debug)]
struct Chunk<P> {
    fours: Vec<Four>,
    nodes: Vec<Node<P>>,
    /// The [`hash`](crate::game::Game::hash) of each node's position, once it has children or a twin; 0 before.
    hashes: Vec<u64>,
}

impl<P: Copy> Chunk<P> {
    fn new() -> Chunk<P> {
        Chunk {
            fours: Vec::with_capacity(CHUNK / FOUR),
            nodes: Vec::with_capacity(CHUNK),
            hashes: Vec::with_capacity(CHUNK),
        }
    }

    /// Appends `size` empty places.
    fn extend(&mut self, size: usize) {
        self.fours.resize(self.fours.len() + size / FOUR, NOTHING);
        self.nodes.resize(self.nodes.len() + size, Node::new(None, 0.0));
        self.hashes.resize(self.nodes.len(), 0);
    }

    fn clear(&mut self) {
        self.fours.clear();
        self.nodes.clear();
        self.hashes.clear();
    }
}

/// The arena.
#[derive(Clone, Debug)]
pub(crate) struct Tree<P> {
    chunks: Vec<Chunk<P>>,
    /// The chunk that is being filled; those after it are empty.
    filling: usize,
    /// Places in use or waiting to be used again.
    len: usize,
    /// Blocks given back, by size: `free[k]` holds blocks of `FOUR << k` places.
    free: Vec<Vec<NodeId>>,
    /// How many places there may be.
    limit: usize,
    /// The formula for which weights are kept.
    selection: Selection,
    /// Which nodes have children at which positions.
    twins: Twins,
}

impl<P: Copy> Tree<P> {
    /// A tree of just the root, which may take `bytes` of memory.
    pub fn new(bytes: usize, selection: Selection) -> Tree<P> {
        let place = size_of::<Node<P>>() + size_of::<Four>() / FOUR + size_of::<u64>();
        let limit = (bytes / place).clamp(FOUR, u32::MAX as usize - CHUNK);
        let mut tree = Tree {
            chunks: vec![Chunk::new()],
            filling: 0,
            len: 0,
            free: Vec::new(),
            limit,
            selection,
            twins: Twins::new(),
        };
        tree.clear();
        tree
    }

    /// Leaves just the root, as in a new tree, and keeps the memory for what comes.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::clear);
        self.free.clear();
        self.chunks[0].extend(FOUR);
        self.filling = 0;
        self.len = FOUR;
        self.twins.clear();
    }

    /// The node at `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<P> {
        &self.chunks[id.chunk()].nodes[id.place()]
    }

    #[inline]
    fn node_mut(&mut self, id: NodeId) -> &mut Node<P> {
        &mut self.chunks[id.chunk()].nodes[id.place()]
    }

    #[inline]
    fn four(&self, id: NodeId) -> &Four {
        &self.chunks[id.chunk()].fours[id.place() / FOUR]
    }

    #[inline]
    fn four_mut(&mut self, id: NodeId) -> &mut Four {
        &mut self.chunks[id.chunk()].fours[id.place() / FOUR]
    }

    /// How many iterations came through `id`.
    #[inline]
    pub fn visits(&self, id: NodeId) -> u32 {
        self.four(id).visits[id.lane()]
    }

    /// The mean of the values they found, for player one.
    #[inline]
    pub fn mean(&self, id: NodeId) -> f32 {
        self.four(id).means[id.lane()]
    }

    /// What `id` is worth to player one by minimax over its visited descendants.
    #[inline]
    pub fn estimate(&self, id: NodeId) -> f32 {
        self.four(id).estimates[id.lane()]
    }

    /// Notes that minimax makes `id` worth `estimate` to player one.
    #[inline]
    pub fn set_estimate(&mut self, id: NodeId, estimate: f32) {
        self.four_mut(id).estimates[id.lane()] = estimate;
    }

    /// What `id` has shown itself to be worth to `player`.
    #[inline]
    pub fn value_for(&self, id: NodeId, player: Player) -> Value {
        match self.node(id).proof {
            Some(outcome) => outcome.value_for(player),
            None => Value::new(sign(player) * self.mean(id)),
        }
    }

    /// What is known of the children of `id` that have a node, in fours; the last may have places
    /// without one.
    #[inline]
    pub fn fours_of_children(&self, id: NodeId) -> &[Four] {
        let node = self.node(id);
        let first = node.first_child;
        let start = first.place() / FOUR;
        &self.chunks[first.chunk()].fours[start..start + node.materialised().div_ceil(FOUR)]
    }

    /// The most that the weight of a play of `id` can be that has no node; `None` if all have one, or none.
    #[inline]
    pub fn weight_of_unseen(&self, id: NodeId) -> Option<f32> {
        let node = self.node(id);
        let last = node.materialised().checked_sub(1).filter(|_| node.materialised < node.legal)?;
        Some(weight(self.selection, self.node(node.child(last)).prior, 0))
    }

    /// Counts `count` more iterations through `id`, at least one, which found `value` for player one
    /// in the mean.
    #[inline]
    pub fn add(&mut self, id: NodeId, value: f32, count: u32) {
        let (four, lane) = (self.four(id), id.lane());
        let visits = four.visits[lane].saturating_add(count);
        let mean = four.means[lane] + (value - four.means[lane]) * (count as f32 / visits as f32);
        self.set(id, visits, mean);
    }

    /// Makes `id` what `visits` iterations of mean value `mean` would have made of it.
    #[inline]
    pub fn set(&mut self, id: NodeId, visits: u32, mean: f32) {
        let weight = weight(self.selection, self.node(id).prior, visits);
        let (four, lane) = (self.four_mut(id), id.lane());
        four.visits[lane] = visits;
        four.means[lane] = mean;
        if four.weights[lane] >= 0.0 {
            four.weights[lane] = weight;
        }
    }

    /// Notes that `id`, where `mover` is to move, ends in `outcome`. If `mover` wins, the opponent
    /// will not choose it any more.
    pub fn prove(&mut self, id: NodeId, outcome: Outcome, mover: Player) {
        self.node_mut(id).proof = Some(outcome);
        self.set_estimate(id, outcome.value_for(Player::One).get());
        if outcome == Outcome::Win(mover) {
            self.four_mut(id).weights[id.lane()] = f32::NEG_INFINITY;
        }
    }

    /// Whether nothing is known of `id` yet but its prior.
    #[inline]
    pub fn is_fresh(&self, id: NodeId) -> bool {
        self.visits(id) == 0 && self.node(id).proof.is_none()
    }

    /// How many places there may be.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Places for which memory has been taken.
    pub fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// Places in use or waiting to be used again.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many children `id` would have a node for after growing once: all its `legal` plays at
    /// the most.
    #[inline]
    pub fn next_size(&self, id: NodeId, legal: usize) -> usize {
        (self.node(id).materialised() * 2).max(FOUR).min(legal)
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
        for offset in 0..old.materialised() {
            let (from, to) = (old.first_child.offset(offset), first.offset(offset));
            *self.node_mut(to) = *self.node(from);
            let hash = self.hash(from);
            self.set_hash(to, hash);
            self.twins.follow(from, to, hash);
        }
        for offset in (0..old.materialised()).step_by(FOUR) {
            *self.four_mut(first.offset(offset)) = *self.four(old.first_child.offset(offset));
        }
        for (offset, (play, prior)) in ranked.enumerate().skip(old.materialised()) {
            self.place(first.offset(offset), play, prior);
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

    /// Notes that `id`, which has children, stands at a position with this `hash`, so that its twins may
    /// find it.
    pub fn note(&mut self, id: NodeId, hash: u64) {
        self.set_hash(id, hash);
        let Tree { twins, chunks, .. } = self;
        twins.note(id, hash, |id| chunks[id.chunk()].hashes[id.place()]);
    }

    /// The node noted for the position with this `hash`, if there is one.
    #[inline]
    pub fn find(&self, hash: u64) -> Option<NodeId> {
        self.twins.find(hash, |id| self.hash(id))
    }

    /// The hash of the position at `id`, as far as it is known; else 0.
    #[inline]
    fn hash(&self, id: NodeId) -> u64 {
        self.chunks[id.chunk()].hashes[id.place()]
    }

    /// Notes at `id` that its position has this `hash`, by which its twin is found.
    #[inline]
    pub fn set_hash(&mut self, id: NodeId, hash: u64) {
        self.chunks[id.chunk()].hashes[id.place()] = hash;
    }

    /// The node at which the children are of the position that `id` stands at: `id` or its twin.
    #[inline]
    pub fn sharer(&self, id: NodeId) -> NodeId {
        let hash = self.hash(id);
        if hash == 0 || self.node(id).is_expanded() { id } else { self.find(hash).unwrap_or(id) }
    }

    /// How many iterations went through the children of `id`, whatever node they came from.
    #[inline]
    pub fn visits_below(&self, id: NodeId) -> u32 {
        let mut sums = [0; FOUR];
        for four in self.fours_of_children(id) {
            sums.iter_mut().zip(four.visits).for_each(|(sum, visits): (&mut u32, u32)| *sum += visits);
        }
        sums.into_iter().sum()
    }

    /// Puts a new node at `id`.
    fn place(&mut self, id: NodeId, play: P, prior: f32) {
        *self.node_mut(id) = Node::new(Some(play), prior);
        self.set_hash(id, 0);
        let weight = weight(self.selection, prior, 0);
        let (four, lane) = (self.four_mut(id), id.lane());
        four.visits[lane] = 0;
        four.means[lane] = 0.0;
        four.estimates[lane] = 0.0;
        four.weights[lane] = weight;
    }

    /// A block of `FOUR << class` empty places, unless that would go over the limit, which holds
    /// for all but the root's (`even_if_full`).
    fn take_block(&mut self, class: usize, even_if_full: bool) -> Option<NodeId> {
        let size = FOUR << class;
        if let Some(block) = self.free.get_mut(class).and_then(Vec::pop) {
            let start = block.place() / FOUR;
            self.chunks[block.chunk()].fours[start..start + size / FOUR].fill(NOTHING);
            return Some(block);
        }
        if self.len + size > self.limit && !even_if_full {
            return None;
        }
        if self.chunks[self.filling].nodes.len() + size > CHUNK {
            self.filling += 1;
            if self.filling == self.chunks.len() {
                self.chunks.push(Chunk::new());
            }
        }
        let chunk = &mut self.chunks[self.filling];
        let first = NodeId((self.filling * CHUNK + chunk.nodes.len()) as u32);
        chunk.extend(size);
        self.len += size;
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
    children.div_ceil(FOUR).next_power_of_two().trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halma::Play;

    fn tree(bytes: usize) -> Tree<u16> {
        Tree::new(bytes, Selection::Puct)
    }

    fn ranked(count: usize) -> impl ExactSizeIterator<Item = (u16, f32)> {
        (0..count).map(|play| (play as u16, 1.0 / (1 + play) as f32))
    }

    #[test]
    fn a_node_of_halma_is_small() {
        assert!(size_of::<Node<Play>>() <= 16, "{}", size_of::<Node<Play>>());
        assert_eq!(size_of::<Four>(), 64);
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
        assert_eq!(tree.fours_of_children(child)[0].weights[3], f32::NEG_INFINITY);
    }

    #[test]
    fn the_limit_holds_for_all_but_the_root() {
        let mut tree = tree(1);
        assert!(tree.grow(NodeId::ROOT, ranked(4), 9));
        let child = tree.node(NodeId::ROOT).child(0);
        assert!(!tree.grow(child, ranked(4), 4));
        assert!(!tree.node(child).is_expanded());
    }

    #[test]
    fn block_classes() {
        let classes: Vec<usize> = [1, 4, 5, 8, 9, 16, 17, 331].map(block_class).to_vec();
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, 7]);
    }
}
