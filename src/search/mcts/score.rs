//! The scores of a node's children by the formula, [`GROUP`] at once, and the best of them.

use super::tree::{ChildGroup, GROUP};

/// What the scores of a node's children depend on beside these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// +1 or −1: what turns a value for player one into the mover's.
    pub sign: f32,
    /// What a child without visits counts for.
    pub urgency: f32,
    /// What a child's weight is multiplied by.
    pub exploration: f32,
}

/// The offset of the child with the greatest score `Q + exploration · weight` in `groups`, the first
/// among equals, and that score; −∞ where all are proved losses.
///
/// A group of children is scored at once, the best so far is kept for each place in it, and the best of
/// these is picked in the end: nothing here is a branch but the loop.
///
/// A proved loss has a weight of −∞, hence a score that is never the greatest; without
/// exploration it is not a number, which is not greater than anything either.
#[inline]
pub(super) fn argmax<P>(groups: &[ChildGroup<P>], terms: Terms) -> (usize, f32) {
    let mut highest = [f32::NEG_INFINITY; GROUP];
    let mut places = [0u32; GROUP];
    for (number, group) in groups.iter().enumerate() {
        let scores = score(group, terms);
        for lane in 0..GROUP {
            let better = u32::from(scores[lane] > highest[lane]).wrapping_neg();
            let picked = scores[lane].to_bits() & better | highest[lane].to_bits() & !better;
            highest[lane] = f32::from_bits(picked);
            places[lane] = number as u32 & better | places[lane] & !better;
        }
    }
    let record = highest.into_iter().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
    let place = |lane: usize| places[lane] as usize * GROUP + lane;
    let first = (0..GROUP).filter(|&lane| highest[lane] == record).map(place).min();
    (first.unwrap_or(0), record)
}

/// The scores of a group of children. Which `Q` holds is chosen by a mask and not by a branch.
#[inline(always)]
fn score<P>(group: &ChildGroup<P>, terms: Terms) -> [f32; GROUP] {
    let Terms { sign, urgency, exploration } = terms;
    std::array::from_fn(|lane| {
        let fresh = u32::from(group.visits[lane] == 0).wrapping_neg();
        let shown = (sign * group.means[lane]).to_bits();
        let q = f32::from_bits(urgency.to_bits() & fresh | shown & !fresh);
        q + exploration * group.weights[lane]
    })
}
