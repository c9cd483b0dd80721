//! One side's race as a puzzle.

use super::passed::halves;
use crate::game::Player;
use crate::rules::{BLACK, Bitboard, Play, Position, Reach, Square, camp, goal};

/// The race of one side: its pieces, and the board they run on. The other side's pieces stand
/// still, or are out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// Whose race it is.
    side: Player,
    /// The side's pieces. These and all other squares are as Black would see them.
    pub(super) pieces: Bitboard,
    /// The opponent's pieces: obstacles, and something to jump over.
    pub(super) fixed: Bitboard,
    /// Where pieces may land.
    pub(super) field: Bitboard,
    /// The squares to be filled.
    pub(super) target: Bitboard,
    /// Whether none of the opponent's pieces is in reach.
    pub(super) alone: bool,
}

/// The goal, as everybody sees it here.
pub(super) const GOAL: Bitboard = goal(BLACK);

impl Race {
    /// The race of `side` in `position`, in which the armies have passed each other.
    ///
    /// `None` if they have not, or if `side` has too few pieces to fill its goal.
    pub fn new(position: &Position, side: Player) -> Option<Race> {
        let half = halves(position)?[side.index()];
        let turned = |squares: Bitboard| if side == BLACK { squares } else { squares.half_turn() };
        let race = Race {
            side,
            pieces: turned(position.pieces(side)),
            fixed: Bitboard::EMPTY,
            field: turned(half) & !camp(BLACK),
            target: GOAL,
            alone: true,
        };
        race.can_be_won().then_some(race)
    }

    /// The race of `side` in `position` if the opponent's pieces stood still where they are.
    ///
    /// `None` if `side` has too few pieces to fill its goal, or is not yet free to run: as long as
    /// a piece is at home, the camp rules choose which one moves.
    pub fn against_frozen(position: &Position, side: Player) -> Option<Race> {
        let turned = |squares: Bitboard| if side == BLACK { squares } else { squares.half_turn() };
        let (pieces, fixed) = (turned(position.pieces(side)), turned(position.pieces(side.opponent())));
        let target = GOAL & !fixed;
        let race = Race { side, pieces, fixed, field: !(camp(BLACK) | fixed), target, alone: false };
        let free = (pieces & camp(BLACK)).is_empty();
        (free && race.can_be_won()).then_some(race)
    }

    /// The race of `side` in `position` if the opponent's pieces were taken off the board.
    ///
    /// `None` if `side` has too few pieces to fill its goal.
    pub fn solo(position: &Position, side: Player) -> Option<Race> {
        let pieces = position.pieces(side);
        let pieces = if side == BLACK { pieces } else { pieces.half_turn() };
        // Pieces at home may have to move within the camp before they can leave it.
        let race =
            Race { side, pieces, fixed: Bitboard::EMPTY, field: !Bitboard::EMPTY, target: GOAL, alone: true };
        race.can_be_won().then_some(race)
    }

    /// How many of the side's pieces are outside its goal.
    pub fn outside(&self) -> u32 {
        (self.pieces & !GOAL).count()
    }

    /// Turns a play seen from this side into one on the board as it really is, or back.
    pub(super) fn on_board(&self, play: Play) -> Play {
        if self.side == BLACK { play } else { play.half_turn() }
    }

    /// Whether the plays of `line`, on the board as it really is, can be made one after the other, and
    /// the goal is full after the last of them and not before.
    pub fn is_finished_by(&self, line: &[Play]) -> bool {
        let is_full = |pieces: Bitboard| (self.target & !pieces).is_empty();
        let mut pieces = self.pieces;
        for &play in line {
            let Play { from, to } = self.on_board(play);
            let mut can_be_made = false;
            self.for_each_source(pieces, |source, reached| {
                can_be_made |= source == from && reached.contains(to);
            });
            if !can_be_made || is_full(pieces) {
                return false;
            }
            pieces.toggle(from);
            pieces = pieces.with(to);
        }
        is_full(pieces)
    }

    /// Calls `visit` with each piece and the squares it may go to when the pieces are on `pieces`.
    ///
    /// The side must have left its camp, and does not turn back into it.
    #[inline(always)]
    pub(super) fn for_each_source(&self, pieces: Bitboard, mut visit: impl FnMut(Square, Bitboard)) {
        let mut reach = Reach::new(pieces | self.fixed);
        pieces.for_each(|from| {
            let mut to = reach.from(from) & self.field;
            if GOAL.contains(from) {
                to &= GOAL;
            }
            if !to.is_empty() {
                visit(from, to);
            }
        });
    }

    /// Enough pieces for the goal, and at least one square of it left to fill.
    fn can_be_won(&self) -> bool {
        !self.target.is_empty() && self.pieces.count() >= self.target.count()
    }
}

/// The key of the board of `side` in `position`: a hash of its pieces alone, wherever the opponent's are.
pub fn board_key(position: &Position, side: Player) -> u64 {
    let pieces = position.pieces(side);
    hash(if side == BLACK { pieces } else { pieces.half_turn() })
}

/// A hash of a board: its four words, mixed with a multiplier of SplitMix64's (Steele, Lea, Flood 2014).
#[inline]
pub(super) fn hash(pieces: Bitboard) -> u64 {
    let mut z = 0u64;
    for class in 0..4 {
        z = (z ^ pieces.class_word(class)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^= z >> 29;
    }
    z ^ z >> 32
}
