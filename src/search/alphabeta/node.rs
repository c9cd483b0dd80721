//! The search of a position below the root.

use super::score::{self, MAX_GUESS, MAX_PLIES, is_proof};
use super::table::{Bound, Entry};
use super::{Deepening, Guide, Watch};
use crate::game::Game;

/// The range of values that matter to the player to move: above α and below β.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// Whether the exact value is wanted, not just whether it is above α.
    pub fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The window for the opponent.
    fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The smallest window that shows whether the value is above α.
    fn null(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }
}

/// How to search a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// Plies left to search.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    pub window: Window,
    /// Whether a null move is allowed; two in a row are not.
    pub may_pass: bool,
}

impl Task {
    /// The task one ply further, where the opponent is to move.
    pub fn next(self, depth: i32, window: Window) -> Task {
        Task { depth, ply: self.ply + 1, window: window.negated(), may_pass: true }
    }
}

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// Counts a node; `None` if the search must stop.
    #[inline]
    fn count(&mut self, watch: &mut Watch<'_>) -> Option<()> {
        let every = watch.every.max(1);
        if self.nodes >= watch.max_nodes || (self.nodes % every == every - 1 && (watch.is_over)()) {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// The value of `child`, searched to `depth` plies, for the player who moved there. `task` is the parent's.
    /// `reduction` is `None` for the first play. Each later play is first searched with a null window and that many plies
    /// less deeply, which shows whether it may be better.
    pub(super) fn visit_child(
        &mut self,
        child: &G,
        task: Task,
        depth: i32,
        reduction: Option<i32>,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        let window = task.window;
        if let Some(reduction) = reduction {
            let mut value = -self.visit(child, task.next(depth - reduction, window.null()), watch)?;
            if value > window.alpha && reduction > 0 {
                value = -self.visit(child, task.next(depth, window.null()), watch)?;
            }
            if value <= window.alpha || !window.is_open() {
                return Some(value);
            }
        }
        Some(-self.visit(child, task.next(depth, window), watch)?)
    }

    /// The value of `node` for the player to move: exact inside the window, a bound outside it. `None` if the search must
    /// stop.
    fn visit(&mut self, node: &G, mut task: Task, watch: &mut Watch<'_>) -> Option<i32> {
        self.count(watch)?;
        self.lines[task.ply].clear();
        if let Some(outcome) = node.outcome() {
            return Some(score::of_outcome(outcome, node.to_move(), task.ply));
        }
        let static_eval = self.guide.evaluate(node);
        if task.depth <= 0 || task.ply >= MAX_PLIES || self.is_repeated(node) {
            return Some(static_eval);
        }
        // No line from here is better than a win at the next ply, or worse than an immediate loss.
        let window = &mut task.window;
        window.alpha = window.alpha.max(-score::win_in(task.ply));
        window.beta = window.beta.min(score::win_in(task.ply + 1));
        if window.alpha >= window.beta {
            return Some(window.alpha);
        }
        let known = self.table.get(node.key());
        if let Some(value) = known.and_then(|entry| self.value_of_entry(entry, task)) {
            return Some(value);
        }
        if let Some(value) = self.cut_off_early(node, static_eval, task, watch)? {
            return Some(value);
        }
        self.path.push(node.key());
        let value = self.expand(node, static_eval, known.and_then(|entry| entry.play), task, watch);
        self.path.pop();
        value
    }

    /// Lists the plays of `node` and searches them, unless one wins immediately.
    fn expand(
        &mut self,
        node: &G,
        static_eval: i32,
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
        let value = self.try_plays(node, static_eval, task, &mut list, watch);
        self.lists[ply] = list;
        value
    }

    /// A value of at least β, if one is found without searching the plays. The outer option is `None` if the search must
    /// stop.
    #[inline]
    fn cut_off_early(
        &mut self,
        node: &G,
        static_eval: i32,
        task: Task,
        watch: &mut Watch<'_>,
    ) -> Option<Option<i32>> {
        let Task { depth, window, may_pass, .. } = task;
        let Some(selective) = self.settings.selective else { return Some(None) };
        if window.is_open() || is_proof(window.beta) {
            return Some(None);
        }
        if depth <= selective.reverse_futility_depth
            && static_eval - selective.reverse_futility * depth >= window.beta
        {
            return Some(Some(static_eval));
        }
        if may_pass && depth >= selective.null_move_depth && static_eval >= window.beta {
            return self.pass(node, task, watch);
        }
        Some(None)
    }

    /// The value after passing, if it is at least β: then some play should reach β too (*null move*, Donninger 1993).
    /// The outer option is `None` if the search must stop.
    fn pass(&mut self, node: &G, task: Task, watch: &mut Watch<'_>) -> Option<Option<i32>> {
        let Some(passed) = self.guide.pass(node).filter(|passed| passed.outcome().is_none()) else {
            return Some(None);
        };
        let beta = task.window.beta;
        let next = task.next(task.depth - 3 - task.depth / 4, Window { alpha: beta - 1, beta });
        self.path.push(node.key());
        let value = self.visit(&passed, Task { may_pass: false, ..next }, watch);
        self.path.pop();
        // Winning after a pass does not prove a win.
        let value = (-value?).min(MAX_GUESS);
        Some((value >= beta).then_some(value))
    }

    /// Whether `node` already occurred on the path to it.
    fn is_repeated(&self, node: &G) -> bool {
        let key = node.key();
        self.path.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == key)
    }

    /// The value of `entry`, if it makes a search unnecessary. In an open window it never does, because the line of best
    /// play would end at this node.
    fn value_of_entry(&self, entry: Entry<G::Play>, task: Task) -> Option<i32> {
        let Task { depth, ply, window, .. } = task;
        let value = score::from_root(entry.value, ply);
        let known = i32::from(entry.depth);
        // A proof is valid at any depth.
        let deep_enough = is_proof(value)
            || if self.settings.selective.is_some() { known >= depth } else { known == depth };
        let outside = match entry.bound {
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
            Bound::Exact => true,
        };
        (deep_enough && outside && !window.is_open()).then_some(value)
    }
}
