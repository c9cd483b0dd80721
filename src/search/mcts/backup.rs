//! Backing up: what an iteration changes on its path, means and proofs.
//!
//! The value found at the end of the path goes into the mean of every node on it.

use super::search::{Search, Step};
use super::tree::NodeId;
use crate::game::{Game, Outcome, Player};
use crate::playout::Playout;
use crate::prior::Prior;

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// Counts `count` iterations along the path, for all of which `value` for player one is backed up.
    pub(super) fn back_up(&mut self, value: f32, count: u32) {
        for step in &self.path {
            self.tree.add(step.chosen, value, count);
        }
    }

    /// Proves that the position at the end of the path ends with `outcome`, and its ancestors as far as
    /// possible.
    pub(super) fn prove_at_end(&mut self, outcome: Outcome) {
        if let Some(&Step { chosen, canonical, mover, .. }) = self.path.last() {
            self.tree.prove(canonical, outcome, mover);
            self.tree.prove(chosen, outcome, mover);
            self.prove_ancestors();
        }
    }

    /// Backs up the proof just found at the end of the path, as far as possible.
    pub(super) fn prove_ancestors(&mut self) {
        for step in (0..self.path.len() - 1).rev() {
            let Step { chosen, canonical, mover, .. } = self.path[step];
            let Some(outcome) = self.proof_from_children(canonical, mover) else { break };
            self.tree.prove(canonical, outcome, mover);
            self.tree.prove(chosen, outcome, mover);
        }
    }

    /// How the position at `id` ends with `mover` to move, if its children prove it.
    pub(super) fn proof_from_children(&self, id: NodeId, mover: Player) -> Option<Outcome> {
        let node = self.tree.node(id);
        let win = Some(Outcome::Win(mover));
        let (mut all, mut draw) = (node.is_expanded() && node.expanded() == node.legal(), false);
        for child in self.tree.children(id) {
            // A transposition may have been proved since `child` was visited last.
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
}
