//! The seam between rules and search.
//!
//! Minimax, alpha-beta, Monte Carlo tree search and many playout policies know a game only through [`Game`]; the race
//! solver and the other policies are made for Halma. [`Game::play`] changes a position in place; search copies a
//! position where it branches and never takes a play back ("copy-make"), which for positions of a hundred bytes is
//! faster than undoing plays.
//!
//! Two types express who wins, and they do not mix. An [`Outcome`] is *absolute*: it names the winner. A [`Value`] is
//! *relative*: positive for one player and negative for the other. Every conversion from one to the other names a
//! player, so the two cannot be confused.

use std::fmt;
use std::hash::Hash;
use std::ops::Neg;

/// One of the two players. The position determines who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Player {
    /// Black in Halma, Star in Star and Circle.
    One = 0,
    /// White in Halma, Circle in Star and Circle.
    Two = 1,
}

impl Player {
    /// Both players, in the order of their [index](Self::index).
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// The other player.
    #[inline]
    pub const fn opponent(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// The player's index in an array of two: 0 or 1.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won.
    Win(Player),
    /// Neither player won.
    Draw,
}

impl Outcome {
    /// The value of this outcome for `player`: +1, 0 or −1.
    #[inline]
    pub fn value_for(self, player: Player) -> Value {
        match self {
            Outcome::Win(winner) if winner == player => Value::WIN,
            Outcome::Win(_) => Value::LOSS,
            Outcome::Draw => Value::DRAW,
        }
    }
}

/// The value of a position for one player, from −1 (lost) to +1 (won).
///
/// It estimates the expected outcome, so `(value + 1) / 2` is the expected score.
///
/// ```
/// use halma::game::{Outcome, Player, Value};
///
/// let value = Outcome::Win(Player::One).value_for(Player::Two);
/// assert_eq!(value, Value::LOSS);
/// assert_eq!(-value, Value::WIN);
/// assert_eq!(Value::new(0.5).expected_score(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Value(f32);

impl Value {
    /// Certainly won.
    pub const WIN: Value = Value(1.0);
    /// Even.
    pub const DRAW: Value = Value(0.0);
    /// Certainly lost.
    pub const LOSS: Value = Value(-1.0);

    /// `number` clamped to −1…+1; NaN counts as even.
    #[inline]
    pub fn new(number: f32) -> Value {
        if number.is_nan() { Value::DRAW } else { Value(number.clamp(-1.0, 1.0)) }
    }

    /// The number, in −1…+1.
    #[inline]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The expected score, in 0…1.
    #[inline]
    pub fn expected_score(self) -> f32 {
        (self.0 + 1.0) * 0.5
    }

    /// Turns a value for `player` into one for player one.
    #[inline]
    pub fn for_player_one(self, player: Player) -> f32 {
        match player {
            Player::One => self.0,
            Player::Two => -self.0,
        }
    }
}

impl Neg for Value {
    type Output = Value;

    /// The value for the opponent.
    #[inline]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3}", self.0)
    }
}

/// A play with an index into tables of statistics about plays.
///
/// ```
/// use halma::game::MoveIndex;
/// use halma::Play;
///
/// let play: Play = "2,2 4,4".parse()?;
/// assert!(play.index() < Play::COUNT);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the plays `{Self}` have no index, so nothing can be learned about them",
    note = "implement `MoveIndex`: an index below `COUNT` for each play"
)]
pub trait MoveIndex: Copy {
    /// The number of indices. Tables have this many entries for each player.
    const COUNT: usize;

    /// The play's index, below [`COUNT`](Self::COUNT). Different plays have different ones.
    fn index(self) -> usize;
}

/// A two-player game of perfect information without chance.
///
/// The implementing type is a position: the board, and whose turn it is. The conformance suite in
/// `tests/game_conformance.rs` checks these promises for every game in this crate.
///
/// ```
/// use halma::{Game, Position};
///
/// let mut position = Position::default();
/// let mut plays = Vec::new();
/// position.legal_plays(&mut plays);
/// let mover = position.to_move();
/// position.play(plays[0]);
/// assert_eq!(position.to_move(), mover.opponent());
/// assert_eq!(position.outcome(), None);
/// ```
///
/// The [crate documentation](crate) shows how to implement it.
pub trait Game: Clone {
    /// A turn. It should be small, because trees hold millions.
    type Play: Copy + Eq + Hash + fmt::Debug + fmt::Display;

    /// Whose turn it is.
    fn to_move(&self) -> Player;

    /// The outcome, if the game is over.
    ///
    /// `None` is allowed if the player to move has no legal play: search counts that as a loss when it lists the plays.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the contents of `plays` with all legal plays, each once, in an order that depends only on the position.
    ///
    /// Search calls this for positions that are not over, and for any root.
    fn legal_plays(&self, plays: &mut Vec<Self::Play>);

    /// Makes `play`, which must be legal, and passes the turn.
    fn play(&mut self, play: Self::Play);

    /// A hash of the position, including the turn: equal for equal positions, and, within a game, different for
    /// different ones except with probability 2⁻⁶⁴. Tables use only some of its bits, so all must be well mixed.
    /// Zobrist keys are; if the position is just a small number, pass it through [`mix`](crate::support::random::mix).
    fn key(&self) -> u64;

    /// A play that wins immediately, if there is one. `plays` are the [legal plays](Self::legal_plays).
    ///
    /// Search calls this for every position that it expands, so a game that can quickly rule out a win should override it.
    #[inline]
    fn winning_play(&self, plays: &[Self::Play]) -> Option<Self::Play> {
        let mover = self.to_move();
        plays.iter().copied().find(|&play| {
            let mut next = self.clone();
            next.play(play);
            next.outcome() == Some(Outcome::Win(mover))
        })
    }
}
