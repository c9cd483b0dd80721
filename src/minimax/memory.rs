//! Subtrees that have been searched already.

use super::SearchResult;
use crate::FastMap;
use crate::game::Game;
use std::hash::{Hash, Hasher};

/// What has been found out about positions, each searched to some depth.
///
/// The whole position is the key: another one with the same hash is told apart. When the memory
/// is full, everything is forgotten, which keeps what the search is at now and costs nothing.
pub struct Memory<G: Game> {
    found: FastMap<Subtree<G>, SearchResult<G::Play>>,
    most: usize,
}

/// A position and how deep it is searched.
#[derive(Clone, PartialEq, Eq)]
struct Subtree<G> {
    root: G,
    depth: u8,
}

impl<G: Game> Hash for Subtree<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.root.hash());
        state.write_u8(self.depth);
    }
}

impl<G: Game + Eq> Memory<G> {
    /// A memory of at most this many bytes.
    pub fn new(bytes: usize) -> Memory<G> {
        // The standard hash map doubles its places, keeps one in eight free, and has a byte of
        // its own for each.
        let place = size_of::<(Subtree<G>, SearchResult<G::Play>)>() + 1;
        let places = (bytes / place + 1).next_power_of_two() / 2;
        Memory { found: FastMap::default(), most: places / 8 * 7 }
    }

    /// What was found under `root` to `depth`, if it is still known.
    pub fn recall(&self, root: &G, depth: u8) -> Option<SearchResult<G::Play>> {
        self.found.get(&Subtree { root: root.clone(), depth }).copied()
    }

    /// Keeps what was found under `root` to `depth`.
    pub fn remember(&mut self, root: &G, depth: u8, found: SearchResult<G::Play>) {
        if self.found.len() >= self.most {
            self.found.clear();
        }
        self.found.insert(Subtree { root: root.clone(), depth }, found);
    }
}
