//! What the results of a match say about the two agents.
//!
//! Everything here counts *pairs* of games: both games of a pair begin with the same opening, with
//! sides swapped, so the value of the opening and of the first move cancels. The two results are not
//! independent. A pair's score is one of 0, ¼, ½, ¾, 1 (*pentanomial*); pairs are independent. Intervals and the
//! likelihood of superiority are of one method, Gaffke's bounds, which holds from two pairs on.
//!
//! Sources: M. Van den Bergh, "A Practical Introduction to the GSPRT", "The MLE for a multinomial
//! distribution" and "Normalized Elo", <https://www.cantate.be/Fishtest>, whose formulas the
//! Fishtest server uses too; Chess Programming Wiki, "Match Statistics".

mod best;
mod bounded_mean;
mod cholesky;
mod elo;
mod estimate;
mod interval;
mod pairs;
mod ratings;
mod sprt;

pub use best::Best;
pub use bounded_mean::p_not_better;
pub use elo::{elo_of_score, normalized_elo_of_t, score_of_elo, t_of_normalized_elo};
pub use estimate::{Estimate, Z_95};
pub use interval::Interval;
pub use pairs::PairCounts;
pub use ratings::{Encounter, Ratings};
pub use sprt::{ERROR, Hypotheses, Scale, Verdict};
