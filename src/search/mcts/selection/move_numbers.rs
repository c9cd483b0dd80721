//! Numbers the moves of a search 0, 1, 2, …, so that statistics can be arrays, and limits the memory of the statistics.

use crate::playout::Move;
use crate::support::hashing::hash;
use std::hash::Hash;

/// The approximate memory of the statistics, and its limit, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub used: usize,
    pub max: usize,
}

impl Memory {
    /// Takes `bytes` of the memory. Returns whether there was room.
    pub fn take(&mut self, bytes: usize) -> bool {
        let fits = self.used + bytes <= self.max;
        self.used += if fits { bytes } else { 0 };
        fits
    }

    /// Gives `list` this capacity. Returns whether there was room.
    pub fn reserve<T>(&mut self, list: &mut Vec<T>, capacity: usize) -> bool {
        let before = list.capacity();
        let fits = self.used + size_of::<T>() * capacity.saturating_sub(before) <= self.max
            && list.try_reserve_exact(capacity.saturating_sub(list.len())).is_ok();
        self.used += size_of::<T>() * (list.capacity() - before);
        fits
    }
}

/// Marks a move without a number.
pub(super) const NO_NUMBER: u32 = u32::MAX;

/// The number of each move seen so far, counted from 0.
///
/// This is an open-addressing table, because a new node looks up a hundred moves, and a hash map takes twice the time.
#[derive(Clone, Debug)]
pub(super) struct Numbers<P> {
    /// At least half of the slots are empty.
    slots: Vec<Option<(Move<P>, u32)>>,
    pub len: usize,
}

impl<P: Copy + Eq + Hash> Numbers<P> {
    const MIN_SLOTS: usize = 1 << 5;

    pub fn new() -> Numbers<P> {
        Numbers { slots: Vec::new(), len: 0 }
    }

    /// How many numbers there can be before the table grows.
    pub fn capacity(&self) -> usize {
        self.slots.len() / 2
    }

    pub fn bytes(&self) -> usize {
        size_of::<Option<(Move<P>, u32)>>() * self.slots.capacity()
    }

    /// The number of a move. A move without a number gets the next one, or [`NO_NUMBER`] if there is no memory for it.
    #[inline]
    pub fn of(&mut self, made: Move<P>, memory: &mut Memory) -> u32 {
        match self.slots.get(self.place(made)) {
            Some(&Some((_, number))) => number,
            _ => self.add(made, memory),
        }
    }

    #[cold]
    fn add(&mut self, made: Move<P>, memory: &mut Memory) -> u32 {
        if self.len == self.capacity() {
            let (slots, bytes) = ((2 * self.slots.len()).max(Self::MIN_SLOTS), self.bytes());
            let mut old = std::mem::take(&mut self.slots);
            if !memory.reserve(&mut self.slots, slots) {
                self.slots = old;
                return NO_NUMBER;
            }
            memory.used -= bytes;
            self.slots.resize(slots, None);
            for (made, number) in old.drain(..).flatten() {
                let place = self.place(made);
                self.slots[place] = Some((made, number));
            }
        }
        let (number, place) = (self.len as u32, self.place(made));
        self.slots[place] = Some((made, number));
        self.len += 1;
        number
    }

    /// The slot of a move, or the empty slot where it belongs; 0 if there are no slots.
    #[inline]
    fn place(&self, made: Move<P>) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        // The upper half of a product is better mixed.
        let mut place = (hash(&made) >> 32) as usize & mask;
        while let Some(Some((other, _))) = self.slots.get(place)
            && *other != made
        {
            place = (place + 1) & mask;
        }
        place
    }
}
