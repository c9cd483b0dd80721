//! Transpositions: a table from the keys of positions to their canonical nodes.
//!
//! Plays commute: different orders of the same plays reach many positions. The first node at a position
//! that gets children is its *canonical node*, and this table holds it by the position's key. Later nodes
//! at the same position, its *transpositions*, get no children: the search descends among those of the
//! canonical node. Each node counts its own visits. (Saffidine, Cazenave, Méhat, "UCD: Upper Confidence
//! bound for rooted Directed acyclic graphs", 2012; KataGo's "Monte-Carlo Graph Search".)
//!
//! The table holds nodes only; the tree knows their keys.

use super::node::NodeId;

/// Places at first. The table grows with the tree: lookups are cheap because it fits the cache.
const PLACES: usize = 1 << 13;

/// The table of canonical nodes.
#[derive(Clone, Debug)]
pub(super) struct Transpositions {
    /// The first node with children for each value of some of a key's bits. The root marks an empty place,
    /// because it is never a canonical node here.
    places: Vec<NodeId>,
    /// How many nodes are noted.
    noted: usize,
}

impl Transpositions {
    /// An empty table.
    pub fn new() -> Transpositions {
        Transpositions { places: vec![NodeId::ROOT; PLACES], noted: 0 }
    }

    /// Forgets all nodes, and shrinks to a new table's size: results must not depend on earlier searches.
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

    /// Notes `id` for `key`, unless another node has the place: the first has more below it.
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

    /// Follows the node with this `key` as it moves in the arena, if it is noted.
    pub fn follow(&mut self, from: NodeId, to: NodeId, key: u64) {
        let place = self.place(key);
        if self.places[place] == from {
            self.places[place] = to;
        }
    }

    /// Makes room for four times as many nodes. Without memory for that, the table gets fuller.
    fn enlarge(&mut self, key_of: impl Fn(NodeId) -> u64) {
        let mut places = Vec::new();
        if places.try_reserve_exact(4 * self.places.len()).is_err() {
            return;
        }
        places.resize(4 * self.places.len(), NodeId::ROOT);
        let old = std::mem::replace(&mut self.places, places);
        for id in old.into_iter().filter(|&id| id != NodeId::ROOT) {
            let place = self.place(key_of(id));
            self.places[place] = id;
        }
    }

    /// Where a node with this `key` is noted.
    #[inline]
    fn place(&self, key: u64) -> usize {
        // The upper half is better mixed in keys that are products.
        (key >> 32) as usize & (self.places.len() - 1)
    }
}
