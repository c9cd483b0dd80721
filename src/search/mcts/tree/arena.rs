//! The places of the nodes, in blocks of neighbours that are taken as the tree grows and reused once given back.
//!
//! The arena grows by chunks that never move. A single vector would copy hundreds of megabytes whenever it doubled, and
//! the move would overrun its time.
//!
//! When the system has no more memory, the arena counts as full.

use super::node::{CHUNK, ChildGroup, GROUP, Node, NodeId};

/// The size class of the smallest block with room for `children`.
pub(super) fn block_class(children: usize) -> usize {
    children.div_ceil(GROUP).next_power_of_two().trailing_zeros() as usize
}

/// A part of the arena. It is filled from its start, so only the part in use takes memory.
#[derive(Clone, Debug)]
struct Chunk<P> {
    groups: Vec<ChildGroup<P>>,
    /// The [`key`](crate::game::Game::key) of each node's position once it has children or a transposition, 0 before.
    /// Empty if the arena keeps no keys.
    keys: Vec<[u64; GROUP]>,
}

impl<P: Copy> Chunk<P> {
    /// An empty chunk that will not move as it fills; `None` if there is no memory for it.
    fn new() -> Option<Chunk<P>> {
        let mut chunk = Chunk::small();
        let reserved = chunk.groups.try_reserve_exact(CHUNK / GROUP);
        reserved.and_then(|()| chunk.keys.try_reserve_exact(CHUNK / GROUP)).is_ok().then_some(chunk)
    }

    /// An empty chunk without memory of its own yet.
    fn small() -> Chunk<P> {
        Chunk { groups: Vec::new(), keys: Vec::new() }
    }

    /// Reserves memory for `count` more groups, and returns whether there was enough.
    fn reserve(&mut self, count: usize) -> bool {
        self.groups.try_reserve(count).and_then(|()| self.keys.try_reserve(count)).is_ok()
    }

    /// Appends `count` empty groups.
    fn extend(&mut self, count: usize, with_keys: bool) {
        self.groups.resize(self.groups.len() + count, ChildGroup::empty());
        if with_keys {
            self.keys.resize(self.groups.len(), [0; GROUP]);
        }
    }

    fn clear(&mut self) {
        self.groups.clear();
        self.keys.clear();
    }
}

/// The places of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Arena<P> {
    chunks: Vec<Chunk<P>>,
    /// The chunk that is being filled; later chunks are empty.
    filling: usize,
    /// Places in use or waiting to be reused.
    len: usize,
    /// Blocks given back: `free[k]` holds those of `GROUP << k` places.
    free: Vec<Vec<NodeId>>,
    /// The maximum number of places.
    limit: usize,
    /// Whether it keeps the keys of positions.
    with_keys: bool,
}

impl<P: Copy> Arena<P> {
    /// An arena with room for just the root, which may grow to `bytes` of memory.
    pub fn new(bytes: usize, with_keys: bool) -> Arena<P> {
        let first = Chunk::new().unwrap_or_else(Chunk::small);
        let mut arena =
            Arena { chunks: vec![first], filling: 0, len: 0, free: Vec::new(), limit: 0, with_keys };
        arena.set_limit(bytes);
        arena.clear();
        arena
    }

    /// Limits the arena to `bytes` of memory from now on. Existing nodes stay.
    pub fn set_limit(&mut self, bytes: usize) {
        let key = if self.with_keys { size_of::<u64>() } else { 0 };
        let place = size_of::<ChildGroup<P>>() / GROUP + key;
        self.limit = (bytes / place).clamp(GROUP, u32::MAX as usize - CHUNK);
    }

    /// Leaves just the root's places, empty, but keeps the memory.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::clear);
        self.free.clear();
        self.chunks[0].extend(1, self.with_keys);
        self.filling = 0;
        self.len = GROUP;
    }

    /// The maximum number of places.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Places for which it holds memory.
    pub fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// Places in use or waiting to be reused.
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

    /// A block of `GROUP << class` empty places. `None` if there is no memory for it, or if it would exceed the limit,
    /// unless `even_if_full`.
    pub fn take_block(&mut self, class: usize, even_if_full: bool) -> Option<NodeId> {
        let count = 1 << class;
        if let Some(block) = self.free.get_mut(class).and_then(Vec::pop) {
            let chunk = &mut self.chunks[block.chunk()];
            chunk.groups[block.group()..][..count].fill(ChildGroup::empty());
            if self.with_keys {
                chunk.keys[block.group()..][..count].fill([0; GROUP]);
            }
            return Some(block);
        }
        if self.len + GROUP * count > self.limit && !even_if_full {
            return None;
        }
        if self.chunks[self.filling].groups.len() + count > CHUNK / GROUP {
            if self.filling + 1 == self.chunks.len() {
                let Some(chunk) = Chunk::new() else { return self.run_out() };
                self.chunks.push(chunk);
            }
            self.filling += 1;
        }
        let chunk = &mut self.chunks[self.filling];
        if !chunk.reserve(count) {
            return self.run_out();
        }
        let first = NodeId::at(self.filling, chunk.groups.len());
        chunk.extend(count, self.with_keys);
        self.len += GROUP * count;
        Some(first)
    }

    /// Stops growing for good, because the system is out of memory.
    #[cold]
    fn run_out(&mut self) -> Option<NodeId> {
        self.limit = self.len;
        None
    }

    /// Takes back a `block` of `GROUP << class` places.
    pub fn give_back(&mut self, block: NodeId, class: usize) {
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        // Without memory for its number, the block stays unused.
        if self.free[class].try_reserve(1).is_ok() {
            self.free[class].push(block);
        }
    }

    /// Copies `count` nodes, without their children, from a block of `old` into one of this arena.
    pub fn copy_block(&mut self, old: &Arena<P>, from: NodeId, to: NodeId, count: usize) {
        let groups = count.div_ceil(GROUP);
        let (source, target) = (&old.chunks[from.chunk()], &mut self.chunks[to.chunk()]);
        let keys = source.keys.iter().skip(from.group()).take(groups);
        target.keys.iter_mut().skip(to.group()).zip(keys).for_each(|(target, &known)| *target = known);
        let targets = &mut target.groups[to.group()..];
        for (target, known) in targets.iter_mut().zip(&source.groups[from.group()..][..groups]) {
            let (first_children, nodes) = (ChildGroup::<P>::empty().first_children, known.nodes);
            *target = ChildGroup { first_children, nodes: nodes.map(Node::without_children), ..*known };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_classes() {
        let classes: Vec<usize> = [1, 4, 5, 8, 9, 16, 17, 331].map(block_class).to_vec();
        assert_eq!(classes, [0, 0, 1, 1, 2, 2, 3, 7]);
    }
}
