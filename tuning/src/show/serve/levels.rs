//! The five levels of play that have a name.
//!
//! Those with iterations are as strong on every machine; what the last one makes of its time, the machine tells.

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

/// The levels, the weakest first. With checksum a0115caf6f4d5d55 each won 37 of 40 games or more against the one before,
/// the last one with 20,000 iterations 12 of 12: `tuning/results/levels.txt`.
pub(super) const LEVELS: [Level; 5] = [
    Level {
        name: "beginner",
        about: "Looks at few plays, plays them out at random, and so often errs.",
        agent: "mcts(prior=uniform, playout=uniform(cap=8))",
        iterations: Some(30),
    },
    Level {
        name: "casual",
        about: "Sees what is good at first sight: 10 iterations a move.",
        agent: "mcts",
        iterations: Some(10),
    },
    Level {
        name: "club",
        about: "Looks a play or two ahead: 100 iterations a move.",
        agent: "mcts",
        iterations: Some(100),
    },
    Level {
        name: "strong",
        about: "Looks further: 1,000 iterations a move.",
        agent: "mcts",
        iterations: Some(1000),
    },
    Level {
        name: "full",
        about: "The engine, with all of the time that you give it.",
        agent: "mcts",
        iterations: None,
    },
];
