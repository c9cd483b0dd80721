//! Statistics about each play of each player.

use super::super::Move;
use crate::game::{MoveIndex, Player, Value};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The average of the values that a play led to, for the player who made it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Average {
    /// The number of times the play was made, reduced by decay.
    pub visits: f32,
    /// The mean value, −1…+1; 0 without visits.
    pub mean: f32,
}

impl Average {
    /// Counts one more visit with this value.
    #[inline]
    pub fn add(&mut self, value: Value) {
        self.visits += 1.0;
        self.mean += (value.get() - self.mean) / self.visits;
    }

    /// Keeps this share of the visits, 0…1, and the mean. Less than half a visit is forgotten.
    pub fn decay(&mut self, share: f32) {
        self.visits *= share;
        if self.visits < 0.5 {
            *self = Average::default();
        }
    }
}

/// A `T` for each play of each player.
///
/// ```
/// use halma::playout::{Average, Move, MoveTable};
/// use halma::{Play, Player, Value};
///
/// let mut table: MoveTable<Play, Average> = MoveTable::new();
/// let jump = Move { player: Player::One, play: "2,2 4,2".parse::<Play>()? };
/// table[jump].add(Value::WIN);
/// assert_eq!(table[jump].mean, 1.0);
/// assert_eq!(table[Move { player: Player::Two, ..jump }].visits, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveTable<P, T> {
    entries: [Vec<T>; 2],
    plays: PhantomData<fn(P)>,
}

impl<P: MoveIndex, T: Clone + Default> MoveTable<P, T> {
    /// A table of default values: [`MoveIndex::COUNT`] for each player.
    pub fn new() -> MoveTable<P, T> {
        MoveTable { entries: [(); 2].map(|()| vec![T::default(); P::COUNT]), plays: PhantomData }
    }

    /// Gives every entry its default value.
    pub fn clear(&mut self) {
        self.for_each(|entry| *entry = T::default());
    }

    /// The entries of `player`, indexed by play.
    #[inline]
    pub(super) fn of_mut(&mut self, player: Player) -> &mut [T] {
        &mut self.entries[player.index()]
    }

    /// Changes every entry.
    pub fn for_each(&mut self, change: impl FnMut(&mut T)) {
        self.entries.iter_mut().flatten().for_each(change);
    }
}

impl<P: MoveIndex, T: Clone + Default> Default for MoveTable<P, T> {
    fn default() -> MoveTable<P, T> {
        MoveTable::new()
    }
}

impl<P: MoveIndex, T> Index<Move<P>> for MoveTable<P, T> {
    type Output = T;

    #[inline]
    fn index(&self, at: Move<P>) -> &T {
        &self.entries[at.player.index()][at.play.index()]
    }
}

impl<P: MoveIndex, T> IndexMut<Move<P>> for MoveTable<P, T> {
    #[inline]
    fn index_mut(&mut self, at: Move<P>) -> &mut T {
        &mut self.entries[at.player.index()][at.play.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_count_and_decay() {
        let mut average = Average::default();
        [1.0, 0.0, -0.5, 0.5].into_iter().for_each(|value| average.add(Value::new(value)));
        assert_eq!((average.visits, average.mean), (4.0, 0.25));
        average.decay(0.25);
        assert_eq!((average.visits, average.mean), (1.0, 0.25));
        average.add(Value::new(0.75));
        assert_eq!((average.visits, average.mean), (2.0, 0.5));
        average.decay(0.2);
        assert_eq!(average, Average::default());
    }
}
