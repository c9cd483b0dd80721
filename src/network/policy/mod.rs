//! The network that orders plays: how likely each is the one that a search will visit most.
//!
//! One hidden layer sees where the pieces stand, from the mover's point of view. A play is then scored by the square
//! it leaves, the square it reaches and its kind of progress, each with weights for the hidden units; and by the
//! [features](crate::prior::Features) of the fitted prior, with weights of their own:
//!
//! ```text
//! sums   = biases + Σ row of each piece's feature                       512 rows of 64 integers
//! h      = clamp(sums, 0, 256)
//! logit  = h·from[square left] + h·to[square reached] + h·kind[progress] + 256·Σ weight of its features
//! score  = (logit − the best play's) / 2¹⁵, rounded                     a point is an eighth of a nat
//! ```
//!
//! All of it is in small integers: so scores are the same on every machine. The sums are kept from one position to the
//! next (see [`network`](crate::network)).
//!
//! `file.rs` reads and writes networks, `prior.rs` scores plays. [`PolicyNetwork::built_in`] comes with the crate.

mod file;
mod prior;

pub use crate::network::UnitRow;
pub use file::MOST_PLAY_WEIGHT;
pub use prior::{NetworkPrior, NetworkPriorParameters};

/// Units of the hidden layer.
pub const HIDDEN: usize = 64;
/// What stands for 1 in the hidden layer.
pub const HIDDEN_SCALE: i32 = 256;
/// What stands for a nat in the weights of plays.
pub const PLAY_SCALE: i32 = 1024;
/// One point of score is two to the power of this, in units of a logit: an eighth of a nat.
pub const POINT_BITS: u32 = 15;

/// The weights of a network, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyNetwork {
    /// How it was made: text for people, which the engine does not read.
    pub provenance: String,
    /// A row for each [`feature`](crate::network::feature) of a position.
    pub feature_weights: Vec<UnitRow<HIDDEN>>,
    /// What the hidden units add up before any piece.
    pub feature_biases: [i16; HIDDEN],
    /// What the hidden units say for leaving each square, [as the mover sees it](crate::network::seen_by).
    pub from_weights: Vec<UnitRow<HIDDEN>>,
    /// What they say for reaching each square.
    pub to_weights: Vec<UnitRow<HIDDEN>>,
    /// What they say for each [kind of progress](crate::prior::Features::kind).
    pub kind_weights: Vec<UnitRow<HIDDEN>>,
    /// The weights of the [features](crate::prior::Features) of a play, whatever the hidden units.
    pub play_weights: Vec<i16>,
}
