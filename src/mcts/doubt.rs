//! Whether the choice at the root is clear: how long a search should go on that need not.

use super::search::Search;
use super::tree::NodeId;
use crate::game::{Game, Outcome};
use crate::playout::Playout;

/// The part of the planned time that the clearest choice takes.
const CLEAR: f64 = 0.6;

/// How many times the planned time a choice in full doubt takes.
const DOUBTFUL: f64 = 2.0;

/// A change of mind is recent for this part of the iterations done since the search began.
const RECENT: f64 = 0.3;

/// What a search remembers of its own changes of mind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doubt {
    /// The play that would have been decided on at the last look.
    favourite: Option<NodeId>,
    /// After how many iterations another became the favourite.
    changed: u64,
}

/// How the plays at the root stand, those that are proved losses left out: these are not chosen however
/// often they were visited.
struct Standing {
    /// The visits to the most visited play.
    first: u32,
    /// The visits to the next.
    second: u32,
    /// The play that would be decided on.
    favourite: Option<NodeId>,
    /// Whether that is the most visited.
    agreed: bool,
}

impl<G: Game, L: Playout<G>> Search<G, L> {
    /// Whether the most visited play is decided on even if all `remaining` iterations go to the second.
    pub(super) fn is_settled(&self, remaining: u64) -> bool {
        let Standing { first, second, .. } = self.standing();
        (f64::from(first) * f64::from(self.params.pick)) > f64::from(second) + remaining as f64
    }

    /// How many times the planned time is due after `iterations`: `CLEAR` where the second play has no
    /// visits beside the first, `DOUBTFUL` where both are equal, where the play of most visits is not that of
    /// highest value, or where another play was the favourite not long ago.
    ///
    /// (After the ways to use time in Baier & Winands, "Time Management for Monte-Carlo Tree Search in
    /// Go", 2012: UNST, CLOSE, BEHIND.)
    pub(super) fn patience(&self, doubt: &mut Doubt, iterations: u64) -> f64 {
        let Standing { first, second, favourite, agreed } = self.standing();
        if favourite != doubt.favourite {
            *doubt = Doubt { favourite, changed: iterations };
        }
        let settled_for = (iterations - doubt.changed) as f64;
        let recent = settled_for < RECENT * iterations as f64;
        let rivalry = if recent || !agreed { 1.0 } else { f64::from(second) / f64::from(first.max(1)) };
        1.0 + f64::from(self.params.doubt) * (CLEAR + (DOUBTFUL - CLEAR) * rivalry - 1.0)
    }

    fn standing(&self) -> Standing {
        let mover = self.root.to_move();
        let loss = Some(Outcome::Win(mover.opponent()));
        let children = || {
            let children = self.tree.node(NodeId::ROOT).children();
            children.filter(|&child| self.tree.node(child).proof != loss)
        };
        let (mut first, mut second) = (0, 0);
        for visits in children().map(|child| self.tree.visits(child)) {
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        let least = self.params.pick * first as f32;
        let (mut favourite, mut record) = (None, f32::NEG_INFINITY);
        for child in children() {
            let (visits, value) = (self.tree.visits(child), self.tree.value_for(child, mover).get());
            if visits > 0 && visits as f32 >= least && value > record {
                (favourite, record) = (Some(child), value);
            }
        }
        let agreed = favourite.is_none_or(|child| self.tree.visits(child) == first);
        Standing { first, second, favourite, agreed }
    }
}
