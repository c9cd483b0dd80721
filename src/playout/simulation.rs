//! One simulation of a search: from the root through the tree to a leaf, and on to the end of its playout.

use crate::game::{Game, Player, Value};
use crate::support::random::Random;

/// A play and the player who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move<P> {
    /// The player who made the play.
    pub player: Player,
    /// The play.
    pub play: P,
}

/// The random numbers and the length of a simulation, and its moves if the policy [learns](super::Playout::learns) from
/// them or the search's selection formula does.
///
/// ```
/// use halma::playout::Simulation;
/// use halma::{Game, Play, Player, Position};
///
/// let mut simulation = Simulation::new(1).recording();
/// let mut position = Position::default();
/// simulation.play(&mut position, "2,2 4,2".parse()?);
/// assert_eq!((simulation.plies(), position.to_move()), (1, Player::Two));
/// assert_eq!(simulation.playout_moves()[0].player, Player::One);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<P> {
    /// The source of all randomness.
    pub random: Random,
    is_recording: bool,
    moves: Vec<Move<P>>,
    /// The number of `moves` that lead from the root to the leaf.
    in_tree: usize,
    /// The length of the playout so far.
    plies: u64,
    /// The value of the leaf for player one.
    value: f32,
    /// The legal plays at the latest position of the playout, if they have been listed.
    plays: Vec<P>,
    is_listed: bool,
}

impl<P: Copy> Simulation<P> {
    /// A simulation that records no moves. `seed` determines its random numbers.
    pub fn new(seed: u64) -> Simulation<P> {
        Simulation {
            random: Random::new(seed),
            is_recording: false,
            moves: Vec::new(),
            in_tree: 0,
            plies: 0,
            value: 0.0,
            plays: Vec::new(),
            is_listed: false,
        }
    }

    /// This simulation, but recording its moves.
    #[must_use]
    pub fn recording(self) -> Simulation<P> {
        Simulation { is_recording: true, ..self }
    }

    /// Whether the simulation records its moves.
    #[inline]
    pub fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// All moves, from the root to the end of the playout; empty if the simulation records none.
    #[inline]
    pub fn moves(&self) -> &[Move<P>] {
        &self.moves
    }

    /// The moves from the root to the leaf.
    pub fn tree_moves(&self) -> &[Move<P>] {
        &self.moves[..self.in_tree]
    }

    /// The moves from the leaf to the end of the playout, or to its latest position while it is being played.
    pub fn playout_moves(&self) -> &[Move<P>] {
        &self.moves[self.in_tree..]
    }

    /// The number of plies of the playout so far.
    #[inline]
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The value of the leaf for `player`, once the simulation has ended.
    pub fn value_for(&self, player: Player) -> Value {
        let value = Value::new(self.value);
        if player == Player::One { value } else { -value }
    }

    /// Makes `play` in `position`, as the next ply of the playout.
    #[inline]
    pub fn play<G: Game<Play = P>>(&mut self, position: &mut G, play: P) {
        if self.is_recording {
            self.moves.push(Move { player: position.to_move(), play });
        }
        position.play(play);
        self.plies += 1;
        self.is_listed = false;
    }

    /// The legal plays in `position`, which must be the latest of the playout, and the source of random numbers.
    /// Policies that are built on each other list the plays only once.
    #[inline]
    pub fn legal_plays<G: Game<Play = P>>(&mut self, position: &G) -> (&[P], &mut Random) {
        if !self.is_listed {
            position.legal_plays(&mut self.plays);
            self.is_listed = true;
        }
        (&self.plays, &mut self.random)
    }

    /// Begins a playout of the leaf, from its first ply.
    #[inline]
    pub fn begin_playout(&mut self) {
        self.plies = 0;
        self.is_listed = false;
        self.moves.truncate(self.in_tree);
    }

    /// Begins a simulation in which these moves lead from the root to the leaf.
    #[inline]
    pub fn begin(&mut self, tree_moves: impl IntoIterator<Item = Move<P>>) {
        self.plies = 0;
        self.is_listed = false;
        if self.is_recording {
            self.moves.clear();
            self.moves.extend(tree_moves);
            self.in_tree = self.moves.len();
        }
    }

    /// Ends the simulation with this value of the leaf for `player`.
    #[inline]
    pub fn end(&mut self, value: Value, player: Player) {
        self.value = value.for_player_one(player);
    }
}
