//! Which plays to try first.
//!
//! The play that the table reuses, then by `gain + killer + history`: what the play gains at
//! first sight, whether it refuted a sister of this position (a *killer*), and how often it has
//! been best elsewhere (the *history* heuristic, Schaeffer 1983). Most positions are refuted by
//! one of the first plays, so the list is not sorted: the best of the rest is looked for each time.

use super::score::MOST_PLIES;
use crate::game::Player;

/// A play to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<P> {
    /// The play.
    pub play: P,
    /// What it gains at first sight.
    pub gain: i32,
    /// The place in the order: large comes first.
    pub rank: i32,
}

/// The rank of the play that the table reuses.
pub const FROM_TABLE: i32 = i32::MAX;

/// History counts stay within ± this.
const MOST_HISTORY: i32 = 1 << 14;

/// Moves the best-ranked play of `list[from..]` to its front, and returns it.
#[inline]
pub fn pick<P: Copy>(list: &mut [Ranked<P>], from: usize) -> Option<Ranked<P>> {
    let mut best = from;
    let mut rank = list.get(from)?.rank;
    for (index, ranked) in list.iter().enumerate().skip(from + 1) {
        if ranked.rank > rank {
            (best, rank) = (index, ranked.rank);
        }
    }
    list.swap(from, best);
    Some(list[from])
}

/// What has been learnt about plays, wherever they were made.
#[derive(Clone, Debug)]
pub struct Experience<P> {
    history: [Vec<i16>; 2],
    killers: Vec<[Option<P>; 2]>,
}

impl<P: Copy + Eq> Experience<P> {
    /// None yet, about plays with so many slots (see [`Guide`](super::Guide)).
    pub fn new(slots: usize) -> Experience<P> {
        Experience { history: [vec![0; slots], vec![0; slots]], killers: vec![[None; 2]; MOST_PLIES + 1] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.killers.fill([None; 2]);
    }

    /// Another position of the same game is searched: killers are of no use there, and history of
    /// some.
    pub fn fade(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().flatten().for_each(|count| *count /= 4);
    }

    /// The plays that refuted positions at this ply.
    pub fn killers(&self, ply: usize) -> [Option<P>; 2] {
        self.killers[ply]
    }

    /// How well the play in this slot has done.
    #[inline]
    pub fn history(&self, player: Player, slot: usize) -> i32 {
        self.history[player.index()][slot].into()
    }

    /// `play` has refuted a position at this ply.
    pub fn killed(&mut self, ply: usize, play: P) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(play) {
            *killers = [Some(play), killers[0]];
        }
    }

    /// A play of the kind `best` has refuted a position with so many plies to go, after those of
    /// the kinds `tried` had not.
    pub fn learn(&mut self, player: Player, best: usize, tried: impl Iterator<Item = usize>, depth: i32) {
        let bonus = (16 * depth * depth).min(MOST_HISTORY / 4);
        let history = &mut self.history[player.index()];
        // Counts move towards ± the maximum by a share of what is left, so that they never pass it.
        let mut add = |slot: usize, bonus: i32| {
            let old = i32::from(history[slot]);
            history[slot] = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
        };
        add(best, bonus);
        tried.for_each(|slot| add(slot, -bonus / 4));
    }
}
