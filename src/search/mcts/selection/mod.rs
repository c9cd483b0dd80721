//! The formulas by which selection scores a child. The parameter `select` chooses one by its name.
//!
//! | `select=` | score of a child for the mover | papers |
//! |---|---|---|
//! | `puct` | Q + c · P · √N / (1 + n) | Rosin 2011; Silver et al. 2017 |
//! | `uct` | Q + c · √(ln N / n) | Auer, Cesa-Bianchi, Fischer 2002; Kocsis, Szepesvári 2006 |
//! | `ucb1-tuned` | Q + c · √(ln N / n · min(¼, V)) | Auer, Cesa-Bianchi, Fischer 2002 |
//! | `progressive-history` | UCT + W · H / (n − wins + 1) | Nijssen, Winands 2010 |
//! | `grave` | (1 − β) · Q + β · AMAF + c · √(ln N / n) | Cazenave 2015; as RAVE: Gelly, Silver 2007, 2011 |
//!
//! `Q` in −1…+1 is the child's mean value, `N` counts visits to the parent and `n` visits to the child; `P` is the
//! child's prior. In the papers on UCT, UCB1-Tuned and progressive history, and in Rosin's, values lie in 0…1. Here
//! they have twice that range, so `c` and `W`, which scale terms that are added to a value, are twice as large. Silver
//! et al. use −1…+1, as here.
//!
//! PUCT and UCT ([`puct_uct`]) need only the numbers that lie together in the tree. The other formulas implement
//! [`Rule`], one file each. They may keep statistics of their own, which they learn from whole simulations. This makes
//! them slower, but searches that do not use them pay nothing for them. All formulas score children in groups of four.
//! A rule can rate any play highly, so under a rule a node gets all its children at once, and priors only break ties.
//! `c_root`, `c_breadth` and `fpu` apply to rules as they do to UCT.
//!
//! A formula is part of the engine: it can't come from another crate, because it reads the nodes of the tree. To
//! add a rule, write a file here, and add it to [`Selection`] and its words, `Selector`, `Selector::new`, `dispatch!`
//! and the words of `select` in `params.rs`. Data that it keeps for each node belong to the contents in
//! `tree/arena.rs`.
//!
//! A rule's statistics live as long as the tree: they stay when the game goes on and are forgotten with the tree. They
//! are not saved with it. The rule's file says what a restored tree starts from.
//!
//! Two other published ideas change what selection sees, and have no formula here:
//!
//! - Implicit minimax backups (Lanctot et al. 2014) could be written as a rule that keeps a minimax value for each
//!   node, just as `ucb1-tuned` keeps the sums for a variance, if the leaves are evaluated without playouts. With
//!   playouts, the rule would also need the leaf's evaluation, which it does not see. With this engine they gained in
//!   the middle game, but in whole games no significant gain was found (E66 to E70 and E186 in
//!   `tuning/EXPERIMENTS.md`).
//! - Quality-based rewards (Pepels et al. 2014) add two bonuses to the value of a simulation. The Relative Bonus
//!   depends on its length; it is not here, but needs no help from the search: a playout policy that
//!   [learns](crate::playout::Playout::learns) sees the moves in the tree and in the playout, and can return another
//!   value. The Qualitative Bonus depends on how clearly the game was won: [`Quality`](crate::playout::Quality).

mod grave;
mod move_numbers;
mod progressive_history;
mod puct_uct;
mod ucb1_tuned;

pub(super) use puct_uct::Formula;
pub(super) use ucb1_tuned::Spread;

use super::iteration::Step;
use super::params::Params;
use super::tree::{Branch, ChildGroup, GROUP, Tree, sign};
use crate::game::Player;
use crate::playout::Simulation;
use crate::support::parameters::Words;
use grave::Grave;
use progressive_history::ProgressiveHistory;
use puct_uct::best;
use std::hash::Hash;
use ucb1_tuned::Ucb1Tuned;

/// How selection scores children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Predictor + UCB: exploration follows priors (Rosin 2011; Silver et al. 2017).
    Puct,
    /// UCB1 applied to trees: exploration follows visits alone (Auer et al. 2002; Kocsis, Szepesvári 2006).
    Uct,
    /// UCB1-Tuned: exploration follows visits and the variance of the values (Auer et al. 2002).
    Ucb1Tuned,
    /// UCT plus the average result of the child's play in all simulations (Nijssen, Winands 2010).
    ProgressiveHistory,
    /// All moves as first, from the nearest node with enough simulations (Cazenave 2015); RAVE is a special case.
    Grave,
}

impl Words for Selection {
    const WORDS: &'static [(&'static str, Selection)] = &[
        ("puct", Selection::Puct),
        ("uct", Selection::Uct),
        ("ucb1-tuned", Selection::Ucb1Tuned),
        ("progressive-history", Selection::ProgressiveHistory),
        ("grave", Selection::Grave),
    ];
}

impl Selection {
    /// Whether a [`Rule`] scores the children.
    pub(super) fn is_rule(self) -> bool {
        !matches!(self, Selection::Puct | Selection::Uct)
    }

    /// How much of a search's memory is left for the tree; a rule's statistics may take the rest.
    pub(super) fn tree_bytes(self, bytes: usize) -> usize {
        if self == Selection::Grave { bytes - bytes / grave::MEMORY_DIVISOR } else { bytes }
    }
}

/// A node whose child is to be selected by a rule.
struct Parent<'a, P> {
    branch: Branch<'a, P>,
    mover: Player,
    /// From the root to this node.
    path: &'a [Step],
    tree: &'a Tree<P>,
}

/// The child that selection goes to.
pub(super) struct BestChild {
    /// The offset of the child with the highest score; `None` if all children that have a node are proved losses.
    pub offset: Option<usize>,
    /// Whether a play that has no node yet might score higher.
    pub unseen_may_be_better: bool,
}

/// A group of children as a rule sees it. Places without a node and proved losses have an exploration of −∞, or NaN if
/// the factor that the children share is 0.
struct Children<'a, P> {
    /// The offset of the group's first child.
    offset: usize,
    group: &'a ChildGroup<P>,
    /// `Q`: the mean for the mover, or the value of a child without visits.
    values: [f32; GROUP],
    /// c · √(ln N / n), the exploration of UCT.
    explorations: [f32; GROUP],
}

/// A formula that needs more than the numbers that lie together in the tree.
trait Rule<P> {
    /// The function that gives children of `parent` their scores.
    fn score(&mut self, parent: &Parent<P>) -> impl Fn(&Children<P>) -> [f32; GROUP];

    /// Learns from a simulation that has ended. Its path in the tree is `path`.
    fn learn(&mut self, tree: &mut Tree<P>, path: &[Step], simulation: &Simulation<P>);

    /// Forgets what it has learned.
    fn clear(&mut self) {}

    /// Forgets what it has learned of positions that are not in `tree` any more.
    fn retain(&mut self, _tree: &Tree<P>) {}

    /// Limits its statistics to its share of `bytes`, the memory of the whole search.
    fn limit_memory(&mut self, _bytes: usize) {}
}

/// The formula of a search, with what it has learned.
#[derive(Clone, Debug)]
pub(super) enum Selector<P> {
    /// PUCT or UCT. The [`Formula`] is in the tree, which keeps the children's weights.
    Formula,
    Ucb1Tuned(Ucb1Tuned),
    ProgressiveHistory(ProgressiveHistory<P>),
    Grave(Grave<P>),
}

/// Evaluates `$call` for the rule, or `$formula` if there is none.
macro_rules! dispatch {
    ($selector:expr, $formula:expr, $rule:ident => $call:expr) => {
        match $selector {
            Selector::Formula => $formula,
            Selector::Ucb1Tuned($rule) => $call,
            Selector::ProgressiveHistory($rule) => $call,
            Selector::Grave($rule) => $call,
        }
    };
}

impl<P: Copy + Eq + Hash> Selector<P> {
    pub fn new(params: &Params) -> Selector<P> {
        match params.select {
            Selection::Puct | Selection::Uct => Selector::Formula,
            Selection::Ucb1Tuned => Selector::Ucb1Tuned(Ucb1Tuned),
            Selection::ProgressiveHistory => Selector::ProgressiveHistory(ProgressiveHistory::new(params)),
            Selection::Grave => Selector::Grave(Grave::new(params)),
        }
    }

    /// The child that `mover` goes to from `branch`, the end of `path`.
    #[inline]
    pub fn best_child(
        &mut self,
        branch: &Branch<P>,
        mover: Player,
        path: &[Step],
        tree: &Tree<P>,
    ) -> BestChild {
        // The rules do not get a reference to `branch`, which would keep it out of registers.
        dispatch!(self, tree.formula.best_child(branch, mover), rule => {
            BestChild { offset: best_by(rule, path, tree), unseen_may_be_better: false }
        })
    }

    /// The offset of the child to go to from the end of `path`, whose children are all new.
    #[inline]
    pub fn first_child(&mut self, path: &[Step], tree: &Tree<P>) -> usize {
        // The first child has the highest prior.
        dispatch!(self, 0, rule => best_by(rule, path, tree).unwrap_or(0))
    }

    /// Learns from a simulation that has ended. Its path in the tree is `path`.
    pub fn learn(&mut self, tree: &mut Tree<P>, path: &[Step], simulation: &Simulation<P>) {
        dispatch!(self, (), rule => rule.learn(tree, path, simulation));
    }

    /// Forgets what it has learned.
    pub fn clear(&mut self) {
        dispatch!(self, (), rule => Rule::<P>::clear(rule));
    }

    /// Forgets what it has learned of positions that are not in `tree` any more.
    pub fn retain(&mut self, tree: &Tree<P>) {
        dispatch!(self, (), rule => rule.retain(tree));
    }

    /// Limits its statistics to its share of `bytes`, the memory of the whole search.
    pub fn limit_memory(&mut self, bytes: usize) {
        dispatch!(self, (), rule => Rule::<P>::limit_memory(rule, bytes));
    }
}

/// The offset of the child that `rule` selects at the end of `path`, the first among equals; `None` if all children are
/// proved losses.
#[cold]
#[inline(never)]
fn best_by<P: Copy>(rule: &mut impl Rule<P>, path: &[Step], tree: &Tree<P>) -> Option<usize> {
    let &Step { canonical, mover, .. } = path.last()?;
    let parent = Parent { branch: tree.branch(canonical), mover, path, tree };
    let (first, score) = best(parent.branch.groups, scores(rule, &parent));
    (score > f32::NEG_INFINITY).then_some(first)
}

/// The function that scores a group of children of `parent` by `rule`. It takes the group's number and the group.
fn scores<P: Copy>(
    rule: &mut impl Rule<P>,
    parent: &Parent<P>,
) -> impl Fn(usize, &ChildGroup<P>) -> [f32; GROUP] {
    let scoring = parent.tree.formula.scoring(&parent.branch, sign(parent.mover));
    let score = rule.score(parent);
    move |number, group| {
        let [values, explorations] = [scoring.values(group), scoring.explorations(group)];
        score(&Children { offset: number * GROUP, group, values, explorations })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome, Value};
    use crate::playout::{Move, ToTheEnd};
    use crate::search::Limits;
    use crate::search::mcts::Search;
    use crate::search::mcts::tree::NodeId;
    use crate::support::clock::FakeClock;
    use crate::support::parameters::Parameters;
    use crate::support::random::mix;
    use crate::support::spec::Spec;

    /// The parameters with these settings and the papers' exploration.
    pub(super) fn params(settings: &[(&str, &str)]) -> Params {
        let mut params = Params::default();
        let papers = [("c_root", "1"), ("c_breadth", "0")];
        papers.iter().chain(settings).for_each(|(name, value)| params.set(name, &Spec::of(*value)).unwrap());
        params
    }

    /// A tree whose root has children with these visits and means for player one, reached by the plays 0, 1, …
    pub(super) fn tree(params: &Params, children: &[(u32, f32)]) -> Tree<u16> {
        let mut tree = Tree::new(1 << 16, params);
        let ranked = (0..children.len()).map(|play| (play as u16, 1.0 / children.len() as f32));
        assert!(tree.grow(NodeId::ROOT, ranked, children.len()));
        let (mut total, mut sum) = (0, 0.0);
        for (offset, &(visits, mean)) in children.iter().enumerate() {
            tree.set(tree.child(NodeId::ROOT, offset), visits, mean);
            (total, sum) = (total + visits, sum + visits as f32 * mean);
        }
        tree.set(NodeId::ROOT, total, sum / total as f32);
        tree
    }

    /// The scores of the root's children for `mover`.
    pub(super) fn scores(rule: &mut impl Rule<u16>, tree: &Tree<u16>, mover: Player) -> Vec<f32> {
        let path = [step(NodeId::ROOT, mover)];
        let parent = Parent { branch: tree.branch(NodeId::ROOT), mover, path: &path, tree };
        let score = super::scores(rule, &parent);
        let groups = parent.branch.groups.iter().enumerate();
        let scores = groups.flat_map(|(number, group)| score(number, group));
        scores.take(parent.branch.node().expanded()).collect()
    }

    pub(super) fn step(id: NodeId, mover: Player) -> Step {
        Step { chosen: id, canonical: id, mover }
    }

    pub(super) fn assert_close(found: &[f32], expected: &[f32]) {
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 2e-4);
        assert!(close && found.len() == expected.len(), "{found:?} for {expected:?}");
    }

    /// A simulation from the root in which players take turns to make `tree_moves` and then `playout_moves`.
    pub(super) fn simulation(tree_moves: &[u16], playout_moves: &[u16], value: Value) -> Simulation<u16> {
        let mut simulation = Simulation::new(1).recording();
        let players = Player::BOTH.into_iter().cycle();
        simulation.begin(tree_moves.iter().zip(players).map(|(&play, player)| Move { player, play }));
        let mut position = Heap { left: u16::MAX, mover: Player::BOTH[tree_moves.len() % 2] };
        playout_moves.iter().for_each(|&play| simulation.play(&mut position, play));
        simulation.end(value, Player::One);
        simulation
    }

    /// A heap from which players take one to three matches; taking the last one wins. No game is drawn.
    #[derive(Clone, Debug)]
    pub(super) struct Heap {
        pub left: u16,
        pub mover: Player,
    }

    impl Game for Heap {
        type Play = u16;

        fn to_move(&self) -> Player {
            self.mover
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.left == 0).then_some(Outcome::Win(self.mover.opponent()))
        }

        fn legal_plays(&self, plays: &mut Vec<u16>) {
            plays.clear();
            plays.extend(1..=self.left.min(3));
        }

        fn play(&mut self, play: u16) {
            *self = Heap { left: self.left.saturating_sub(play), mover: self.mover.opponent() };
        }

        fn key(&self) -> u64 {
            mix(u64::from(self.left) << 1 | self.mover.index() as u64)
        }
    }

    pub(super) type HeapSearch = Search<Heap, ToTheEnd>;

    /// A search of a heap of this size.
    pub(super) fn search(left: u16, params: Params) -> HeapSearch {
        Search::new(Heap { left, mover: Player::One }, params, ToTheEnd, 1)
    }

    /// Runs `iterations` of `search`.
    pub(super) fn run(search: &mut HeapSearch, iterations: u64) {
        search.run(&Limits::iterations(iterations), &FakeClock::new(), None);
    }
}
