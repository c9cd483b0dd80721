//! The search: one iteration, and the loop around it.
//!
//! An iteration goes down the tree by [`best_child`], lets the playout policy evaluate the position
//! at which it leaves the tree, and adds that value to every node on its way. Children that are
//! neighbours in the tree are evaluated together when the first of them is: so many iterations at once,
//! and a value between their mean and their best is backed up. A node gets children when it is entered
//! for the second time; if another node stands at the same position and has some, it shares these. An
//! outcome found on the way is a proof, and proofs climb:
//! a win for the player to move as soon as one child is one, anything else when all children are
//! proved.

use super::expand::Ranking;
use super::params::Params;
use super::select::best_child;
use super::stability::Stability;
use super::tree::{NodeId, Tree, sign};
use crate::game::{Game, Outcome, Player};
use crate::playout::Playout;
use crate::prior::{Prior, Uniform};
use crate::search::{Limits, Observer, Report, Stop};
use crate::support::clock::Clock;
use crate::support::random::Random;

/// Iterations between two looks at the clock, at the most, unless [`Limits`] say otherwise: at
/// 2 µs each, a look of 1 µs then costs under one percent.
const CLOCK_EVERY: u64 = 64;

/// Visits are counted in 32 bits.
const MOST_ITERATIONS: u64 = u32::MAX as u64 - 1;

/// A Monte Carlo tree search from one position.
///
/// The tree stays between calls of [`run`](Self::run), which carry on where the last one stopped.
#[derive(Clone, Debug)]
pub struct Search<G: Game, L, R = Uniform> {
    pub(super) root: G,
    pub(super) tree: Tree<G::Play>,
    /// The arena that the tree moves into when the game goes on.
    pub(super) spare: Option<Tree<G::Play>>,
    pub(super) ranking: Ranking<G::Play>,
    pub(super) params: Params,
    pub(super) playout: L,
    pub(super) prior: R,
    pub(super) random: Random,
    pub(super) path: Vec<Step>,
    pub(super) depth: usize,
}

/// One node on an iteration's way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The node that was chosen among its parent's children.
    pub chosen: NodeId,
    /// The node among whose children the next was chosen: the same, or its transposition, which stands at the same
    /// position and was there first.
    pub canonical: NodeId,
    /// Who moves there.
    pub mover: Player,
}

impl<G: Game, L: Playout<G>> Search<G, L> {
    /// A search from `root` to which all plays are alike at first sight: see
    /// [`with_prior`](Self::with_prior).
    pub fn new(root: G, params: Params, playout: L, seed: u64) -> Search<G, L> {
        Search::with_prior(root, params, playout, Uniform, seed)
    }
}

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// A search from `root`: `playout` says what leaves are worth, and `prior` how promising plays are. The
    /// same `seed` and the same number of iterations in one [`run`](Self::run) give the same tree.
    ///
    /// `root` is searched even if it is a position in which the game is over.
    pub fn with_prior(root: G, params: Params, playout: L, prior: R, seed: u64) -> Search<G, L, R> {
        let mut search = Search {
            tree: new_tree(&params),
            spare: None,
            ranking: Ranking::new(prior.base()),
            params,
            playout,
            prior,
            random: Random::new(seed),
            path: Vec::new(),
            depth: 0,
            root,
        };
        let root = search.root.clone();
        search.expand(NodeId::ROOT, &root);
        search
    }

    /// Starts afresh from `root` with `seed`, as [`new`](Self::new) does, in the memory of the search
    /// before: to take it from the operating system anew can cost more than the search.
    pub fn restart(&mut self, root: G, seed: u64) {
        self.tree.clear();
        self.random = Random::new(seed);
        self.depth = 0;
        self.root = root;
        let root = self.root.clone();
        self.expand(NodeId::ROOT, &root);
    }

    /// The child of `id` that `play` leads to.
    pub(super) fn child_of(&self, id: NodeId, play: G::Play) -> Option<NodeId> {
        self.tree.children(id).find(|&child| self.tree.node(child).play == Some(play))
    }

    /// Proves the root if what has been carried over proves it.
    pub(super) fn prove_root_from_children(&mut self) {
        let mover = self.root.to_move();
        if let Some(outcome) = self.proof_from_children(NodeId::ROOT, mover) {
            self.tree.prove(NodeId::ROOT, outcome, mover);
        }
    }

    /// Lets the tree take no more than `bytes` of memory from now on, nor more than its parameter allows.
    pub fn limit_memory(&mut self, bytes: Option<usize>) {
        let most = tree_bytes(&self.params);
        self.tree.set_limit(bytes.map_or(most, |bytes| bytes.min(most)));
    }

    /// Searches until a limit is reached, and reports.
    ///
    /// An `observer` gets interim reports whenever the clock is read, which is only with a time limit.
    ///
    /// If an iteration limit falls within a batch of new children, the rest of the batch waits for its turn: stopping
    /// there and going on may build another tree than one longer run.
    pub fn run(
        &mut self,
        limits: &Limits,
        clock: &dyn Clock,
        mut observer: Option<Observer<'_, G::Play>>,
    ) -> Report<G::Play> {
        let mut next_report = observer.as_ref().map_or(f64::INFINITY, |observer| observer.every);
        let start = clock.seconds();
        let reused = self.tree.visits(NodeId::ROOT);
        let most = limits.iterations.unwrap_or(u64::MAX).min(MOST_ITERATIONS - u64::from(reused));
        let clock_every = if limits.clock_every == 0 { CLOCK_EVERY } else { limits.clock_every };
        let mut iterations = 0;
        let mut elapsed = 0.0;
        let mut stability = Stability::new(self.root.to_move(), self.params.final_visits);
        let stop = loop {
            if self.tree.node(NodeId::ROOT).legal() <= 1 {
                break Stop::Forced;
            }
            if self.tree.node(NodeId::ROOT).proof.is_some() {
                break Stop::Proved;
            }
            if iterations >= most {
                break Stop::Iterations;
            }
            let mut remaining = most - iterations;
            if let Some(cpu) = limits.cpu {
                if iterations > 0 || cpu <= 0.0 {
                    elapsed = clock.seconds() - start;
                }
                let per_iteration = elapsed / iterations.max(1) as f64;
                if elapsed + per_iteration >= cpu {
                    break Stop::Time;
                }
                if elapsed >= next_report
                    && let Some(observer) = &mut observer
                {
                    (observer.tell)(self.report(iterations, reused, elapsed, Stop::Time));
                    next_report = elapsed + observer.every;
                }
                if let Some(planned) = limits.planned
                    && iterations > 0
                    && elapsed
                        >= planned * stability.lead(&self.tree, iterations).patience(self.params.instability)
                {
                    break Stop::Time;
                }
                // The first iterations are run to learn what one takes.
                if iterations > 0 && per_iteration > 0.0 {
                    remaining = remaining.min(((cpu - elapsed) / per_iteration) as u64);
                }
            }
            if limits.stop_when_settled
                && stability.lead(&self.tree, iterations).is_settled(self.params.final_visits, remaining)
            {
                break Stop::Settled;
            }
            // Half of what is left at the most, so that the last looks at the clock come closer
            // and closer together.
            let batch = if iterations == 0 { 2 } else { (remaining / 2).clamp(1, clock_every) };
            let batch = batch.min(most - iterations);
            let done = iterations + batch;
            // Only the end parts children that are evaluated together; and the first look at the clock, which tells
            // what an iteration takes.
            let end = if limits.cpu.is_some() && iterations == 0 { done } else { iterations + remaining };
            while iterations < done {
                iterations += self.iterate(end - iterations);
            }
        };
        self.report(iterations, reused, clock.seconds() - start, stop)
    }

    /// Down, evaluate, and back up: as many iterations as leaves are evaluated, at most `most`. Returns
    /// how many these are, at least one.
    fn iterate(&mut self, most: u64) -> u64 {
        let mut position = self.root.clone();
        let mut at = NodeId::ROOT;
        let mut branch = self.tree.branch(at);
        self.path.clear();
        let value = loop {
            let (chosen, mover) = (at, position.to_move());
            let mut proof = branch.node().proof;
            if self.params.transpositions && !branch.node().is_expanded() {
                at = self.canonical(chosen, &position);
                branch = self.tree.branch(at);
                proof = proof.or(branch.node().proof);
            }
            self.path.push(Step { chosen, canonical: at, mover });
            if let Some(outcome) = proof {
                // It may have been proved by way of other parents, of which these do not know.
                if self.params.transpositions {
                    self.prove_at_end(outcome);
                }
                break outcome.value_for(Player::One).get();
            }
            if !branch.node().is_expanded() {
                self.expand(at, &position);
                branch = self.tree.branch(at);
                if let Some(outcome) = branch.node().proof {
                    self.prove_ancestors();
                    break outcome.value_for(Player::One).get();
                }
                if branch.node().is_expanded() {
                    // Of children of which nothing is known, the first has the highest prior.
                    return self.evaluate_batch(at, 0, &position, most);
                }
            }
            let mut choice = best_child(&branch, mover, &self.tree.formula);
            if choice.or_unseen {
                self.expand(at, &position);
                branch = self.tree.branch(at);
                choice = best_child(&branch, mover, &self.tree.formula);
            }
            let Some(offset) = choice.child else {
                // Its children may have been proved by way of other parents.
                if let Some(outcome) = self.proof_from_children(at, mover) {
                    self.prove_at_end(outcome);
                    break outcome.value_for(Player::One).get();
                }
                break self.evaluate(at, &position);
            };
            let below = self.tree.branch_below(&branch, offset);
            if below.is_fresh() {
                return self.evaluate_batch(at, offset, &position, most);
            }
            (at, branch) = (branch.child(offset), below);
            if let Some(play) = branch.node().play {
                position.play(play);
            }
        };
        self.depth = self.depth.max(self.path.len() - 1);
        self.back_up(value, 1);
        1
    }

    /// Judges the child of `parent` at `offset`, which is fresh, and its fresh neighbours in the tree
    /// with it, at most `most` children in all; `position` stands at `parent`, where the path ends.
    /// Returns how many there were.
    ///
    /// The way down and the list of plays are then paid for once and not for each of them; as they are
    /// neighbours in rank, their turns would come soon.
    ///
    /// What is backed up lies between the children's mean and the best of them for who moves at `parent`
    /// (`leaf_best`). The best of several playouts by chance is too good to be true: if any of them has drawn random
    /// numbers, the mean is backed up.
    fn evaluate_batch(&mut self, parent: NodeId, offset: usize, position: &G, most: u64) -> u64 {
        let most = most.min(self.params.leaf_batch) as u32;
        let (sign, random_before) = (sign(position.to_move()), self.random.clone());
        let (mut sum, mut best, mut count) = (0.0, f32::NEG_INFINITY, 0);
        for offset in self.tree.evaluated_with(offset) {
            if count == most {
                break;
            }
            let branch = self.tree.branch(parent);
            if offset >= branch.node().expanded() {
                continue;
            }
            let below = self.tree.branch_below(&branch, offset);
            if !below.is_fresh() {
                continue;
            }
            let (child, mut position) = (branch.child(offset), position.clone());
            if let Some(play) = below.node().play {
                position.play(play);
            }
            let mover = position.to_move();
            self.path.push(Step { chosen: child, canonical: child, mover });
            let value = self.evaluate(child, &position);
            self.path.pop();
            self.tree.add(child, value, 1);
            sum += value;
            best = best.max(sign * value);
            count += 1;
        }
        self.depth = self.depth.max(self.path.len());
        let mean = sum / count as f32;
        let leaf_best = if self.random == random_before { self.params.leaf_best } else { 0.0 };
        self.back_up(mean + leaf_best * (sign * best - mean), count);
        u64::from(count)
    }

    /// What the position at `id` is worth to player one: its outcome, which is then proved, or
    /// what the playout says.
    fn evaluate(&mut self, id: NodeId, position: &G) -> f32 {
        if let (Some(outcome), false) = (position.outcome(), id == NodeId::ROOT) {
            self.tree.prove(id, outcome, position.to_move());
            self.prove_ancestors();
            return outcome.value_for(Player::One).get();
        }
        let player = position.to_move();
        self.playout.value(position, &mut self.random).for_player_one(player)
    }

    /// The node that has the children of `position`, at which `chosen` stands without any: its transposition, unless the
    /// path has come through that one already. (Plays can be taken back, so there are cycles.)
    // Apart, so that no position's key is computed where nobody asks for it.
    #[inline(never)]
    fn canonical(&mut self, chosen: NodeId, position: &G) -> NodeId {
        let transposition = self.tree.find(position.key());
        match transposition
            .filter(|&transposition| self.path.iter().all(|step| step.canonical != transposition))
        {
            Some(transposition) => {
                self.tree.set_key(chosen, position.key());
                transposition
            }
            None => chosen,
        }
    }

    /// Gives `id`, at which `position` stands, its first children or more of them; or proves it,
    /// if there is a play that wins at once or no play at all. Without room nothing happens.
    pub(super) fn expand(&mut self, id: NodeId, position: &G) {
        let plays = self.ranking.list(position);
        let legal = plays.len();
        let first_time = !self.tree.node(id).is_expanded();
        if legal == 0 {
            // A full board may be a draw; where the rules say nothing, who cannot move has lost.
            let stuck = Outcome::Win(position.to_move().opponent());
            self.tree.prove(id, position.outcome().unwrap_or(stuck), position.to_move());
            return;
        }
        let winning = if first_time { position.winning_play(plays) } else { None };
        let wanted = match winning {
            // The root needs the winning play itself; elsewhere the proof is enough.
            Some(_) if id == NodeId::ROOT => legal,
            Some(_) => 0,
            None => self.tree.next_size(id, legal),
        };
        if wanted > 0 {
            let scores = |plays: &[G::Play], scores: &mut Vec<i8>| {
                self.prior.scores(position, plays, scores);
            };
            let ranked = self.ranking.first(wanted, scores);
            if self.tree.grow(id, ranked, legal) && self.params.transpositions {
                self.tree.note(id, position.key());
            }
        }
        if let Some(winning) = winning {
            let mover = position.to_move();
            self.tree.prove(id, Outcome::Win(mover), mover);
            let leads_there = |&child: &NodeId| self.tree.node(child).play == Some(winning);
            if let Some(child) = self.tree.children(id).find(leads_there) {
                self.tree.prove(child, Outcome::Win(mover), mover.opponent());
            }
        }
    }
}

/// A tree of just the root.
pub(super) fn new_tree<P: Copy>(params: &Params) -> Tree<P> {
    Tree::new(tree_bytes(params), params)
}

/// How much memory a tree may take.
fn tree_bytes(params: &Params) -> usize {
    usize::try_from(params.memory << 20).unwrap_or(usize::MAX)
}
