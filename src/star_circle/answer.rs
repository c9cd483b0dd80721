//! A problem answered: the homework's output.

use super::play::Play;
use super::position::Position;
use super::problem::Problem;
use crate::game::Game;
use std::fmt;

/// What is to be reported of a search, all utilities for the player who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The play to choose.
    pub play: Play,
    /// The utility right after it.
    pub myopic: i128,
    /// The minimax value of the problem's position at its depth limit.
    pub farsighted: i128,
    /// How many nodes the algorithm visits.
    pub nodes: u64,
}

/// Searches the problem's position as it asks for.
///
/// At depth 0 nothing tells the plays apart, and the first in order is as good as any. In a
/// position that is over there is nothing to play, and the answer is the pass.
pub fn answer(problem: &Problem) -> Report {
    let root = &problem.position;
    let player = problem.player();
    let present = root.utility(player);
    // Search sees gains instead of utilities. These always fit: fewer than 2⁷ pieces walk, and
    // between two rows the value of each changes by less than 2³³.
    let gain = |position: &Position| (position.utility(player) - present) as i64;
    let found = problem.algorithm.search(root, problem.depth, gain);
    let play = found.play.unwrap_or_else(|| first_play(root));
    let mut next = *root;
    next.play(play);
    Report {
        play,
        myopic: next.utility(player),
        farsighted: present + i128::from(found.value),
        nodes: found.nodes,
    }
}

/// The first play in order, or the pass if the game is over.
fn first_play(root: &Position) -> Play {
    if root.outcome().is_some() {
        return Play::Pass;
    }
    let mut plays = Vec::new();
    root.plays(&mut plays);
    plays[0]
}

impl fmt::Display for Report {
    /// Writes the play, the two utilities and the number of nodes, each on a line of its own, and
    /// no line feed after the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}\n{}", self.play, self.myopic, self.farsighted, self.nodes)
    }
}
