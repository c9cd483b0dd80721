//! Fast hashing, for keys that no adversary chooses.
//!
//! The package `fxhash` is sound but no longer maintained (RUSTSEC-2025-0057; its successor is `rustc-hash`). Only this
//! file uses it, so it is easy to replace.

use std::hash::Hash;

/// A hash map with a fast hasher.
pub(crate) type FastMap<K, V> = fxhash::FxHashMap<K, V>;

/// A hash set with a fast hasher.
pub(crate) type FastSet<K> = fxhash::FxHashSet<K>;

/// A hash of `value`. Its upper bits are better mixed than its lower ones.
#[inline]
pub(crate) fn hash(value: &impl Hash) -> u64 {
    fxhash::hash64(value)
}

/// A checksum for files that the engine writes for itself. It detects damage, not malice.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    fxhash::hash64(bytes)
}
