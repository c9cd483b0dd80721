//! Which of two agents plays a segment of the game better.
//!
//! A match tells who wins, but not where. Here both agents play some plies from positions of recorded
//! games, each position twice with the sides swapped, and deeper searches evaluate the positions reached.
//! A result is then a value, not one of three outcomes, without the noise of the rest of the game. (This
//! only selects candidates: a match decides.)
//!
//! [`starts`]: the positions; [`pair`]: one of them played on; [`advantage`]: the mean over all.

pub mod advantage;
pub mod pair;
pub mod starts;
