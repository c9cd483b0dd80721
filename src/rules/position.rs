//! A position of Halma: its legal plays, and the end of the game.

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

/// The camp rules that apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The course's addendum to the original rules: leave your camp first, and do not come back. Every play that it
    /// allows is legal under the original rules too.
    #[default]
    Addendum,
    /// A piece in its goal stays there; there is no other camp rule.
    Original,
}

/// The board, the side to move, and the rules in force.
///
/// A position is small (96 bytes). Plays change it in place, and a search copies it instead of taking plays back. Each
/// play updates the key and the mover's [`Tally`].
///
/// ```
/// use halma::rules::{BLACK, Duty};
/// use halma::{Game, Outcome, Play, Position};
///
/// let mut position = Position::default();
/// assert_eq!(position.to_move(), BLACK);
/// assert_eq!(position.duty(), Some(Duty::LeaveCamp));
/// assert!(position.is_legal("3,2 4,3".parse()?));
/// assert!(!position.is_legal("0,0 1,1".parse()?), "the square is taken");
///
/// // Each side steps out of its camp.
/// position.try_play("3,2 4,3".parse()?)?;
/// position.try_play("12,13 11,12".parse()?)?;
/// let step: Play = "2,2 3,3".parse()?;
/// assert!(position.is_legal(step));
/// assert_eq!(position.progress(step), 2);
/// assert_eq!(position.outcome(), None);
///
/// // Text and back.
/// assert_eq!(position.to_string().parse(), Ok(position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The start of the game under the default rules, Black to move.
    fn default() -> Position {
        Position::initial(BLACK, Rules::default())
    }
}

/// A camp rule that restricts the legal plays, listed from the strictest to the weakest. The first duty that applies
/// and that some play fulfils is in force. Under every duty, a piece in its goal must also stay there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Move a piece out of your camp (rule 2a).
    LeaveCamp,
    /// Move a piece within your camp away from its corner (rule 2b).
    MoveAway,
    /// Move a piece outside your camp, and not into it (rules 1 and 2c).
    StayOut,
    /// No duty beyond the original rules.
    Original,
}

impl Position {
    /// The start of the game under `rules`, `first` to move.
    pub fn initial(first: Player, rules: Rules) -> Position {
        Position::new([camp(BLACK), camp(WHITE)], first, rules)
    }

    /// The position with these pieces, indexed by [`Player::index`].
    ///
    /// # Panics
    /// If a square holds pieces of both sides, or a side has more than [`PIECES`].
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

    /// The owner of the piece on `square`.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Player> {
        Player::BOTH.into_iter().find(|side| self.pieces[side.index()].contains(square))
    }

    /// Sums over the pieces of `side`.
    #[inline]
    pub fn tally(&self, side: Player) -> Tally {
        self.tallies[side.index()]
    }

    /// The [`distance`] of the rearmost piece of `side`; 0 without pieces.
    #[inline]
    pub fn rearmost(&self, side: Player) -> u8 {
        match (self.pieces(side).diagonal_span(), side) {
            (Some((first, _)), Player::One) => 30 - first,
            (Some((_, last)), Player::Two) => last,
            (None, _) => 0,
        }
    }

    /// The rules in force.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The same board and turn under other rules.
    pub fn with_rules(mut self, rules: Rules) -> Position {
        self.rules = rules;
        self
    }

    /// The same board with the other side to move: a null move, for searches. It is never a legal play.
    #[inline]
    pub fn pass(mut self) -> Position {
        self.to_move = self.to_move.opponent();
        self.key ^= zobrist::TURN;
        self
    }

    /// The position turned by 180° with the colours swapped. The rules treat it like the original, with plays turned.
    pub fn half_turn(&self) -> Position {
        let [black, white] = self.pieces.map(Bitboard::half_turn);
        Position::new([white, black], self.to_move.opponent(), self.rules)
    }

    /// Whether the goal of `side` is full and contains at least one of its own pieces. If `side` has just moved, it has
    /// then won.
    #[inline]
    pub fn has_filled_goal(&self, side: Player) -> bool {
        let own = self.tally(side).in_goal();
        own > 0 && own + self.tally(side.opponent()).at_home() == PIECES
    }

    /// The winner, if the game is over on this board, whichever side is to move.
    ///
    /// During a game [`outcome`](Game::outcome) is enough, because only the side that has just moved can have won. On a
    /// board from elsewhere, such as a file, the winner may also be the side to move.
    ///
    /// Under the original rules, the side that has just moved may have filled its opponent's goal by moving back into
    /// its own camp. The game then goes on, but the side to move wins with any play, so it is the winner here too.
    ///
    /// ```
    /// use halma::rules::{BLACK, Bitboard, Rules, WHITE, goal};
    /// use halma::{Game, Position};
    ///
    /// for side in [BLACK, WHITE] {
    ///     let position = Position::new([goal(BLACK), Bitboard::EMPTY], side, Rules::Addendum);
    ///     assert_eq!(position.winner(), Some(BLACK));
    ///     assert_eq!(position.outcome().is_some(), side == WHITE);
    /// }
    /// ```
    pub fn winner(&self) -> Option<Player> {
        [self.to_move.opponent(), self.to_move].into_iter().find(|&side| self.has_filled_goal(side))
    }

    /// Makes `play`.
    ///
    /// # Errors
    /// The game is over, or the play is not legal; the position is then unchanged.
    pub fn try_play(&mut self, play: Play) -> Result<(), IllegalPlay> {
        if self.outcome().is_some() || !self.is_legal(play) {
            return Err(IllegalPlay(play));
        }
        self.play(play);
        Ok(())
    }

    /// Whether the rules of movement and the camp rules allow `play`.
    pub fn is_legal(&self, play: Play) -> bool {
        let mut legal = false;
        self.for_each_source(|from, to| legal |= from == play.from && to.contains(play.to));
        legal
    }

    /// How much closer `play` brings its piece to the corner of its goal, in columns plus rows.
    #[inline]
    pub fn progress(&self, play: Play) -> i32 {
        distance(self.to_move, play.from) as i32 - distance(self.to_move, play.to) as i32
    }

    /// The number of legal plays, without listing them.
    pub fn count_plays(&self) -> usize {
        let mut count = 0;
        self.for_each_source(|_, to| count += to.count() as usize);
        count
    }

    /// The duty in force; `None` if there is no legal play.
    pub fn duty(&self) -> Option<Duty> {
        self.for_each_source(|_, _| {})
    }

    /// Calls `visit` with the square of every piece that has a legal play, and with its destinations. Returns the duty in
    /// force; `None` if there is no legal play.
    ///
    /// This decides which plays are legal. Policies find some of them in faster ways, for example those within
    /// [`forward_bounds`](Self::forward_bounds).
    #[inline(always)]
    pub fn for_each_source(&self, mut visit: impl FnMut(Square, Bitboard)) -> Option<Duty> {
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
                return Some(duty);
            }
        }
        None
    }

    /// The duties that may apply here, strictest first.
    #[inline]
    fn duties(&self) -> &'static [Duty] {
        match self.rules {
            Rules::Original => &[Duty::Original],
            Rules::Addendum if self.tally(self.to_move).at_home() == 0 => &[Duty::StayOut, Duty::Original],
            Rules::Addendum => &[Duty::LeaveCamp, Duty::MoveAway, Duty::StayOut, Duty::Original],
        }
    }

    /// Whether `side`, when it is to move, must leave its camp if it can.
    #[inline]
    pub fn must_leave(&self, side: Player) -> bool {
        self.rules == Rules::Addendum && self.tally(side).at_home() > 0
    }

    /// The pieces of `side` that may move forward under the camp rules, and the squares where they may not land.
    ///
    /// No other camp rule can forbid a play towards the goal's corner: every square outside the camp is at least as
    /// near to that corner as every square of the camp, and every square nearer than some square of the goal belongs to
    /// the goal. So jumps and steps forward within these bounds are legal: see [`furthest_jump`](super::furthest_jump).
    ///
    /// ```
    /// use halma::rules::{BLACK, Bitboard, Position, Rules, camp};
    ///
    /// let start = Position::initial(BLACK, Rules::Addendum);
    /// assert_eq!(start.forward_bounds(BLACK), (start.pieces(BLACK), camp(BLACK)));
    /// let original = start.with_rules(Rules::Original);
    /// assert_eq!(original.forward_bounds(BLACK), (start.pieces(BLACK), Bitboard::EMPTY));
    /// ```
    #[inline]
    pub fn forward_bounds(&self, side: Player) -> (Bitboard, Bitboard) {
        let pieces = self.pieces(side);
        if self.must_leave(side) { (pieces & camp(side), camp(side)) } else { (pieces, Bitboard::EMPTY) }
    }

    /// The squares from which a piece may move under `duty`, and the squares where it may land.
    #[inline]
    fn bounds(&self, duty: Duty) -> (Bitboard, Bitboard) {
        let home = camp(self.to_move);
        match duty {
            Duty::LeaveCamp => (home, !home),
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

    /// The side that has just moved wins if it has filled its goal. There are no draws by rule, but a referee may
    /// declare one.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let mover = self.to_move.opponent();
        self.has_filled_goal(mover).then_some(Outcome::Win(mover))
    }

    #[inline]
    fn legal_plays(&self, plays: &mut Vec<Play>) {
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

    /// A winning play fills the goal's last empty square, so counting its pieces rules out a win in most positions.
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
