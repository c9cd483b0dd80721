//! A Monte Carlo tree search engine for 16×16 Halma.
//!
//! The rooms, ground floor first; nothing imports upwards:
//!
//! - [`game`]: the seam between rules and search.
//! - [`halma`]: the rules of Halma on bitboards.
//! - [`minimax`]: depth-bounded minimax and alpha-beta, counting nodes, over any game.
//! - [`star_circle`]: the game of Star and Circle, and the answers to its problems.

#![forbid(unsafe_code)]

pub mod game;
pub mod halma;
pub mod minimax;
pub mod star_circle;

/// The hash map of this crate. Its hasher is fast and defenceless: for keys that no adversary
/// chooses. The package is named only here, for it is sound but no longer maintained
/// (RUSTSEC-2025-0057); `rustc-hash` would be its heir.
pub(crate) type FastMap<K, V> = fxhash::FxHashMap<K, V>;
