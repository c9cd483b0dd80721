//! Segments: which of two agents plays a part of the game better.
//!
//! A match shows which agent wins, but not in which part of the game. In a segment, both agents play a few plies from
//! positions of recorded games, each position twice with the sides swapped, and deeper searches evaluate the final
//! positions. The result is a value instead of one of three outcomes, without the noise of the rest of the game. Segments
//! suggest candidates; only a match can confirm them.
//!
//! [`starts`] selects the positions, [`pair`] plays on from one of them, and [`advantage`] is the mean over all.

pub mod advantage;
pub mod pair;
pub mod starts;
