//! The five levels of play that have a name.

use serde::Serialize;

/// A level of play.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Level {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The agent's spec.
    pub agent: &'static str,
    /// Iterations a move, if these and not the time limit it.
    pub iterations: Option<u64>,
}

/// The levels, the weakest first.
pub(super) const LEVELS: [Level; 5] = [
    Level {
        name: "beginner",
        about: "looks at a few plays, and often errs",
        agent: "mcts",
        iterations: Some(1),
    },
    Level { name: "casual", about: "", agent: "mcts", iterations: Some(10) },
    Level { name: "club", about: "", agent: "mcts", iterations: Some(100) },
    Level { name: "strong", about: "", agent: "mcts", iterations: Some(1000) },
    Level { name: "full", about: "all of the time", agent: "mcts", iterations: None },
];
