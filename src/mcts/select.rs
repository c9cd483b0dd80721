//! Which child to descend into.
//!
//! Both formulas weigh what a child is worth to the player to move, `Q` in −1…+1, against how
//! little is known of it:
//!
//! ```text
//! UCT    Q + c · √(ln N / n)            UCB1: Auer, Cesa-Bianchi, Fischer 2002;
//!                                       on trees: Kocsis, Szepesvári 2006
//! PUCT   Q + c · P · √N / (1 + n)       Rosin 2011; in this form: Silver et al. 2017
//! ```
//!
//! with `N` visits to the parent and its transpositions, `n` to the child, and `P` the child's prior. `c` is wider
//! at the root, where nothing comes after a wrong choice (`c_root`), and where there are many plays, of which
//! each has but a small prior (`c_breadth`). For PUCT it grows with the parent's visits: a node that is seldom
//! visited is to be evaluated soon, one with many visits can afford doubts.
//!
//! ```text
//! c · (1 + N/500)^c_growth
//! ```
//!
//! In AlphaZero (Silver et al. 2018) and KataGo it grows like the logarithm of the visits, which was 31 Elo weaker here
//! than an exponent of 0.39 with 20,000 iterations, and as strong with fewer (E203). More growth than that: E221.
//!
//! `Q` is the mean of the values backed up through the child. A child without visits takes the
//! parent's less `fpu` for its own (first-play urgency: Gelly, Wang 2006), and for UCT counts as visited
//! once, so that 100 plays need not all be tried before one is tried again. (Papers count values in
//! 0…1: their `c` is half of ours.)
//!
//! The factor that depends on the child alone, `1/√n` or `P/(1+n)`, is kept with it in the tree
//! ([`ChildGroup::weights`]), and the factors that depend on the parent alone are looked up in two tables. So choosing
//! takes no division, no root and no logarithm, for which every step down would wait.
//!
//! Children whose loss is proved are passed over (MCTS-Solver: Winands, Björnsson, Saito 2008).

use super::params::{Params, Selection};
use super::shortlist::{Shortlists, is_wide};
use super::tree::{Branch, ChildGroup, GROUP, sign};
use crate::game::Player;
use std::f32::consts::{LN_2, SQRT_2};

/// The visits at which a node's exploration begins to grow: KataGo's.
const GROWTH_BASE: f32 = 500.0;

/// The table of exploration has 2⁵ places from each power of two of visits to the next; between places it is read along
/// a straight line. So exploration is exact for up to 64 visits, and within 10⁻⁴ of its size for more.
const BITS_BY_VISITS: u32 = 5;

/// The bits of a mantissa below those that choose the place: how far it is to the next one.
const BITS_BETWEEN: u32 = f32::MANTISSA_DIGITS - 1 - BITS_BY_VISITS;

/// Fewer plays than this have their breadth in a table.
const FEW_PLAYS: u16 = 512;

/// How much is explored: the second term of the formulas.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    params: Params,
    by_visits: Vec<f32>,
    by_plays: Vec<f32>,
}

impl Formula {
    /// The formula that `params` describe.
    pub fn new(params: &Params) -> Formula {
        Formula {
            params: params.clone(),
            by_visits: (0..=place_by_visits(u32::MAX).0 + 1)
                .map(|place| exploration(params, visits_at(place)))
                .collect(),
            by_plays: (0..FEW_PLAYS).map(|plays| breadth(params, plays.into())).collect(),
        }
    }

    /// How much exploring a child of this `prior` deserves after so many `visits`: the factor that depends on
    /// the child alone.
    #[inline]
    pub fn weight(&self, prior: f32, visits: u32) -> f32 {
        match self.params.select {
            Selection::Puct => prior / (visits as f32 + 1.0),
            Selection::Uct => 1.0 / (visits.max(1) as f32).sqrt(),
        }
    }

    /// The factor that is the same for all children of a node with so many `visits` and `legal` plays.
    #[inline]
    fn exploration(&self, is_root: bool, legal: usize, visits: u32) -> f32 {
        let params = &self.params;
        let by_plays = self.by_plays.get(legal).copied();
        let width = if is_root { params.c_root } else { 1.0 };
        let (place, share) = place_by_visits(visits);
        let (before, after) = (self.by_visits[place], self.by_visits[place + 1]);
        width * by_plays.unwrap_or_else(|| breadth(params, legal)) * (before + share * (after - before))
    }
}

/// The place for so many `visits` in the table of exploration, and how far they are from there to the next, 0…1.
#[inline]
fn place_by_visits(visits: u32) -> (usize, f32) {
    let above_one = (visits.max(1) as f32).to_bits() - 1f32.to_bits();
    let between = above_one & ((1 << BITS_BETWEEN) - 1);
    ((above_one >> BITS_BETWEEN) as usize, between as f32 / (1 << BITS_BETWEEN) as f32)
}

/// The visits that have this `place` in the table of exploration.
fn visits_at(place: usize) -> f32 {
    f32::from_bits(1f32.to_bits() + ((place as u32) << BITS_BETWEEN))
}

/// How much to explore below a node after so many `visits`, at least one.
fn exploration(params: &Params, visits: f32) -> f32 {
    match params.select {
        Selection::Puct => params.c * exp(params.c_growth * ln(1.0 + visits / GROWTH_BASE)) * visits.sqrt(),
        Selection::Uct => params.c * ln(visits).sqrt(),
    }
}

/// How much wider than where there are a hundred plays to explore where there are `legal`.
fn breadth(params: &Params, legal: usize) -> f32 {
    1.0 + params.c_breadth * ((legal as f32 / 100.0).sqrt() - 1.0)
}

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
/// how good a play without a node can be at best. Of very many children most need not be looked at, which
/// `shortlists` tell.
#[inline]
pub(crate) fn best_child<P: Copy>(
    branch: &Branch<P>,
    mover: Player,
    formula: &Formula,
    shortlists: &mut Shortlists,
) -> Choice {
    let (node, sign, wide) = (branch.node(), sign(mover), is_wide(branch.groups));
    let below = if wide { shortlists.visits(branch) } else { None };
    let urgency = sign * branch.mean() - formula.params.fpu;
    let exploration = formula.exploration(branch.is_root, node.legal(), branch.visits(below));
    let terms = Terms { sign, urgency, exploration };
    let all = || argmax(branch.groups.iter().enumerate(), terms);
    let (first, record) = if wide { shortlists.argmax(branch, terms) } else { all() };
    debug_assert_eq!((branch.visits(below), first, record), (branch.visits(None), all().0, all().1));
    let child = (record > f32::NEG_INFINITY).then_some(first);
    let or_unseen = 0 < node.expanded() && node.expanded() < node.legal() && {
        let weight = formula.weight(branch.least_prior(), 0);
        child.is_none() || record < urgency + exploration * weight
    };
    Choice { child, or_unseen }
}

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

/// The offset of the child with the greatest score `Q + exploration · weight` in these numbered `groups`, the first
/// among equals, and that score; −∞ where all are proved losses.
///
/// A group of children is scored at once, the best so far is kept for each place in it, and the best of
/// these is picked in the end: nothing here is a branch but the loop.
///
/// A proved loss has a weight of −∞, hence a score that is never the greatest; without
/// exploration it is not a number, which is not greater than anything either.
#[inline]
pub(super) fn argmax<'a, P: 'a>(
    groups: impl Iterator<Item = (usize, &'a ChildGroup<P>)>,
    terms: Terms,
) -> (usize, f32) {
    let mut highest = [f32::NEG_INFINITY; GROUP];
    let mut places = [0u32; GROUP];
    for (number, group) in groups {
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
pub(super) fn score<P>(group: &ChildGroup<P>, terms: Terms) -> [f32; GROUP] {
    let Terms { sign, urgency, exploration } = terms;
    std::array::from_fn(|lane| {
        let fresh = u32::from(group.visits[lane] == 0).wrapping_neg();
        let shown = (sign * group.means[lane]).to_bits();
        let q = f32::from_bits(urgency.to_bits() & fresh | shown & !fresh);
        q + exploration * group.weights[lane]
    })
}

/// The natural logarithm of `x` ≥ 1, to within 10⁻⁶ of its size.
///
/// The standard library's may differ in the last bit from one machine to the next, and then so
/// would searches that are meant to be repeatable. With x = m·2ᵉ, √½ ≤ m < √2 and
/// s = (m−1)/(m+1): ln x = e·ln 2 + 2·(s + s³/3 + s⁵/5 + …).
fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 23) as i32 - 127;
    let mut mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000);
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series =
        s * (2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0 + square * (2.0 / 9.0)))));
    exponent as f32 * LN_2 + series
}

/// The exponential of `x`, 0 ≤ x < 20, to within 3·10⁻⁶ of its size; for the same reason our own.
///
/// With x = k·ln 2 + r, |r| ≤ ½·ln 2: eˣ = 2ᵏ·(1 + r + r²/2! + r³/3! + …).
fn exp(x: f32) -> f32 {
    let k = (x / LN_2).round();
    let r = x - k * LN_2;
    let series =
        1.0 + r * (1.0 + r / 2.0 * (1.0 + r / 3.0 * (1.0 + r / 4.0 * (1.0 + r / 5.0 * (1.0 + r / 6.0)))));
    series * f32::from_bits(((k as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::super::tree::{NodeId, Tree};
    use super::*;
    use crate::game::Outcome;
    use crate::parameters::Parameters;
    use crate::random::Random;

    #[test]
    fn the_logarithm_is_close() {
        for x in (1..1000).chain((1000..4_000_000_000u32).step_by(999_983)) {
            let (own, std) = (f64::from(ln(x as f32)), f64::from(x).ln());
            assert!((own - std).abs() <= 2e-6 * std.max(0.1), "ln {x}: {own} for {std}");
        }
    }

    #[test]
    fn the_exponential_is_close() {
        for x in (0..200_000).map(|step| step as f32 / 10_000.0) {
            let (own, std) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((own - std).abs() <= 3e-6 * std, "e to the {x}: {own} for {std}");
        }
    }

    #[test]
    fn exploration_is_looked_up_closely() {
        for (select, c_growth) in
            [(Selection::Puct, 0.55), (Selection::Puct, 1.0), (Selection::Puct, 0.0), (Selection::Uct, 0.0)]
        {
            let params = Params { select, c_growth, ..Params::default() };
            let formula = Formula::new(&params);
            for visits in (1..70_000).chain((70_000..=u32::MAX).step_by(99_991)).chain([u32::MAX]) {
                let exact = exploration(&params, visits as f32);
                let found = formula.exploration(false, 100, visits);
                let most = if visits <= 64 { 1e-6 } else { 1e-4 };
                assert!((found - exact).abs() <= most * exact, "{visits} visits: {found} for {exact}");
            }
        }
    }

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
        best_child(&tree.branch(NodeId::ROOT), mover, &Formula::new(&params), &mut Shortlists::default())
            .child
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
            assert_eq!(
                best_child(&tree.branch(NodeId::ROOT), mover, &formula, &mut Shortlists::default()).child,
                best,
                "{children:?}"
            );
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
                    best_child(
                        &tree.branch(NodeId::ROOT),
                        Player::One,
                        &Formula::new(&params),
                        &mut Shortlists::default()
                    )
                    .child,
                    left
                );
            }
        }
    }
}
