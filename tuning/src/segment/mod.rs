//! Which of two agents plays a segment of the game better.
//!
//! A match tells who wins and not where. Here both play on for some plies from positions of games that
//! were played, each position twice with the seats exchanged, and deeper searches evaluate what
//! they have got. A result is then a value and not one of three outcomes, and what the rest of the
//! game adds of chance is left out. (It is a sieve: what wins is for a match to say.)
//!
//! [`starts`]: the positions; [`pair`]: one of them played on; [`advantage`]: what all of them tell.

pub mod advantage;
pub mod pair;
pub mod starts;
