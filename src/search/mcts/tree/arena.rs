//! The places where nodes are stored, in blocks that are taken as the tree grows and reused once given back.
//!
//! The arena grows by chunks that never move. A single vector would copy hundreds of megabytes whenever it doubled, and
//! the agent would overrun its time.
//!
//! When the system has no more memory, the arena counts as full.

use super::super::selection::Spread;
use super::node::{CHUNK, ChildGroup, GROUP, Node, NodeId};

/// The optional data that an arena stores besides the groups.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::mcts) struct Contents {
    /// The keys of positions.
    pub keys: bool,
    /// The spreads of values, for UCB1-Tuned.
    pub spreads: bool,
}

impl Contents {
    /// The bytes that these contents take for each place.
    fn bytes(self) -> usize {
        usize::from(self.keys) * size_of::<u64>() + usize::from(self.spreads) * size_of::<Spread>()
    }
}

/// A part of the arena. It is filled from its start, so only the part in use takes memory.
#[derive(Clone, Debug)]
struct Chunk<P> {
    groups: Vec<ChildGroup<P>>,
    /// The [`key`](crate::game::Game::key) of each node's position once it has children or a transposition, 0 before.
    /// Empty if the arena keeps no keys.
    keys: Vec<[u64; GROUP]>,
    /// The spread of each node's values. Empty if the arena keeps none.
    spreads: Vec<[Spread; GROUP]>,
}

impl<P: Copy> Chunk<P> {
    /// An empty chunk that will not move as it fills; `None` if there is no memory for it.
    fn new(contents: Contents) -> Option<Chunk<P>> {
        let mut chunk = Chunk::small();
        chunk.reserve(CHUNK / GROUP, contents).then_some(chunk)
    }

    /// An empty chunk without memory of its own yet.
    fn small() -> Chunk<P> {
        Chunk { groups: Vec::new(), keys: Vec::new(), spreads: Vec::new() }
    }

    /// Reserves memory for `count` more groups, and returns whether there was enough.
    fn reserve(&mut self, count: usize, contents: Contents) -> bool {
        self.groups.try_reserve(count).is_ok()
            && (!contents.keys || self.keys.try_reserve(count).is_ok())
            && (!contents.spreads || self.spreads.try_reserve(count).is_ok())
    }

    /// Appends `count` empty groups.
    fn extend(&mut self, count: usize, contents: Contents) {
        self.groups.resize(self.groups.len() + count, ChildGroup::empty());
        if contents.keys {
            self.keys.resize(self.groups.len(), [0; GROUP]);
        }
        if contents.spreads {
            self.spreads.resize(self.groups.len(), [Spread::default(); GROUP]);
        }
    }

    fn clear(&mut self) {
        self.groups.clear();
        self.keys.clear();
        self.spreads.clear();
    }
}

/// The places of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Arena<P> {
    chunks: Vec<Chunk<P>>,
    /// The chunk that is being filled; later chunks are empty.
    filling: usize,
    /// The number of places in use or waiting to be reused.
    len: usize,
    /// Blocks given back, indexed by their size in groups.
    free: Vec<Vec<NodeId>>,
    /// The maximum number of places.
    limit: usize,
    contents: Contents,
}

impl<P: Copy> Arena<P> {
    /// An arena with room for just the root, which may grow to `bytes` of memory.
    pub fn new(bytes: usize, contents: Contents) -> Arena<P> {
        let first = Chunk::new(contents).unwrap_or_else(Chunk::small);
        let mut arena =
            Arena { chunks: vec![first], filling: 0, len: 0, free: Vec::new(), limit: 0, contents };
        arena.set_limit(bytes);
        arena.clear();
        arena
    }

    /// Limits the arena to `bytes` of memory from now on. Existing nodes stay.
    pub fn set_limit(&mut self, bytes: usize) {
        let place = size_of::<ChildGroup<P>>() / GROUP + self.contents.bytes();
        self.limit = (bytes / place).clamp(GROUP, u32::MAX as usize - CHUNK);
    }

    /// Leaves just the root's places, empty, but keeps the memory.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::clear);
        self.free.clear();
        self.chunks[0].extend(1, self.contents);
        self.filling = 0;
        self.len = GROUP;
    }

    /// The optional data that the arena stores besides the groups.
    #[inline]
    pub fn contents(&self) -> Contents {
        self.contents
    }

    /// The maximum number of places.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The number of places for which memory is allocated.
    pub fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// The number of places in use or waiting to be reused.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The group of `id`.
    #[inline]
    pub fn group(&self, id: NodeId) -> &ChildGroup<P> {
        &self.chunks[id.chunk()].groups[id.group()]
    }

    #[inline]
    pub fn group_mut(&mut self, id: NodeId) -> &mut ChildGroup<P> {
        &mut self.chunks[id.chunk()].groups[id.group()]
    }

    /// The groups of the `count` nodes from `first` on.
    #[inline]
    pub fn groups(&self, first: NodeId, count: usize) -> &[ChildGroup<P>] {
        let place = first.group();
        &self.chunks[first.chunk()].groups[place..place + count.div_ceil(GROUP)]
    }

    #[inline]
    pub fn groups_mut(&mut self, first: NodeId, count: usize) -> &mut [ChildGroup<P>] {
        let place = first.group();
        &mut self.chunks[first.chunk()].groups[place..place + count.div_ceil(GROUP)]
    }

    /// The key of the position at `id`; 0 if none was set.
    #[inline]
    pub fn key(&self, id: NodeId) -> u64 {
        self.chunks[id.chunk()].keys.get(id.group()).map_or(0, |keys| keys[id.lane()])
    }

    #[inline]
    pub fn set_key(&mut self, id: NodeId, key: u64) {
        if let Some(keys) = self.chunks[id.chunk()].keys.get_mut(id.group()) {
            keys[id.lane()] = key;
        }
    }

    /// The keys of all positions that have been set.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        let keys = self.chunks.iter().flat_map(|chunk| chunk.keys.iter().flatten());
        keys.copied().filter(|&key| key != 0)
    }

    /// The spread of the values at `id`; an empty one if the arena keeps none.
    pub fn spread(&self, id: NodeId) -> Spread {
        let spreads = self.chunks[id.chunk()].spreads.get(id.group());
        spreads.map_or(Spread::default(), |spreads| spreads[id.lane()])
    }

    /// A mutable reference to the spread of the values at `id`; `None` if the arena keeps none.
    pub fn spread_mut(&mut self, id: NodeId) -> Option<&mut Spread> {
        self.chunks[id.chunk()].spreads.get_mut(id.group()).map(|spreads| &mut spreads[id.lane()])
    }

    /// Copies the group of `from`, with its spreads but without keys, over that of `to`.
    #[inline]
    pub fn copy_group(&mut self, from: NodeId, to: NodeId) {
        *self.group_mut(to) = *self.group(from);
        if self.contents.spreads {
            let spreads = self.chunks[from.chunk()].spreads[from.group()];
            self.chunks[to.chunk()].spreads[to.group()] = spreads;
        }
    }

    /// Whether there is room for a block of `count` groups within the limit.
    pub fn has_room(&self, count: usize) -> bool {
        self.len + GROUP * count <= self.limit
            || self.free.get(count).is_some_and(|blocks| !blocks.is_empty())
    }

    /// A block of `count` empty groups. `None` if there is no memory for it, or if it would exceed the limit,
    /// unless `even_if_full`.
    pub fn take_block(&mut self, count: usize, even_if_full: bool) -> Option<NodeId> {
        if let Some(block) = self.free.get_mut(count).and_then(Vec::pop) {
            let chunk = &mut self.chunks[block.chunk()];
            chunk.groups[block.group()..][..count].fill(ChildGroup::empty());
            if self.contents.keys {
                chunk.keys[block.group()..][..count].fill([0; GROUP]);
            }
            if self.contents.spreads {
                chunk.spreads[block.group()..][..count].fill([Spread::default(); GROUP]);
            }
            return Some(block);
        }
        if self.len + GROUP * count > self.limit && !even_if_full {
            return None;
        }
        if self.chunks[self.filling].groups.len() + count > CHUNK / GROUP {
            if self.filling + 1 == self.chunks.len() {
                let Some(chunk) = Chunk::new(self.contents) else { return self.run_out() };
                self.chunks.push(chunk);
            }
            self.filling += 1;
        }
        let chunk = &mut self.chunks[self.filling];
        if !chunk.reserve(count, self.contents) {
            return self.run_out();
        }
        let first = NodeId::at(self.filling, chunk.groups.len());
        chunk.extend(count, self.contents);
        self.len += GROUP * count;
        Some(first)
    }

    /// Stops growing until the limit is set again, because the system is out of memory.
    #[cold]
    fn run_out(&mut self) -> Option<NodeId> {
        self.limit = self.len;
        None
    }

    /// Takes back a `block` of `count` groups.
    pub fn give_back(&mut self, block: NodeId, count: usize) {
        if self.free.len() <= count {
            self.free.resize_with(count + 1, Vec::new);
        }
        // If there is no memory to note the block, it stays unused.
        if self.free[count].try_reserve(1).is_ok() {
            self.free[count].push(block);
        }
    }

    /// Copies `count` nodes, without their children, from a block of `old` into one of this arena.
    pub fn copy_block(&mut self, old: &Arena<P>, from: NodeId, to: NodeId, count: usize) {
        let groups = count.div_ceil(GROUP);
        let (source, target) = (&old.chunks[from.chunk()], &mut self.chunks[to.chunk()]);
        let keys = source.keys.iter().skip(from.group()).take(groups);
        target.keys.iter_mut().skip(to.group()).zip(keys).for_each(|(target, &known)| *target = known);
        let spreads = source.spreads.iter().skip(from.group()).take(groups);
        target.spreads.iter_mut().skip(to.group()).zip(spreads).for_each(|(target, &known)| *target = known);
        let targets = &mut target.groups[to.group()..];
        for (target, known) in targets.iter_mut().zip(&source.groups[from.group()..][..groups]) {
            let (first_children, nodes) = (ChildGroup::<P>::empty().first_children, known.nodes);
            *target = ChildGroup { first_children, nodes: nodes.map(Node::without_children), ..*known };
        }
    }
}
