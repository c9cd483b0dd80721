//! Where nodes lie: blocks of neighbouring places, taken as the tree grows and used again when given back.
//!
//! The arena grows by chunks that stay where they are. One vector that doubles would now and then
//! copy a hundred megabytes between two looks at the clock, and a move would overrun its time.

use super::node::{CHUNK, ChildGroup, EMPTY_GROUP, GROUP, Node, NodeId};

/// The size class of the smallest block with room for `children`.
pub(super) fn block_class(children: usize) -> usize {
    children.div_ceil(GROUP).next_power_of_two().trailing_zeros() as usize
}

/// A part of the arena. It is filled from its start, so only what is used takes memory.
#[derive(Clone, Debug)]
struct Chunk<P> {
    groups: Vec<ChildGroup>,
    nodes: Vec<Node<P>>,
    /// The [`key`](crate::game::Game::key) of each node's position, once it has children or a transposition; 0 before.
    keys: Vec<u64>,
}

impl<P: Copy> Chunk<P> {
    fn new() -> Chunk<P> {
        Chunk {
            groups: Vec::with_capacity(CHUNK / GROUP),
            nodes: Vec::with_capacity(CHUNK),
            keys: Vec::with_capacity(CHUNK),
        }
    }

    /// Appends `size` empty places.
    fn extend(&mut self, size: usize) {
        self.groups.resize(self.groups.len() + size / GROUP, EMPTY_GROUP);
        self.nodes.resize(self.nodes.len() + size, Node::new(None));
        self.keys.resize(self.nodes.len(), 0);
    }

    fn clear(&mut self) {
        self.groups.clear();
        self.nodes.clear();
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
}

impl<P: Copy> Arena<P> {
    /// An arena with places for just the root, which may take `bytes` of memory.
    pub fn new(bytes: usize) -> Arena<P> {
        let place = size_of::<Node<P>>() + size_of::<ChildGroup>() / GROUP + size_of::<u64>();
        let limit = (bytes / place).clamp(GROUP, u32::MAX as usize - CHUNK);
        let mut arena = Arena { chunks: vec![Chunk::new()], filling: 0, len: 0, free: Vec::new(), limit };
        arena.clear();
        arena
    }

    /// Leaves just the root's places, empty, and keeps the memory for what comes.
    pub fn clear(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::clear);
        self.free.clear();
        self.chunks[0].extend(GROUP);
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

    /// The node at `id`.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<P> {
        &self.chunks[id.chunk()].nodes[id.place()]
    }

    /// The node at `id`, to be changed.
    #[inline]
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<P> {
        &mut self.chunks[id.chunk()].nodes[id.place()]
    }

    /// What is known of `id` and its neighbours.
    #[inline]
    pub fn group(&self, id: NodeId) -> &ChildGroup {
        &self.chunks[id.chunk()].groups[id.place() / GROUP]
    }

    /// What is known of `id` and its neighbours, to be changed.
    #[inline]
    pub fn group_mut(&mut self, id: NodeId) -> &mut ChildGroup {
        &mut self.chunks[id.chunk()].groups[id.place() / GROUP]
    }

    /// What is known of the `count` nodes from `first` on, where a group begins.
    #[inline]
    pub fn groups(&self, first: NodeId, count: usize) -> &[ChildGroup] {
        let start = first.place() / GROUP;
        &self.chunks[first.chunk()].groups[start..start + count.div_ceil(GROUP)]
    }

    /// The key of the position at `id`, as far as it is known; else 0.
    #[inline]
    pub fn key(&self, id: NodeId) -> u64 {
        self.chunks[id.chunk()].keys[id.place()]
    }

    /// Notes at `id` that its position has this `key`.
    #[inline]
    pub fn set_key(&mut self, id: NodeId, key: u64) {
        self.chunks[id.chunk()].keys[id.place()] = key;
    }

    /// A block of `GROUP << class` empty places, unless that would go over the limit, which holds
    /// for all but the root's (`even_if_full`).
    pub fn take_block(&mut self, class: usize, even_if_full: bool) -> Option<NodeId> {
        let size = GROUP << class;
        if let Some(block) = self.free.get_mut(class).and_then(Vec::pop) {
            let start = block.place() / GROUP;
            self.chunks[block.chunk()].groups[start..start + size / GROUP].fill(EMPTY_GROUP);
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
        let first = NodeId::at(self.filling, chunk.nodes.len());
        chunk.extend(size);
        self.len += size;
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
        let (source, target) = (&old.chunks[from.chunk()], &mut self.chunks[to.chunk()]);
        let (from, to) = (from.place(), to.place());
        let groups = count.div_ceil(GROUP);
        target.groups[to / GROUP..][..groups].copy_from_slice(&source.groups[from / GROUP..][..groups]);
        target.keys[to..][..count].copy_from_slice(&source.keys[from..][..count]);
        for (node, &known) in target.nodes[to..].iter_mut().zip(&source.nodes[from..][..count]) {
            *node = known.without_children();
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
