//! Which plays to try first.
//!
//! The table's play comes first, then the others by `¾·gain − weight·behind + killer + history`: the play's estimated
//! gain, how far its prior score is behind the likeliest play's, whether it refuted a sister of this position (a
//! *killer*), and how often it has been best elsewhere (the *history* heuristic, Schaeffer 1983). With one ply left the
//! gain alone counts. One of the first plays refutes most positions, so the list is not sorted: each step picks the
//! best of the rest.

use super::score::MOST_PLIES;
use crate::game::Player;

/// A play to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<P> {
    /// The play.
    pub play: P,
    /// Its estimated gain (see [`Guide::gain`](super::Guide::gain)).
    pub gain: i32,
    /// By how many points of prior score it is behind the likeliest play; 0 with one ply left.
    pub behind: i32,
    /// The place in the order: large comes first.
    pub rank: i32,
}

/// The rank of the table's play.
pub const FROM_TABLE: i32 = i32::MAX;

/// How many quarters of a play's gain count for its rank: part of it is in the prior score.
pub const GAIN_QUARTERS: i32 = 3;

/// History counts stay within plus or minus this.
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

/// What the search has learnt about plays, wherever they were made.
#[derive(Clone, Debug)]
pub struct Experience<P> {
    history: [Vec<i16>; 2],
    killers: Vec<[Option<P>; 2]>,
}

impl<P: Copy + Eq> Experience<P> {
    /// No experience yet, with this many slots for plays (see [`Guide`](super::Guide)).
    pub fn new(slots: usize) -> Experience<P> {
        Experience { history: [vec![0; slots], vec![0; slots]], killers: vec![[None; 2]; MOST_PLIES + 1] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.killers.fill([None; 2]);
    }

    /// Prepares for another position of the same game: drops killers, and keeps part of the history.
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

    /// Notes that `play` has refuted a position at this ply.
    pub fn killed(&mut self, ply: usize, play: P) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(play) {
            *killers = [Some(play), killers[0]];
        }
    }

    /// Learns that a play in slot `best` refuted a position with `depth` plies to go, after those in slots
    /// `tried` had not.
    pub fn learn(&mut self, player: Player, best: usize, tried: impl Iterator<Item = usize>, depth: i32) {
        let bonus = (16 * depth * depth).min(MOST_HISTORY / 4);
        let history = &mut self.history[player.index()];
        // Counts move towards plus or minus the maximum by a share of what is left, and never pass it.
        let mut add = |slot: usize, bonus: i32| {
            let old = i32::from(history[slot]);
            history[slot] = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
        };
        add(best, bonus);
        tried.for_each(|slot| add(slot, -bonus / 4));
    }
}
