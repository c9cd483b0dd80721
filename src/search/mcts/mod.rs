//! Monte Carlo tree search over any [`Game`](crate::game::Game).
//!
//! # The walk of an iteration
//!
//! In call order. Functions without a file are in `iteration.rs`.
//!
//! ```text
//! Search::iterate
//!   select                 from the root down to a leaf
//!     canonical            the node that holds this position's children
//!     best_child           the child to go to                    selection/
//!       best               the highest score                     selection/
//!     expand               give a node children, or more of them
//!       Ranking::first     the likeliest plays                   ranking.rs
//!         Prior::scores    how likely each play is to be best    prior/
//!       Tree::grow         a node for each of them               tree.rs
//!   evaluate_new_children  value new children together
//!     evaluate             value one of them
//!       prove              if the game is over there: proofs climb
//!       Playout::value     if it is not                          playout/
//!       learn              if the formula or the policy learns
//!   Tree::add              back up: visits and means             tree.rs
//! ```
//!
//! Around it:
//!
//! - `search.rs`: the search as a whole, and the loop that runs iterations until a limit is reached;
//! - `selection/`: the formulas: one file for PUCT and UCT together, and one for each of the others;
//! - `stability.rs`: whether the choice at the root is stable enough to stop early;
//! - `report.rs`: what the search has found;
//! - `tree.rs` and `tree/`: the nodes, and which of them have the same position;
//! - `advance.rs`: keeping the subtree of the next position when the game goes on;
//! - `save.rs`: handing that subtree to a search in another process;
//! - `params.rs`: the parameters.

mod advance;
mod iteration;
mod params;
mod ranking;
mod report;
mod save;
mod search;
mod selection;
mod stability;
mod tree;

pub use params::Params;
pub use save::{SavedNode, SavedTree};
pub use search::Search;
pub use selection::Selection;
pub(crate) use stability::UNSTABLE;
