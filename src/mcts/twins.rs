//! Which node stands at a position already: a table from hashes to nodes with children.
//!
//! Plays commute: many positions are reached by different orders of the same plays. The first node at a
//! position that gets children is noted here by the position's hash; others that come to the same position
//! later, its *twins*, get none, and the way down goes on among the children of the first. What was
//! chosen is counted for each twin on its own. (Two of the ways in Saffidine, Cazenave, Méhat, "UCD: Upper
//! Confidence bound for rooted Directed acyclic graphs", 2012; KataGo's "Monte-Carlo Graph Search".)
//!
//! The table has nodes only; what their hashes are, the tree knows.

use super::tree::NodeId;

/// Places at first. The table grows with the tree: that it fits the cache is what makes looking for twins
/// cheap.
const PLACES: usize = 1 << 13;

/// The nodes noted.
#[derive(Clone, Debug)]
pub(super) struct Twins {
    /// For each value of some of a hash's bits the node that was the first to have such a hash and children; the
    /// root where there is none, which is nobody's twin.
    places: Vec<NodeId>,
    /// How many nodes are noted.
    noted: usize,
}

impl Twins {
    /// An empty table.
    pub fn new() -> Twins {
        Twins { places: vec![NodeId::ROOT; PLACES], noted: 0 }
    }

    /// Forgets all nodes, and is as small as a new table: what is found must not depend on what was searched
    /// before.
    pub fn clear(&mut self) {
        self.places.clear();
        self.places.resize(PLACES, NodeId::ROOT);
        self.noted = 0;
    }

    /// The node noted for `hash`, if there is one.
    #[inline]
    pub fn find(&self, hash: u64, hash_of: impl Fn(NodeId) -> u64) -> Option<NodeId> {
        let id = self.places[self.place(hash)];
        (id != NodeId::ROOT && hash_of(id) == hash).then_some(id)
    }

    /// Notes `id` for `hash`, unless another node has the place: who came first has more below it.
    pub fn note(&mut self, id: NodeId, hash: u64, hash_of: impl Fn(NodeId) -> u64) {
        if 2 * self.noted >= self.places.len() {
            self.enlarge(hash_of);
        }
        let place = self.place(hash);
        if self.places[place] == NodeId::ROOT {
            self.places[place] = id;
            self.noted += usize::from(id != NodeId::ROOT);
        }
    }

    /// Follows a node with this `hash` that moves, if it is noted.
    pub fn follow(&mut self, from: NodeId, to: NodeId, hash: u64) {
        let place = self.place(hash);
        if self.places[place] == from {
            self.places[place] = to;
        }
    }

    /// Makes room for four times as many nodes.
    fn enlarge(&mut self, hash_of: impl Fn(NodeId) -> u64) {
        let old = std::mem::take(&mut self.places);
        self.places.resize(4 * old.len(), NodeId::ROOT);
        for id in old.into_iter().filter(|&id| id != NodeId::ROOT) {
            let place = self.place(hash_of(id));
            self.places[place] = id;
        }
    }

    /// Where a node with this `hash` is noted.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        // The upper half, which is the better one of hashes that are products.
        (hash >> 32) as usize & (self.places.len() - 1)
    }
}
