//! The search of a position's plays: their order, which ones to skip, and which to reduce.

use super::node::{Task, Window};
use super::ordering::{FROM_TABLE, GAIN_QUARTERS, Ranked, pick};
use super::score::{self, INFINITY, MAX_GUESS};
use super::table::{Bound, Entry};
use super::{Deepening, Guide, Settings, Watch};
use crate::game::Game;

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// Searches all plays of `node`, given in `list`, and stores the result in the table.
    pub(super) fn try_plays(
        &mut self,
        node: &G,
        static_eval: i32,
        task: Task,
        list: &mut Vec<Ranked<G::Play>>,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        let Task { depth, ply, window, .. } = task;
        let gain_error = self.guide.gain_error(node);
        // A forced play costs no depth.
        let forced = list.len() == 1 && self.settings.selective.is_some();
        let next_depth = if forced { depth } else { depth - 1 };
        let mut alpha = window.alpha;
        let mut best = -INFINITY;
        let mut best_play = None;
        let mut index = 0;
        while let Some(Ranked { play, gain, behind, rank }) = pick(list, index) {
            // Only a search of every play proves a loss, so while all plays so far lose, none is skipped. The
            // exception is depth 1, where skipped plays keep an estimate, which proves nothing.
            let may_skip = best > -MAX_GUESS;
            if let Some(selective) =
                self.settings.selective.filter(|_| depth <= 3 && (depth == 1 || may_skip))
            {
                // A play that cannot reach the window is not searched: this bound replaces its value.
                let bound = static_eval + gain_error + selective.futility * (depth - 1);
                if bound + gain <= alpha {
                    let estimate = bound + drop_weak(list, index, alpha - bound);
                    best = best.max(estimate.max(-MAX_GUESS));
                    continue;
                }
                if !window.is_open() && depth > 1 && index as i32 >= selective.late_moves * depth * depth {
                    best = best.max(alpha);
                    break;
                }
            }
            let reduced = may_skip && rank != FROM_TABLE;
            let reduction =
                if reduced { self.reduction(depth, index, self.weaknesses(gain, behind), window) } else { 0 };
            let late = (best > -INFINITY).then_some(reduction);
            let mut child = node.clone();
            child.play(play);
            let left = Task { window: Window { alpha, ..window }, ..task };
            let value = self.visit_child(&child, left, next_depth, late, watch)?;
            best = best.max(value);
            if value > alpha {
                alpha = value;
                best_play = Some(play);
                self.extend_line(ply, play);
                if value >= window.beta {
                    self.note_refutation(node, task, play, &list[..index]);
                    break;
                }
            }
            index += 1;
        }
        self.store(node, task, best, best_play);
        Some(best)
    }

    /// Sets the line of best play at `ply` to `play`, followed by the line one ply below.
    fn extend_line(&mut self, ply: usize, play: G::Play) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(play);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Records that `play` refuted `node`, and that the plays `tried` before it did not.
    fn note_refutation(&mut self, node: &G, task: Task, play: G::Play, tried: &[Ranked<G::Play>]) {
        if task.depth > 1 {
            let tried = tried.iter().map(|ranked| self.guide.slot(ranked.play));
            let slot = self.guide.slot(play);
            self.experience.learn(node.to_move(), slot, tried, task.depth);
            self.experience.add_killer(task.ply, play);
        }
    }

    fn store(&mut self, node: &G, task: Task, value: i32, play: Option<G::Play>) {
        let bound = if value >= task.window.beta {
            Bound::Lower
        } else if value > task.window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = task.depth.clamp(1, u8::MAX.into()) as u8;
        self.table.put(node.key(), Entry { value: score::from_node(value, task.ply), play, depth, bound });
    }

    /// How many of the two weaknesses a play has: a low gain, and a prior score far behind the likeliest play's.
    #[inline]
    pub(super) fn weaknesses(&self, gain: i32, behind: i32) -> i32 {
        self.settings.selective.map_or(0, |selective| {
            i32::from(gain < selective.bad_gain) + i32::from(behind > selective.max_behind)
        })
    }

    /// How many plies shallower the play at `index` is searched at first.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, index: usize, weaknesses: i32, window: Window) -> i32 {
        let Some(selective) = self.settings.selective.filter(|_| depth >= 3 && index >= 2) else { return 0 };
        let late = (depth.ilog2() * (index as u32 + 1).ilog2()) as i32 * selective.reduction / 16;
        (late + weaknesses - i32::from(window.is_open())).clamp(0, depth - 2)
    }

    /// Fills `list` with the plays of `node`, already listed in `self.plays`, and their ranks.
    pub(super) fn rank_plays(
        &mut self,
        node: &G,
        depth: i32,
        ply: usize,
        from_table: Option<G::Play>,
        list: &mut Vec<Ranked<G::Play>>,
    ) {
        list.clear();
        if depth == 1 {
            // Looking up priors and history would cost more than it saves.
            list.extend(self.plays.iter().map(|&play| {
                let gain = self.guide.gain(node, play);
                Ranked { play, gain, behind: 0, rank: gain }
            }));
            return;
        }
        let player = node.to_move();
        let killers = self.experience.killers(ply);
        let Settings { prior_weight, killer, history, .. } = self.settings;
        self.guide.prior_scores(node, &self.plays, &mut self.scores);
        debug_assert_eq!(self.scores.len(), self.plays.len());
        let max = self.scores.iter().copied().max().unwrap_or(0);
        list.extend(self.plays.iter().zip(&self.scores).map(|(&play, &score)| {
            let gain = self.guide.gain(node, play);
            let behind = i32::from(max) - i32::from(score);
            let expected = GAIN_QUARTERS * gain / 4 - prior_weight * behind;
            let learnt = expected + self.experience.history(player, self.guide.slot(play)) / history;
            let rank = match Some(play) {
                some if some == from_table => FROM_TABLE,
                some if killers.contains(&some) => learnt + killer,
                _ => learnt,
            };
            Ranked { play, gain, behind, rank }
        }));
    }
}

/// Removes the plays in `list[from..]` that gain at most `limit`, and returns the largest gain removed. At least one
/// play must be removed.
fn drop_weak<P: Copy>(list: &mut Vec<Ranked<P>>, from: usize, limit: i32) -> i32 {
    let mut max = i32::MIN;
    let mut keep = from;
    for index in from..list.len() {
        let ranked = list[index];
        if ranked.gain > limit {
            list[keep] = ranked;
            keep += 1;
        } else {
            max = max.max(ranked.gain);
        }
    }
    list.truncate(keep);
    max
}
