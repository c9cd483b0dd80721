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
//! with `N` visits to the parent and its transpositions, `n` to the child, and `P` the child's prior. `c` is wider at the root,
//! where nothing comes after a wrong choice (`root` times), and where there are many plays, of which
//! each has but a small prior (`breadth`). For PUCT it grows with the parent's visits, as in AlphaZero
//! (Silver et al. 2018) and KataGo: a node that is seldom visited is there to be evaluated soon, one with many visits can
//! afford doubts.
//!
//! ```text
//! c · (1 + growth · ln(1 + N/500))
//! ```
//!
//! `Q` is the mean of the values that iterations through the child found.
//! A child without visits takes the parent's `Q` less `fpu` for its own (first-play urgency: Gelly, Wang 2006), and
//! for UCT counts as visited once, so that 100 plays need not all be tried before one is tried
//! again. (Papers count values in 0…1: their `c` is half of ours.)
//!
//! The factor that depends on the child alone, `1/√n` or `P/(1+n)`, is kept with it in the tree
//! ([`ChildGroup::weights`]), so that choosing takes no division and no root for each.
//!
//! Children whose loss is proved are passed over (MCTS-Solver: Winands, Björnsson, Saito 2008).

use super::params::{Params, Selection};
use super::tree::{ChildGroup, GROUP, NodeId, Tree, sign};
use crate::game::Player;

/// The visits at which a node's exploration begins to grow: KataGo's.
const GROWTH_BASE: f32 = 500.0;

/// Where an iteration may go on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The offset of the best child; `None` if every child that has a node is a proved loss.
    pub child: Option<usize>,
    /// Whether a play that has no node yet might be better.
    pub or_unseen: bool,
}

/// The child of `id` that the next iteration descends into, for `mover` to move there.
///
/// Plays without a node have lower priors than those with one, so the least prior among the latter tells
/// how good a play without a node can be at best.
#[inline]
pub(crate) fn best_child<P: Copy>(tree: &Tree<P>, id: NodeId, mover: Player, params: &Params) -> Choice {
    let sign = sign(mover);
    // What came through a transposition is in the children's counts alone.
    let visits = tree.visits(id).max(tree.visits_below(id)).max(1) as f32;
    let width = if id == NodeId::ROOT { params.c_root } else { 1.0 } * breadth(tree.node(id).legal(), params);
    let exploration = width
        * match params.select {
            Selection::Puct => {
                params.c * (1.0 + params.c_growth * ln(1.0 + visits / GROWTH_BASE)) * visits.sqrt()
            }
            Selection::Uct => params.c * ln(visits).sqrt(),
        };
    let formula = Formula { sign, urgency: sign * tree.mean(id) - params.fpu, exploration };
    let (child, record) = argmax(tree.child_groups(id), &formula);
    let unseen = tree.weight_of_unseen(id).map(|weight| formula.urgency + exploration * weight);
    Choice { child, or_unseen: unseen.is_some_and(|unseen| child.is_none() || record < unseen) }
}

/// How much wider than where there are a hundred plays to explore where there are `legal`.
#[inline]
fn breadth(legal: usize, params: &Params) -> f32 {
    1.0 + params.c_breadth * ((legal as f32 / 100.0).sqrt() - 1.0)
}

/// What is the same for all children of a node.
struct Formula {
    /// +1 or −1: what makes a value for player one the mover's own.
    sign: f32,
    /// The `Q` of children without visits.
    urgency: f32,
    /// What a child's weight is multiplied by.
    exploration: f32,
}

/// How many groups are scored before the greatest score among them is looked for.
const ROUND: usize = 4;

/// The offset of the child with the greatest score `Q + exploration · weight`, the first among
/// equals, and that score; −∞ where all are proved losses.
///
/// Scoring, the maximum and finding it again are loops of their own, without a branch in the first
/// two, so that each handles group children at once.
///
/// A proved loss has a weight of −∞, hence a score that is never the greatest; without
/// exploration it is not a number, which is not greater than anything either.
#[inline(always)]
fn argmax(children: &[ChildGroup], formula: &Formula) -> (Option<usize>, f32) {
    let mut winner = None;
    let mut record = f32::NEG_INFINITY;
    for (round, groups) in children.chunks(ROUND).enumerate() {
        let mut scores = [[f32::NEG_INFINITY; GROUP]; ROUND];
        let mut highest = [f32::NEG_INFINITY; GROUP];
        for (group, scores) in groups.iter().zip(&mut scores) {
            *scores = score(group, formula);
            for (highest, &score) in highest.iter_mut().zip(&*scores) {
                *highest = if score > *highest { score } else { *highest };
            }
        }
        let best = highest.into_iter().fold(f32::NEG_INFINITY, f32::max);
        if best > record {
            record = best;
            let place = scores.as_flattened().iter().position(|&score| score == best);
            winner = place.map(|place| round * ROUND * GROUP + place);
        }
    }
    (winner, record)
}

/// The scores of group children. Which `Q` holds is chosen by a mask and not by a branch.
#[inline(always)]
fn score(group: &ChildGroup, formula: &Formula) -> [f32; GROUP] {
    let &Formula { sign, urgency, exploration } = formula;
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
    if mantissa > std::f32::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series =
        s * (2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0 + square * (2.0 / 9.0)))));
    exponent as f32 * std::f32::consts::LN_2 + series
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::parameters::Parameters;

    #[test]
    fn the_logarithm_is_close() {
        for x in (1..1000).chain((1000..4_000_000_000u32).step_by(999_983)) {
            let (own, std) = (f64::from(ln(x as f32)), f64::from(x).ln());
            assert!((own - std).abs() <= 2e-6 * std.max(0.1), "ln {x}: {own} for {std}");
        }
    }

    /// A parent with children of these visits, means for player one, and priors.
    fn tree(selection: Selection, children: &[(u32, f32, f32)]) -> Tree<u16> {
        let mut tree = Tree::new(1 << 16, selection);
        let ranked = children.iter().enumerate().map(|(play, &(_, _, prior))| (play as u16, prior));
        assert!(tree.grow(NodeId::ROOT, ranked, children.len()));
        for (offset, &(visits, mean, _)) in children.iter().enumerate() {
            tree.set(tree.node(NodeId::ROOT).child(offset), visits, mean);
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
        best_child(&tree(params.select, children), NodeId::ROOT, mover, &params).child
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
        let (c, visits) = (1.5f32, 3000f32);
        let grown = c * (1.0 + 0.4 * (1.0 + visits / 500.0).ln());
        let puct = |c: f32| c * visits.sqrt() * (0.6 / 1001.0 - 0.4 / 2001.0);
        let uct = c * (visits.ln() / 1000.0).sqrt() - c * (visits.ln() / 2000.0).sqrt();
        for (select, growth, margin) in
            [("puct", "0", puct(c)), ("puct", "0.4", puct(grown)), ("uct", "0.4", uct)]
        {
            let with = |mean| {
                let children = [(1000, 0.0, 0.6), (2000, mean, 0.4)];
                let settings = [("c", "1.5"), ("c_growth", growth), ("c_root", "1"), ("c_breadth", "0")];
                choose(select, &children, Player::One, &settings)
            };
            assert_eq!(with(margin - 1e-3), Some(0), "{select}");
            assert_eq!(with(margin + 1e-3), Some(1), "{select}");
        }
    }

    #[test]
    fn proved_losses_are_passed_over() {
        let mut tree = tree(Selection::Puct, &[(10, 0.9, 0.5), (10, 0.1, 0.5)]);
        for (c, offset, left) in [(1.0, 0, Some(1)), (0.0, 0, Some(1)), (1.0, 1, None), (0.0, 1, None)] {
            let params = Params { c, ..Params::default() };
            let id = tree.node(NodeId::ROOT).child(offset);
            tree.prove(id, Outcome::Win(Player::Two), Player::Two);
            tree.add(id, -1.0, 1);
            assert_eq!(best_child(&tree, NodeId::ROOT, Player::One, &params).child, left);
        }
    }
}
