//! The random numbers whose XOR is a position's key (Zobrist 1970).

use super::square::Square;
use crate::game::Player;
use crate::support::random::{SPLIT_MIX, mix};

/// The number for a piece of `side` on `square`.
#[inline]
pub fn piece(side: Player, square: Square) -> u64 {
    PIECES[side.index()][square.index()]
}

/// The number for White to move.
pub const TURN: u64 = split_mix(512);

static PIECES: [[u64; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut at = 0;
    while at < 512 {
        table[at / 256][at % 256] = split_mix(at as u64);
        at += 1;
    }
    table
};

/// The `at`-th number of SplitMix64 from seed 0.
const fn split_mix(at: u64) -> u64 {
    mix(at.wrapping_mul(SPLIT_MIX))
}
