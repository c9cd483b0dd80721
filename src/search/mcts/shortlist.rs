//! Which children of a wide node may be chosen next.
//!
//! In long searches the nodes near the root have a hundred children, most of which are seldom chosen: to score all of
//! them each time would be most of the way down. So a wide node has a *shortlist*: the few groups of children with the
//! highest scores, and what bounds the scores of the others. These are not visited meanwhile, so their scores change
//! only with how much the parent explores, and with its mean. As long as the best child on the list scores more than
//! any other can, it is the one that a look at all would find. If not, all are looked at, and the list is made anew.

use super::score::{Terms, argmax, score};
use super::tree::{Branch, ChildGroup, GROUP, NodeId};
use std::ops::RangeInclusive;

/// A node with so many groups of children is wide.
const WIDE: RangeInclusive<usize> = 8..=MOST;

/// With more, all children are looked at each time.
const MOST: usize = 128;

/// The groups on a shortlist.
const LISTED: usize = 4;

/// How many shortlists there may be. Of two nodes with the same place the one looked at last has it.
const LISTS: usize = 1 << 11;

/// More than rounding adds to a score or to the bound, as a part of their size.
const ROUNDING: f32 = 2e-6;

/// The shortlist of one node.
#[derive(Clone, Copy, Debug)]
struct Shortlist {
    /// The node's first child; the root, which is nobody's child, where there is no list.
    first: NodeId,
    /// The visits to all its children.
    visits: u32,
    /// The groups on the list, in order.
    groups: [u16; LISTED],
    /// How much was explored when all children were looked at, and what those without visits counted for.
    exploration: f32,
    urgency: f32,
    /// The highest score, and the highest weight, of a child that is not on the list.
    score: f32,
    weight: f32,
}

impl Shortlist {
    const NONE: Shortlist = Shortlist {
        first: NodeId::ROOT,
        visits: 0,
        groups: [0; LISTED],
        exploration: 0.0,
        urgency: 0.0,
        score: 0.0,
        weight: 0.0,
    };
}

/// The shortlists of the wide nodes of a tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Shortlists {
    /// [`LISTS`] places, or none as long as there is no list.
    lists: Vec<Shortlist>,
}

impl Shortlists {
    /// Forgets all lists.
    pub fn clear(&mut self) {
        self.lists.clear();
    }

    /// Forgets the list of the node whose first child is `first`.
    pub fn forget(&mut self, first: NodeId) {
        if let Some(list) = self.lists.get_mut(place(first))
            && list.first == first
        {
            *list = Shortlist::NONE;
        }
    }

    /// Counts `count` more visits to the children of which `first` is the first.
    #[inline]
    pub fn count(&mut self, first: NodeId, count: u32) {
        if let Some(list) = self.lists.get_mut(place(first))
            && list.first == first
        {
            list.visits = list.visits.saturating_add(count);
        }
    }

    /// The visits to all children of `branch`, if it has a list.
    #[inline]
    pub fn visits<P: Copy>(&self, branch: &Branch<P>) -> Option<u32> {
        self.of(branch).map(|list| list.visits)
    }

    /// The best child of a wide `branch`, as [`argmax`] finds it.
    #[inline]
    pub fn argmax<P: Copy>(&mut self, branch: &Branch<P>, terms: Terms) -> (usize, f32) {
        if let Some(list) = self.of(branch) {
            let listed =
                list.groups.iter().map(|&number| (usize::from(number), &branch.groups[usize::from(number)]));
            let (first, record) = argmax(listed, terms);
            let explored = (terms.exploration - list.exploration).max(0.0) * list.weight;
            let urged = (terms.urgency - list.urgency).max(0.0);
            let rounding = ROUNDING * (2.0 + terms.exploration * list.weight);
            if record > list.score + explored + urged + rounding {
                return (first, record);
            }
        }
        self.make(branch, terms)
    }

    /// The list of `branch`, if it has one. A node that gets more children has another first one.
    #[inline]
    fn of<P: Copy>(&self, branch: &Branch<P>) -> Option<&Shortlist> {
        let first = branch.child(0);
        let list = self.lists.get(place(first))?;
        (list.first == first).then_some(list)
    }

    /// Looks at all children, and lists the best.
    #[inline(never)]
    fn make<P: Copy>(&mut self, branch: &Branch<P>, terms: Terms) -> (usize, f32) {
        let groups = branch.groups;
        let greater = |a: f32, b: f32| if b > a { b } else { a };
        let mut weights = [0f32; MOST];
        // The highest scores of groups in falling order, and the groups; the first of equals first.
        let mut best = [(f32::NEG_INFINITY, 0); LISTED];
        let mut left_out = f32::NEG_INFINITY;
        for (number, (group, weight)) in groups.iter().zip(&mut weights).enumerate() {
            let highest = score(group, terms).into_iter().fold(f32::NEG_INFINITY, greater);
            *weight = group.weights.into_iter().fold(0.0, greater);
            let mut entry = (highest, number);
            if highest > best[LISTED - 1].0 {
                for place in &mut best {
                    if entry.0 > place.0 {
                        std::mem::swap(&mut entry, place);
                    }
                }
            }
            left_out = greater(left_out, entry.0);
        }
        let mut listed = best.map(|(_, number)| number as u16);
        listed.iter().for_each(|&number| weights[usize::from(number)] = 0.0);
        listed.sort_unstable();
        let first = branch.child(0);
        if self.lists.is_empty() {
            self.lists.resize(LISTS, Shortlist::NONE);
        }
        self.lists[place(first)] = Shortlist {
            first,
            visits: branch.visits_below(),
            groups: listed,
            exploration: terms.exploration,
            urgency: terms.urgency,
            score: left_out,
            weight: weights[..groups.len()].iter().copied().fold(0.0, greater),
        };
        let (record, number) = best[0];
        let lane = score(&groups[number], terms).iter().position(|&score| score == record);
        (number * GROUP + lane.unwrap_or(0), record)
    }
}

/// Whether a node with these `children` is wide.
#[inline]
pub(super) fn is_wide<P>(children: &[ChildGroup<P>]) -> bool {
    WIDE.contains(&children.len())
}

/// Where the list is of the node whose first child is `first`.
#[inline]
fn place(first: NodeId) -> usize {
    first.group_number() % LISTS
}

#[cfg(test)]
mod tests {
    use super::super::formula::Formula;
    use super::super::params::Params;
    use super::super::tree::Tree;
    use super::*;
    use crate::game::{Outcome, Player};
    use crate::support::random::Random;

    #[test]
    fn the_best_child_is_that_of_a_look_at_all_and_mostly_found_without_one() {
        let (mut random, mut listed, mut others) = (Random::new(1), 0, 0);
        for (children, c) in [(32, "0.16"), (61, "0.5"), (90, "0"), (200, "0.16")] {
            let mut params = Params::default();
            crate::support::parameters::Parameters::set(&mut params, "c", c).unwrap();
            let (formula, mut tree) = (Formula::new(&params), Tree::new(1 << 20, &params));
            let priors = (0..children).map(|play: u16| (play, 0.2 / (1.0 + f32::from(play))));
            assert!(tree.grow(NodeId::ROOT, priors.collect::<Vec<_>>().into_iter(), children.into()));
            let means: Vec<_> = (0..children).map(|_| random.below(100) as f32 / 200.0).collect();
            let mut shortlists = Shortlists::default();
            for step in 0..20_000 {
                let branch = tree.branch(NodeId::ROOT);
                assert!(is_wide(branch.groups));
                let below = shortlists.visits(&branch);
                assert!(below.is_none_or(|below| below == branch.visits_below()));
                let terms = Terms {
                    sign: 1.0,
                    urgency: formula.urgency(branch.mean()),
                    exploration: formula.exploration(true, children.into(), branch.visits(below)),
                };
                let known = shortlists.of(&branch).copied();
                let best = shortlists.argmax(&branch, terms);
                assert_eq!(
                    best,
                    argmax(branch.groups.iter().enumerate(), terms),
                    "step {step} of {children} children"
                );
                let now = shortlists.of(&branch).copied().expect("there is one now");
                // The mean changes with each visit, and so does what a new list notes of it.
                let kept = known.is_some_and(|known| {
                    (known.exploration, known.urgency) == (now.exploration, now.urgency)
                });
                (listed, others) = (listed + u32::from(kept), others + u32::from(!kept));
                let (offset, _) = best;
                let id = tree.child(NodeId::ROOT, offset);
                if step % 997 == 996 {
                    tree.prove(id, Outcome::Win(Player::Two), Player::Two);
                    continue;
                }
                let value = means[offset] + random.below(100) as f32 / 200.0 - 0.25;
                tree.add(id, value, 4);
                tree.add(NodeId::ROOT, value, 4);
                shortlists.count(tree.first_child(NodeId::ROOT), 4);
            }
        }
        assert!(listed > 4 * others, "{listed} steps with lists, {others} without");
    }
}
