//! The race of one side as a puzzle.

use super::passed::halves;
use crate::game::Player;
use crate::rules::{BLACK, Bitboard, Play, Position, Reach, Square, camp, goal};

/// The race of one side: its pieces, and the squares they may use. The opponent's pieces do not move, or are out of
/// reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    side: Player,
    /// The side's pieces. All squares are as Black would see them.
    pub(super) pieces: Bitboard,
    /// The opponent's pieces, if they are in the way.
    pub(super) fixed: Bitboard,
    /// The squares where pieces may land.
    pub(super) field: Bitboard,
    /// The squares to fill.
    pub(super) target: Bitboard,
    /// Whether the opponent's pieces are out of reach.
    pub(super) alone: bool,
}

/// The goal, as Black sees it.
pub(super) const GOAL: Bitboard = goal(BLACK);

/// `squares` of the real board from `side`'s point of view: unchanged for Black, turned by 180° for White.
fn as_black(side: Player, squares: Bitboard) -> Bitboard {
    if side == BLACK { squares } else { squares.half_turn() }
}

impl Race {
    /// The race of `side` in `position`, in which the armies have passed each other.
    ///
    /// `None` if they have not, or if `side` has too few pieces to fill its goal.
    pub fn new(position: &Position, side: Player) -> Option<Race> {
        let half = halves(position)?[side.index()];
        let race = Race {
            side,
            pieces: as_black(side, position.pieces(side)),
            fixed: Bitboard::EMPTY,
            field: as_black(side, half) & !camp(BLACK),
            target: GOAL,
            alone: true,
        };
        race.can_be_won().then_some(race)
    }

    /// The race of `side` in `position` if the opponent's pieces never moved.
    ///
    /// `None` if `side` has too few pieces to fill its goal, or has a piece at home, because the camp rules then limit
    /// which pieces may move, or if the opponent fills the goal.
    pub fn against_frozen(position: &Position, side: Player) -> Option<Race> {
        let [pieces, fixed] = [side, side.opponent()].map(|of| as_black(side, position.pieces(of)));
        let target = GOAL & !fixed;
        let race = Race { side, pieces, fixed, field: !(camp(BLACK) | fixed), target, alone: false };
        let free = (pieces & camp(BLACK)).is_empty();
        (free && race.can_be_won()).then_some(race)
    }

    /// The race of `side` in `position` without the opponent's pieces.
    ///
    /// `None` if `side` has too few pieces to fill its goal.
    pub fn solo(position: &Position, side: Player) -> Option<Race> {
        let pieces = as_black(side, position.pieces(side));
        // Pieces at home may have to move within the camp before they can leave it.
        let race =
            Race { side, pieces, fixed: Bitboard::EMPTY, field: !Bitboard::EMPTY, target: GOAL, alone: true };
        race.can_be_won().then_some(race)
    }

    /// The [`board_hash`] of a board, given by the side's pieces on the real board.
    pub(super) fn key(&self, board: Bitboard) -> u64 {
        board_hash(as_black(self.side, board))
    }

    /// The number of the side's pieces outside its goal.
    pub fn outside(&self) -> u32 {
        (self.pieces & !GOAL).count()
    }

    /// Turns a play as seen by this side into one on the real board, or back.
    pub(super) fn on_board(&self, play: Play) -> Play {
        if self.side == BLACK { play } else { play.half_turn() }
    }

    /// Whether the plays of `line`, on the real board, can be made one after another and only the last of them fills
    /// the goal.
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

    /// Calls `visit` with each of `pieces` and the squares that it may go to.
    ///
    /// Pieces go only to squares of the field, and a piece in the goal stays there.
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

    /// Whether there are squares to fill, and enough pieces to fill them.
    fn can_be_won(&self) -> bool {
        !self.target.is_empty() && self.pieces.count() >= self.target.count()
    }
}

/// A hash of a board: its four words, mixed with a multiplier of SplitMix64 (Steele, Lea, Flood 2014).
#[inline]
pub(super) fn board_hash(pieces: Bitboard) -> u64 {
    let mut z = 0u64;
    for class in 0..4 {
        z = (z ^ pieces.class_word(class)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^= z >> 29;
    }
    z ^ z >> 32
}
