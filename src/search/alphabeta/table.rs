//! The transposition table: results of positions searched before.
//!
//! It has a fixed number of *buckets*, each a cache line of a few entries. The low bits of a position's key choose the
//! bucket, and the high half distinguishes the positions in it. A new entry replaces the least valuable one of its
//! bucket: a shallow one, or one from an earlier search. Keys can collide, so the play of an entry is only a hint, to be
//! looked up in the list of legal plays.

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// The value is exact.
    Exact,
}

/// The result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<P> {
    /// The value for the player to move, with plies to the end counted from this position.
    pub value: i32,
    /// The best play, or the one that caused a cutoff; `None` if all failed low.
    pub play: Option<P>,
    /// The depth of the search, in plies.
    pub depth: u8,
    pub bound: Bound,
}

#[derive(Clone, Copy, Debug)]
struct Slot<P> {
    check: u32,
    age: u8,
    entry: Entry<P>,
}

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket<P>([Slot<P>; SLOTS]);

/// Three of Halma's slots, at 20 bytes each, fill a cache line.
const SLOTS: usize = 3;

/// With each new search, the worth of an entry falls by this many plies.
const AGEING: i32 = 4;

#[derive(Clone, Debug)]
pub struct Table<P> {
    buckets: Vec<Bucket<P>>,
    age: u8,
}

impl<P: Copy + Eq> Table<P> {
    /// A table of at most `bytes`. The number of buckets is a power of two, or 0 if none fits.
    pub fn new(bytes: usize) -> Table<P> {
        let room = bytes / size_of::<Bucket<P>>();
        let buckets = if room == 0 { 0 } else { 1 << room.ilog2() };
        Table { buckets: vec![Bucket([Table::BLANK; SLOTS]); buckets], age: 0 }
    }

    /// A depth of 0 is never stored, so it marks an unused slot.
    const BLANK: Slot<P> =
        Slot { check: 0, age: 0, entry: Entry { value: 0, play: None, depth: 0, bound: Bound::Upper } };

    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([Table::BLANK; SLOTS]));
    }

    /// Marks all entries as being from an earlier search.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The entry for the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry<P>> {
        let bucket = self.buckets.get(self.place(key)?)?;
        let known = |slot: &&Slot<P>| slot.check == check(key) && slot.entry.depth > 0;
        bucket.0.iter().find(known).map(|slot| slot.entry)
    }

    /// Stores `entry`, whose depth is not 0, for the position with this key.
    #[inline]
    pub fn put(&mut self, key: u64, entry: Entry<P>) {
        debug_assert!(entry.depth > 0);
        let Some(place) = self.place(key) else { return };
        let age = self.age;
        let worth = |slot: &Slot<P>| match slot.entry.depth {
            0 => i32::MIN,
            depth => i32::from(depth) - AGEING * i32::from(age.wrapping_sub(slot.age)),
        };
        let slots = &mut self.buckets[place].0;
        let same = slots.iter().position(|slot| slot.entry.depth > 0 && slot.check == check(key));
        let least_worth = || (0..SLOTS).min_by_key(|&slot| worth(&slots[slot])).unwrap_or(0);
        let chosen = same.unwrap_or_else(least_worth);
        let mut entry = entry;
        if same.is_some() && entry.play.is_none() {
            entry.play = slots[chosen].entry.play;
        }
        slots[chosen] = Slot { check: check(key), age, entry };
    }

    #[inline]
    fn place(&self, key: u64) -> Option<usize> {
        let mask = self.buckets.len().checked_sub(1)?;
        Some(key as usize & mask)
    }
}

#[inline]
fn check(key: u64) -> u32 {
    (key >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Play;

    fn entry(value: i32, depth: u8) -> Entry<u8> {
        Entry { value, play: Some(depth), depth, bound: Bound::Exact }
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!(size_of::<Bucket<Play>>(), 64);
    }

    #[test]
    fn only_stored_positions_are_found() {
        let mut table = Table::new(1 << 12);
        assert_eq!(table.get(7), None);
        table.put(7, entry(1, 3));
        table.put(7 | 1 << 40, entry(2, 4));
        assert_eq!(table.get(7), Some(entry(1, 3)));
        assert_eq!(table.get(7 | 1 << 40), Some(entry(2, 4)));
        assert_eq!(table.get(8), None);
        table.clear();
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let mut table = Table::new(64);
        let key = |number: u64| number << 32;
        for depth in [5, 3, 9] {
            table.put(key(depth), entry(0, depth as u8));
        }
        table.put(key(20), entry(0, 2));
        assert_eq!([5, 3, 9, 20].map(|number| table.get(key(number)).is_some()), [true, false, true, true]);
        table.grow_older();
        table.grow_older();
        table.put(key(20), entry(0, 2));
        table.put(key(21), entry(0, 1));
        assert_eq!([5, 9, 20, 21].map(|number| table.get(key(number)).is_some()), [false, true, true, true]);
    }

    #[test]
    fn a_table_without_room_stores_nothing() {
        let mut table = Table::new(63);
        table.put(1, entry(1, 1));
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn an_entry_without_a_play_keeps_the_old_play() {
        let mut table = Table::new(64);
        table.put(1, entry(1, 3));
        table.put(1, Entry { play: None, ..entry(2, 4) });
        assert_eq!(table.get(1), Some(Entry { play: Some(3), ..entry(2, 4) }));
    }
}
