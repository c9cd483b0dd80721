//! Agents: the seam that programs and laboratory share.
//!
//! An [`Agent`] is given a position and limits and answers with a [`Decision`]. Agents are made
//! from spec strings, such as `mcts(select=puct, c=0.5, playout=forward-jump, cap=2)`; see
//! [`parse`].

mod alphabeta;
mod mcts;
mod minimax;
mod race;
mod simple;
mod spec;

pub use alphabeta::{AlphaBeta, AlphaBetaParams};
pub use mcts::MctsAgent;
pub use minimax::{FixedDepth, FixedDepthParams};
pub use simple::{Greedy, Homebody, RandomAgent, Shuffler};
pub use spec::{Kind, SpecError, kinds, parse};

use crate::clock::Clock;
use crate::halma::{Play, Position};
use crate::mcts::{Limits, Remembered, Report};
use std::fmt;

/// What an agent decided, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The play to make; legal in the position asked about.
    pub play: Play,
    /// What the search behind it found.
    pub report: Report<Play>,
}

/// What an agent keeps of a game for the process that makes its next decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Legacy {
    /// The position after its own play, the opponent to move.
    pub before: Position,
    /// What it knows of the plays from there: see [`Memory`](crate::mcts::Memory).
    pub nodes: Vec<Remembered<Play>>,
    /// The own boards of the game so far, the latest last, each by its [`board_hash`](crate::race::board_hash).
    pub boards: Vec<u64>,
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
/// An agent may keep what it learnt from one decision to the next of the same game; whether it
/// applies is found out from the position alone.
pub trait Agent: Send {
    /// Forgets the game so far.
    fn new_game(&mut self);

    /// Chooses a play in `position` within `limits`, time taken by `clock`.
    ///
    /// # Errors
    /// [`NoLegalPlay`], if there is none.
    fn decide(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &dyn Clock,
    ) -> Result<Decision, NoLegalPlay>;

    /// What another process needs to make the next decision of this game as well as this agent would, as far as
    /// `most` nodes can say it; `None` if there is nothing.
    fn legacy(&self, most: usize) -> Option<Legacy> {
        let _ = most;
        None
    }

    /// Takes over what an agent of the same kind kept.
    fn recall(&mut self, legacy: Legacy) {
        let _ = legacy;
    }
}
