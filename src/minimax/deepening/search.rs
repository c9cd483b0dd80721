//! The search below the root.

use super::ordering::{FROM_TABLE, Ranked, pick};
use super::score::{self, INFINITY, MOST_GUESS, MOST_PLIES, is_proof};
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
    /// Whether the exact value inside is wanted, and not only which side of it the value is on.
    fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The window as the opponent sees it.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Just enough to ask whether the value is more than α.
    fn shut(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }
}

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// Counts a node; `None` if it is time to stop.
    #[inline]
    fn count(&mut self, watch: &mut Watch<'_>) -> Option<()> {
        if self.nodes >= watch.most_nodes
            || (self.nodes % watch.every == watch.every - 1 && (watch.is_over)())
        {
            return None;
        }
        self.nodes += 1;
        Some(())
    }

    /// The value of `child` for the player who has just moved there, searched to `depth` less
    /// `reduction`; if it is `late`, by asking first whether it is in the window at all.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn visit_child(
        &mut self,
        child: &G,
        depth: i32,
        reduction: i32,
        ply: usize,
        late: bool,
        window: Window,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        if late {
            let shut = window.shut().turned();
            let mut value = -self.visit(child, depth - reduction, ply, shut, true, watch)?;
            if value > window.alpha && reduction > 0 {
                value = -self.visit(child, depth, ply, shut, true, watch)?;
            }
            if value <= window.alpha || !window.is_open() {
                return Some(value);
            }
        }
        Some(-self.visit(child, depth, ply, window.turned(), true, watch)?)
    }

    /// The value of `node` for the player to move, exact inside the window and a bound outside it.
    /// `None` if it is time to stop.
    fn visit(
        &mut self,
        node: &G,
        depth: i32,
        ply: usize,
        mut window: Window,
        may_pass: bool,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        self.count(watch)?;
        self.lines[ply].clear();
        if let Some(outcome) = node.outcome() {
            return Some(score::of_outcome(outcome, node.to_move(), ply));
        }
        let standing = self.guide.evaluate(node);
        if depth <= 0 || ply >= MOST_PLIES || self.is_repeated(node) {
            return Some(standing);
        }
        // No line from here is better than a win at the next ply, or worse than a loss at once.
        window.alpha = window.alpha.max(-score::win_in(ply));
        window.beta = window.beta.min(score::win_in(ply + 1));
        if window.alpha >= window.beta {
            return Some(window.alpha);
        }
        let known = self.table.get(node.hash());
        if let Some(value) = known.and_then(|entry| self.settles(entry, depth, ply, window)) {
            return Some(value);
        }
        let selective = self.options.selective;
        if let Some(selective) = selective.filter(|_| !window.is_open() && !is_proof(window.beta)) {
            if depth <= selective.ahead_depth && standing - selective.ahead * depth >= window.beta {
                return Some(standing);
            }
            if may_pass && depth >= selective.pass_depth && standing >= window.beta {
                if let Some(value) = self.pass(node, depth, ply, window, watch)? {
                    return Some(value);
                }
            }
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.list_plays(node, ply, known.and_then(|entry| entry.play), &mut list);
        self.path.push(node.hash());
        let value = if list.is_empty() {
            Some(-score::win_in(ply))
        } else if node.winning_play(&self.plays).is_some_and(|play| {
            self.lines[ply].push(play);
            true
        }) {
            Some(score::win_in(ply + 1))
        } else {
            self.try_plays(node, standing, depth, ply, window, &mut list, watch)
        };
        self.path.pop();
        self.lists[ply] = list;
        value
    }

    /// Searches the plays in `list`, all those of `node`.
    #[allow(clippy::too_many_arguments)]
    fn try_plays(
        &mut self,
        node: &G,
        standing: i32,
        depth: i32,
        ply: usize,
        window: Window,
        list: &mut Vec<Ranked<G::Play>>,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        let doubt = self.guide.doubt(node);
        let mut alpha = window.alpha;
        let mut best = -INFINITY;
        let mut best_play = None;
        let next_depth = if list.len() == 1 && self.options.selective.is_some() { depth } else { depth - 1 };
        let mut index = 0;
        while let Some(Ranked { play, gain, rank }) = pick(list, index) {
            let late = best > -MOST_GUESS;
            if let Some(selective) = self.options.selective.filter(|_| depth <= 3 && (depth == 1 || late)) {
                // What can't come near the window is taken at the most that is hoped of it.
                let from_standing = standing + doubt + selective.hope * (depth - 1);
                if from_standing + gain <= alpha {
                    let most = drop_weak(list, index, alpha - from_standing);
                    best = best.max(from_standing + most);
                    continue;
                }
                if !window.is_open() && depth > 1 && index as i32 >= selective.late * depth * depth {
                    best = best.max(alpha);
                    break;
                }
            }
            let reduction =
                if late && rank != FROM_TABLE { self.reduction(depth, index, gain, window) } else { 0 };
            let mut child = node.clone();
            child.play(play);
            let window_left = Window { alpha, ..window };
            let value = self.visit_child(
                &child,
                next_depth,
                reduction,
                ply + 1,
                best > -INFINITY,
                window_left,
                watch,
            )?;
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_play = Some(play);
                    let (above, below) = self.lines.split_at_mut(ply + 1);
                    above[ply].clear();
                    above[ply].push(play);
                    above[ply].extend_from_slice(&below[0]);
                    if value >= window.beta {
                        if depth > 1 {
                            let player = node.to_move();
                            self.experience.learn::<G, D>(
                                &self.guide,
                                player,
                                ply,
                                depth,
                                play,
                                &list[..index],
                            );
                        }
                        break;
                    }
                }
            }
            index += 1;
        }
        let bound = match best {
            _ if best >= window.beta => Bound::Lower,
            _ if best > window.alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry { value: score::from_node(best, ply), play: best_play, depth: depth as u8, bound };
        self.table.put(node.hash(), entry);
        Some(best)
    }

    /// By how many plies less than others the play at `index` of the order is searched at first.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, index: usize, gain: i32, window: Window) -> i32 {
        let Some(selective) = self.options.selective.filter(|_| depth >= 3 && index >= 2) else { return 0 };
        let late = (depth.ilog2() * (index as u32 + 1).ilog2()) as i32 * selective.reduction / 16;
        let weak = i32::from(gain < selective.weak);
        (late + weak - i32::from(window.is_open())).clamp(0, depth - 2)
    }

    /// Lists the plays of `node` with their ranks.
    pub(super) fn list_plays(
        &mut self,
        node: &G,
        ply: usize,
        remembered: Option<G::Play>,
        list: &mut Vec<Ranked<G::Play>>,
    ) {
        node.plays(&mut self.plays);
        let player = node.to_move();
        let killers = self.experience.killers(ply);
        list.clear();
        list.extend(self.plays.iter().map(|&play| {
            let gain = self.guide.gain(node, play);
            let history = self.experience.history(player, self.guide.slot(play));
            let rank = match Some(play) {
                some if some == remembered => FROM_TABLE,
                some if killers.contains(&some) => {
                    gain + history / self.options.history + self.options.killer
                }
                _ => gain + history / self.options.history,
            };
            Ranked { play, gain, rank }
        }));
    }

    /// Whether `node` has been met on the way to it: nothing was gained since.
    fn is_repeated(&self, node: &G) -> bool {
        let hash = node.hash();
        self.path.iter().rev().skip(1).step_by(2).any(|&earlier| earlier == hash)
    }

    /// The value that `entry` settles the matter with, if it does.
    fn settles(&self, entry: Entry<G::Play>, depth: i32, ply: usize, window: Window) -> Option<i32> {
        let value = score::from_root(entry.value, ply);
        let known = i32::from(entry.depth);
        // A proof needs no depth.
        let deep_enough = if self.options.selective.is_some() {
            known >= depth || is_proof(value)
        } else {
            known == depth || is_proof(value)
        };
        let outside = match entry.bound {
            Bound::Lower => value >= window.beta,
            Bound::Upper => value <= window.alpha,
            Bound::Exact => true,
        };
        (deep_enough && outside && !window.is_open()).then_some(value)
    }

    /// The value that passing proves to be at least β, if it does: then some play will be as good
    /// (*null move*, Donninger 1993). The outer `None` if it is time to stop.
    #[allow(clippy::option_option)]
    fn pass(
        &mut self,
        node: &G,
        depth: i32,
        ply: usize,
        window: Window,
        watch: &mut Watch<'_>,
    ) -> Option<Option<i32>> {
        let Some(passed) = self.guide.pass(node) else { return Some(None) };
        if passed.outcome().is_some() {
            return Some(None);
        }
        self.path.push(node.hash());
        let shut = Window { alpha: window.beta - 1, beta: window.beta }.turned();
        let value = self.visit(&passed, depth - 3 - depth / 4, ply + 1, shut, false, watch);
        self.path.pop();
        let value = -value?;
        // A win after passing is no proof of one.
        Some((value >= window.beta).then_some(value.min(MOST_GUESS)))
    }
}

/// Takes the plays that gain at most `limit` out of `list[from..]`, and returns the largest gain
/// of one taken out. There is one at least.
fn drop_weak<P: Copy>(list: &mut Vec<Ranked<P>>, from: usize, limit: i32) -> i32 {
    let mut most = i32::MIN;
    let mut keep = from;
    for index in from..list.len() {
        let ranked = list[index];
        if ranked.gain > limit {
            list[keep] = ranked;
            keep += 1;
        } else {
            most = most.max(ranked.gain);
        }
    }
    list.truncate(keep);
    most
}
