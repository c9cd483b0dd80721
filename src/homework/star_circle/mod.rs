//! Star and Circle's homework: a [`Problem`] is its input, [`Problem::answer`] searches it, and the
//! [`Output`] is its output, to the byte.

mod problem;

pub use problem::Problem;

use crate::game::Game;
use crate::search::minimax::{Algorithm, SearchResult, alpha_beta, minimax_until};
use crate::star_circle::{Play, Position};
use std::fmt;

/// The play to make, and what the search says of it. All utilities are those of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The play to make.
    pub play: Play,
    /// The utility right after it.
    pub myopic: i128,
    /// The minimax value of the problem's position at its depth limit.
    pub farsighted: i128,
    /// How many nodes the algorithm visits.
    pub nodes: u64,
}

impl Problem {
    /// Searches the problem's position as it asks for.
    ///
    /// At depth 0 the search tells no plays apart, and the first in order is the answer. Where the game is
    /// over there is nothing to play, and the answer is the pass.
    pub fn answer(&self) -> Output {
        self.answer_until(|| false).0
    }

    /// The same, until `is_over` says so in a minimax search. Then alpha-beta, which is much faster, finds the play and
    /// the utilities, which are the same; the number of nodes is that of those visited so far. Returns the answer, and
    /// whether the search came to its end.
    pub fn answer_until(&self, is_over: impl FnMut() -> bool) -> (Output, bool) {
        let root = &self.position;
        let player = root.to_move();
        let present = root.utility(player);
        // Search sees gains instead of utilities. These always fit: fewer than 2⁷ pieces walk, and
        // between two rows the value of each changes by less than 2³³.
        let gain = |position: &Position| (position.utility(player) - present) as i64;
        let whole = match self.algorithm {
            Algorithm::Minimax => minimax_until(root, self.depth, gain, is_over),
            Algorithm::AlphaBeta => Ok(alpha_beta(root, self.depth, gain)),
        };
        let found =
            whole.unwrap_or_else(|nodes| SearchResult { nodes, ..alpha_beta(root, self.depth, gain) });
        let play = found.play.unwrap_or_else(|| first_play(root));
        let mut next = *root;
        next.play(play);
        let answer = Output {
            play,
            myopic: next.utility(player),
            farsighted: present + i128::from(found.value),
            nodes: found.nodes,
        };
        (answer, whole.is_ok())
    }
}

/// The first play in order, or the pass if the game is over.
fn first_play(root: &Position) -> Play {
    let mut plays = Vec::new();
    if root.outcome().is_none() {
        root.legal_plays(&mut plays);
    }
    plays.first().copied().unwrap_or(Play::Pass)
}

impl fmt::Display for Output {
    /// Writes the play, the two utilities and the number of nodes, each on a line of its own, and
    /// no line feed after the last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}\n{}\n{}", self.play, self.myopic, self.farsighted, self.nodes)
    }
}
