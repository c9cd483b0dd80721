//! Agents: the seam that programs and laboratory share.
//!
//! An [`Agent`] is given a position and limits and answers with a [`Decision`]. A [`Registry`] makes agents
//! from spec strings, such as `mcts(c=0.5, playout=forward-jump(cap=2))`: see [`Spec`].

mod alphabeta;
mod mcts;
mod minimax;
mod race;
mod registry;
mod simple;
pub mod time;

pub use crate::support::spec::{Spec, SpecError};
pub use mcts::{BoxedPlayout, BoxedPrior, EngineParameters, MctsAgent, MctsParameters, Reuse};
pub(crate) use minimax::FixedDepth;
pub use registry::{AgentContext, Component, Registry};
pub(crate) use simple::{Greedy, Homebody, RandomAgent, Shuffler};

use crate::rules::{Play, Position};
use crate::search::mcts::SavedNode;
use crate::search::{Limits, Observer, Report};
use crate::support::clock::Clock;
use std::fmt;

/// What an agent decided, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The play to make; legal in the position asked about.
    pub play: Play,
    /// What the search behind it found.
    pub report: Report<Play>,
}

/// What an agent saves of a game for the process that makes its next decision.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedGame {
    /// The position after its own play, the opponent to move.
    pub before: Position,
    /// What its search knows of the plays from there: see [`SavedTree`](crate::search::mcts::SavedTree).
    pub nodes: Vec<SavedNode<Play>>,
    /// The agent's own boards of the game so far, the latest last, as [`board_key`](crate::search::race::board_key)s.
    pub boards: Vec<u64>,
}

impl SavedGame {
    /// The most nodes that are saved, whatever the time left allows.
    pub const MOST_NODES: usize = 1_000_000;

    /// The most boards that are saved. Longer cycles do not matter.
    pub const MOST_BOARDS: usize = 256;
}

/// There is no legal play in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLegalPlay;

impl fmt::Display for NoLegalPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no legal play: every piece of the side to move is blocked")
    }
}

impl std::error::Error for NoLegalPlay {}

/// Something that plays Halma.
///
/// An agent may keep what it learnt from one decision to the next of the same game; it tells from the
/// position alone whether that applies.
pub trait Agent: Send {
    /// Forgets the game so far.
    fn new_game(&mut self);

    /// Chooses a play in `position` within `limits`, measured by `clock`.
    ///
    /// An `observer` receives interim reports while the agent searches. Agents without a search send none. Work
    /// before the reported search takes at most one observer interval.
    ///
    /// # Errors
    /// [`NoLegalPlay`] if the side to move has no legal play.
    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
        observer: Option<Observer<'_, Play>>,
    ) -> Result<Decision, NoLegalPlay>;

    /// What another process needs to make the next decision of this game as well as this agent would, with
    /// at most `most` nodes of a tree; `None` if there is nothing to save.
    fn save(&self, most: usize) -> Option<SavedGame> {
        let _ = most;
        None
    }

    /// Restores what an agent of the same kind has saved.
    fn restore(&mut self, game: SavedGame) {
        let _ = game;
    }
}

/// What makes an agent of a spec string and a seed, as [`parse`] does.
pub type MakeAgent = fn(&str, u64) -> Result<Box<dyn Agent>, SpecError>;

/// The agent that `spec` describes, among those of this crate; its random numbers follow from `seed`.
/// [`Registry::make_agent`] does the same for agents and parts of one's own.
///
/// ```
/// assert!(halma::agent::parse("mcts(select=uct, c=1.4, playout=static)", 1).is_ok());
/// let error = halma::agent::parse("mcts(c=-1)", 1).err().unwrap();
/// assert_eq!(error.to_string(), "c=-1: expected a number from 0 to 100");
/// ```
///
/// # Errors
/// What is wrong with the spec: see [`SpecError`].
pub fn parse(spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    Registry::default().make_agent(&spec.parse()?, seed)
}
