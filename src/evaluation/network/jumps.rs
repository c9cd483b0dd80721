//! What the network sees beside the pieces: for each side, the jump that would bring a piece furthest forward.
//!
//! One hidden layer can't follow chains of jumps, and whether somebody has a long one at hand decides much.

use crate::game::Player;
use crate::network::seen_by;
use crate::rules::{FurthestJump, Position, furthest_jumps};

/// How far a jump goes: 0 if there is none, else [`FurthestJump::diagonals`].
const LENGTHS: usize = 15;
/// Where it starts or lands: 256 squares, or nowhere.
const PLACES: usize = 257;
/// What may be said of one side's jump.
const OF_A_SIDE: usize = LENGTHS + 2 * PLACES;
/// Inputs for jumps: those for the own one, and those for the opponent's.
pub const JUMP_FEATURES: usize = 2 * OF_A_SIDE;
/// How many of them are on: for each side the length, the start and the landing.
pub const JUMP_INPUTS: usize = 6;

/// Each side's furthest jump forward, as if that side were to move, by [`Player::index`]; `None` if no jump goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FurthestJumps(pub [Option<FurthestJump>; 2]);

impl FurthestJumps {
    /// Those in `position`. Who has to leave its camp jumps out of it.
    #[inline(always)]
    pub fn new(position: &Position) -> FurthestJumps {
        FurthestJumps(furthest_jumps(position))
    }

    /// The inputs that they switch on, seen by `view`, from 0 to [`JUMP_FEATURES`]: the own jump's length, start and
    /// landing, then those of the opponent's.
    #[inline(always)]
    pub fn features(&self, view: Player) -> [usize; JUMP_INPUTS] {
        let of = |side: Player, first: usize| {
            let (length, from, to) = match self.0[side.index()] {
                Some(FurthestJump { from, to, diagonals }) => {
                    (diagonals as usize, seen_by(view, from), seen_by(view, to))
                }
                None => (0, PLACES - 1, PLACES - 1),
            };
            [first + length, first + LENGTHS + from, first + LENGTHS + PLACES + to]
        };
        let ([length, from, to], [length_there, from_there, to_there]) =
            (of(view, 0), of(view.opponent(), OF_A_SIDE));
        [length, from, to, length_there, from_there, to_there]
    }
}
