//! Whether the choice at the root is stable, as [`Lead`] needs it.

use super::search::Search;
use super::tree::NodeId;
use crate::game::{Game, Outcome};
use crate::playout::Playout;
use crate::prior::Prior;
use crate::time::{Lead, is_recent};

/// When the choice of a search last changed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stability {
    /// The play that would have been chosen at the last check, by its place among the root's: its node moves when the
    /// root gets more of them.
    favourite: Option<usize>,
    /// How many iterations were done when it last changed.
    changed: u64,
}

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// How far the choice leads after `iterations`.
    pub(super) fn lead(&self, stability: &mut Stability, iterations: u64) -> Lead {
        let mover = self.root.to_move();
        let loss = Some(Outcome::Win(mover.opponent()));
        let children = || {
            let children = self.tree.children(NodeId::ROOT).enumerate();
            children.filter(|&(_, child)| self.tree.node(child).proof != loss)
        };
        let (mut first, mut second) = (0, 0);
        for visits in children().map(|(_, child)| self.tree.visits(child)) {
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        let least = self.params.final_visits * first as f32;
        let (mut favourite, mut agreed, mut record) = (None, true, f32::NEG_INFINITY);
        for (place, child) in children() {
            let (visits, value) = (self.tree.visits(child), self.tree.value_for(child, mover).get());
            if visits > 0 && visits as f32 >= least && value > record {
                (favourite, agreed, record) = (Some(place), visits == first, value);
            }
        }
        if favourite != stability.favourite {
            *stability = Stability { favourite, changed: iterations };
        }
        Lead { first, second, agreed, recent: is_recent(stability.changed, iterations) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::FakeClock;
    use crate::evaluation::Fitted;
    use crate::mcts::Params;
    use crate::parameters::{Named, NoParameters};
    use crate::playout::Static;
    use crate::rules::{BLACK, Position, Rules};
    use crate::search::Limits;

    #[test]
    fn a_choice_stays_the_same_when_the_root_gets_more_children() {
        let root = Position::initial(BLACK, Rules::Addendum);
        let leaves = Static::new(NoParameters::default(), Box::new(Fitted));
        let mut search = Search::new(root, Params::default(), leaves, 1);
        search.run(&Limits::iterations(50), &FakeClock::default());
        let mut stability = Stability::default();
        assert!(search.lead(&mut stability, 50).recent);
        let before = search.tree.node(NodeId::ROOT).expanded();
        search.expand(NodeId::ROOT, &root);
        assert!(search.tree.node(NodeId::ROOT).expanded() > before);
        assert!(!search.lead(&mut stability, 1000).recent);
    }
}
