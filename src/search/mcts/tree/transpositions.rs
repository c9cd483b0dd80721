//! Transpositions: a table from the keys of positions to their canonical nodes.
//!
//! The same plays in different orders lead to the same position. The first node there that gets children is the
//! position's *canonical node*. Later nodes, its *transpositions*, get no children of their own: selection continues
//! among those of the canonical node. Each node counts its own visits. (Saffidine, Cazenave, Méhat, "UCD: Upper
//! Confidence bound for rooted Directed acyclic graphs", 2012; KataGo's "Monte-Carlo Graph Search".)
//!
//! The table holds only nodes; the arena holds their keys.

use super::node::NodeId;

/// The size of a new table. It grows with the tree, so in short searches it fits into the cache.
const MIN_SLOTS: usize = 1 << 13;

/// The table of canonical nodes.
#[derive(Clone, Debug)]
pub(super) struct Transpositions {
    /// The canonical nodes, indexed by some bits of their keys. The root marks an empty slot, since the table never
    /// returns it.
    slots: Vec<NodeId>,
    noted: usize,
}

impl Transpositions {
    pub fn new() -> Transpositions {
        Transpositions { slots: vec![NodeId::ROOT; MIN_SLOTS], noted: 0 }
    }

    /// Empties the table and shrinks it to the size of a new one, because results must not depend on earlier searches.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(MIN_SLOTS, NodeId::ROOT);
        self.noted = 0;
    }

    /// The node noted for `key`.
    #[inline]
    pub fn find(&self, key: u64, key_of: impl Fn(NodeId) -> u64) -> Option<NodeId> {
        let id = self.slots[self.slot(key)];
        (id != NodeId::ROOT && key_of(id) == key).then_some(id)
    }

    /// Notes `id` for `key`, unless the key's slot is taken. The earlier node stays, because it has more nodes below
    /// it.
    pub fn note(&mut self, id: NodeId, key: u64, key_of: impl Fn(NodeId) -> u64) {
        if 2 * self.noted >= self.slots.len() {
            self.enlarge(key_of);
        }
        let slot = self.slot(key);
        if self.slots[slot] == NodeId::ROOT {
            self.slots[slot] = id;
            self.noted += usize::from(id != NodeId::ROOT);
        }
    }

    /// Updates the slot of the node with this `key`, if the node is noted, when it moves in the arena.
    pub fn follow(&mut self, from: NodeId, to: NodeId, key: u64) {
        let slot = self.slot(key);
        if self.slots[slot] == from {
            self.slots[slot] = to;
        }
    }

    /// Makes the table four times as large, or lets it get fuller if there is no memory for that.
    fn enlarge(&mut self, key_of: impl Fn(NodeId) -> u64) {
        let mut slots = Vec::new();
        if slots.try_reserve_exact(4 * self.slots.len()).is_err() {
            return;
        }
        slots.resize(4 * self.slots.len(), NodeId::ROOT);
        let old = std::mem::replace(&mut self.slots, slots);
        for id in old.into_iter().filter(|&id| id != NodeId::ROOT) {
            let slot = self.slot(key_of(id));
            self.slots[slot] = id;
        }
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        // In keys that are products, the upper half is better mixed.
        (key >> 32) as usize & (self.slots.len() - 1)
    }
}
