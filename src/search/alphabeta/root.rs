//! The root: its plays, and iterative deepening.

use super::node::{Task, Window};
use super::ordering::Ranked;
use super::score::{INFINITY, MAX_GUESS, MAX_PLIES, is_proof};
use super::{Deepening, Guide, Stopped, Watch};
use crate::game::Game;

/// The first window of an iteration extends this far to either side of the last value.
const ASPIRATION: i32 = 40;

/// Each time the value falls outside the window, the window's reach is multiplied by four. Beyond this reach, the
/// window is opened fully.
const MAX_REACH: i32 = 500;

/// A window that extends this far from any value contains all values.
const FULL: i32 = 3 * INFINITY;

/// A play at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootPlay<P> {
    /// The play.
    pub play: P,
    /// The value for the player to move: exact for the best play; for the others an upper bound, cut to [`MAX_GUESS`]
    /// because it proves no win. `None` if not searched yet.
    pub value: Option<i32>,
    /// The number of positions visited below it, in all iterations.
    pub nodes: u64,
}

/// The result so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<P> {
    /// The line of best play.
    pub plays: Vec<P>,
    /// The value of the root for the player to move.
    pub value: i32,
    /// The depth of the last complete iteration.
    pub depth: u8,
}

/// The position searched, and the results so far.
#[derive(Clone, Debug)]
pub(super) struct Root<G: Game> {
    position: G,
    /// The plays, best first.
    plays: Vec<RootPlay<G::Play>>,
    line: Line<G::Play>,
    /// The values of the last iteration of even depth and of the last one of odd depth. They differ, because the side
    /// that has just moved looks better than it is, and the evaluation's tempo term corrects only part of this.
    values: [Option<i32>; 2],
}

impl<G: Game, D: Guide<G>> Deepening<G, D> {
    /// Begins the search of `position`, which is not over. The table and a quarter of the history of earlier searches
    /// stay.
    pub fn start(&mut self, position: &G) {
        self.table.grow_older();
        self.experience.fade();
        self.nodes = 0;
        let mut list = Vec::new();
        position.legal_plays(&mut self.plays);
        self.rank_plays(position, i32::MAX, 0, None, &mut list);
        list.sort_by_key(|ranked| -ranked.rank);
        let plays: Vec<_> =
            list.iter().map(|&Ranked { play, .. }| RootPlay { play, value: None, nodes: 0 }).collect();
        let first = plays.first().map(|first| first.play);
        let line =
            Line { plays: first.into_iter().collect(), value: self.guide.evaluate(position), depth: 0 };
        self.root = Some(Root { position: position.clone(), plays, line, values: [None; 2] });
    }

    /// The plays at the root, best first; plays not searched yet are ordered by rank.
    pub fn root_plays(&self) -> &[RootPlay<G::Play>] {
        self.root.as_ref().map_or(&[], |root| &root.plays)
    }

    /// The best line found since [`start`](Self::start); `None` before `start` is first called.
    pub fn line(&self) -> Option<&Line<G::Play>> {
        self.root.as_ref().map(|root| &root.line)
    }

    /// Searches to `depth` plies, at most [`MAX_PLIES`].
    ///
    /// # Errors
    /// [`Stopped`] if `watch` stops the search. The unfinished iteration still counts: it begins with the best play of
    /// the last one, so only a better play replaces that play.
    pub fn deepen(&mut self, depth: u8, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let Some(mut root) = self.root.take() else { return Ok(()) };
        let result = self.aspire(&mut root, i32::from(depth).min(MAX_PLIES as i32), watch);
        if result.is_some() {
            root.line.depth = depth;
            root.values[usize::from(depth % 2)] = Some(root.line.value);
        }
        self.root = Some(root);
        result.ok_or(Stopped)
    }

    /// Widens the window until the value lies inside it. `None` if stopped.
    fn aspire(&mut self, root: &mut Root<G>, depth: i32, watch: &mut Watch<'_>) -> Option<()> {
        let known = root.values[depth as usize % 2].filter(|&value| !is_proof(value));
        let (centre, mut reach) = known.map_or((0, FULL), |value| (value, ASPIRATION));
        let (mut below, mut above) = (reach, reach);
        loop {
            let window =
                Window { alpha: (centre - below).max(-INFINITY), beta: (centre + above).min(INFINITY) };
            let value = self.iterate(root, depth, window, watch)?;
            reach = if reach > MAX_REACH { FULL } else { 4 * reach };
            if value <= window.alpha && window.alpha > -INFINITY {
                below = reach;
            } else if value >= window.beta && window.beta < INFINITY {
                above = reach;
            } else {
                return Some(());
            }
        }
    }

    /// Searches every play at the root. `None` if stopped.
    fn iterate(
        &mut self,
        root: &mut Root<G>,
        depth: i32,
        window: Window,
        watch: &mut Watch<'_>,
    ) -> Option<i32> {
        self.path.clear();
        self.path.push(root.position.key());
        let mut alpha = window.alpha;
        let mut best = -INFINITY;
        for index in 0..root.plays.len() {
            let play = root.plays[index].play;
            let mut child = root.position.clone();
            child.play(play);
            let before = self.nodes;
            let late = index > 0 && alpha > -INFINITY;
            let gain = self.guide.gain(&root.position, play);
            // The report lists all plays at the root, so their priors must not decide how deeply they are searched.
            let weaknesses = self.weaknesses(gain, 0);
            let late = late.then(|| self.reduction(depth, index, weaknesses, window));
            let task = Task { depth, ply: 0, window: Window { alpha, ..window }, may_pass: true };
            let value = self.visit_child(&child, task, depth - 1, late, watch);
            root.plays[index].nodes += self.nodes - before;
            let value = value?;
            best = best.max(value);
            // Other plays may seem to win as soon as the best one, because nothing sooner was looked for.
            root.plays[index].value = Some(if value > alpha { value } else { value.min(MAX_GUESS) });
            if value > alpha {
                alpha = value;
                root.take(index, value, &self.lines[1]);
                if value >= window.beta {
                    break;
                }
            }
        }
        Some(best)
    }
}

impl<G: Game> Root<G> {
    /// Makes the play at `index` the best one, followed by `rest`.
    fn take(&mut self, index: usize, value: i32, rest: &[G::Play]) {
        self.plays[..=index].rotate_right(1);
        self.line.value = value;
        self.line.plays.clear();
        self.line.plays.push(self.plays[0].play);
        self.line.plays.extend_from_slice(rest);
    }
}
