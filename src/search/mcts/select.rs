//! Which child to descend into: the one with the greatest score by the formula (`formula.rs`).
//!
//! Children whose loss is proved are passed over (MCTS-Solver: Winands, Björnsson, Saito 2008).

use super::formula::Formula;
use super::score::{Terms, argmax};
use super::tree::{Branch, sign};
use crate::game::Player;

/// Where an iteration may go on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The offset of the best child; `None` if every child that has a node is a proved loss.
    pub child: Option<usize>,
    /// Whether a play that has no node yet might be better.
    pub or_unseen: bool,
}

/// The child that the next iteration descends into from `branch`, for `mover` to move there.
///
/// Plays without a node have lower priors than those with one, so the least prior among the latter tells
/// how good a play without a node can be at best.
#[inline]
pub(crate) fn best_child<P: Copy>(branch: &Branch<P>, mover: Player, formula: &Formula) -> Choice {
    let (node, sign) = (branch.node(), sign(mover));
    let urgency = formula.urgency(sign * branch.mean());
    let exploration = formula.exploration(branch.is_root, node.legal(), branch.visits());
    let terms = Terms { sign, urgency, exploration };
    let (first, record) = argmax(branch.groups, terms);
    let child = (record > f32::NEG_INFINITY).then_some(first);
    let or_unseen = 0 < node.expanded() && node.expanded() < node.legal() && {
        let weight = formula.weight(branch.least_prior(), 0);
        child.is_none() || record < urgency + exploration * weight
    };
    Choice { child, or_unseen }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::tree::{NodeId, Tree};
    use super::*;
    use crate::game::Outcome;
    use crate::support::parameters::Parameters;
    use crate::support::random::Random;

    /// A parent with children of these visits, means for player one, and priors.
    fn tree(params: &Params, children: &[(u32, f32, f32)]) -> Tree<u16> {
        let mut tree = Tree::new(1 << 16, params);
        let ranked = children.iter().enumerate().map(|(play, &(_, _, prior))| (play as u16, prior));
        assert!(tree.grow(NodeId::ROOT, ranked, children.len()));
        for (offset, &(visits, mean, _)) in children.iter().enumerate() {
            tree.set(tree.child(NodeId::ROOT, offset), visits, mean);
            (0..visits).for_each(|_| tree.add(NodeId::ROOT, mean, 1));
        }
        tree
    }

    /// The child chosen by either formula with these settings.
    fn choose(
        select: &str,
        children: &[(u32, f32, f32)],
        mover: Player,
        settings: &[(&str, &str)],
    ) -> Option<usize> {
        let mut params = Params::default();
        for (name, value) in settings.iter().chain([&("select", select)]) {
            params.set(name, value).unwrap();
        }
        let tree = tree(&params, children);
        best_child(&tree.branch(NodeId::ROOT), mover, &Formula::new(&params)).child
    }

    #[test]
    fn without_exploration_the_best_mean_is_taken_by_either_player() {
        let children = [(10, 0.1, 0.5), (10, 0.3, 0.3), (10, -0.2, 0.2)];
        for select in ["puct", "uct"] {
            assert_eq!(choose(select, &children, Player::One, &[("c", "0")]), Some(1));
            assert_eq!(choose(select, &children, Player::Two, &[("c", "0")]), Some(2));
        }
    }

    #[test]
    fn exploration_prefers_what_is_little_known() {
        for select in ["puct", "uct"] {
            let children = [(100, 0.1, 0.5), (2, 0.0, 0.5)];
            assert_eq!(choose(select, &children, Player::One, &[("c", "2")]), Some(1));
        }
    }

    #[test]
    fn puct_follows_the_prior_and_uct_does_not() {
        let children = [(9, 0.0, 0.1), (10, 0.0, 0.9)];
        assert_eq!(choose("puct", &children, Player::One, &[]), Some(1));
        assert_eq!(choose("uct", &children, Player::One, &[]), Some(0));
    }

    #[test]
    fn urgency_decides_when_a_new_child_is_tried() {
        let with = |fpu| {
            let children = [(10, 0.5, 0.5), (0, 0.0, 0.5)];
            choose("puct", &children, Player::One, &[("c", "0.01"), ("fpu", fpu)])
        };
        assert_eq!(with("-1"), Some(1));
        assert_eq!(with("1"), Some(0));
    }

    #[test]
    fn the_first_of_equals_is_taken_wherever_it_stands() {
        for best in 0..11 {
            let mut children = [(10, 0.0, 0.1); 11];
            children[best..].fill((10, 0.5, 0.1));
            assert_eq!(choose("puct", &children, Player::One, &[]), Some(best));
        }
    }

    #[test]
    fn the_formulas_are_those_of_the_papers() {
        // Of two children with means 0 and x, the second is chosen once x makes up for what the
        // first has more of exploration.
        for times in [1, 10] {
            let (c, [first, second, visits]) = (1.5f32, [100, 200, 300].map(|visits| visits * times));
            let [n1, n2, n] = [first, second, visits].map(|visits| visits as f32);
            let grown = c * (1.0 + n / 500.0).powf(0.4);
            let puct = |c: f32| c * n.sqrt() * (0.6 / (n1 + 1.0) - 0.4 / (n2 + 1.0));
            let uct = c * (n.ln() / n1).sqrt() - c * (n.ln() / n2).sqrt();
            for (select, growth, margin) in
                [("puct", "0", puct(c)), ("puct", "0.4", puct(grown)), ("uct", "0.4", uct)]
            {
                let with = |mean| {
                    let children = [(first, 0.0, 0.6), (second, mean, 0.4)];
                    let settings = [("c", "1.5"), ("c_growth", growth), ("c_root", "1"), ("c_breadth", "0")];
                    choose(select, &children, Player::One, &settings)
                };
                assert_eq!(with(margin - 1e-3), Some(0), "{select}, {visits} visits");
                assert_eq!(with(margin + 1e-3), Some(1), "{select}, {visits} visits");
            }
        }
    }

    #[test]
    fn the_child_chosen_is_that_of_a_plain_loop() {
        let mut random = Random::new(1);
        for round in 0..500 {
            let params = Params { c: (round % 3) as f32, ..Params::default() };
            let mover = Player::BOTH[round % 2];
            // Few different numbers, so that there are equals.
            let children: Vec<_> = (0..1 + random.below(40))
                .map(|_| (random.below(3) as u32, random.below(5) as f32 / 4.0, random.below(4) as f32 / 4.0))
                .collect();
            let mut tree = tree(&params, &children);
            let (formula, fpu) = (Formula::new(&params), sign(mover) * tree.mean(NodeId::ROOT) - params.fpu);
            let exploration = formula.exploration(true, children.len(), tree.visits(NodeId::ROOT));
            let (mut best, mut record) = (None, f32::NEG_INFINITY);
            for (offset, &(visits, mean, prior)) in children.iter().enumerate() {
                if random.happens(0.3) {
                    let lost = mover.opponent();
                    tree.prove(tree.child(NodeId::ROOT, offset), Outcome::Win(lost), lost);
                    continue;
                }
                let q = if visits == 0 { fpu } else { sign(mover) * mean };
                let score = q + exploration * formula.weight(prior, visits);
                if score > record {
                    (best, record) = (Some(offset), score);
                }
            }
            assert_eq!(best_child(&tree.branch(NodeId::ROOT), mover, &formula).child, best, "{children:?}");
        }
    }

    #[test]
    fn proved_losses_are_passed_over() {
        for c in [1.0, 0.0] {
            let params = Params { c, ..Params::default() };
            let mut tree = tree(&params, &[(10, 0.9, 0.5), (10, 0.1, 0.5)]);
            for (offset, left) in [(0, Some(1)), (1, None)] {
                let id = tree.child(NodeId::ROOT, offset);
                tree.prove(id, Outcome::Win(Player::Two), Player::Two);
                tree.add(id, -1.0, 1);
                assert_eq!(
                    best_child(&tree.branch(NodeId::ROOT), Player::One, &Formula::new(&params)).child,
                    left
                );
            }
        }
    }
}
