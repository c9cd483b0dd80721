//! Whether a search may stop before its time is up.
//!
//! Two rules, after Baier & Winands ("Time Management for Monte-Carlo Tree Search in Go", 2012): a search whose choice
//! *cannot* change any more, except by a proof, stops (STOP), and the planned time shrinks while the choice is
//! *unlikely* to change and grows while it is open (UNST, CLOSE, BEHIND).

use super::tree::{NodeId, Tree};
use crate::game::{Outcome, Player};

/// How far the choice at the root leads. Proved losses are left out, because they are never chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lead {
    /// The number of visits to the most visited play.
    first: u32,
    /// The number of visits to the second most visited play.
    second: u32,
    /// Whether the play of highest value, among those that may be chosen, is also the most visited.
    agreed: bool,
    /// Whether the choice changed in the last 30 % of the iterations.
    recent: bool,
}

/// The most stable choice takes this fraction of the planned time.
const STABLE: f64 = 0.6;

/// The least stable choice takes this many times the planned time.
pub(crate) const UNSTABLE: f64 = 2.0;

/// A change within this last fraction of the iterations is recent.
const RECENT: f64 = 0.3;

/// Whether a choice that last changed after `changed` of `iterations` changed recently.
fn is_recent(changed: u64, iterations: u64) -> bool {
    ((iterations - changed) as f64) < RECENT * iterations as f64
}

impl Lead {
    /// Whether the choice stays even if all `remaining` iterations go to the second play. To be chosen, a play needs
    /// `final_visits` times the visits of the most visited play.
    pub fn is_settled(&self, final_visits: f32, remaining: u64) -> bool {
        f64::from(self.first) * f64::from(final_visits) > f64::from(self.second) + remaining as f64
    }

    /// The time that the choice deserves, as a multiple of the planned time: 0.6 if the second play has no visits; 2 if
    /// it has as many as the first, if visits and values disagree, or if the choice changed recently. `instability`,
    /// 0…1, is how much of this counts.
    pub fn time_factor(&self, instability: f32) -> f64 {
        let open = self.recent || !self.agreed;
        let rivalry = if open { 1.0 } else { f64::from(self.second) / f64::from(self.first.max(1)) };
        1.0 + f64::from(instability) * (STABLE + (UNSTABLE - STABLE) * rivalry - 1.0)
    }
}

/// Keeps track of when the choice last changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stability {
    mover: Player,
    final_visits: f32,
    /// The choice at the last check, as an offset among the root's children: its node moves when the root gets more
    /// children.
    favourite: Option<usize>,
    /// The number of iterations done when the choice last changed.
    changed: u64,
}

impl Stability {
    /// The state before the first check. `mover` chooses among the plays with at least `final_visits` times the most
    /// visits.
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
        let min_visits = self.final_visits * first as f32;
        let (mut favourite, mut agreed, mut record) = (None, true, f32::NEG_INFINITY);
        for (offset, child) in children() {
            let (visits, value) = (tree.visits(child), tree.value_for(child, self.mover).get());
            if visits > 0 && visits as f32 >= min_visits && value > record {
                (favourite, agreed, record) = (Some(offset), visits == first, value);
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

    const CLEAR: Lead = Lead { first: 1000, second: 0, agreed: true, recent: false };

    #[test]
    fn the_time_grows_with_the_second_play_and_with_instability() {
        assert_eq!(CLEAR.time_factor(1.0), STABLE);
        assert_eq!(CLEAR.time_factor(0.0), 1.0);
        let half = Lead { second: 500, ..CLEAR }.time_factor(1.0);
        assert!((half - (STABLE + UNSTABLE) / 2.0).abs() < 1e-9);
        for open in
            [Lead { second: 1000, ..CLEAR }, Lead { agreed: false, ..CLEAR }, Lead { recent: true, ..CLEAR }]
        {
            assert_eq!(open.time_factor(1.0), UNSTABLE);
        }
    }

    #[test]
    fn a_choice_that_cannot_be_overtaken_is_settled() {
        let lead = Lead { second: 300, ..CLEAR };
        assert!(lead.is_settled(0.7, 399) && !lead.is_settled(0.7, 400));
        assert!(lead.is_settled(1.0, 699) && !lead.is_settled(1.0, 700));
    }

    #[test]
    fn a_change_is_recent_for_a_while() {
        assert!(is_recent(100, 100) && is_recent(100, 142));
        assert!(!is_recent(100, 143) && !is_recent(0, 100));
    }
}
