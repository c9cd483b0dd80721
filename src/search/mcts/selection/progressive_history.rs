//! Progressive history: UCT, guided by the average result of each move in all simulations (Nijssen, Winands,
//! "Enhancements for Multi-Player Monte-Carlo Tree Search", 2010).
//!
//! ```text
//! Q + c · √(ln N / n) + W · H / (n − wins + 1)
//! ```
//!
//! `H`, in 0…1, is the average score of the child's play, by the same player, in all simulations since the tree began,
//! in the tree and in the playouts; ½ if it has not been made. `wins` is the child's score, n · (Q + 1) / 2, so the
//! bonus falls with each loss, and a child that keeps winning keeps it. `W` is the parameter `history_weight`, for
//! values in −1…+1: twice the paper's. Its default suits the small `c` that is best in Halma (`tuning/EXPERIMENTS.md`,
//! E263).
//!
//! The averages are in a hash map rather than a [`MoveTable`](crate::playout::MoveTable), which would demand that every
//! game numbers its plays. The map has at most 2²⁰ entries, some tens of MiB in addition to `memory`; later moves are
//! left out. A restored tree starts with no averages.
//!
//! The playout policies `mast` and `nst` average the same values, but keep their own table, because the two differ after
//! the first move: the policies' averages lose visits from move to move (`decay`) and outlive the tree, while these last
//! exactly as long as the tree. With one table, either the policy's parameters would change selection, or the playouts
//! would change with `select`. The second table costs one update for each move of a simulation.

use super::{Children, Parent, Rule};
use crate::playout::{Average, Move, Simulation};
use crate::search::mcts::iteration::Step;
use crate::search::mcts::params::Params;
use crate::search::mcts::tree::{GROUP, Tree};
use crate::support::hashing::FastMap;
use std::hash::Hash;

/// The maximum number of moves with an average. Halma has at most 2¹⁷.
const MAX_MOVES: usize = 1 << 20;

/// The rule and its averages.
#[derive(Clone, Debug)]
pub(in crate::search::mcts) struct ProgressiveHistory<P> {
    /// `W`.
    weight: f32,
    /// By move: the average value of the simulations that contain it, for the player who made it.
    averages: FastMap<Move<P>, Average>,
}

impl<P: Copy + Eq + Hash> ProgressiveHistory<P> {
    pub fn new(params: &Params) -> ProgressiveHistory<P> {
        ProgressiveHistory { weight: params.history_weight, averages: FastMap::default() }
    }
}

impl<P: Copy + Eq + Hash> Rule<P> for ProgressiveHistory<P> {
    fn score(&mut self, parent: &Parent<P>) -> impl Fn(&Children<P>) -> [f32; GROUP] {
        let player = parent.mover;
        move |children| {
            std::array::from_fn(|lane| {
                let play = children.group.nodes[lane].play;
                let known = play.and_then(|play| self.averages.get(&Move { player, play }));
                let mean = known.map_or(0.0, |known| known.mean);
                let value = children.values[lane];
                let losses = children.group.visits[lane] as f32 * (1.0 - value) * 0.5;
                value + children.explorations[lane] + self.weight * (mean + 1.0) * 0.5 / (losses + 1.0)
            })
        }
    }

    fn learn(&mut self, _tree: &mut Tree<P>, _path: &[Step], simulation: &Simulation<P>) {
        for &made in simulation.moves() {
            let value = simulation.value_for(made.player);
            if self.averages.len() < MAX_MOVES {
                self.averages.entry(made).or_default().add(value);
            } else if let Some(known) = self.averages.get_mut(&made) {
                known.add(value);
            }
        }
    }

    fn clear(&mut self) {
        self.averages.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_close, params, scores, simulation, tree};
    use super::*;
    use crate::game::{Player, Value};

    /// The rule with these settings.
    fn rule(settings: &[(&str, &str)]) -> (ProgressiveHistory<u16>, Params) {
        let params = params(&[&[("select", "progressive-history")], settings].concat());
        (ProgressiveHistory::new(&params), params)
    }

    #[test]
    fn the_score_is_that_of_the_paper() {
        // N = 16, and values are in 0…1. The first child won 7 of 10, and H = 0.75:
        // 0.7 + 0.5 · √(ln 16 / 10) + 3 · 0.75 / (10 − 7 + 1) = 1.52578. The second won 3 of 6, and H = 0.25:
        // 0.5 + 0.5 · √(ln 16 / 6) + 3 · 0.25 / 4 = 1.02739. The third was never visited, so Q is the parent's
        // mean minus 0.02, and its play was never made, so H = 0.5: 0.605 + 0.5 · √ln 16 + 3 · 0.5 = 2.93755.
        let (mut rule, params) = rule(&[("c", "1"), ("history_weight", "6")]);
        let tree = tree(&params, &[(10, 0.4), (6, 0.0), (0, 0.0)]);
        for (play, mean) in [(0, 0.5), (1, -0.5)] {
            rule.averages.insert(Move { player: Player::One, play }, Average { visits: 4.0, mean });
        }
        assert_close(&scores(&mut rule, &tree, Player::One), &[2.051_55, 1.054_78, 4.875_11]);
        // White has made none of the plays. For White the children won 3 of 10 and 3 of 6.
        let (exploration, bonus) = ([0.526_55, 0.679_78], [6.0 * 0.5 / 8.0, 6.0 * 0.5 / 4.0]);
        let scores = scores(&mut rule, &tree, Player::Two);
        assert_close(&scores[..2], &[-0.4 + exploration[0] + bonus[0], exploration[1] + bonus[1]]);
    }

    #[test]
    fn each_move_in_the_tree_and_in_the_playout_counts() {
        let (mut rule, params) = rule(&[]);
        let mut tree = tree(&params, &[(1, 0.0)]);
        // The players take turns: Black makes 7, 9 and 7; White makes 8 and 7.
        rule.learn(&mut tree, &[], &simulation(&[7, 8], &[9, 7, 7], Value::WIN));
        rule.learn(&mut tree, &[], &simulation(&[9], &[], Value::new(-0.5)));
        let known = |player, play| rule.averages.get(&Move { player, play }).copied();
        let average = |visits, mean| Some(Average { visits, mean });
        assert_eq!(known(Player::One, 7), average(2.0, 1.0));
        assert_eq!(known(Player::One, 9), average(2.0, 0.25));
        assert_eq!(known(Player::Two, 7), average(1.0, -1.0));
        assert_eq!(known(Player::Two, 8), average(1.0, -1.0));
        assert_eq!(known(Player::Two, 9), None);
    }
}
