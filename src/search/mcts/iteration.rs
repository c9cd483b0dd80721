//! One iteration: select, expand, evaluate, back up.
//!
//! - **Select**: from the root, go to the child with the highest score until a leaf is reached.
//! - **Expand**: a node gets children for its likeliest plays at its second visit, and more when a play without a node
//!   might score best. If another node at the same position already has children, the node shares them.
//! - **Evaluate**: the playout policy values a new child together with its new neighbours. They would be visited soon
//!   anyway, and this way the descent and the list of plays are paid for only once. Each child counts as an iteration.
//! - **Back up**: the value enters the mean of every node on the path.
//!
//! Outcomes found on the way are proofs, and proofs climb (MCTS-Solver: Winands, Björnsson, Saito 2008): a node is won
//! if one child wins for its mover; it is lost or drawn if all children are proved. Proved losses are not selected.

use super::search::Search;
use super::tree::{Branch, NodeId, sign};
use crate::game::{Game, Outcome, Player, Value};
use crate::playout::{Move, Playout};
use crate::prior::Prior;

/// One node on the path of an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The node selected among its parent's children.
    pub(super) chosen: NodeId,
    /// The node whose children the next one was selected from: `chosen`, or the first node at the same position.
    pub(super) canonical: NodeId,
    pub(super) mover: Player,
}

/// What selection found at the end of the path.
enum Leaf {
    /// The last node of the path ends with this outcome.
    Proved(Outcome),
    /// This node ends the path and has a new child at this offset.
    NewChild(NodeId, usize),
    /// The last node of the path has no child to go to, and no room for more.
    Full,
}

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// Goes down the tree and back up. Returns the number of leaves evaluated, 1 to `max`: each is an iteration.
    pub(super) fn iterate(&mut self, max: u64) -> u64 {
        let mut position = self.root.clone();
        let (value, count) = match self.select(&mut position) {
            Leaf::Proved(outcome) => {
                // If the outcome was proved through other parents, the nodes on this path do not have the proof yet.
                self.prove(outcome);
                self.begin_simulation();
                (self.end_simulation(outcome.value_for(Player::One), Player::One), 1)
            }
            Leaf::NewChild(parent, offset) => self.evaluate_new_children(parent, offset, &position, max),
            Leaf::Full => (self.evaluate(&position), 1),
        };
        self.depth = self.depth.max(self.path.len() - 1);
        debug_assert!(
            self.path.windows(2).all(|steps| self.tree.is_parent(steps[0].canonical, steps[1].chosen))
        );
        for step in &self.path {
            self.tree.add(step.chosen, value, count);
        }
        let parents = &self.path[..self.path.len() - 1];
        parents.iter().for_each(|parent| self.tree.add_below(parent.canonical, count));
        u64::from(count)
    }

    /// Follows the best child until there is none, leaving the path in `self.path` and its last position in `position`.
    fn select(&mut self, position: &mut G) -> Leaf {
        self.path.clear();
        let mut at = NodeId::ROOT;
        let mut branch = self.tree.branch(at);
        loop {
            let (chosen, mover) = (at, position.to_move());
            let mut proof = branch.node().proof;
            if self.params.transpositions && !branch.node().is_expanded() {
                at = self.canonical(chosen, position);
                branch = self.tree.branch(at);
                proof = proof.or(branch.node().proof);
            }
            self.path.push(Step { chosen, canonical: at, mover });
            if let Some(outcome) = proof {
                return Leaf::Proved(outcome);
            }
            if !branch.node().is_expanded() {
                self.expand(at, position);
                let node = self.tree.node(at);
                return match node.proof {
                    Some(outcome) => Leaf::Proved(outcome),
                    None if node.is_expanded() => {
                        Leaf::NewChild(at, self.selector.first_child(&self.path, &self.tree))
                    }
                    None => Leaf::Full,
                };
            }
            let mut best = self.selector.best_child(&branch, mover, &self.path, &self.tree);
            if best.unseen_may_be_better {
                self.widen(at, position);
                branch = self.tree.branch(at);
                best = self.selector.best_child(&branch, mover, &self.path, &self.tree);
            }
            let Some(offset) = best.offset else {
                return self.proof_from_children(at, mover).map_or(Leaf::Full, Leaf::Proved);
            };
            let child = self.tree.branch_below(&branch, offset);
            if child.is_new() {
                return Leaf::NewChild(at, offset);
            }
            (at, branch) = (branch.child(offset), child);
            if let Some(play) = branch.node().play {
                position.play(play);
            }
        }
    }

    /// The first node for `position` that got children, unless the path leads through it (pieces can move back, so
    /// there are cycles); else `chosen`, itself a node for `position`.
    // Not inlined, so that `select` computes a position's key only when it looks for a transposition.
    #[inline(never)]
    fn canonical(&mut self, chosen: NodeId, position: &G) -> NodeId {
        let transposition = self.tree.find(position.key());
        match transposition.filter(|&found| self.path.iter().all(|step| step.canonical != found)) {
            Some(transposition) => {
                self.tree.arena.set_key(chosen, position.key());
                transposition
            }
            None => chosen,
        }
    }

    /// Gives `id` more children, if there is room. The old children move, so steps of the path that lie among them (the
    /// path may go in a circle) are updated.
    fn widen(&mut self, id: NodeId, position: &G) {
        let (old, node) = (self.tree.first_child(id), self.tree.node(id));
        let (count, legal) = (node.expanded(), node.legal());
        if !self.tree.has_room(id, self.tree.next_size(id, legal)) {
            return;
        }
        self.expand(id, position);
        let new = self.tree.first_child(id);
        for Step { chosen, canonical, .. } in &mut self.path {
            *chosen = chosen.moved(old, new, count);
            *canonical = canonical.moved(old, new, count);
        }
    }

    /// Gives `id`, the node of `position`, its first children or more of them; or proves it if a play wins immediately
    /// or there is no play. Adds no children if memory has run out.
    pub(super) fn expand(&mut self, id: NodeId, position: &G) {
        let plays = self.ranking.list(position);
        let (legal, mover) = (plays.len(), position.to_move());
        if legal == 0 {
            // A full board may be a draw. If the rules say nothing, a player without a play has lost.
            let stuck = Outcome::Win(mover.opponent());
            self.tree.prove(id, position.outcome().unwrap_or(stuck), mover);
            return;
        }
        let is_first_time = !self.tree.node(id).is_expanded();
        let winning = if is_first_time { position.winning_play(plays) } else { None };
        let wanted = match winning {
            // The root needs a node for the winning play; elsewhere the proof is enough.
            Some(_) if id == NodeId::ROOT => legal,
            Some(_) => 0,
            None => self.tree.next_size(id, legal),
        };
        // Ranking plays for nothing would take most of the time of a search whose tree is full.
        if wanted > 0 && self.tree.has_room(id, wanted) {
            let scores = |plays: &[G::Play], scores: &mut Vec<i8>| {
                self.prior.scores(position, plays, scores);
            };
            let ranked = self.ranking.first(wanted, scores);
            if self.tree.grow(id, ranked, legal) && self.tree.keeps_keys() {
                self.tree.note(id, position.key());
            }
        }
        if let Some(winning) = winning {
            self.tree.prove(id, Outcome::Win(mover), mover);
            if let Some(child) = self.child_by_play(id, winning) {
                self.tree.prove(child, Outcome::Win(mover), mover.opponent());
            }
        }
    }

    /// Evaluates the new child of `parent` at `offset` and its new neighbours, at most `max` children in all. `parent`
    /// ends the path, and its position is `position`. Returns the value to back up, for player one, and the number of
    /// children evaluated.
    ///
    /// That value lies between the mean of the children's values and the best of these values for the mover
    /// (`leaf_best`). If a playout drew random numbers, it is the mean, because the best of several random values is
    /// too good to be true.
    fn evaluate_new_children(&mut self, parent: NodeId, offset: usize, position: &G, max: u64) -> (f32, u32) {
        let max = max.min(self.params.leaf_batch) as u32;
        if self.policy_prepares {
            self.prepare(parent, offset, position, max as usize);
        }
        let (sign, random_before) = (sign(position.to_move()), self.simulation.random.clone());
        let (mut sum, mut best, mut count) = (0.0, f32::NEG_INFINITY, 0);
        for offset in self.tree.evaluated_with(offset) {
            if count == max {
                break;
            }
            let branch = self.tree.branch(parent);
            if offset >= branch.node().expanded() {
                continue;
            }
            let below = self.tree.branch_below(&branch, offset);
            if !below.is_new() {
                continue;
            }
            let (child, mut position) = (branch.child(offset), position.clone());
            if let Some(play) = below.node().play {
                position.play(play);
            }
            self.path.push(Step { chosen: child, canonical: child, mover: position.to_move() });
            let value = self.evaluate(&position);
            self.path.pop();
            self.tree.add(child, value, 1);
            sum += value;
            best = best.max(sign * value);
            count += 1;
        }
        self.tree.add_below(parent, count);
        self.depth = self.depth.max(self.path.len());
        let mean = sum / count as f32;
        let leaf_best = if self.simulation.random == random_before { self.params.leaf_best } else { 0.0 };
        (mean + leaf_best * (sign * best - mean), count)
    }

    /// Shows the policy the leaves that [`evaluate_new_children`](Self::evaluate_new_children) is about to value.
    #[cold]
    fn prepare(&mut self, parent: NodeId, offset: usize, position: &G, max: usize) {
        let branch = self.tree.branch(parent);
        let offsets = self.tree.evaluated_with(offset).filter(|&offset| offset < branch.node().expanded());
        let new = offsets.map(|offset| self.tree.branch_below(&branch, offset)).filter(Branch::is_new);
        let leaf = |below: Branch<G::Play>| {
            let mut leaf = position.clone();
            below.node().play.into_iter().for_each(|play| leaf.play(play));
            leaf
        };
        let mut leaves: Vec<G> = new.take(max).map(leaf).collect();
        leaves.retain(|leaf| leaf.outcome().is_none());
        self.playout.prepare(&leaves);
    }

    /// The value for player one of `position`, at the end of the path: its outcome, which is a proof, or the result of
    /// the playout policy.
    fn evaluate(&mut self, position: &G) -> f32 {
        let player = position.to_move();
        self.begin_simulation();
        let value = match position.outcome() {
            Some(outcome) => {
                self.prove(outcome);
                outcome.value_for(player)
            }
            None => self.playout.value(position, &mut self.simulation),
        };
        self.end_simulation(value, player)
    }

    /// Begins a simulation of the current path.
    #[inline]
    fn begin_simulation(&mut self) {
        let Search { path, tree, simulation, .. } = self;
        simulation.begin(path.windows(2).filter_map(|steps| {
            let play = tree.node(steps[1].chosen).play?;
            Some(Move { player: steps[0].mover, play })
        }));
    }

    /// Ends a simulation with this value of its leaf for `player`, and lets the selection formula and the policy learn
    /// from it. Returns the value for player one.
    #[inline]
    fn end_simulation(&mut self, value: Value, player: Player) -> f32 {
        if self.simulation.is_recording() {
            self.simulation.end(value, player);
            self.learn();
        }
        value.for_player_one(player)
    }

    /// Learns from the simulation of the current path, which has ended.
    // Not inlined, so that it costs nothing if nothing learns.
    #[inline(never)]
    fn learn(&mut self) {
        self.selector.learn(&mut self.tree, &self.path, &self.simulation);
        if self.policy_learns {
            self.playout.learn(&self.simulation);
        }
    }

    /// Records the proof that the last node of the path ends with `outcome`, and then proves its ancestors as far as
    /// possible.
    fn prove(&mut self, outcome: Outcome) {
        let mut proof = Some(outcome);
        for index in (0..self.path.len()).rev() {
            let Step { chosen, canonical, mover } = self.path[index];
            if index + 1 < self.path.len() {
                proof = self.proof_from_children(canonical, mover);
            }
            let Some(outcome) = proof else { break };
            self.tree.prove(canonical, outcome, mover);
            self.tree.prove(chosen, outcome, mover);
        }
    }

    /// The outcome at `id`, with `mover` to move, if its children prove it.
    fn proof_from_children(&self, id: NodeId, mover: Player) -> Option<Outcome> {
        let node = self.tree.node(id);
        let win = Some(Outcome::Win(mover));
        let (mut all, mut draw) = (node.is_expanded() && node.expanded() == node.legal(), false);
        for child in self.tree.children(id) {
            // A transposition may have been proved since the last visit to `child`.
            let proof = self.tree.node(child).proof.or(self.tree.node(self.tree.canonical(child)).proof);
            if proof == win {
                return win;
            }
            all &= proof.is_some();
            draw |= proof == Some(Outcome::Draw);
        }
        let rest = if draw { Outcome::Draw } else { Outcome::Win(mover.opponent()) };
        all.then_some(rest)
    }

    /// Proves the root if children carried over from another search prove it.
    pub(super) fn prove_root_from_children(&mut self) {
        let mover = self.root.to_move();
        if let Some(outcome) = self.proof_from_children(NodeId::ROOT, mover) {
            self.tree.prove(NodeId::ROOT, outcome, mover);
        }
    }
}
