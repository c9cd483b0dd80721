//! Which node stands at a position already: a table from keys to nodes with children.
//!
//! Plays commute: many positions are reached by different orders of the same plays. The first node at a
//! position that gets children is noted here by the position's key; others that come to the same position
//! later, its *transpositions*, get none, and the way down goes on among the children of the first. What was
//! chosen is counted for each transposition on its own. (Two of the ways in Saffidine, Cazenave, Méhat, "UCD: Upper
//! Confidence bound for rooted Directed acyclic graphs", 2012; KataGo's "Monte-Carlo Graph Search".)
//!
//! The table has nodes only; what their keys are, the tree knows.

use super::tree::NodeId;

/// Places at first. The table grows with the tree: that it fits the cache is what makes looking for transpositions
/// cheap.
const PLACES: usize = 1 << 13;

/// The nodes noted.
#[derive(Clone, Debug)]
pub(super) struct Transpositions {
    /// For each value of some of a key's bits the node that was the first to have such a key and children; the
    /// root where there is none, which is nobody's transposition.
    places: Vec<NodeId>,
    /// How many nodes are noted.
    noted: usize,
}

impl Transpositions {
    /// An empty table.
    pub fn new() -> Transpositions {
        Transpositions { places: vec![NodeId::ROOT; PLACES], noted: 0 }
    }

    /// Forgets all nodes, and is as small as a new table: what is found must not depend on what was searched
    /// before.
    pub fn clear(&mut self) {
        self.places.clear();
        self.places.resize(PLACES, NodeId::ROOT);
        self.noted = 0;
    }

    /// The node noted for `key`, if there is one.
    #[inline]
    pub fn find(&self, key: u64, key_of: impl Fn(NodeId) -> u64) -> Option<NodeId> {
        let id = self.places[self.place(key)];
        (id != NodeId::ROOT && key_of(id) == key).then_some(id)
    }

    /// Notes `id` for `key`, unless another node has the place: who came first has more below it.
    pub fn note(&mut self, id: NodeId, key: u64, key_of: impl Fn(NodeId) -> u64) {
        if 2 * self.noted >= self.places.len() {
            self.enlarge(key_of);
        }
        let place = self.place(key);
        if self.places[place] == NodeId::ROOT {
            self.places[place] = id;
            self.noted += usize::from(id != NodeId::ROOT);
        }
    }

    /// Follows a node with this `key` that moves, if it is noted.
    pub fn follow(&mut self, from: NodeId, to: NodeId, key: u64) {
        let place = self.place(key);
        if self.places[place] == from {
            self.places[place] = to;
        }
    }

    /// Makes room for group times as many nodes.
    fn enlarge(&mut self, key_of: impl Fn(NodeId) -> u64) {
        let old = std::mem::take(&mut self.places);
        self.places.resize(4 * old.len(), NodeId::ROOT);
        for id in old.into_iter().filter(|&id| id != NodeId::ROOT) {
            let place = self.place(key_of(id));
            self.places[place] = id;
        }
    }

    /// Where a node with this `key` is noted.
    #[inline]
    fn place(&self, key: u64) -> usize {
        // The upper half, which is the better one of keys that are products.
        (key >> 32) as usize & (self.places.len() - 1)
    }
}
