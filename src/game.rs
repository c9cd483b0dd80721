//! The one seam between rules and search.
//!
//! Everything above this file (minimax, playouts, Monte Carlo tree search) knows a game only
//! through [`Game`]. Positions are small `Clone` values that are changed in place by
//! [`Game::play`]: search copies a position where it branches and never takes a play back
//! ("copy-make"), which for positions of a hundred bytes costs less than undoing plays.
//!
//! Two types say who wins, and they do not mix. An [`Outcome`] is *absolute*: it names the winner. A
//! [`Value`] is *relative*: worth that much to one player, and minus that much to the other. Converting
//! one into the other always names a player, so a lost sign does not compile.

use std::fmt;
use std::ops::Neg;

/// One of the two players. The game names them (Black and White, Star and Circle); the position says who
/// moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Player {
    /// The first of the game's two sides: Black in Halma, Star in Star and Circle.
    One = 0,
    /// The second of the game's two sides: White in Halma, Circle in Star and Circle.
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

    /// 0 or 1: this player's place in an array of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended, seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player has won.
    Win(Player),
    /// Nobody has won, and nobody will.
    Draw,
}

impl Outcome {
    /// What this outcome is worth to `player`: +1, 0 or −1.
    #[inline]
    pub fn value_for(self, player: Player) -> Value {
        match self {
            Outcome::Win(winner) if winner == player => Value::WIN,
            Outcome::Win(_) => Value::LOSS,
            Outcome::Draw => Value::DRAW,
        }
    }
}

/// What a position is worth to one player, in −1 (lost) … +1 (won); 0 is even.
///
/// It estimates the expected outcome, so `(value + 1) / 2` is the expected score in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Value(f32);

impl Value {
    /// Certainly won.
    pub const WIN: Value = Value(1.0);
    /// Even.
    pub const DRAW: Value = Value(0.0);
    /// Certainly lost.
    pub const LOSS: Value = Value(-1.0);

    /// The value `number`, clamped to −1…+1; NaN counts as even.
    #[inline]
    pub fn new(number: f32) -> Value {
        if number.is_nan() { Value::DRAW } else { Value(number.clamp(-1.0, 1.0)) }
    }

    /// The value as a number in −1…+1.
    #[inline]
    pub const fn get(self) -> f32 {
        self.0
    }

    /// The expected score this value stands for, in 0…1.
    #[inline]
    pub fn expected_score(self) -> f32 {
        (self.0 + 1.0) * 0.5
    }

    /// This value of player `whose`, for player one.
    #[inline]
    pub fn for_player_one(self, whose: Player) -> f32 {
        match whose {
            Player::One => self.0,
            Player::Two => -self.0,
        }
    }
}

impl Neg for Value {
    type Output = Value;

    /// The same position, seen by the opponent.
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

/// A two-player game of perfect information without chance, as search sees it.
///
/// An implementation is a position: the board and whose turn it is. The conformance suite in
/// `tests/game_conformance.rs` checks what is promised here for every game of this crate.
pub trait Game: Clone {
    /// One turn: what a player may choose. Small and `Copy`, for trees hold millions.
    type Play: Copy + Eq + fmt::Debug + fmt::Display;

    /// Whose turn it is.
    fn to_move(&self) -> Player;

    /// Whether the game is over, and who has won it.
    ///
    /// A position without `outcome` in which the player to move has no play counts as lost for that player;
    /// search finds out when it lists the plays.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the contents of `plays` by every legal play, each exactly once, in an order that
    /// depends on the position only.
    ///
    /// Search calls it on positions that are not over, and at the root also on one that is.
    fn legal_plays(&self, plays: &mut Vec<Self::Play>);

    /// Plays `play`, which must be legal here, and hands the turn over.
    fn play(&mut self, play: Self::Play);

    /// A hash of the position, the turn included: equal for equal positions, and different for different
    /// ones but for one chance in 2⁶⁴. Tables use only some of its bits, so all must be mixed: Zobrist's
    /// numbers are; put a small number through [`mix`](crate::support::random::mix).
    fn key(&self) -> u64;

    /// A play among `plays` that ends the game at once with a win for the player to move.
    ///
    /// `plays` is what [`legal_plays`](Self::legal_plays) listed for this position. Search calls it once for every
    /// position it expands, so a game that can rule out a win quickly should override it.
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
