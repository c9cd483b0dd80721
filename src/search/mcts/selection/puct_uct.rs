//! PUCT and UCT: a child's value to the mover, `Q` in −1…+1, plus exploration.
//!
//! ```text
//! UCT    Q + c · √(ln N / n)            UCB1: Auer, Cesa-Bianchi, Fischer 2002;
//!                                       on trees: Kocsis, Szepesvári 2006
//! PUCT   Q + c · P · √N / (1 + n)       Rosin 2011; in this form: Silver et al. 2017
//! ```
//!
//! `N` counts visits to the parent or, if they are more, to its children, which transpositions share; `n` counts visits
//! to the child; `P` is the child's prior. `c` is larger at the root, where no later play can make up for a wrong
//! choice (`c_root`), and at nodes with many plays, where each has a small prior (`c_breadth`). For PUCT it grows with
//! the parent's visits, because a node with few visits needs a first opinion soon, and one with many can afford to
//! doubt it:
//!
//! ```text
//! c · (1 + N/500)^c_growth
//! ```
//!
//! In AlphaZero (Silver et al. 2018) and KataGo `c` grows with the logarithm of the visits. Here, an exponent of 0.39
//! scored +31 Elo (+3 … +58) against the factor 1 + 0.58 · ln(1 + N/500), in 500 games of 20,000 iterations; with 2,000
//! and 6,000 iterations, no difference was seen (E203). For faster growth see E221.
//!
//! `Q` is the mean of the values backed up through the child. For a child without visits it is the parent's mean minus
//! `fpu` (first-play urgency: Gelly, Wang 2006); in UCT such a child counts as visited once, so that a hundred plays
//! need not all be tried before one is tried again. In the papers on UCT and in Rosin's, values lie in 0…1, so their
//! constants are half of ours; Silver et al. use −1…+1, as here.
//!
//! The factor that depends on the child alone, `1/√n` or `P/(1+n)`, is kept in the tree as its
//! [weight](ChildGroup::weights), and the factors that depend on the parent alone come from two tables. So
//! selection waits for no division, root or logarithm.

use super::{BestChild, Selection};
use crate::game::Player;
use crate::search::mcts::params::Params;
use crate::search::mcts::tree::{Branch, ChildGroup, GROUP, sign};
use crate::support::math::{exp, ln};

/// The visits at which a node's exploration begins to grow, as in KataGo.
const GROWTH_BASE: f32 = 500.0;

/// The table of exploration has 2⁵ entries per doubling of visits and is interpolated between them. So exploration is
/// exact up to 64 visits, and has a relative error of at most 10⁻⁴ beyond that.
const BITS_BY_VISITS: u32 = 5;

/// The number of lower mantissa bits, which say how far it is to the next entry.
const BITS_BETWEEN: u32 = f32::MANTISSA_DIGITS - 1 - BITS_BY_VISITS;

/// The length of the table of breadths.
const TABLED_PLAYS: u16 = 512;

/// A formula with the constants of a search.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    params: Params,
    by_visits: Vec<f32>,
    by_plays: Vec<f32>,
}

impl Formula {
    pub fn new(params: &Params) -> Formula {
        Formula {
            params: params.clone(),
            by_visits: (0..=entry(u32::MAX).0 + 1)
                .map(|entry| exploration(params, visits_at(entry)))
                .collect(),
            by_plays: (0..TABLED_PLAYS).map(|plays| breadth(params, plays.into())).collect(),
        }
    }

    /// The factor of exploration that depends on the child alone.
    #[inline]
    pub fn weight(&self, prior: f32, visits: u32) -> f32 {
        match self.params.select {
            Selection::Puct => prior / (visits as f32 + 1.0),
            _ => 1.0 / (visits.max(1) as f32).sqrt(),
        }
    }

    /// The child of `branch` that `mover` goes to by PUCT or UCT.
    ///
    /// No play without a node has a higher prior than a child, so the lowest prior of a child bounds the scores of such
    /// plays.
    #[inline]
    pub fn best_child<P: Copy>(&self, branch: &Branch<P>, mover: Player) -> BestChild {
        let node = branch.node();
        let scoring = self.scoring(branch, sign(mover));
        let (first, score) = best(branch.groups, |_, group| scoring.of_group(group));
        let offset = (score > f32::NEG_INFINITY).then_some(first);
        let unseen_may_be_better = node.expanded() < node.legal()
            && (offset.is_none() || score < scoring.of_new_child(self.weight(branch.min_prior(), 0)));
        BestChild { offset, unseen_may_be_better }
    }

    /// How to score the children of `branch` for the player of this `sign`.
    #[inline]
    pub fn scoring<P: Copy>(&self, branch: &Branch<P>, sign: f32) -> Scoring {
        Scoring {
            sign,
            fpu_value: sign * branch.mean() - self.params.fpu,
            exploration: self.exploration(branch.is_root, branch.node().legal(), branch.visits()),
        }
    }

    /// The factor of exploration that is the same for all children of a node.
    #[inline]
    fn exploration(&self, is_root: bool, legal: usize, visits: u32) -> f32 {
        let params = &self.params;
        let by_plays = self.by_plays.get(legal).copied();
        let root_factor = if is_root { params.c_root } else { 1.0 };
        let (entry, share) = entry(visits);
        let (before, after) = (self.by_visits[entry], self.by_visits[entry + 1]);
        root_factor * by_plays.unwrap_or_else(|| breadth(params, legal)) * (before + share * (after - before))
    }
}

/// The terms that the scores of a node's children share.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::mcts) struct Scoring {
    /// +1 or −1: turns a value for player one into the mover's.
    sign: f32,
    /// `Q` of a child without visits.
    fpu_value: f32,
    exploration: f32,
}

impl Scoring {
    /// The scores of a group of children.
    #[inline(always)]
    fn of_group<P>(self, group: &ChildGroup<P>) -> [f32; GROUP] {
        let [values, explorations] = [self.values(group), self.explorations(group)];
        std::array::from_fn(|lane| values[lane] + explorations[lane])
    }

    /// `Q` of each child of a group, chosen by a mask instead of a branch.
    #[inline(always)]
    pub fn values<P>(self, group: &ChildGroup<P>) -> [f32; GROUP] {
        std::array::from_fn(|lane| {
            let new = u32::from(group.visits[lane] == 0).wrapping_neg();
            let shown = (self.sign * group.means[lane]).to_bits();
            f32::from_bits(self.fpu_value.to_bits() & new | shown & !new)
        })
    }

    /// The exploration of a group of children.
    #[inline(always)]
    pub fn explorations<P>(self, group: &ChildGroup<P>) -> [f32; GROUP] {
        group.weights.map(|weight| self.exploration * weight)
    }

    /// The score of a child without visits that has this `weight`.
    #[inline]
    pub fn of_new_child(self, weight: f32) -> f32 {
        self.fpu_value + self.exploration * weight
    }
}

/// The offset of the child in `groups` with the highest `score`, the first among equals, and that score; −∞ if all are
/// proved losses.
///
/// Scores a group of children at once and keeps the best so far in each lane, so the loop has no branches.
///
/// A proved loss has a weight of −∞. Its score is −∞, or NaN without exploration, and neither compares greater than
/// any other score.
#[inline]
pub fn best<P>(
    groups: &[ChildGroup<P>],
    score: impl Fn(usize, &ChildGroup<P>) -> [f32; GROUP],
) -> (usize, f32) {
    let mut highest = [f32::NEG_INFINITY; GROUP];
    let mut numbers = [0u32; GROUP];
    for (number, group) in groups.iter().enumerate() {
        let scores = score(number, group);
        for lane in 0..GROUP {
            let better = u32::from(scores[lane] > highest[lane]).wrapping_neg();
            let picked = scores[lane].to_bits() & better | highest[lane].to_bits() & !better;
            highest[lane] = f32::from_bits(picked);
            numbers[lane] = number as u32 & better | numbers[lane] & !better;
        }
    }
    let record = highest.into_iter().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
    let offset = |lane: usize| numbers[lane] as usize * GROUP + lane;
    let first = (0..GROUP).filter(|&lane| highest[lane] == record).map(offset).min();
    (first.unwrap_or(0), record)
}

/// The entry for this many `visits` in the table of exploration, and how far `visits` is towards the next entry, 0…1.
#[inline]
fn entry(visits: u32) -> (usize, f32) {
    let above_one = (visits.max(1) as f32).to_bits() - 1f32.to_bits();
    let between = above_one & ((1 << BITS_BETWEEN) - 1);
    ((above_one >> BITS_BETWEEN) as usize, between as f32 / (1 << BITS_BETWEEN) as f32)
}

/// The visits at an entry of the table of exploration.
fn visits_at(entry: usize) -> f32 {
    f32::from_bits(1f32.to_bits() + ((entry as u32) << BITS_BETWEEN))
}

/// Exploration below a node with this many `visits`, at least one.
fn exploration(params: &Params, visits: f32) -> f32 {
    match params.select {
        Selection::Puct => params.c * exp(params.c_growth * ln(1.0 + visits / GROWTH_BASE)) * visits.sqrt(),
        _ => params.c * ln(visits).sqrt(),
    }
}

/// The factor on exploration at a node with this many `legal` plays: 1 for a hundred.
fn breadth(params: &Params, legal: usize) -> f32 {
    1.0 + params.c_breadth * ((legal as f32 / 100.0).sqrt() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::search::mcts::tree::{NodeId, Tree};
    use crate::support::parameters::Parameters;
    use crate::support::random::Random;
    use crate::support::spec::Spec;

    #[test]
    fn interpolated_exploration_is_close() {
        for (select, c_growth) in
            [(Selection::Puct, 0.55), (Selection::Puct, 1.0), (Selection::Puct, 0.0), (Selection::Uct, 0.0)]
        {
            let params = Params { select, c_growth, ..Params::default() };
            let formula = Formula::new(&params);
            for visits in (1..70_000).chain((70_000..=u32::MAX).step_by(99_991)).chain([u32::MAX]) {
                let exact = exploration(&params, visits as f32);
                let found = formula.exploration(false, 100, visits);
                let error = if visits <= 64 { 1e-6 } else { 1e-4 };
                assert!((found - exact).abs() <= error * exact, "{visits} visits: {found} for {exact}");
            }
        }
    }

    /// The visits, mean for player one, and prior of a child.
    type Child = (u32, f32, f32);

    /// Formula, children, mover, settings, and the offset of the child to select.
    type Case<'a> = (&'a str, &'a [Child], Player, &'a [(&'a str, &'a str)], usize);

    /// A root with these children.
    fn tree(params: &Params, children: &[Child]) -> Tree<u16> {
        let mut tree = Tree::new(1 << 16, params);
        let ranked = children.iter().enumerate().map(|(play, &(_, _, prior))| (play as u16, prior));
        assert!(tree.grow(NodeId::ROOT, ranked, children.len()));
        for (offset, &(visits, mean, _)) in children.iter().enumerate() {
            tree.set(tree.child(NodeId::ROOT, offset), visits, mean);
            (0..visits).for_each(|_| tree.add(NodeId::ROOT, mean, 1));
        }
        tree
    }

    fn params(settings: &[(&str, &str)]) -> Params {
        let mut params = Params::default();
        settings.iter().for_each(|(name, value)| params.set(name, &Spec::of(*value)).unwrap());
        params
    }

    fn best(tree: &Tree<u16>, mover: Player) -> Option<usize> {
        tree.formula.best_child(&tree.branch(NodeId::ROOT), mover).offset
    }

    /// The offset of the child that the formula named `select` chooses with these settings.
    fn select(select: &str, children: &[Child], mover: Player, settings: &[(&str, &str)]) -> Option<usize> {
        best(&tree(&params(&[settings, &[("select", select)]].concat()), children), mover)
    }

    #[test]
    fn each_term_of_the_formulas_counts() {
        use Player::{One, Two};
        let means = [(10, 0.1, 0.5), (10, 0.3, 0.3), (10, -0.2, 0.2)];
        let visits = [(100, 0.1, 0.5), (2, 0.0, 0.5)];
        let priors = [(9, 0.0, 0.1), (10, 0.0, 0.9)];
        let unvisited = [(10, 0.5, 0.5), (0, 0.0, 0.5)];
        let cases: [Case; 10] = [
            ("puct", &means, One, &[("c", "0")], 1),
            ("puct", &means, Two, &[("c", "0")], 2),
            ("uct", &means, One, &[("c", "0")], 1),
            ("uct", &means, Two, &[("c", "0")], 2),
            ("puct", &visits, One, &[("c", "2")], 1),
            ("uct", &visits, One, &[("c", "2")], 1),
            ("puct", &priors, One, &[], 1),
            ("uct", &priors, One, &[], 0),
            ("puct", &unvisited, One, &[("c", "0.01"), ("fpu", "-1")], 1),
            ("puct", &unvisited, One, &[("c", "0.01"), ("fpu", "1")], 0),
        ];
        for (formula, children, mover, settings, expected) in cases {
            let found = select(formula, children, mover, settings);
            assert_eq!(found, Some(expected), "{formula} {settings:?} for {mover:?} among {children:?}");
        }
    }

    #[test]
    fn the_first_of_equals_is_selected_wherever_it_stands() {
        for best in 0..11 {
            let mut children = [(10, 0.0, 0.1); 11];
            children[best..].fill((10, 0.5, 0.1));
            assert_eq!(select("puct", &children, Player::One, &[]), Some(best));
        }
    }

    #[test]
    fn the_formulas_are_those_of_the_papers() {
        // Of two children with means 0 and x, the second is selected once x makes up for the first one's lead in
        // exploration.
        for times in [1, 10] {
            let (c, [first, second, visits]) = (1.5f32, [100, 200, 300].map(|visits| visits * times));
            let [n1, n2, n] = [first, second, visits].map(|visits| visits as f32);
            let grown = c * (1.0 + n / 500.0).powf(0.4);
            let puct = |c: f32| c * n.sqrt() * (0.6 / (n1 + 1.0) - 0.4 / (n2 + 1.0));
            let uct = c * (n.ln() / n1).sqrt() - c * (n.ln() / n2).sqrt();
            for (formula, growth, margin) in
                [("puct", "0", puct(c)), ("puct", "0.4", puct(grown)), ("uct", "0.4", uct)]
            {
                for (mean, expected) in [(margin - 1e-3, 0), (margin + 1e-3, 1)] {
                    let children = [(first, 0.0, 0.6), (second, mean, 0.4)];
                    let settings = [("c", "1.5"), ("c_growth", growth), ("c_root", "1"), ("c_breadth", "0")];
                    let found = select(formula, &children, Player::One, &settings);
                    assert_eq!(found, Some(expected), "{formula}, {visits} visits");
                }
            }
        }
    }

    #[test]
    fn a_plain_loop_selects_the_same_child() {
        let mut random = Random::new(1);
        for round in 0..500 {
            let params = Params { c: (round % 3) as f32, ..Params::default() };
            let mover = Player::BOTH[round % 2];
            // Few different numbers, so that some scores are equal.
            let children: Vec<Child> = (0..1 + random.below(40))
                .map(|_| (random.below(3) as u32, random.below(5) as f32 / 4.0, random.below(4) as f32 / 4.0))
                .collect();
            let mut tree = tree(&params, &children);
            let (formula, fpu) = (Formula::new(&params), sign(mover) * tree.mean(NodeId::ROOT) - params.fpu);
            let exploration = formula.exploration(true, children.len(), tree.visits(NodeId::ROOT));
            let (mut expected, mut record) = (None, f32::NEG_INFINITY);
            for (offset, &(visits, mean, prior)) in children.iter().enumerate() {
                if random.happens(0.3) {
                    let lost = mover.opponent();
                    tree.prove(tree.child(NodeId::ROOT, offset), Outcome::Win(lost), lost);
                    continue;
                }
                let q = if visits == 0 { fpu } else { sign(mover) * mean };
                let score = q + exploration * formula.weight(prior, visits);
                if score > record {
                    (expected, record) = (Some(offset), score);
                }
            }
            assert_eq!(best(&tree, mover), expected, "{children:?}");
        }
    }

    #[test]
    fn proved_losses_are_not_selected() {
        for c in [1.0, 0.0] {
            let params = Params { c, ..Params::default() };
            let mut tree = tree(&params, &[(10, 0.9, 0.5), (10, 0.1, 0.5)]);
            for (offset, left) in [(0, Some(1)), (1, None)] {
                let id = tree.child(NodeId::ROOT, offset);
                tree.prove(id, Outcome::Win(Player::Two), Player::Two);
                tree.add(id, -1.0, 1);
                assert_eq!(best(&tree, Player::One), left);
            }
        }
    }
}
