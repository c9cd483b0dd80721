//! The features of plays: what the [fitted](super::Fitted) prior and the [network](super::network) know of each play.
//!
//! They are the square that a play leaves, the square it reaches, how far forward that is and whether by jumps, each
//! for every phase of the game (how far the army has come); and how many pieces are behind the one that moves. Squares
//! are seen from the side to move, and mirror images in the camps' diagonal count as one, since Halma is symmetric
//! there.

use crate::game::{Game, Player};
use crate::rules::{Play, Position, Square, distance};

/// How many phases a game has.
pub(crate) const PHASES: usize = 4;

/// The army's distance from its goal's corner, in columns and rows, at which each phase ends.
const PHASE_ENDS: [i32; PHASES - 1] = [380, 280, 180];

/// How many squares there are when mirror images in the camps' diagonal count as one.
pub(crate) const SQUARES: usize = 136;

/// Kinds of progress: a step's, of −2…+2 rows and columns, and a jump's, of −30…+30.
pub const KINDS: usize = STEPS + JUMPS;
const STEPS: usize = 5;
const JUMPS: usize = 61;

/// How many features a phase has: a feature's number grows by this from one phase to the next.
pub const IN_PHASE: usize = 2 * SQUARES + KINDS;

/// How many ranks pieces have, by how many of their army are behind them.
const RANKS: usize = 7;

/// How many features there are.
pub const COUNT: usize = PHASES * IN_PHASE + RANKS;

/// The first of the features that do not depend on the phase.
pub const PHASELESS: usize = PHASES * IN_PHASE;

/// The features of a position's plays.
#[derive(Clone, Debug)]
pub struct Features {
    side: Player,
    army: Army,
}

impl Features {
    /// Those of the plays of `position`.
    pub fn new(position: &Position) -> Features {
        Features { side: position.to_move(), army: Army::new(position) }
    }

    /// The four features of `play`, each below [`COUNT`]: the square left, the square reached, the kind of
    /// progress, the rank.
    #[inline]
    pub fn of(&self, play: Play) -> [usize; 4] {
        let Features { side, army } = self;
        let [from, to] = [play.from, play.to].map(|square| usize::from(distance(*side, square)));
        [
            army.base + place(*side, play.from),
            army.base + SQUARES + place(*side, play.to),
            army.base + 2 * SQUARES + kind(play, from, to),
            PHASELESS + army.rank(from),
        ]
    }

    /// The kind of progress that `play` makes, below [`KINDS`]; what it is in any phase.
    #[inline]
    pub fn kind(&self, play: Play) -> usize {
        let [from, to] = [play.from, play.to].map(|square| usize::from(distance(self.side, square)));
        kind(play, from, to)
    }
}

/// What a prior looks up of one square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// The weight of leaving it.
    pub left: i16,
    /// The weight of reaching it.
    pub reached: i16,
    /// Its distance from the goal's corner, in columns and rows.
    pub distance: u8,
}

/// The squares for each phase and side.
pub(crate) type Boards = [[[Place; 256]; 2]; PHASES];

/// The squares for each phase and side, by these weights of the features.
pub(crate) const fn boards(weights: &[i16; COUNT]) -> Boards {
    let mut table = [[[Place { left: 0, reached: 0, distance: 0 }; 256]; 2]; PHASES];
    let mut phase = 0;
    while phase < PHASES {
        let mut side = 0;
        while side < 2 {
            let mut number = 0;
            while number < 256 {
                let square = Square::from_number(number as u8);
                let feature = phase * IN_PHASE + place(Player::BOTH[side], square);
                table[phase][side][number] = Place {
                    left: weights[feature],
                    reached: weights[feature + SQUARES],
                    distance: distance(Player::BOTH[side], square),
                };
                number += 1;
            }
            side += 1;
        }
        phase += 1;
    }
    table
}

/// The kind of progress that `play` makes between two distances, 0…65.
#[inline]
pub(crate) fn kind(play: Play, from: usize, to: usize) -> usize {
    let none = if play.is_jump() { STEPS + JUMPS / 2 } else { STEPS / 2 };
    none + from - to
}

/// The number of `square` as `side` sees it, 0…135.
const fn place(side: Player, square: Square) -> usize {
    let seen = match side {
        Player::One => square,
        Player::Two => square.half_turn(),
    };
    let (x, y) = (seen.x() as usize, seen.y() as usize);
    let (more, less) = if x < y { (y, x) } else { (x, y) };
    more * (more + 1) / 2 + less
}

/// What the features of all plays of a position have in common.
#[derive(Clone, Debug)]
pub(crate) struct Army {
    /// Where the features of its phase begin.
    pub base: usize,
    /// How many pieces are further from the corner than others: those at the greatest distance first.
    behind: [u8; DISTANCES],
}

impl Army {
    #[inline]
    pub fn new(position: &Position) -> Army {
        let side = position.to_move();
        let total = position.tally(side).distance();
        let phase = PHASE_ENDS.iter().filter(|&&end| total <= end).count();
        let mut at = [0u8; DISTANCES];
        for piece in position.pieces(side) {
            at[DISTANCES - 1 - usize::from(distance(side, piece))] += 1;
        }
        let mut behind = [0; DISTANCES];
        let mut so_far = 0;
        // Eight distances at a time: to multiply by this adds to each byte those below it.
        const EACH: u64 = 0x0101_0101_0101_0101;
        for (&at, behind) in at.as_chunks::<8>().0.iter().zip(behind.as_chunks_mut::<8>().0) {
            let at = u64::from_le_bytes(at);
            let sums = (at << 8).wrapping_mul(EACH) + so_far * EACH;
            *behind = sums.to_le_bytes();
            so_far = (sums >> 56) + (at >> 56);
        }
        Army { base: phase * IN_PHASE, behind }
    }

    /// The rank of a piece at this distance from the corner.
    #[inline]
    pub fn rank(&self, distance: usize) -> usize {
        usize::from(RANK_BEHIND[usize::from(self.behind[DISTANCES - 1 - distance]) % RANK_BEHIND.len()])
    }
}

/// How many distances from a corner there are, 0…30, rounded up.
const DISTANCES: usize = 32;

/// The rank of a piece by how many of its army are behind it; there are never more than 18.
static RANK_BEHIND: [u8; 32] = {
    let mut ranks = [6; 32];
    let mut behind = 0;
    while behind < 14 {
        ranks[behind] = match behind {
            0..=2 => behind as u8,
            3..=4 => 3,
            5..=8 => 4,
            _ => 5,
        };
        behind += 1;
    }
    ranks
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::fitted::tests::positions;

    #[test]
    fn the_phases_of_a_game_follow_each_other() {
        let bases: Vec<usize> =
            positions().iter().step_by(2).map(|at| Army::new(at).base / IN_PHASE).collect();
        assert!(bases.is_sorted() && bases[0] == 0 && bases.last() == Some(&(PHASES - 1)), "{bases:?}");
    }
}
