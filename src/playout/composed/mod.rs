//! Policies that change how other policies play, end a playout or value it.
//!
//! - [`Corrective`]: replaces plays that the evaluation dislikes;
//! - [`Cutoff`]: ends a playout once one side is clearly ahead;
//! - [`Decisive`]: wins if it can;
//! - [`Mixed`]: one policy for the first plies, then another;
//! - [`MixedLeaf`]: averages the playout's value and the leaf's evaluation;
//! - [`Mixture`]: draws which of two policies makes each play;
//! - [`Quality`]: grades a win by its margin.
//!
//! They can be nested, but a policy can't contain itself: `cutoff(inner=decisive(inner=mast))`. Those that need no
//! evaluation work for any [`Game`](crate::game::Game).

mod corrective;
mod cutoff;
mod decisive;
mod mixed;
mod mixed_leaf;
mod mixture;
mod quality;

pub use corrective::{Corrective, CorrectiveParameters};
pub use cutoff::{Cutoff, CutoffParameters};
pub use decisive::{Decisive, DecisiveParameters};
pub use mixed::{Mixed, MixedParameters};
pub use mixed_leaf::{MixedLeaf, MixedLeafParameters};
pub use mixture::{Mixture, MixtureParameters};
pub use quality::{Quality, QualityParameters};
