//! The fitted prior: a few features of each play, with weights fitted to the choices of a deep search.
//!
//! The *features* of a play are the square it leaves, the square it reaches, how far forward that is and
//! whether by jumps, each for every phase of the game (how far the army has come); and how many pieces are
//! behind the one that moves. Squares are seen from the side to move, and mirror images in the camps'
//! diagonal count as one, since Halma is symmetric there. Each feature has a weight
//! ([`weights`](super::weights)), and the probability of a play is the softmax of the sum of its
//! features' weights.
//!
//! `lab priors` fits the weights to the plays that a deep alpha-beta search chose, by multinomial logistic
//! regression, as Coulom fits patterns to the moves of masters ("Computing Elo Ratings of Move Patterns in
//! the Game of Go", 2007).

use super::Prior;
use super::weights::WEIGHTS;
use crate::game::{Game, Player};
use crate::parameters::{Named, number};
use crate::rules::{Play, Position, Square, distance};

/// One point of score, in hundredths of a nat, the unit of [`WEIGHTS`]. It is the logarithm of 1.35: with
/// `base=1.35` priors are as they were fitted.
const STEP: i32 = 30;

/// How many phases a game has.
const PHASES: usize = 4;

/// The army's distance from its goal's corner, in columns and rows, at which each phase ends.
const PHASE_ENDS: [i32; PHASES - 1] = [380, 280, 180];

/// How many squares there are when mirror images in the camps' diagonal count as one.
const SQUARES: usize = 136;

/// Kinds of progress: a step's, of −2…+2 rows and columns, and a jump's, of −30…+30.
const KINDS: usize = STEPS + JUMPS;
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

/// Calls `visit` with each feature that `play` has in `position`, below [`COUNT`].
pub fn for_each_feature(position: &Position, play: Play, mut visit: impl FnMut(usize)) {
    let side = position.to_move();
    let army = Army::new(position);
    let [from, to] = [play.from, play.to].map(|square| usize::from(distance(side, square)));
    visit(army.base + place(side, play.from));
    visit(army.base + SQUARES + place(side, play.to));
    visit(army.base + 2 * SQUARES + kind(play, from, to));
    visit(PHASELESS + army.rank(from));
}

crate::parameters! {
    /// The parameters of [`Fitted`].
    pub struct FittedParameters;
    base: f32 = 1.25, number(1.0, 10.0, 0.05),
        "how many times as likely one more point of score makes a play; 1.35 is what was fitted";
}

/// The fitted prior.
#[derive(Clone, Debug, Default)]
pub struct Fitted {
    parameters: FittedParameters,
}

impl Named for Fitted {
    const NAME: &'static str = "fitted";
    const ABOUT: &'static str = "by squares, progress and rank, fitted to the choices of a deep search";
    type Parameters = FittedParameters;
    type Uses = ();

    fn new(parameters: FittedParameters, (): ()) -> Fitted {
        Fitted { parameters }
    }
}

impl Prior<Position> for Fitted {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        let side = position.to_move();
        let army = Army::new(position);
        let squares = &BOARDS[army.base / IN_PHASE][side.index()];
        let kinds = &WEIGHTS[army.base + 2 * SQUARES..army.base + IN_PHASE];
        // Plays are listed piece by piece, so what depends on the piece alone is looked up once per piece.
        let (mut piece, mut of_piece, mut start) = (None, 0, 0);
        scores.clear();
        scores.extend(plays.iter().map(|&play| {
            if piece != Some(play.from) {
                piece = Some(play.from);
                start = usize::from(distance(side, play.from));
                of_piece = i32::from(squares[play.from.index()].left)
                    + i32::from(WEIGHTS[PHASELESS + army.rank(start)]);
            }
            let to = &squares[play.to.index()];
            let kind = kinds[kind(play, start, to.distance.into())];
            in_steps(of_piece + i32::from(to.reached) + i32::from(kind))
        }));
    }

    fn base(&self) -> f32 {
        self.parameters.base
    }
}

/// A sum of weights in points of score, rounded.
#[inline]
fn in_steps(sum: i32) -> i8 {
    // This makes every sum positive, because dividing is then faster.
    const SHIFT: i32 = 4 * i16::MAX as i32 / STEP + 1;
    ((sum + STEP / 2 + SHIFT * STEP) / STEP - SHIFT).clamp(i8::MIN.into(), i8::MAX.into()) as i8
}

/// What the prior looks up of one square.
#[derive(Clone, Copy)]
struct Place {
    /// The weight of leaving it.
    left: i16,
    /// The weight of reaching it.
    reached: i16,
    /// Its distance from the goal's corner, in columns and rows.
    distance: u8,
}

/// The squares for each phase and side.
static BOARDS: [[[Place; 256]; 2]; PHASES] = {
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
                    left: WEIGHTS[feature],
                    reached: WEIGHTS[feature + SQUARES],
                    distance: distance(Player::BOTH[side], square),
                };
                number += 1;
            }
            side += 1;
        }
        phase += 1;
    }
    table
};

/// The kind of progress that `play` makes between two distances, 0…65.
#[inline]
fn kind(play: Play, from: usize, to: usize) -> usize {
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
struct Army {
    /// Where the features of its phase begin.
    base: usize,
    /// How many pieces are further from the corner than others: those at the greatest distance first.
    behind: [u8; DISTANCES],
}

impl Army {
    fn new(position: &Position) -> Army {
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
    fn rank(&self, distance: usize) -> usize {
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
    use crate::rules::{BLACK, Rules};

    /// Positions of a game in which both sides mostly go forward.
    fn positions() -> Vec<Position> {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut plays = Vec::new();
        let mut positions = Vec::new();
        for ply in 0..160 {
            positions.push(position);
            position.plays(&mut plays);
            let Some(&play) = plays.iter().max_by_key(|&&play| (position.progress(play), (ply * 7) % 11))
            else {
                break;
            };
            position.play(play);
        }
        positions
    }

    fn scored(position: &Position) -> (Vec<Play>, Vec<i8>) {
        let (mut plays, mut scored) = (Vec::new(), Vec::new());
        position.plays(&mut plays);
        Fitted::default().scores(position, &plays, &mut scored);
        (plays, scored)
    }

    #[test]
    fn a_score_is_the_sum_of_the_features_weights() {
        for position in positions() {
            let (plays, scored) = scored(&position);
            for (&play, &score) in plays.iter().zip(&scored) {
                let mut sum = 0.0;
                for_each_feature(&position, play, |feature| sum += f64::from(WEIGHTS[feature]));
                assert!((sum / f64::from(STEP) - f64::from(score)).abs() <= 0.5, "{play}");
            }
        }
    }

    #[test]
    fn both_sides_get_the_same_scores() {
        for position in positions() {
            let (plays, scores_here) = scored(&position);
            let (turned, scores_there) = scored(&position.half_turn());
            for (play, score) in plays.iter().zip(scores_here) {
                let same = Play::new(play.from.half_turn(), play.to.half_turn());
                let place = turned.iter().position(|&other| other == same).expect("the play, turned");
                assert_eq!(scores_there[place], score);
            }
        }
    }

    #[test]
    fn the_phases_of_a_game_follow_each_other() {
        let bases: Vec<usize> =
            positions().iter().step_by(2).map(|at| Army::new(at).base / IN_PHASE).collect();
        assert!(bases.is_sorted() && bases[0] == 0 && bases.last() == Some(&(PHASES - 1)), "{bases:?}");
    }
}
