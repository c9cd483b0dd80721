//! A cache of subtrees searched before.

use super::SearchResult;
use crate::game::Game;
use crate::support::hashing::FastMap;
use std::hash::{Hash, Hasher};

/// The results of positions searched to some depth.
///
/// It compares whole positions, so hash collisions do no harm. When full, it drops shallow subtrees, which are the most
/// numerous and the fastest to search again.
pub struct Cache<G: Game> {
    found: FastMap<Subtree<G>, SearchResult<G::Play>>,
    max: usize,
}

#[derive(Clone, PartialEq, Eq)]
struct Subtree<G> {
    root: G,
    depth: u8,
}

impl<G: Game> Hash for Subtree<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.root.key());
        state.write_u8(self.depth);
    }
}

impl<G: Game + Eq> Cache<G> {
    /// A cache of at most `bytes`.
    pub fn new(bytes: usize) -> Cache<G> {
        // The standard hash map doubles its size, keeps one slot in eight free, and adds a byte to each slot.
        let place = size_of::<(Subtree<G>, SearchResult<G::Play>)>() + 1;
        let places = (bytes / place + 1).next_power_of_two() / 2;
        Cache { found: FastMap::default(), max: places / 8 * 7 }
    }

    /// The result of searching `root` to `depth`, if it is still cached.
    pub fn get(&self, root: &G, depth: u8) -> Option<SearchResult<G::Play>> {
        self.found.get(&Subtree { root: root.clone(), depth }).copied()
    }

    /// Keeps the result of searching `root` to `depth`, unless the system is out of memory.
    pub fn insert(&mut self, root: &G, depth: u8, found: SearchResult<G::Play>) {
        if self.found.len() >= self.max {
            self.make_room();
        }
        if self.found.try_reserve(1).is_err() {
            return;
        }
        self.found.insert(Subtree { root: root.clone(), depth }, found);
    }

    /// Drops the shallowest subtrees until the cache is half empty.
    fn make_room(&mut self) {
        let mut shallow = 0;
        while self.found.len() > self.max / 2 {
            shallow += 1;
            self.found.retain(|subtree, _| subtree.depth > shallow);
        }
        // The map does not free the slots of removed entries, so it would outgrow `max`.
        self.found.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::star_circle::Position;

    #[test]
    fn a_full_cache_drops_shallow_subtrees_first() {
        let place = size_of::<(Subtree<Position>, SearchResult<crate::star_circle::Play>)>() + 1;
        let mut cache = Cache::new(8 * place);
        assert_eq!(cache.max, 7);
        let root = Position::initial([10, 20, 30, 40, 50, 60, 70, 80]);
        for depth in (2..10).rev() {
            cache.insert(&root, depth, SearchResult { play: None, value: depth.into(), nodes: 1 });
        }
        let known: Vec<i64> =
            (0..=10).filter_map(|depth| cache.get(&root, depth)).map(|found| found.value).collect();
        assert_eq!(known, [2, 7, 8, 9]);
    }

    #[test]
    fn equal_hashes_are_not_confused() {
        // The row values are part of the position but not of its hash.
        let [one, other] = [[1; 8], [2; 8]].map(Position::initial);
        assert_eq!(one.key(), other.key());
        let mut cache = Cache::new(1 << 16);
        cache.insert(&one, 3, SearchResult::leaf(7));
        assert_eq!(cache.get(&one, 3), Some(SearchResult::leaf(7)));
        assert_eq!(cache.get(&one, 4), None);
        assert_eq!(cache.get(&other, 3), None);
    }
}
