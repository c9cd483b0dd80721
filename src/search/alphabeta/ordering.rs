//! The order in which plays are tried.
//!
//! The table's play comes first, then the others by `¾·gain − weight·behind + killer + history`: the play's estimated
//! gain; how far its prior score is behind that of the likeliest play; whether it refuted another position at the same
//! ply (a *killer*); and how often it was best elsewhere (the *history* heuristic, Schaeffer 1983). With one ply left
//! only the gain counts. The list is not sorted, because in most positions one of the first plays is a refutation: each
//! step picks the best of the rest.

use super::score::MAX_PLIES;
use crate::game::Player;

/// A play to try.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<P> {
    /// The play.
    pub play: P,
    /// See [`Guide::gain`](super::Guide::gain).
    pub gain: i32,
    /// How far its prior score is behind that of the likeliest play; 0 with one ply left.
    pub behind: i32,
    /// Plays are tried in descending order of rank.
    pub rank: i32,
}

/// The rank of the table's play.
pub const FROM_TABLE: i32 = i32::MAX;

/// The weight of a play's gain in its rank, in quarters: less than 4, as the prior score covers part of the gain.
pub const GAIN_QUARTERS: i32 = 3;

/// History counts stay within ±`MAX_HISTORY`.
const MAX_HISTORY: i32 = 1 << 14;

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

/// The history counts and killers, which the search learns regardless of the position.
#[derive(Clone, Debug)]
pub struct Experience<P> {
    history: [Vec<i16>; 2],
    killers: Vec<[Option<P>; 2]>,
}

impl<P: Copy + Eq> Experience<P> {
    /// An empty record with this many [slots](super::Guide::slots).
    pub fn new(slots: usize) -> Experience<P> {
        Experience { history: [vec![0; slots], vec![0; slots]], killers: vec![[None; 2]; MAX_PLIES + 1] }
    }

    pub fn clear(&mut self) {
        self.history.iter_mut().for_each(|side| side.fill(0));
        self.killers.fill([None; 2]);
    }

    /// Prepares for the next position of the same game: drops the killers and keeps part of the history.
    pub fn fade(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().flatten().for_each(|count| *count /= 4);
    }

    /// The last two plays that refuted a position at this ply.
    pub fn killers(&self, ply: usize) -> [Option<P>; 2] {
        self.killers[ply]
    }

    /// The history count of a slot.
    #[inline]
    pub fn history(&self, player: Player, slot: usize) -> i32 {
        self.history[player.index()][slot].into()
    }

    /// Records that `play` refuted a position at this ply.
    pub fn add_killer(&mut self, ply: usize, play: P) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(play) {
            *killers = [Some(play), killers[0]];
        }
    }

    /// Records that the play in slot `best` refuted a position with `depth` plies left, and that those in slots
    /// `tried`, searched before it, did not.
    pub fn learn(&mut self, player: Player, best: usize, tried: impl Iterator<Item = usize>, depth: i32) {
        let bonus = (16 * depth * depth).min(MAX_HISTORY / 4);
        let history = &mut self.history[player.index()];
        // The nearer a count is to ±`MAX_HISTORY`, the less it moves, so it never exceeds the maximum.
        let mut add = |slot: usize, bonus: i32| {
            let old = i32::from(history[slot]);
            history[slot] = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
        };
        add(best, bonus);
        tried.for_each(|slot| add(slot, -bonus / 4));
    }
}
