//! Fast hashing, for keys that no adversary chooses.
//!
//! The package behind it, `fxhash`, is sound but no longer maintained (RUSTSEC-2025-0057;
//! `rustc-hash` would be its heir), so it is named here only.

/// A hash map with a fast hasher.
pub(crate) type FastMap<K, V> = fxhash::FxHashMap<K, V>;

/// A hash set with a fast hasher.
pub(crate) type FastSet<K> = fxhash::FxHashSet<K>;

/// A checksum of what the agent writes for itself: it tells damage, not malice.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    fxhash::hash64(bytes)
}
