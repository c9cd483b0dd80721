//! Agents: from a position and limits to a decision.
//!
//! An [`Agent`] gets a position and [`Limits`] and returns a [`Decision`]. A [`Registry`] makes agents from spec strings
//! such as `mcts(c=0.5, playout=forward-jump(cap=2))`: see [`Spec`].

mod alphabeta;
mod mcts;
mod minimax;
mod race;
mod registry;
mod simple;
pub mod time;
mod uct;

pub use crate::playout::BoxedPlayout;
pub use crate::prior::BoxedPrior;
pub use crate::support::spec::{Spec, SpecError};
pub use mcts::{EngineParameters, MctsAgent, MctsParameters, Reuse};
pub(crate) use minimax::FixedDepth;
pub use registry::{AgentContext, Component, Registry};
pub(crate) use simple::{Greedy, Homebody, RandomPlay, Shuffler, Unsearched};

use crate::game::{Game, Outcome};
use crate::rules::{Bitboard, Play, Position};
use crate::search::mcts::SavedNode;
use crate::search::{DecidedBy, Limits, Observer, Report, Stop};
use crate::support::clock::Clock;
use std::fmt;

/// A play and the search behind it.
///
/// ```
/// use halma::{Decision, Limits, Position, ProcessClock};
///
/// let start = Position::default();
/// let mut agent = halma::agent::parse("mcts", 1).unwrap();
/// let Decision { play, report } = agent.decide(&start, &Limits::iterations(100), &ProcessClock, None).unwrap();
/// assert!(start.is_legal(play));
/// assert_eq!(report.iterations, 100);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The play to make. It is legal.
    pub play: Play,
    /// The report of the search.
    pub report: Report<Play>,
}

impl Decision {
    /// The decision once the game is over: any legal play, with the win of the [winner](Position::winner) as proof. `None`
    /// if the game goes on.
    pub fn after_the_end(position: &Position) -> Option<Result<Decision, NoLegalPlay>> {
        let outcome = Outcome::Win(position.winner()?);
        let mut plays = Vec::new();
        position.legal_plays(&mut plays);
        let Some(&play) = plays.first() else { return Some(Err(NoLegalPlay)) };
        let (value, proof) = (outcome.value_for(position.to_move()), Some(outcome));
        let mut report = Report::unsearched(play);
        report.candidates.iter_mut().for_each(|one| (one.value, one.proof) = (value, proof));
        let (decided_by, stop) = (DecidedBy::Proof, Stop::Proved);
        Some(Ok(Decision { play, report: Report { decided_by, stop, value, proof, ..report } }))
    }
}

/// The state of a game that an agent saves for the process that makes its next decision.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedGame {
    /// The position after the agent's own play, with the opponent to move.
    pub before: Position,
    /// The nodes of the search tree below `before`: see [`SavedTree`](crate::search::mcts::SavedTree).
    pub nodes: Vec<SavedNode<Play>>,
    /// The agent's own pieces at the start of the game and after each of its plays, oldest first.
    pub boards: Vec<Bitboard>,
}

impl SavedGame {
    /// The maximum number of saved nodes, however much time is left.
    pub const MAX_NODES: usize = 1_000_000;

    /// The maximum number of saved boards. Longer cycles do not matter.
    pub const MAX_BOARDS: usize = 256;
}

/// The side to move has no legal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLegalPlay;

impl fmt::Display for NoLegalPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no legal play: every piece of the side to move is blocked")
    }
}

impl std::error::Error for NoLegalPlay {}

/// A player of Halma.
///
/// An agent may keep results for its next decision in the same game. The position alone shows whether they still apply.
///
/// ```
/// use halma::{Agent, Game, Limits, Position, ThreadClock};
///
/// let mut agents = ["mcts", "greedy"].map(|spec| halma::agent::parse(spec, 1).unwrap());
/// let mut position = Position::default();
/// for ply in 0..6 {
///     let decision = agents[ply % 2].decide(&position, &Limits::iterations(50), &ThreadClock, None).unwrap();
///     position.play(decision.play);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an agent",
    note = "implement `Agent`: `decide` chooses a play within limits, `new_game` forgets the game so far"
)]
pub trait Agent: Send {
    /// Forgets the game so far.
    fn new_game(&mut self);

    /// Chooses a play in `position` within `limits`, measured by `clock`.
    ///
    /// An `observer` receives interim reports during the search; plain minimax and agents that do not search send none.
    /// Work before the reported search takes at most one observer interval, if `limits` has a time limit.
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

    /// What another process needs for this agent's next decision: the boards of the game and at most `max_nodes` nodes of
    /// the tree; `None` if there is nothing to save. Lines found in a race are not saved.
    fn save(&self, max_nodes: usize) -> Option<SavedGame> {
        let _ = max_nodes;
        None
    }

    /// Restores a game that an agent of the same kind saved.
    fn restore(&mut self, game: SavedGame) {
        let _ = game;
    }
}

/// Makes the agent that `spec` describes from the agents and parts of this crate; [`Registry::make_agent`] accepts
/// added ones too. `seed` determines the agent's random numbers.
///
/// ```
/// assert!(halma::agent::parse("mcts(select=uct, c=1.4, playout=static)", 1).is_ok());
/// let error = halma::agent::parse("mcts(c=-1)", 1).err().unwrap();
/// assert_eq!(error.to_string(), "c=-1: expected a number from 0 to 100");
/// ```
///
/// # Errors
/// The spec is invalid: see [`SpecError`].
pub fn parse(spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    Registry::default().make_agent(&spec.parse()?, seed)
}
