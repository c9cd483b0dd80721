//! Saving a tree for a search in another process, two plays later.
//!
//! The part of the tree below the chosen play stays valid: the subtree of any answer is a search of the position that
//! comes up next. The most visited nodes of that part make up a [`SavedTree`], and a new search restores those below
//! its own position. Priors and unvisited plays are not saved, because they come out the same again. What a selection
//! formula has learned is not saved either; the formula's file says how a restored tree goes on without it.

use super::search::Search;
use super::selection::Spread;
use super::tree::NodeId;
use crate::game::{Game, Outcome, Player};
use crate::playout::Playout;
use crate::prior::Prior;
use crate::support::hashing::FastSet;
use std::collections::BinaryHeap;

/// Means are saved as multiples of a millionth.
const MILLIONTHS: f32 = 1e6;

/// The maximum number of visits restored for a node, or for all of its children together. It leaves the same room for
/// new visits.
const MAX_VISITS: u32 = u32::MAX / 2;

/// A saved node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SavedNode<P> {
    /// Plies from the position before the saved nodes; at least 1.
    pub depth: u32,
    /// The play that leads here.
    pub play: P,
    /// The number of iterations through this node.
    pub visits: u32,
    /// The mean of their values for player one, −1…+1. It is rounded to millionths, as in the file, so that a tree is
    /// the same whether or not it went through a file.
    pub mean: f32,
    /// The outcome, if proved.
    pub proof: Option<Outcome>,
}

/// The most visited part of a tree below one play.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedTree<G: Game> {
    /// The position after that play, with the opponent to move.
    pub before: G,
    /// The nodes below, each followed by its own descendants.
    pub nodes: Vec<SavedNode<G::Play>>,
}

impl<G: Game> SavedTree<G> {
    /// The node of `now`, one play after [`before`](Self::before), and its descendants; `None` if it was not saved.
    pub fn below(&self, now: &G) -> Option<&[SavedNode<G::Play>]> {
        let mut legal = Vec::new();
        self.before.legal_plays(&mut legal);
        let first = self.nodes.iter().position(|node| {
            let mut after = self.before.clone();
            node.depth == 1 && legal.contains(&node.play) && {
                after.play(node.play);
                after.key() == now.key()
            }
        })?;
        let descendants = self.nodes[first + 1..].iter().take_while(|node| node.depth > 1).count();
        Some(&self.nodes[first..=first + descendants])
    }
}

impl<G: Game, L: Playout<G>, R: Prior<G>> Search<G, L, R> {
    /// The `limit` most visited nodes below `play`; `None` if `play` has no node, or nothing below it was visited.
    pub fn save(&self, play: G::Play, limit: usize) -> Option<SavedTree<G>> {
        let start = self.child_by_play(NodeId::ROOT, play)?;
        let min_visits = self.min_visits_to_save(start, limit);
        let mut before = self.root.clone();
        before.play(play);
        let mut nodes = Vec::new();
        let mut open: Vec<(NodeId, u32)> = vec![(start, 0)];
        let mut followed = FastSet::default();
        while let Some((id, depth)) = open.pop() {
            let node = self.tree.node(id);
            if let (Some(play), true) = (node.play, depth > 0) {
                let (visits, mean, proof) = (
                    self.tree.visits(id),
                    (self.tree.mean(id) * MILLIONTHS).round() / MILLIONTHS,
                    node.proof,
                );
                nodes.push(SavedNode { depth, play, visits, mean, proof });
            }
            // The last child goes onto the stack first, so that the first comes off first.
            let children = self.new_children(id, &mut followed).rev();
            let kept = children.filter(|&child| self.tree.visits(child) >= min_visits);
            open.extend(kept.map(|child| (child, depth + 1)));
        }
        (!nodes.is_empty()).then_some(SavedTree { before, nodes })
    }

    /// The visits that a node needs so that at most `limit` nodes below `start` are saved.
    fn min_visits_to_save(&self, start: NodeId, limit: usize) -> u32 {
        // Most visited first. `start` itself is not saved.
        let mut followed = FastSet::default();
        let mut open = BinaryHeap::from([(self.tree.visits(start), start)]);
        let mut popped = 0;
        while let Some((visits, id)) = open.pop() {
            if popped > limit || visits == 0 {
                return visits + 1;
            }
            popped += 1;
            let children = self.new_children(id, &mut followed);
            open.extend(children.map(|child| (self.tree.visits(child), child)));
        }
        1
    }

    /// The children of the canonical node of `id`; none if that node is already in `followed`. So children that
    /// transpositions share are saved once, and cycles end.
    fn new_children(
        &self,
        id: NodeId,
        followed: &mut FastSet<NodeId>,
    ) -> impl DoubleEndedIterator<Item = NodeId> + use<G, L, R> {
        let canonical = self.tree.canonical(id);
        let is_new = self.tree.node(canonical).is_expanded() && followed.insert(canonical);
        is_new.then(|| self.tree.children(canonical)).into_iter().flatten()
    }

    /// Restores `nodes`, which [`SavedTree::below`] returned for this search's root, as far as there is room. Call it
    /// before the first [`run`](Self::run). Returns whether `nodes` fits the game; if not, the search is unchanged.
    #[must_use]
    pub fn restore(&mut self, nodes: &[SavedNode<G::Play>]) -> bool {
        let fresh = self.tree.clone();
        let fits = self.graft(nodes).is_some();
        if !fits {
            self.tree = fresh;
        }
        fits
    }

    /// Adds `nodes` to the tree; `None` if one does not fit, in which case the tree is left half restored.
    fn graft(&mut self, nodes: &[SavedNode<G::Play>]) -> Option<()> {
        let Some((first, descendants)) = nodes.split_first() else { return Some(()) };
        self.overwrite(NodeId::ROOT, first, None)?;
        // From the root to the node added last.
        let mut path = vec![(NodeId::ROOT, self.root.clone())];
        for node in descendants {
            let level = node.depth.checked_sub(first.depth).map_or(0, |level| level as usize);
            if level == 0 || level > path.len() {
                return None;
            }
            path.truncate(level);
            let (parent, position) = &path[level - 1];
            let (parent, mut position) = (*parent, position.clone());
            let Some(child) = self.child_or_expand(parent, &position, node.play) else {
                if self.ranking.list(&position).contains(&node.play) {
                    break;
                }
                return None;
            };
            position.play(node.play);
            self.overwrite(child, node, node.proof.map(|proof| (proof, position.to_move())))?;
            let visits = self.tree.children(parent).map(|child| u64::from(self.tree.visits(child)));
            let below = u32::try_from(visits.sum::<u64>()).ok().filter(|&below| below <= MAX_VISITS);
            self.tree.set_below(parent, below?);
            path.push((child, position));
        }
        // The root's proof is not restored, because the search must also find the play that achieves it.
        self.prove_root_from_children();
        Some(())
    }

    /// Gives `id` the statistics of `saved` and, if there is a `proof`, its outcome. The player in `proof` is the one
    /// to move. `None` if the statistics are out of range.
    fn overwrite(
        &mut self,
        id: NodeId,
        saved: &SavedNode<G::Play>,
        proof: Option<(Outcome, Player)>,
    ) -> Option<()> {
        if !(-1.0..=1.0).contains(&saved.mean) || saved.visits > MAX_VISITS {
            return None;
        }
        self.tree.set(id, saved.visits, saved.mean);
        if let Some(spread) = self.tree.arena.spread_mut(id) {
            *spread = Spread::of_wins_and_losses(saved.visits, saved.mean);
        }
        if let (Some((outcome, mover)), None) = (proof, self.tree.node(id).proof) {
            self.tree.prove(id, outcome, mover);
        }
        Some(())
    }

    /// The child of `parent` reached by `play`. Expands `parent`, the node of `position`, until that child has a node.
    /// `None` if `play` is not legal or there is no room.
    fn child_or_expand(&mut self, parent: NodeId, position: &G, play: G::Play) -> Option<NodeId> {
        loop {
            let found = self.child_by_play(parent, play);
            let before = self.tree.node(parent).expanded();
            if found.is_some() {
                return found;
            }
            self.expand(parent, position);
            if self.tree.node(parent).expanded() == before {
                return None;
            }
        }
    }
}
