//! UCB1-Tuned: less exploration if values vary little (Auer, Cesa-Bianchi, Fischer, "Finite-time Analysis of the
//! Multiarmed Bandit Problem", 2002, section 4).
//!
//! ```text
//! Q + c · √(ln N / n · min(¼, V))        V = σ² + √(2 · ln N / n)
//! ```
//!
//! `σ²` is the variance of the values of the child's simulations, scaled to 0…1 as in the paper, so it is at most ¼.
//! The paper's constant is 1, which is `c = 2` for values in −1…+1, with `c_root = 1` and `c_breadth = 0`; the paper
//! has no such parameters. A child without visits counts as visited once, as in UCT.
//!
//! The variance is that of single leaves, although a batch of new children (`leaf_batch`) is backed up as one mean. The
//! tree keeps the sums alongside its nodes, 16 bytes each. They are not saved with the tree. In a restored tree, the
//! earlier values of a node count as wins and losses, which gives the largest variance that its mean allows. This is
//! the true variance for playouts to the end of a game without draws.

use super::{Children, Parent, Rule};
use crate::game::Player;
use crate::playout::Simulation;
use crate::search::mcts::iteration::Step;
use crate::search::mcts::tree::{GROUP, Tree};
use crate::support::math::ln;

/// The variance of any values in 0…1 is at most this.
const MAX_VARIANCE: f32 = 0.25;

/// The sum of the values of a node's simulations, as seen by player one, and the sum of their squares.
///
/// Sums of this precision stay exact enough for billions of values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::search::mcts) struct Spread {
    sum: f64,
    squares: f64,
}

impl Spread {
    /// The spread of `count` values of −1 and +1 with this `mean`.
    pub fn of_wins_and_losses(count: u32, mean: f32) -> Spread {
        Spread { sum: f64::from(count) * f64::from(mean), squares: f64::from(count) }
    }

    /// Adds a value.
    pub fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.squares += f64::from(value * value);
    }

    /// The variance of its `count` values, after scaling them to 0…1.
    pub fn variance(&self, count: u32) -> f32 {
        let count = f64::from(count.max(1));
        let mean = self.sum / count;
        // Values in −1…+1 have twice the range and four times the variance.
        ((self.squares / count - mean * mean) / 4.0).max(0.0) as f32
    }
}

/// The rule; the tree keeps its statistics.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::mcts) struct Ucb1Tuned;

impl<P: Copy> Rule<P> for Ucb1Tuned {
    fn score(&mut self, parent: &Parent<P>) -> impl Fn(&Children<P>) -> [f32; GROUP] {
        let (tree, branch, log) = (parent.tree, parent.branch, ln(parent.branch.visits().max(1) as f32));
        move |children| {
            std::array::from_fn(|lane| {
                let visits = children.group.visits[lane];
                let bound = (2.0 * log / visits.max(1) as f32).sqrt();
                let variance = tree.arena.spread(branch.child(children.offset + lane)).variance(visits);
                let doubt = (variance + bound).min(MAX_VARIANCE).sqrt();
                children.values[lane] + children.explorations[lane] * doubt
            })
        }
    }

    fn learn(&mut self, tree: &mut Tree<P>, path: &[Step], simulation: &Simulation<P>) {
        let value = simulation.value_for(Player::One).get();
        for step in path {
            if let Some(spread) = tree.arena.spread_mut(step.chosen) {
                spread.add(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{HeapSearch, assert_close, params, run, scores, search, tree};
    use super::*;
    use crate::game::Game;
    use crate::search::mcts::Params;
    use crate::search::mcts::tree::NodeId;

    #[test]
    fn the_variance_is_that_of_values_in_0_to_1() {
        for (values, expected) in [
            (&[1.0, -1.0, 1.0, -1.0][..], 0.25),
            (&[1.0, 1.0, 1.0, -1.0], 0.1875),
            (&[1.0, 0.0, 0.0, -1.0], 0.125),
            (&[0.5, 0.5], 0.0),
            (&[], 0.0),
        ] {
            let mut spread = Spread::default();
            values.iter().for_each(|&value| spread.add(value));
            assert_eq!(spread.variance(values.len() as u32), expected, "{values:?}");
        }
        assert_eq!(Spread::of_wins_and_losses(8, 0.5).variance(8), 0.1875);
    }

    #[test]
    fn the_score_is_that_of_the_paper() {
        // N = 100,000. The first child has 90,000 visits, 95 % of them won: V = 0.0475 + √(2 ln N / n) = 0.0635, and in
        // 0…1 the score is 0.95 + √(ln N / n · 0.0635) = 0.95285. The second has 9,990 draws: V = 0 + 0.0480. The third
        // has 10 visits: V is above ¼. The fourth has no visits: its value is the parent's mean less 0.04, and V is
        // above ¼ as for one visit.
        let children = [(90_000, 0.9), (9_990, 0.0), (10, 0.2), (0, 0.0)];
        let mut tree = tree(&params(&[("select", "ucb1-tuned"), ("c", "2")]), &children);
        for (offset, spread) in [
            Spread::of_wins_and_losses(90_000, 0.9),
            Spread::default(),
            Spread::of_wins_and_losses(10, 0.2),
            Spread::default(),
        ]
        .into_iter()
        .enumerate()
        {
            *tree.arena.spread_mut(tree.child(NodeId::ROOT, offset)).unwrap() = spread;
        }
        assert_close(&scores(&mut Ucb1Tuned, &tree, Player::One), &[0.905_70, 0.014_88, 1.272_98, 4.163_09]);
    }

    /// All values are wins and losses, so the squares of a node count its visits, and its sum follows from its mean.
    fn assert_complete(tree: &Tree<u16>) -> usize {
        let (mut open, mut nodes) = (vec![NodeId::ROOT], 0);
        while let Some(id) = open.pop() {
            let (spread, visits) = (tree.arena.spread(id), f64::from(tree.visits(id)));
            assert_eq!(spread.squares, visits);
            assert!((spread.sum - visits * f64::from(tree.mean(id))).abs() < 1e-3 * visits.max(1.0));
            open.extend(tree.children(id));
            nodes += 1;
        }
        nodes
    }

    #[test]
    fn the_sums_follow_their_nodes() {
        for (leaf_batch, transpositions) in [(1, "off"), (8, "on")] {
            let settings = [("select", "ucb1-tuned"), ("c", "2"), ("transpositions", transpositions)];
            let params = Params { leaf_batch, leaf_best: 0.0, ..params(&settings) };
            let mut before = search(1000, params.clone());
            run(&mut before, 3000);
            assert!(assert_complete(&before.tree) > 300);
            let most_visited = |search: &HeapSearch, id| {
                let child = search.tree.children(id).max_by_key(|&child| search.tree.visits(child)).unwrap();
                (search.tree.node(child).play.unwrap(), search.tree.canonical(child))
            };
            let (play, child) = most_visited(&before, NodeId::ROOT);
            let saved = before.save(play, 1000).expect("a saved tree");
            let mut root = saved.before.clone();
            root.play(most_visited(&before, child).0);
            let mut restored = search(0, params);
            restored.restart(root.clone(), 1);
            assert!(restored.restore(saved.below(&root).expect("the reply")));
            before.advance(play, root, 2, usize::MAX);
            for mut search in [before, restored] {
                // When the game goes on, the new root begins without sums, because nothing reads them.
                let id = NodeId::ROOT;
                *search.tree.arena.spread_mut(id).unwrap() =
                    Spread::of_wins_and_losses(search.tree.visits(id), search.tree.mean(id));
                assert!(assert_complete(&search.tree) > 3 && search.tree.visits(id) > 100);
                run(&mut search, 2000);
                assert!(assert_complete(&search.tree) > 300);
            }
        }
    }
}
