//! Statistics of match results: Elo differences with intervals, sequential tests, and ratings.
//!
//! All statistics count *pairs* of games. Both games of a pair start from the same opening with sides swapped, so the
//! values of the opening and of the first move cancel. The two results of a pair are not independent, so a pair is
//! one observation with the score 0, ¼, ½, ¾ or 1 (*pentanomial*); pairs are independent. A pair that repeats an
//! earlier one, play for play, is not an observation, so it must not be counted
//! ([`PairResult`](crate::play::matches::PairResult)). Intervals and the likelihood of superiority come from one
//! method, Gaffke's bounds, which is valid from two pairs on.
//!
//! ```
//! use halma_lab::stats::{Estimate, Hypotheses, PairCounts, Verdict};
//!
//! // Pairs that scored 0, ½, 1, 1½ and 2 points.
//! let pairs = PairCounts::new([3, 8, 20, 15, 9]);
//! let estimate = Estimate::of(pairs);
//! assert!((estimate.score - 0.586).abs() < 1e-3);
//! assert!(estimate.elo_interval.contains(estimate.elo));
//! assert_eq!(Hypotheses::logistic(0.0, 10.0).verdict(pairs), Verdict::Undecided);
//! ```
//!
//! | statistic | source |
//! |---|---|
//! | Elo | A. E. Elo, "The Rating of Chessplayers", 1978 |
//! | intervals, likelihood of superiority | N. Gaffke 2005; E. Learned-Miller and P. Thomas 2019: see `bounded_mean.rs` |
//! | normalized Elo, sequential test | M. Van den Bergh, "A Practical Introduction to the GSPRT", "The MLE for a multinomial distribution", "Normalized Elo", <https://www.cantate.be/Fishtest>, as on the Fishtest server |
//! | best of several | S. S. Gupta 1965: see [`Best`] |
//! | ratings | R. A. Bradley and M. E. Terry 1952; D. R. Hunter 2004: see [`Ratings`] |

mod best;
mod bounded_mean;
mod cholesky;
mod elo;
mod estimate;
mod interval;
mod pairs;
mod ratings;
mod sprt;

pub use best::{Best, MeanScore, Trial};
pub use bounded_mean::p_not_better;
pub use elo::{elo_of_score, normalized_elo_of_t, score_of_elo, t_of_normalized_elo};
pub(crate) use elo::{elo_range, elo_text};
pub use estimate::{Estimate, Z_95};
pub use interval::Interval;
pub use pairs::PairCounts;
pub use ratings::{Encounter, Ratings};
pub use sprt::{ERROR, Hypotheses, Scale, Verdict};
