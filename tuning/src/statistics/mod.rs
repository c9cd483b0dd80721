//! What the results of a match say about the two agents.
//!
//! Everything here counts *pairs* of games: both games of a pair begin with the same opening, with
//! sides swapped, so what an opening or the first move is worth cancels, and the two results are
//! not independent. A pair's score is one of 0, ¼, ½, ¾, 1 (*pentanomial*); pairs are independent.
//!
//! Sources: M. Van den Bergh, "A Practical Introduction to the GSPRT" (2020) and "Comments on
//! Normalized Elo" (2021), whose formulas the Fishtest server uses too; R. Coulom's and K.
//! Hallström's "likelihood of superiority" as in the Chess Programming Wiki, "Match Statistics".

mod elo;
mod estimate;
mod pairs;
mod sprt;

pub use elo::{elo_of_score, score_of_elo};
pub use estimate::{Estimate, Interval};
pub use pairs::PairCounts;
pub use sprt::{Hypotheses, Verdict};
