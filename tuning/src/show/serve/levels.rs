//! The five named levels of play.
//!
//! The levels with a number of iterations are equally strong on every machine; the last one depends on the machine's
//! speed and on the time it is given.

use serde::Serialize;

/// A level of play.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Level {
    pub name: &'static str,
    /// A description for players.
    pub about: &'static str,
    /// The agent's spec string.
    pub agent: &'static str,
    /// Iterations per move; `None` if the player chooses a time limit.
    pub iterations: Option<u64>,
}

/// The levels, weakest first. Each won at least 37 of 40 games against the level below, the last with 20,000 iterations:
/// `tuning/results/levels.txt`.
pub(crate) const LEVELS: [Level; 5] = [
    Level {
        name: "beginner",
        about: "Looks at few moves and judges each by random play, so it often blunders.",
        agent: "mcts(prior=uniform, playout=uniform(cap=8))",
        iterations: Some(30),
    },
    Level {
        name: "casual",
        about: "Plays mostly by intuition: 10 iterations per move.",
        agent: "mcts",
        iterations: Some(10),
    },
    Level {
        name: "club",
        about: "Looks a move or two ahead: 100 iterations per move.",
        agent: "mcts",
        iterations: Some(100),
    },
    Level {
        name: "strong",
        about: "Looks further ahead: 1,000 iterations per move.",
        agent: "mcts",
        iterations: Some(1000),
    },
    Level {
        name: "full",
        about: "The engine at full strength, for as long as you let it think.",
        agent: "mcts",
        iterations: None,
    },
];
