//! The search below the root, one position at a time.

use super::score::{self, MOST_GUESS, MOST_PLIES, is_proof};
use super::table::{Bound, Entry};
use super::{Deepening, Guide, Watch};
use crate::game::Game;

/// The values that still matter, for the player to move: more than α, less than β.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// Whether the exact value inside is wanted, not only on which side of α the value is.
    pub fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The window as the opponent sees it.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The smallest window that tells whether the value is more than α.
    fn shut(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }
}

/// How to search a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// Plies to search below it.
    pub depth: i32,
    /// Plies between the root and it.
    pub ply: usize,
    /// The values that matter there.
    pub window: Window,
    /// Whether its player did not get the turn by a pass.
    pub may_pass: bool,
}

impl Task {
    /// The task one ply further on, where the opponent is to move.
    pub fn next(self, depth: i32, window: Window) -> Task {
        Task { depth, ply: self.ply + 1, window: window.turned(), may_pass: true }
    }
}

/// What is special about a play when its turn comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Whether others came before it: then a null-window search first asks whether it is better at all.
    pub late: bool,
    /// By how many plies that search is reduced.
    pub reduction: i32,
}

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// Counts a node; `None` if it is time to stop.
    #[inline]
    fn count(&mut self, watch: &mut Watch<'_>) -> Option<()> {
        let every = watch.every.max(1);
        if self.nodes >= watch.most_nodes || (self.nodes % every == every - 1 && (watch.is_over)()) {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// The value of `child`, searched to `depth` plies, for the player who has moved there. `task` is that
    /// of the parent.
    pub(super) fn visit_child(
        &mut self,
        child: &G,
        task: Task,
        depth: i32,
        turn: Turn,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        let window = task.window;
        if turn.late {
            let mut value = -self.visit(child, task.next(depth - turn.reduction, window.shut()), watch)?;
            if value > window.alpha && turn.reduction > 0 {
                value = -self.visit(child, task.next(depth, window.shut()), watch)?;
            }
            if value <= window.alpha || !window.is_open() {
                return Some(value);
            }
        }
        Some(-self.visit(child, task.next(depth, window), watch)?)
    }

    /// The value of `node` for the player to move, exact inside the window and a bound outside it.
    /// `None` if it is time to stop.
    fn visit(&mut self, node: &G, mut task: Task, watch: &mut Watch<'_>) -> Option<i32> {
        self.count(watch)?;
        self.lines[task.ply].clear();
        if let Some(outcome) = node.outcome() {
            return Some(score::of_outcome(outcome, node.to_move(), task.ply));
        }
        let standing = self.guide.evaluate(node);
        if task.depth <= 0 || task.ply >= MOST_PLIES || self.is_repeated(node) {
            return Some(standing);
        }
        // No line from here is better than a win at the next ply, or worse than a loss at once.
        let window = &mut task.window;
        window.alpha = window.alpha.max(-score::win_in(task.ply));
        window.beta = window.beta.min(score::win_in(task.ply + 1));
        if window.alpha >= window.beta {
            return Some(window.alpha);
        }
        let known = self.table.get(node.key());
        if let Some(value) = known.and_then(|entry| self.settles(entry, task)) {
            return Some(value);
        }
        if let Some(value) = self.cut_at_sight(node, standing, task, watch)? {
            return Some(value);
        }
        self.path.push(node.key());
        let value = self.expand(node, standing, known.and_then(|entry| entry.play), task, watch);
        self.path.pop();
        value
    }

    /// Lists the plays of `node`, and searches them unless one of them wins at once.
    fn expand(
        &mut self,
        node: &G,
        standing: i32,
        from_table: Option<G::Play>,
        task: Task,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        let ply = task.ply;
        node.legal_plays(&mut self.plays);
        if self.plays.is_empty() {
            return Some(-score::win_in(ply));
        }
        if let Some(play) = node.winning_play(&self.plays) {
            self.lines[ply].push(play);
            return Some(score::win_in(ply + 1));
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.rank_plays(node, task.depth, ply, from_table, &mut list);
        let value = self.try_plays(node, standing, task, &mut list, watch);
        self.lists[ply] = list;
        value
    }

    /// A value of at least β that needs no search of the plays, if there is one. The outer `None` if it is
    /// time to stop.
    #[inline]
    fn cut_at_sight(
        &mut self,
        node: &G,
        standing: i32,
        task: Task,
        watch: &mut Watch<'_>,
    ) -> Option<Option<i32>> {
        let Task { depth, window, may_pass, .. } = task;
        let Some(selective) = self.params.selective else { return Some(None) };
        if window.is_open() || is_proof(window.beta) {
            return Some(None);
        }
        if depth <= selective.reverse_futility_depth
            && standing - selective.reverse_futility * depth >= window.beta
        {
            return Some(Some(standing));
        }
        if may_pass && depth >= selective.null_move_depth && standing >= window.beta {
            return self.pass(node, task, watch);
        }
        Some(None)
    }

    /// The value after passing if it is at least β: then some play should be as good (*null move*,
    /// Donninger 1993). The outer `None` if it is time to stop.
    fn pass(&mut self, node: &G, task: Task, watch: &mut Watch<'_>) -> Option<Option<i32>> {
        let Some(passed) = self.guide.pass(node).filter(|passed| passed.outcome().is_none()) else {
            return Some(None);
        };
        let beta = task.window.beta;
        let next = task.next(task.depth - 3 - task.depth / 4, Window { alpha: beta - 1, beta });
        self.path.push(node.key());
        let value = self.visit(&passed, Task { may_pass: false, ..next }, watch);
        self.path.pop();
        // A win after passing is no proof of one.
        let value = (-value?).min(MOST_GUESS);
        Some((value >= beta).then_some(value))
    }

    /// Whether `node` occurs earlier on the path to it.
    fn is_repeated(&self, node: &G) -> bool {
        let key = node.key();
        self.path.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key)
    }

    /// The value of `entry`, if it makes the search unnecessary. Where the exact value is wanted it never
    /// does, since the line of best play would end there.
    fn settles(&self, entry: Entry<G::Play>, task: Task) -> Option<i32> {
        let Task { depth, ply, window, .. } = task;
        let value = score::from_root(entry.value, ply);
        let known = i32::from(entry.depth);
        // A proof needs no depth.
        let deep_enough =
            is_proof(value) || if self.params.selective.is_some() { known >= depth } else { known == depth };
        let outside = match entry.bound {
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
            Bound::Exact => true,
        };
        (deep_enough && outside && !window.is_open()).then_some(value)
    }
}
