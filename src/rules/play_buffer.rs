//! Writes lists of plays without unpredictable branches.
//!
//! Writing the list takes half the time of move generation. `push` checks the capacity for every play, and a word of
//! destinations has between none and a dozen bits, so a loop over the bits ends with a mispredicted branch. Here plays
//! are always written in threes, and the next plays overwrite the surplus. They go into a buffer that is indexed by a
//! byte, so that no bounds check is needed, and emptied about once every hundred plays. This is a third faster than
//! `push`. A `struct` of buffer and length would lose half the gain, because the length would live in memory.

use super::bitboard::Bitboard;
use super::play::Play;
use super::square::Square;

/// Plays to append to a list.
pub type PlayBuffer = [Play; 256];

/// A buffer of placeholders.
pub const BLANK: PlayBuffer = [Play::new(Square::from_number(0), Square::from_number(0)); 256];

/// An upper bound on the destinations of one piece: all other squares of its parity class, and eight steps.
const MAX_DESTINATIONS: u8 = 63 + 8;

/// The maximum length at which the plays of one more piece still fit into the buffer.
pub const NEARLY_FULL: u8 = u8::MAX - MAX_DESTINATIONS;

/// Plays written before each check for more bits. Two and four are within 3 % of this speed; one and five are a tenth
/// slower.
const CHUNK: usize = 3;

/// Writes the plays of the piece on `from` to all squares of `to` into `buffer`, after its first `len` plays, and
/// returns the new length. `len` must be at most [`NEARLY_FULL`].
#[inline(always)]
pub fn write_plays(buffer: &mut PlayBuffer, mut len: u8, from: Square, to: Bitboard) -> u8 {
    for (class, mut word) in to.0.into_iter().enumerate() {
        loop {
            for _ in 0..CHUNK {
                let number = (class as u8) << 6 | (word.trailing_zeros() as u8 & 63);
                buffer[len as usize] = Play::new(from, Square::from_number(number));
                len += (word != 0) as u8;
                word &= word.wrapping_sub(1);
            }
            if word == 0 {
                break;
            }
        }
    }
    len
}
