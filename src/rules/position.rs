//! A position of Halma, its legal plays and its end.

use super::bitboard::Bitboard;
use super::camps::{PIECES, camp, distance, further, goal};
use super::play::Play;
use super::play_buffer::{self, NEARLY_FULL, write_plays};
use super::reach::Reach;
use super::square::Square;
use super::tally::Tally;
use super::zobrist;
use crate::game::{Game, Outcome, Player};
use std::fmt;

/// The side that starts in the top-left corner.
pub const BLACK: Player = Player::One;
/// The side that starts in the bottom-right corner.
pub const WHITE: Player = Player::Two;

/// Which plays the camp rules leave a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The course's addendum, on top of the original rules: leave your camp first, and do not
    /// come back. All its plays are legal under the original rules too.
    #[default]
    Addendum,
    /// A piece in its goal stays there; nothing else.
    Original,
}

/// The board, whose turn it is, and by which rules it is played.
///
/// Small (112 bytes) and changed in place: search copies it rather than taking plays back. Plays update
/// the key and each side's [`Tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pieces: [Bitboard; 2],
    tallies: [Tally; 2],
    key: u64,
    to_move: Player,
    rules: Rules,
}

/// A play that the rules forbid in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalPlay(pub Play);

impl fmt::Display for IllegalPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the play {} is not legal here", self.0)
    }
}

impl std::error::Error for IllegalPlay {}

impl Default for Position {
    /// The start of the game by the default rules, Black to move.
    fn default() -> Position {
        Position::initial(BLACK, Rules::default())
    }
}

/// What the camp rules demand of the side to move, strictest first. The first duty that some play fulfils
/// holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// Take a piece from inside the own camp to outside it (rule 2a).
    Leave,
    /// Move a piece inside the own camp further away from its corner (rule 2b).
    MoveAway,
    /// Move a piece that stands outside the own camp, and not into it (rules 1 and 2c).
    StayOut,
    /// Whatever the original rules allow.
    Original,
}

impl Position {
    /// The start of the game under `rules`, with `first` to move.
    pub fn initial(first: Player, rules: Rules) -> Position {
        Position::new([camp(BLACK), camp(WHITE)], first, rules)
    }

    /// The position with these pieces (by [`Player::index`]), `to_move` to move.
    ///
    /// # Panics
    /// Panics if a square holds pieces of both sides, or a side has more than [`PIECES`].
    pub fn new(pieces: [Bitboard; 2], to_move: Player, rules: Rules) -> Position {
        assert!((pieces[0] & pieces[1]).is_empty(), "a square holds pieces of both sides");
        assert!(pieces.iter().all(|own| own.count() <= PIECES), "a side has more than {PIECES} pieces");
        let mut tallies = [Tally::default(); 2];
        let mut key = if to_move == WHITE { zobrist::TURN } else { 0 };
        for side in Player::BOTH {
            pieces[side.index()].for_each(|square| {
                tallies[side.index()].add(side, square);
                key ^= zobrist::piece(side, square);
            });
        }
        Position { pieces, tallies, key, to_move, rules }
    }

    /// The squares on which `side` has a piece.
    #[inline]
    pub fn pieces(&self, side: Player) -> Bitboard {
        self.pieces[side.index()]
    }

    /// The squares with a piece of either side.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.pieces[0] | self.pieces[1]
    }

    /// Who has a piece on `square`, if anybody.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Player> {
        Player::BOTH.into_iter().find(|side| self.pieces[side.index()].contains(square))
    }

    /// The running sums over the pieces of `side`.
    #[inline]
    pub fn tally(&self, side: Player) -> Tally {
        self.tallies[side.index()]
    }

    /// The greatest [`distance`] of a piece of `side` to its goal's corner; 0 without pieces.
    #[inline]
    pub fn rearmost(&self, side: Player) -> u8 {
        match (self.pieces(side).diagonal_span(), side) {
            (Some((first, _)), Player::One) => 30 - first,
            (Some((_, last)), Player::Two) => last,
            (None, _) => 0,
        }
    }

    /// The rules this position is played by.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The same board and turn under other rules.
    pub fn with_rules(mut self, rules: Rules) -> Position {
        self.rules = rules;
        self
    }

    /// The same board with the turn handed over, for null moves in search; no play does this.
    #[inline]
    pub fn pass(mut self) -> Position {
        self.to_move = self.to_move.opponent();
        self.key ^= zobrist::TURN;
        self
    }

    /// The position seen from the other side of the board, with the colours swapped: every play,
    /// turned with it, is as legal and as good as before.
    pub fn half_turn(&self) -> Position {
        let [black, white] = self.pieces.map(Bitboard::half_turn);
        Position::new([white, black], self.to_move.opponent(), self.rules)
    }

    /// Whether `side` fulfils the winning condition: no square of its goal is empty, and at least one holds
    /// a piece of its own. It counts only right after a play of its own.
    #[inline]
    pub fn has_filled_goal(&self, side: Player) -> bool {
        let own = self.tally(side).in_goal();
        own > 0 && own + self.tally(side.opponent()).at_home() == PIECES
    }

    /// Plays `play` if it is legal.
    ///
    /// # Errors
    /// [`IllegalPlay`]; then the position is unchanged.
    pub fn try_play(&mut self, play: Play) -> Result<(), IllegalPlay> {
        if self.outcome().is_some() || !self.is_legal(play) {
            return Err(IllegalPlay(play));
        }
        self.play(play);
        Ok(())
    }

    /// Whether `play` is legal here.
    pub fn is_legal(&self, play: Play) -> bool {
        let mut legal = false;
        self.for_each_source(|from, to| legal |= from == play.from && to.contains(play.to));
        legal
    }

    /// By how much `play` brings its piece closer to the corner of its goal, in columns plus rows.
    #[inline]
    pub fn progress(&self, play: Play) -> i32 {
        distance(self.to_move, play.from) as i32 - distance(self.to_move, play.to) as i32
    }

    /// How many legal plays there are: the length of the list, without making it.
    pub fn count_plays(&self) -> usize {
        let mut count = 0;
        self.for_each_source(|_, to| count += to.count() as usize);
        count
    }

    /// Calls `visit` with every piece that has a legal play, and the squares it may go to.
    ///
    /// This has the rules of movement; all other questions about legality ask it. Where the camp rules of
    /// the addendum leave no play at all, the original rules hold.
    #[inline(always)]
    pub fn for_each_source(&self, mut visit: impl FnMut(Square, Bitboard)) {
        let own = self.pieces(self.to_move);
        let mut reach = Reach::new(self.occupied());
        for &duty in self.duties() {
            let (sources, may_land) = self.bounds(duty);
            let mut fulfilled = false;
            (own & sources).for_each(|from| {
                let mut to = reach.from(from) & may_land;
                if duty == Duty::MoveAway {
                    to &= further(self.to_move, from);
                } else if goal(self.to_move).contains(from) {
                    to &= goal(self.to_move);
                }
                if !to.is_empty() {
                    fulfilled = true;
                    visit(from, to);
                }
            });
            if fulfilled {
                return;
            }
        }
    }

    /// The duties that may hold here, strictest first.
    #[inline]
    fn duties(&self) -> &'static [Duty] {
        match self.rules {
            Rules::Original => &[Duty::Original],
            Rules::Addendum if self.tally(self.to_move).at_home() == 0 => &[Duty::StayOut, Duty::Original],
            Rules::Addendum => &[Duty::Leave, Duty::MoveAway, Duty::StayOut, Duty::Original],
        }
    }

    /// Whether the rules make `side` bring pieces out of its camp first, if it is to move.
    #[inline]
    pub fn must_leave(&self, side: Player) -> bool {
        self.rules == Rules::Addendum && self.tally(side).at_home() > 0
    }

    /// The pieces of `side` that the camp rules let move forward, and the squares on which they may not land.
    ///
    /// A play that comes nearer to the goal's corner never breaks another camp rule: no square of the own camp
    /// is nearer to that corner than a square outside it, and every square nearer than one of the goal's
    /// belongs to the goal.
    #[inline]
    pub(crate) fn forward_bounds(&self, side: Player) -> (Bitboard, Bitboard) {
        let pieces = self.pieces(side);
        if self.must_leave(side) { (pieces & camp(side), camp(side)) } else { (pieces, Bitboard::EMPTY) }
    }

    /// The squares from which `duty` lets a piece move, and those on which it lets one land. For every duty,
    /// a piece in its goal also stays there.
    #[inline]
    fn bounds(&self, duty: Duty) -> (Bitboard, Bitboard) {
        let home = camp(self.to_move);
        match duty {
            Duty::Leave => (home, !home),
            Duty::MoveAway => (home, home),
            Duty::StayOut => (!home, !home),
            Duty::Original => (!Bitboard::EMPTY, !Bitboard::EMPTY),
        }
    }
}

impl Game for Position {
    type Play = Play;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    /// The win of the side that has just moved, if it has filled its goal. The referee declares draws (a
    /// limit of moves), not the position.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let mover = self.to_move.opponent();
        self.has_filled_goal(mover).then_some(Outcome::Win(mover))
    }

    #[inline]
    fn plays(&self, plays: &mut Vec<Play>) {
        plays.clear();
        let mut buffer = play_buffer::BLANK;
        let mut len = 0;
        self.for_each_source(|from, to| {
            len = write_plays(&mut buffer, len, from, to);
            if len > NEARLY_FULL {
                plays.extend_from_slice(&buffer[..len as usize]);
                len = 0;
            }
        });
        plays.extend_from_slice(&buffer[..len as usize]);
    }

    #[inline]
    fn play(&mut self, play: Play) {
        let side = self.to_move;
        let Play { from, to } = play;
        debug_assert!(self.pieces(side).contains(from) && !self.occupied().contains(to));
        let pieces = &mut self.pieces[side.index()];
        pieces.toggle(from);
        pieces.toggle(to);
        let tally = &mut self.tallies[side.index()];
        tally.remove(side, from);
        tally.add(side, to);
        self.key ^= zobrist::piece(side, from) ^ zobrist::piece(side, to) ^ zobrist::TURN;
        self.to_move = side.opponent();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    /// A win takes the last empty square of the goal, so two counts rule it out in most positions.
    #[inline]
    fn winning_play(&self, plays: &[Play]) -> Option<Play> {
        let side = self.to_move;
        let filled = self.tally(side).in_goal() + self.tally(side.opponent()).at_home();
        if filled + 1 < PIECES {
            return None;
        }
        plays.iter().copied().find(|&play| {
            let mut next = *self;
            next.play(play);
            next.has_filled_goal(side)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Play>(), 2);
        assert!(size_of::<Position>() <= 112);
    }

    #[test]
    fn filling_the_goal_wins_for_the_side_that_filled_it() {
        // White has left one piece at home; Black's last piece steps into the last empty square.
        let last = Square::new(11, 14);
        let before = Square::new(10, 13);
        let stayed = Square::new(15, 15);
        let mut black = goal(BLACK);
        for square in [last, before, stayed] {
            black.toggle(square);
        }
        let white = Bitboard::EMPTY.with(stayed);
        let mut position = Position::new([black, white], BLACK, Rules::Addendum);
        let mut plays = Vec::new();
        position.plays(&mut plays);
        assert_eq!(position.winning_play(&plays), Some(Play::new(before, last)));
        assert_eq!(position.outcome(), None);
        position.play(Play::new(before, last));
        assert_eq!(position.outcome(), Some(Outcome::Win(BLACK)));
    }

    #[test]
    fn a_goal_full_of_the_opponent_is_no_win() {
        let position = Position::initial(WHITE, Rules::Addendum);
        assert!(!position.has_filled_goal(BLACK));
        assert_eq!(position.outcome(), None);
    }
}
