//! Which child to descend into.
//!
//! Both formulas weigh what a child has shown itself to be worth to the player to move, `Q` in
//! −1…+1, against how little is known of it:
//!
//! ```text
//! UCT    Q + c · √(ln N / n)            UCB1: Auer, Cesa-Bianchi, Fischer 2002;
//!                                       on trees: Kocsis, Szepesvári 2006
//! PUCT   Q + c · P · √N / (1 + n)       Rosin 2011; in this form: Silver et al. 2017
//! ```
//!
//! with `N` visits to the parent, `n` to the child, and `P` the child's prior. A child without
//! visits takes the parent's mean less `fpu` for `Q` (first-play urgency: Gelly, Wang 2006), and
//! for UCT counts as visited once, so that 100 plays need not all be tried before one is tried
//! again. (Papers count values in 0…1: their `c` is half of ours.)
//!
//! Children whose loss is proved are passed over (MCTS-Solver: Winands, Björnsson, Saito 2008).

use super::params::{Params, Selection};
use super::tree::{Node, NodeId, Tree, sign};
use crate::game::{Outcome, Player};

/// The offset of the child of `id` that the next iteration descends into, for `mover` to move
/// there; `None` if every child that has a node is a proved loss.
#[inline]
pub(crate) fn best_child<P: Copy>(
    tree: &Tree<P>,
    id: NodeId,
    mover: Player,
    params: &Params,
) -> Option<usize> {
    let parent = tree.node(id);
    let sign = sign(mover);
    let urgency = sign * parent.mean - params.fpu;
    let visits = parent.visits.max(1) as f32;
    match params.select {
        Selection::Puct => {
            let exploration = params.c * visits.sqrt();
            argmax(tree.children(id), mover, |child| {
                let q = if child.visits == 0 { urgency } else { sign * child.mean };
                q + exploration * child.prior / (1 + child.visits) as f32
            })
        }
        Selection::Uct => {
            let log = ln(visits);
            argmax(tree.children(id), mover, |child| {
                let q = if child.visits == 0 { urgency } else { sign * child.mean };
                q + params.c * (log / child.visits.max(1) as f32).sqrt()
            })
        }
    }
}

/// The offset of the child with the greatest `score`, the first among equals, proved losses of
/// `mover` left out.
#[inline(always)]
fn argmax<P>(children: &[Node<P>], mover: Player, score: impl Fn(&Node<P>) -> f32) -> Option<usize> {
    let loss = Some(Outcome::Win(mover.opponent()));
    let mut best = None;
    let mut highest = f32::NEG_INFINITY;
    for (offset, child) in children.iter().enumerate() {
        let score = score(child);
        if score > highest && child.proof != loss {
            highest = score;
            best = Some(offset);
        }
    }
    best
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
        s * (2.0 + square * (2.0 / 3.0 + square * (2.0 / 5.0 + square * (2.0 / 7.0 + square * 2.0 / 9.0))));
    exponent as f32 * std::f32::consts::LN_2 + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_close() {
        for x in (1..1000).chain((1000..4_000_000_000u32).step_by(999_983)) {
            let (own, std) = (f64::from(ln(x as f32)), f64::from(x).ln());
            assert!((own - std).abs() <= 2e-6 * std.max(0.1), "ln {x}: {own} for {std}");
        }
    }

    /// A parent seen by player one, with children of these visits, means and priors.
    fn tree(children: &[(u32, f32, f32)]) -> Tree<u16> {
        let mut tree = Tree::new(1 << 16);
        let ranked = children.iter().enumerate().map(|(play, &(_, _, prior))| (play as u16, prior));
        assert!(tree.grow(NodeId::ROOT, ranked, children.len()));
        for (offset, &(visits, mean, _)) in children.iter().enumerate() {
            let id = tree.child(NodeId::ROOT, offset);
            (0..visits).for_each(|_| tree.node_mut(id).add(mean));
            (0..visits).for_each(|_| tree.node_mut(NodeId::ROOT).add(mean));
        }
        tree
    }

    fn choose(tree: &Tree<u16>, mover: Player, settings: &[(&str, &str)]) -> Option<usize> {
        let mut params = Params::default();
        for (name, value) in settings {
            params.set(name, value).unwrap();
        }
        best_child(tree, NodeId::ROOT, mover, &params)
    }

    #[test]
    fn without_exploration_the_best_mean_is_taken_by_either_player() {
        let tree = tree(&[(10, 0.1, 0.5), (10, 0.3, 0.3), (10, -0.2, 0.2)]);
        for select in ["puct", "uct"] {
            let greedy = [("select", select), ("c", "0")];
            assert_eq!(choose(&tree, Player::One, &greedy), Some(1));
            assert_eq!(choose(&tree, Player::Two, &greedy), Some(2));
        }
    }

    #[test]
    fn exploration_prefers_what_is_little_known() {
        let tree = tree(&[(100, 0.1, 0.5), (2, 0.0, 0.5)]);
        for select in ["puct", "uct"] {
            assert_eq!(choose(&tree, Player::One, &[("select", select), ("c", "2")]), Some(1));
        }
    }

    #[test]
    fn puct_follows_the_prior_and_uct_does_not() {
        let tree = tree(&[(9, 0.0, 0.1), (10, 0.0, 0.9)]);
        assert_eq!(choose(&tree, Player::One, &[("select", "puct")]), Some(1));
        assert_eq!(choose(&tree, Player::One, &[("select", "uct")]), Some(0));
    }

    #[test]
    fn urgency_decides_when_a_new_child_is_tried() {
        let tree = tree(&[(10, 0.5, 0.5), (0, 0.0, 0.5)]);
        let with = |fpu| choose(&tree, Player::One, &[("c", "0.01"), ("fpu", fpu)]);
        assert_eq!(with("-1"), Some(1));
        assert_eq!(with("1"), Some(0));
    }

    #[test]
    fn proved_losses_are_passed_over() {
        let mut tree = tree(&[(10, 0.9, 0.5), (10, 0.1, 0.5)]);
        let first = tree.child(NodeId::ROOT, 0);
        tree.node_mut(first).proof = Some(Outcome::Win(Player::Two));
        assert_eq!(choose(&tree, Player::One, &[]), Some(1));
        let second = tree.child(NodeId::ROOT, 1);
        tree.node_mut(second).proof = Some(Outcome::Win(Player::Two));
        assert_eq!(choose(&tree, Player::One, &[]), None);
    }
}
