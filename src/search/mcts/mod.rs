//! Monte Carlo tree search over any [`Game`](crate::game::Game).
//!
//! # The walk of an iteration
//!
//! `Search::iterate` has it on one screen. In the order of the calls:
//!
//! ```text
//! Search::iterate         search.rs           from the root, until a leaf:
//!   canonical             search.rs           the node that has this position's children
//!   best_child            select.rs           which child next, by UCT or PUCT (formula.rs)
//!     argmax              score.rs            the one with the greatest score
//!   Game::play
//!   expand                search.rs           at the second visit: which plays get a node?
//!     Game::legal_plays
//!     Prior::scores                           how likely each is the best
//!     Ranking::first      expand.rs           the first few, with their priors
//!     Tree::grow          tree.rs
//!   evaluate_batch        search.rs           a new child and its new neighbours
//!     Playout::value                          what each is worth
//!   back_up               backup.rs           counts and means of all nodes on the way
//!   prove_ancestors       backup.rs           proofs climb too
//! ```
//!
//! Around it: `tree.rs` and `tree/` keep the nodes, and know which stand at one position; `stability.rs` tells
//! whether the choice is stable; `report.rs` says what was found; `reuse.rs` keeps what stays true when the game
//! goes on; `save.rs` tells it to a search in another process; `params.rs` has the parameters.

mod backup;
mod expand;
mod formula;
mod params;
mod report;
mod reuse;
mod save;
mod score;
mod search;
mod select;
mod stability;
mod tree;

pub use params::{Params, Selection};
pub use save::{BadSavedTree, SavedNode, SavedTree};
pub use search::Search;
pub use stability::Lead;
pub(crate) use stability::UNSTABLE;
