//! What an iteration changes on its way back: means, estimates and proofs.
//!
//! The value found at the end of the path goes into the mean of every node on it. A node's
//! *estimate* is the best of its visited children's for the player to move there, a leaf's is what
//! the playout policy says of it without playing on (implicit minimax backups: Lanctot, Winands,
//! Pepels, Sturtevant, "Monte Carlo Tree Search with Heuristic Evaluations using Implicit Minimax
//! Backups", 2014). It climbs only as far as it changes anything, mostly a ply or two.

use super::search::{Search, Step};
use super::tree::{NodeId, sign};
use crate::game::{Game, Outcome, Player};
use crate::playout::Playout;

impl<G: Game, L: Playout<G>> Search<G, L> {
    /// Counts `count` iterations that followed the path, which found `value` for player one in the mean.
    pub(super) fn back_up(&mut self, value: f32, count: u32) {
        for step in 0..self.path.len() {
            self.tree.add(self.path[step].chosen, value, count);
        }
        if self.params.minimax > 0.0 {
            self.back_up_estimate();
        }
    }

    /// What `position`, at which `id` stands, is worth to player one without its children.
    #[inline]
    pub(super) fn estimate(&self, id: NodeId, position: &G) -> f32 {
        match self.tree.node(id).proof {
            Some(outcome) => outcome.value_for(Player::One).get(),
            None if self.params.minimax == 0.0 => 0.0,
            None => self.playout.estimate(position).for_player_one(position.to_move()),
        }
    }

    /// Carries the estimates below the end of the path up as far as they make a difference.
    fn back_up_estimate(&mut self) {
        for step in (0..self.path.len()).rev() {
            let Step { chosen, sharer, mover } = self.path[step];
            if !self.tree.node(sharer).is_expanded() {
                continue;
            }
            let before = self.tree.estimate(chosen);
            let estimate = self.best_estimate(sharer, mover);
            if estimate == before {
                break;
            }
            self.tree.set_estimate(chosen, estimate);
        }
    }

    /// The best estimate among the visited children of `id`, for player one; its own, if there is
    /// none.
    pub(super) fn best_estimate(&self, id: NodeId, mover: Player) -> f32 {
        let sign = sign(mover);
        let mut best = f32::NEG_INFINITY;
        for four in self.tree.fours_of_children(id) {
            for (&visits, &estimate) in four.visits.iter().zip(&four.estimates) {
                let own = if visits > 0 { sign * estimate } else { f32::NEG_INFINITY };
                best = if own > best { own } else { best };
            }
        }
        if best > f32::NEG_INFINITY { sign * best } else { self.tree.estimate(id) }
    }

    /// Proves that the position at the end of the path ends with `outcome`, and what follows from that.
    pub(super) fn prove_at_end(&mut self, outcome: Outcome) {
        if let Some(&Step { chosen, sharer, mover }) = self.path.last() {
            self.tree.prove(sharer, outcome, mover);
            self.tree.prove(chosen, outcome, mover);
            self.prove_ancestors();
        }
    }

    /// Carries the proof just found at the end of the path up the tree as far as it goes.
    pub(super) fn prove_ancestors(&mut self) {
        for step in (0..self.path.len() - 1).rev() {
            let Step { chosen, sharer, mover } = self.path[step];
            let Some(outcome) = self.proof_from_children(sharer, mover) else { break };
            self.tree.prove(sharer, outcome, mover);
            self.tree.prove(chosen, outcome, mover);
        }
    }

    /// How the position at `id` ends, as far as its children tell.
    pub(super) fn proof_from_children(&self, id: NodeId, mover: Player) -> Option<Outcome> {
        let node = self.tree.node(id);
        let win = Some(Outcome::Win(mover));
        let (mut all, mut draw) = (node.is_expanded() && node.materialised() == node.legal(), false);
        for child in node.children() {
            // A twin may have been proved since `child` was visited last.
            let proof = self.tree.node(child).proof.or(self.tree.node(self.tree.sharer(child)).proof);
            if proof == win {
                return win;
            }
            all &= proof.is_some();
            draw |= proof == Some(Outcome::Draw);
        }
        let rest = if draw { Outcome::Draw } else { Outcome::Win(mover.opponent()) };
        all.then_some(rest)
    }
}
