//! The features of plays, for the [fitted](super::Fitted) prior and the [policy network](crate::network::policy).
//!
//! A play has four features: the square it leaves, the square it reaches and its kind of progress (how far, by a step
//! or by jumps), each by phase of the game; and the rank of its piece, which depends on the number of pieces behind it.
//! Squares are seen from the side to move. Mirror images in the diagonal between the camps count as one square, because
//! Halma is symmetric about that diagonal.

use crate::game::{Game, Player};
use crate::rules::{Play, Position, Square, distance};

/// The number of phases of a game, which depend on the mover's progress.
pub(crate) const PHASES: usize = 4;

/// The sum of the mover's distances at which each phase ends.
const PHASE_ENDS: [i32; PHASES - 1] = [380, 280, 180];

/// The number of squares, counting mirror images as one.
pub(crate) const SQUARES: usize = 136;

/// The number of kinds of progress: steps of −2…+2 columns plus rows, and jumps of −30…+30.
pub const KINDS: usize = STEPS + JUMPS;
const STEPS: usize = 5;
const JUMPS: usize = 61;

/// The number of features per phase, and so the distance between a feature's indices in consecutive phases.
pub const IN_PHASE: usize = 2 * SQUARES + KINDS;

/// The number of ranks of pieces, which depend on the number of pieces behind.
const RANKS: usize = 7;

/// The number of features.
pub const COUNT: usize = PHASES * IN_PHASE + RANKS;

/// The first feature that does not depend on the phase.
pub const PHASELESS: usize = PHASES * IN_PHASE;

/// The features of a position's plays.
#[derive(Clone, Debug)]
pub struct Features {
    side: Player,
    formation: Formation,
}

impl Features {
    /// The features of the plays of `position`.
    pub fn new(position: &Position) -> Features {
        Features { side: position.to_move(), formation: Formation::new(position) }
    }

    /// The four features of `play`, each below [`COUNT`]: source square, target square, kind of progress, rank.
    #[inline]
    pub fn of(&self, play: Play) -> [usize; 4] {
        let Features { side, formation } = self;
        let [from, to] = [play.from, play.to].map(|square| usize::from(distance(*side, square)));
        [
            formation.base + place(*side, play.from),
            formation.base + SQUARES + place(*side, play.to),
            formation.base + 2 * SQUARES + kind(play, from, to),
            PHASELESS + formation.rank(from),
        ]
    }

    /// The kind of progress of `play`, below [`KINDS`], independent of the phase.
    #[inline]
    pub fn kind(&self, play: Play) -> usize {
        let [from, to] = [play.from, play.to].map(|square| usize::from(distance(self.side, square)));
        kind(play, from, to)
    }
}

/// A prior's entry for one square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// The weight of leaving the square.
    pub left: i16,
    /// The weight of reaching the square.
    pub reached: i16,
    /// The square's distance from the goal's corner.
    pub distance: u8,
}

/// An entry for each square, by phase and side.
pub(crate) type Boards = [[[Place; 256]; 2]; PHASES];

/// The table for these feature weights.
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

/// The kind of progress of `play`, from distance `from` to distance `to`.
#[inline]
pub(crate) fn kind(play: Play, from: usize, to: usize) -> usize {
    let none = if play.is_jump() { STEPS + JUMPS / 2 } else { STEPS / 2 };
    none + from - to
}

/// The number of `square` as `side` sees it, below [`SQUARES`].
const fn place(side: Player, square: Square) -> usize {
    let seen = match side {
        Player::One => square,
        Player::Two => square.half_turn(),
    };
    let (x, y) = (seen.x() as usize, seen.y() as usize);
    let (more, less) = if x < y { (y, x) } else { (x, y) };
    more * (more + 1) / 2 + less
}

/// The parts of features that are common to all plays of a position.
#[derive(Clone, Debug)]
pub(crate) struct Formation {
    /// The first feature of the phase.
    pub base: usize,
    /// The number of pieces further back than each distance, indexed from the greatest distance down.
    behind: [u8; DISTANCES],
}

impl Formation {
    #[inline]
    pub fn new(position: &Position) -> Formation {
        let side = position.to_move();
        let total = position.tally(side).distance();
        let phase = PHASE_ENDS.iter().filter(|&&end| total <= end).count();
        let mut at = [0u8; DISTANCES];
        for piece in position.pieces(side) {
            at[DISTANCES - 1 - usize::from(distance(side, piece))] += 1;
        }
        let mut behind = [0; DISTANCES];
        let mut so_far = 0;
        // Eight distances at a time: multiplying by this adds all lower bytes to each byte.
        const EACH: u64 = 0x0101_0101_0101_0101;
        for (&at, behind) in at.as_chunks::<8>().0.iter().zip(behind.as_chunks_mut::<8>().0) {
            let at = u64::from_le_bytes(at);
            let sums = (at << 8).wrapping_mul(EACH) + so_far * EACH;
            *behind = sums.to_le_bytes();
            so_far = (sums >> 56) + (at >> 56);
        }
        Formation { base: phase * IN_PHASE, behind }
    }

    /// The rank of a piece at `distance` from the corner.
    #[inline]
    pub fn rank(&self, distance: usize) -> usize {
        usize::from(RANK_BEHIND[usize::from(self.behind[DISTANCES - 1 - distance]) % RANK_BEHIND.len()])
    }
}

/// Distances from a corner, 0…30, rounded up to a multiple of eight.
const DISTANCES: usize = 32;

/// The rank of a piece by the number of pieces behind it, at most 18.
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
    use crate::rules::Rules;
    use crate::rules::test_games::forward_games;

    #[test]
    fn the_phases_of_a_game_follow_each_other() {
        let black_moves = forward_games(1, 300, Rules::Addendum).step_by(2);
        let phases: Vec<usize> =
            black_moves.map(|position| Formation::new(&position).base / IN_PHASE).collect();
        assert!(phases.is_sorted() && phases[0] == 0 && phases.last() == Some(&(PHASES - 1)), "{phases:?}");
    }
}
