//! Whether the choice at the root is stable, as [`Lead`] needs it.

use super::tree::{NodeId, Tree};
use crate::game::{Outcome, Player};
use crate::time::{Lead, is_recent};

/// When the choice of a search last changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stability {
    /// Who chooses.
    mover: Player,
    /// Which part of the most visits a play needs to be chosen.
    final_visits: f32,
    /// The play that would have been chosen at the last check, by its place among the root's: its node moves when the
    /// root gets more of them.
    favourite: Option<usize>,
    /// How many iterations were done when it last changed.
    changed: u64,
}

impl Stability {
    /// Nothing was chosen yet. `mover` will choose, among plays with at least `final_visits` of the most visits.
    pub fn new(mover: Player, final_visits: f32) -> Stability {
        Stability { mover, final_visits, favourite: None, changed: 0 }
    }

    /// How far the choice at the root of `tree` leads after `iterations`.
    pub fn lead<P: Copy>(&mut self, tree: &Tree<P>, iterations: u64) -> Lead {
        let loss = Some(Outcome::Win(self.mover.opponent()));
        let children = || {
            let children = tree.children(NodeId::ROOT).enumerate();
            children.filter(|&(_, child)| tree.node(child).proof != loss)
        };
        let (mut first, mut second) = (0, 0);
        for visits in children().map(|(_, child)| tree.visits(child)) {
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        let least = self.final_visits * first as f32;
        let (mut favourite, mut agreed, mut record) = (None, true, f32::NEG_INFINITY);
        for (place, child) in children() {
            let (visits, value) = (tree.visits(child), tree.value_for(child, self.mover).get());
            if visits > 0 && visits as f32 >= least && value > record {
                (favourite, agreed, record) = (Some(place), visits == first, value);
            }
        }
        if favourite != self.favourite {
            (self.favourite, self.changed) = (favourite, iterations);
        }
        Lead { first, second, agreed, recent: is_recent(self.changed, iterations) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::*;

    #[test]
    fn a_choice_stays_the_same_when_the_root_gets_more_children() {
        let mut tree = Tree::new(1 << 20, &Params::default());
        let plays = |count: u16| (0..count).map(|play| (play, 0.1)).collect::<Vec<_>>().into_iter();
        assert!(tree.grow(NodeId::ROOT, plays(8), 100));
        let chosen = tree.child(NodeId::ROOT, 3);
        tree.add(chosen, 0.5, 50);
        let mut stability = Stability::new(Player::One, 0.2);
        assert!(stability.lead(&tree, 50).recent);
        assert!(tree.grow(NodeId::ROOT, plays(16), 100));
        assert_ne!(tree.child(NodeId::ROOT, 3), chosen);
        assert!(!stability.lead(&tree, 1000).recent);
        tree.add(tree.child(NodeId::ROOT, 12), 0.6, 20);
        assert!(stability.lead(&tree, 1001).recent);
    }
}
