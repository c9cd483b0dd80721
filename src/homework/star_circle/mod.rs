//! The homework of Star and Circle: [`Problem`] is the input, [`Problem::answer`] searches it, and [`Output`] is the
//! output, to the byte.

mod problem;

pub use problem::Problem;

use crate::game::Game;
use crate::search::minimax::{Algorithm, SearchResult, alpha_beta, minimax_until};
use crate::star_circle::{Play, Position};
use std::fmt;

/// The play to make, and the results of the search. Utilities are for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The play to make.
    pub play: Play,
    /// The utility right after the play.
    pub myopic: i128,
    /// The minimax value of the problem's position at its depth limit.
    pub farsighted: i128,
    /// The number of nodes that the algorithm visits.
    pub nodes: u64,
}

impl Problem {
    /// Searches the position.
    ///
    /// At depth 0 all plays are equal, and the first one is chosen. If the game is over, the play is a pass.
    pub fn answer(&self) -> Output {
        self.answer_until(|| false).0
    }

    /// Searches the position, but stops a minimax search once `is_over` returns true. Alpha-beta, which is much faster,
    /// then finds the same play and utilities, and the number of nodes includes only those that minimax visited. Returns
    /// the answer, and whether the search is complete.
    pub fn answer_until(&self, is_over: impl FnMut() -> bool) -> (Output, bool) {
        let root = &self.position;
        let player = root.to_move();
        let present = root.utility(player);
        // Utilities may not fit into the search's 64 bits, but gains do: fewer than 2⁷ pieces can move or be captured, and
        // each changes the utility by less than 2³³.
        let gain = |position: &Position| (position.utility(player) - present) as i64;
        let complete = match self.algorithm {
            Algorithm::Minimax => minimax_until(root, self.depth, gain, is_over),
            Algorithm::AlphaBeta => Ok(alpha_beta(root, self.depth, gain)),
        };
        let found =
            complete.unwrap_or_else(|nodes| SearchResult { nodes, ..alpha_beta(root, self.depth, gain) });
        let play = found.play.unwrap_or_else(|| first_play(root));
        let mut next = *root;
        next.play(play);
        let answer = Output {
            play,
            myopic: next.utility(player),
            farsighted: present + i128::from(found.value),
            nodes: found.nodes,
        };
        (answer, complete.is_ok())
    }
}

/// The first play, or the pass if the game is over.
fn first_play(root: &Position) -> Play {
    let mut plays = Vec::new();
    if root.outcome().is_none() {
        root.legal_plays(&mut plays);
    }
    plays.first().copied().unwrap_or(Play::Pass)
}

impl fmt::Display for Output {
    /// Writes the play, the two utilities and the number of nodes on four lines, without a final line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}\n{}", self.play, self.myopic, self.farsighted, self.nodes)
    }
}
