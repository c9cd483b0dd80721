//! Which plays are likely to be best, before anything is searched.
//!
//! A play is described by a few *features*: the square it leaves, the square it reaches, how far
//! forward that is and whether by jumps, all of them told apart by how far the army has come; and
//! how many pieces are behind the one that moves. Squares are seen from the side to move, and
//! mirrored at the camps' diagonal, which nothing in Halma tells apart. Each feature has a weight
//! ([`weights`]), and the chance of a play is the softmax of the sum of its features' weights.
//!
//! The weights are fitted by `lab priors` to the plays that a deep alpha-beta search chose, as a
//! multinomial logistic regression: the way in which Coulom ("Computing Elo Ratings of Move Patterns
//! in the Game of Go", 2007) fits patterns to the moves of masters.

pub mod weights;

use crate::game::{Game, Player};
use crate::halma::{Play, Position, Square, distance};
use weights::WEIGHTS;

/// How much a whole step of promise is, in hundredths of a nat: the unit of [`WEIGHTS`].
/// With `lean=1.35`, whose logarithm it is, priors are as they were fitted.
const STEP: i32 = 30;

/// Parts of a game, by how far the army has come.
const PHASES: usize = 4;

/// The army's distance from its goal's corner, in columns and rows, at which each phase ends.
const PHASE_ENDS: [i32; PHASES - 1] = [380, 280, 180];

/// Squares, when those mirrored at the camps' diagonal count as one.
const SQUARES: usize = 136;

/// Kinds of progress: a step's, of −2…+2 rows and columns, and a jump's, of −30…+30.
const KINDS: usize = STEPS + JUMPS;
const STEPS: usize = 5;
const JUMPS: usize = 61;

/// Features that a phase tells apart.
const IN_PHASE: usize = 2 * SQUARES + KINDS;

/// Kinds of pieces by how many of their army are behind them.
const RANKS: usize = 7;

/// How many features there are.
pub const COUNT: usize = PHASES * IN_PHASE + RANKS;

/// The features of all phases begin here: they are the same in every phase but for this many.
pub const PHASE_STRIDE: usize = IN_PHASE;

/// Where the features begin that no phase tells apart.
pub const PHASELESS: usize = PHASES * IN_PHASE;

/// Calls `visit` with each feature that `play` has in `position`, below [`COUNT`].
pub fn for_each_feature(position: &Position, play: Play, mut visit: impl FnMut(usize)) {
    let side = position.to_move();
    let army = Army::new(position);
    visit(army.base + usize::from(PLACES[side.index()][play.from.index()]));
    visit(army.base + SQUARES + usize::from(PLACES[side.index()][play.to.index()]));
    visit(army.base + kind(position, play));
    visit(PHASELESS + army.ranks[usize::from(distance(side, play.from))]);
}

/// The promise of each of `plays` in `position`, in the list's order, for
/// [`Playout::promises`](super::Playout::promises).
pub fn promises(position: &Position, plays: &[Play], into: &mut Vec<i8>) {
    let places = &PLACES[position.to_move().index()];
    let side = position.to_move();
    let army = Army::new(position);
    let in_phase = &WEIGHTS[army.base..army.base + IN_PHASE];
    let (from, rest) = in_phase.split_at(SQUARES);
    let to = &rest[..SQUARES];
    // Plays come piece by piece, so what depends on the piece alone is looked up once for each.
    let (mut piece, mut of_piece) = (None, 0);
    into.clear();
    into.extend(plays.iter().map(|&play| {
        if piece != Some(play.from) {
            piece = Some(play.from);
            let rank = army.ranks[usize::from(distance(side, play.from))];
            of_piece = i32::from(from[usize::from(places[play.from.index()])])
                + i32::from(WEIGHTS[PHASELESS + rank]);
        }
        let sum = of_piece
            + i32::from(to[usize::from(places[play.to.index()])])
            + i32::from(in_phase[kind(position, play)]);
        (sum / STEP).clamp(i8::MIN.into(), i8::MAX.into()) as i8
    }));
}

/// The feature of how far `play` goes forward, within its phase.
#[inline]
fn kind(position: &Position, play: Play) -> usize {
    let progress = position.progress(play);
    let kind = match play.is_jump() {
        false => progress + 2,
        true => STEPS as i32 + progress + 30,
    };
    2 * SQUARES + kind as usize
}

/// What the features of all plays of a position have in common.
struct Army {
    /// Where the features of its phase begin.
    base: usize,
    /// The rank of a piece, by its distance from the corner.
    ranks: [usize; 31],
}

impl Army {
    fn new(position: &Position) -> Army {
        let side = position.to_move();
        let total = position.tally(side).distance();
        let phase = PHASE_ENDS.iter().filter(|&&end| total <= end).count();
        let mut at = [0u8; 31];
        for piece in position.pieces(side) {
            at[usize::from(distance(side, piece))] += 1;
        }
        let mut ranks = [0; 31];
        let mut behind = 0;
        for (rank, at) in ranks.iter_mut().zip(at).rev() {
            *rank = match behind {
                0..=2 => behind,
                3..=4 => 3,
                5..=8 => 4,
                9..=13 => 5,
                _ => 6,
            };
            behind += usize::from(at);
        }
        Army { base: phase * IN_PHASE, ranks }
    }
}

/// The number of each square, from 0 to 135, as each side sees it.
static PLACES: [[u8; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut number = 0;
    while number < 256 {
        let square = Square::from_number(number as u8);
        let mut side = 0;
        while side < 2 {
            let seen = match Player::BOTH[side] {
                Player::One => square,
                Player::Two => square.half_turn(),
            };
            let (x, y) = (seen.x() as usize, seen.y() as usize);
            let (more, less) = if x < y { (y, x) } else { (x, y) };
            table[side][number] = (more * (more + 1) / 2 + less) as u8;
            side += 1;
        }
        number += 1;
    }
    table
};
