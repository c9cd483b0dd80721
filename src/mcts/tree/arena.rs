//! Where nodes lie: blocks of neighbouring places, taken as the tree grows and used again when given back.
//!
//! The arena grows by chunks that stay where they are. One vector that doubles would now and then
//! copy a hundred megabytes between two looks at the clock, and a move would overrun its time.

use super::node::{CHUNK, ChildGroup, GROUP, Node, NodeId};

/// The size class of the smallest block with room for `children`.
pub(super) fn block_class(children: usize) -> usize {
    children.div_ceil(GROUP).next_power_of_two().trailing_zeros() as usize
}

/// A part of the arena. It is filled from its start, so only what is used takes memory.
#[derive(Clone, Debug)]
struct Chunk<P> {
    groups: Vec<ChildGroup<P>>,
    /// The [`key`](crate::game::Game::key) of each node's position, once it has children or a transposition; 0 before.
    /// Empty in arenas without.
    keys: Vec<[u64; GROUP]>,
}

impl<P: Copy> Chunk<P> {
    fn new() -> Chunk<P> {
        Chunk { groups: Vec::with_capacity(CHUNK / GROUP), keys: Vec::with_capacity(CHUNK / GROUP) }
    }

    /// Appends `count` empty groups.
    fn extend(&mut self, count: usize, with_hashes: bool) {
        self.groups.resize(self.groups.len() + count, ChildGroup::empty());
        if with_hashes {
            self.keys.resize(self.groups.len(), [0; GROUP]);
        }
    }

    fn clear(&mut self) {
        self.groups.clear();
        self.keys.clear();
    }
}

/// The places of a tree, and what is kept at each.
#[derive(Clone, Debug)]
pub(super) struct Arena<P> {
    chunks: Vec<Chunk<P>>,
    /// The chunk that is being filled; those after it are empty.
    filling: usize,
    /// Places in use or waiting to be used again.
    len: usize,
    /// Blocks given back, by size: `free[k]` holds blocks of `GROUP << k` places.
    free: Vec<Vec<NodeId>>,
    /// How many places there may be.
    limit: usize,
    /// Whether positions' keys are kept.
    with_hashes: bool,
}

impl<P: Copy> Arena<P> {
    /// An arena with places for just the root, with or without positions' keys, which may take `bytes` of
    /// memory.
    pub fn new(bytes: usize, with_hashes: bool) -> Arena<P> {
        let key = if with_hashes { size_of::<u64>() } else { 0 };
        let place = size_of::<ChildGroup<P>>() / GROUP + key;
        let limit = (bytes / place).clamp(GROUP, u32::MAX as usize - CHUNK);
        let mut arena =
            Arena { chunks: vec![Chunk::new()], filling: 0, len: 0, free: Vec::new(), limit, with_hashes };
        arena.clear();
        arena
    }

    /// Leaves just the root's places, empty, and keeps the memory for what comes.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::clear);
        self.free.clear();
        self.chunks[0].extend(1, self.with_hashes);
        self.filling = 0;
        self.len = GROUP;
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

    /// The group that `id` lies in.
    #[inline]
    pub fn group(&self, id: NodeId) -> &ChildGroup<P> {
        &self.chunks[id.chunk()].groups[id.group()]
    }

    /// The group that `id` lies in, to be changed.
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

    /// The groups of the `count` nodes from `first` on, to be changed.
    #[inline]
    pub fn fours_mut(&mut self, first: NodeId, count: usize) -> &mut [ChildGroup<P>] {
        let place = first.group();
        &mut self.chunks[first.chunk()].groups[place..place + count.div_ceil(GROUP)]
    }

    /// The key of the position at `id`, as far as it is known; else 0.
    #[inline]
    pub fn key(&self, id: NodeId) -> u64 {
        self.chunks[id.chunk()].keys.get(id.group()).map_or(0, |keys| keys[id.lane()])
    }

    /// Notes at `id` that its position has this `key`.
    #[inline]
    pub fn set_key(&mut self, id: NodeId, key: u64) {
        if let Some(keys) = self.chunks[id.chunk()].keys.get_mut(id.group()) {
            keys[id.lane()] = key;
        }
    }

    /// A block of `GROUP << class` empty places, unless that would go over the limit, which holds
    /// for all but the root's (`even_if_full`).
    pub fn take_block(&mut self, class: usize, even_if_full: bool) -> Option<NodeId> {
        let count = 1 << class;
        if let Some(block) = self.free.get_mut(class).and_then(Vec::pop) {
            let chunk = &mut self.chunks[block.chunk()];
            chunk.groups[block.group()..][..count].fill(ChildGroup::empty());
            if self.with_hashes {
                chunk.keys[block.group()..][..count].fill([0; GROUP]);
            }
            return Some(block);
        }
        if self.len + GROUP * count > self.limit && !even_if_full {
            return None;
        }
        if self.chunks[self.filling].groups.len() + count > CHUNK / GROUP {
            self.filling += 1;
            if self.filling == self.chunks.len() {
                self.chunks.push(Chunk::new());
            }
        }
        let chunk = &mut self.chunks[self.filling];
        let first = NodeId::at(self.filling, chunk.groups.len());
        chunk.extend(count, self.with_hashes);
        self.len += GROUP * count;
        Some(first)
    }

    /// Takes back a `block` of `GROUP << class` places.
    pub fn give_back(&mut self, block: NodeId, class: usize) {
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        self.free[class].push(block);
    }

    /// Copies `count` nodes without their children from a block of `old` to one of this arena.
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
