//! Statistics of each play in the context of the one or two plays before it.

use super::super::Move;
use super::table::{Average, MoveTable};
use crate::game::{MoveIndex, Player, Value};
use crate::support::hashing::FastMap;
use crate::support::random::mix;
use std::hint::black_box;

/// The maximum number of sequences. They take up to 32 MiB, and the lists of the sequences that count take up to about
/// 100 MiB more. Once the table is full, no new sequences are added.
const MAX_SEQUENCES: usize = 1 << 20;

/// The number of slots of a new table.
const MIN_SLOTS: usize = 1 << 11;

/// The last one or two moves and the players who made them, as a number of at least 1.
type Context = u64;

/// The two contexts of a move: the move before it, and the two moves before it.
pub type Contexts = [Option<Context>; 2];

/// The contexts of the move after `before`.
pub fn contexts<P: MoveIndex>(before: &[Move<P>]) -> Contexts {
    // Not a power of two, so that multiplicative hashes depend on both moves.
    let base = 2 * P::COUNT as u64 + 1;
    let number = |at: &Move<P>| 2 * at.play.index() as u64 + at.player as u64 + 1;
    match before {
        [.., earlier, last] => [Some(number(last)), Some(number(earlier) * base + number(last))],
        [last] => [Some(number(last)), None],
        [] => [None, None],
    }
}

/// A statistic about a sequence: an average or a weight.
pub trait Statistic: Copy + Default {
    /// The maximum number of sequences in one context that count. Others are still learned, but not rated.
    const MAX_COUNTED: usize;

    /// Learns `value`.
    fn learn(&mut self, value: f32);

    /// The rating of the sequence's last play; `None` before `min_visits` visits.
    fn rating(self, min_visits: f32) -> Option<f32>;

    /// Keeps this share, 0…1. Returns whether anything is left.
    fn decay(&mut self, share: f32) -> bool;
}

impl Statistic for Average {
    /// In Halma an average context would have 60 sequences, but only four that end in a legal play. The first 32 to
    /// reach `min_visits` count; after a decay, the first 32 in the table.
    const MAX_COUNTED: usize = 32;

    #[inline]
    fn learn(&mut self, value: f32) {
        self.add(Value::new(value));
    }

    #[inline]
    fn rating(self, min_visits: f32) -> Option<f32> {
        (self.visits >= min_visits).then_some(self.mean)
    }

    fn decay(&mut self, share: f32) -> bool {
        Average::decay(self, share);
        self.visits > 0.0
    }
}

/// A weight: learned values are added to it, and it counts from the start.
impl Statistic for f32 {
    const MAX_COUNTED: usize = usize::MAX;

    #[inline]
    fn learn(&mut self, value: f32) {
        *self += value;
    }

    #[inline]
    fn rating(self, _: f32) -> Option<f32> {
        Some(self)
    }

    fn decay(&mut self, share: f32) -> bool {
        *self *= share;
        share > 0.0
    }
}

/// A `T` for each play in each context in which it was made.
///
/// Most sequences occur once and never count. They are stored in one open-addressing table, so learning needs one cache
/// line per sequence and waits for the lines of a whole simulation at once. A sequence of three plays is not learned
/// until the sequence of its last two counts. The ratings of the few that count are also listed by
/// context, so a playout need not look up every legal play.
#[derive(Clone, Debug)]
pub struct Sequences<T> {
    /// The maximum number of preceding moves in a context, 0 to 2.
    before: usize,
    min_visits: f32,
    /// [`MoveIndex::COUNT`].
    plays: u64,
    slots: Vec<Slot<T>>,
    len: usize,
    /// The last play of each sequence that counts, and its rating.
    counted: FastMap<Context, Vec<(u32, f32)>>,
    /// A buffer for ratings to be restored.
    replaced: Vec<(u32, f32)>,
    /// A buffer for the values to learn, with their contexts and plays.
    lessons: Vec<(Contexts, u32, f32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot<T> {
    /// The context times the number of plays, plus the index of the play; 0 if the slot is empty.
    key: u64,
    entry: T,
}

impl<T: Statistic> Sequences<T> {
    /// An empty table of sequences of at most `length` plays, 1 to 3. Single plays are not in it. A sequence counts
    /// once it has `min_visits` visits.
    pub fn new<P: MoveIndex>(length: u64, min_visits: u64) -> Sequences<T> {
        const { assert!(P::COUNT <= 1 << 20, "a sequence of three plays must fit into 64 bits") }
        Sequences {
            before: length as usize - 1,
            min_visits: min_visits as f32,
            plays: P::COUNT as u64,
            slots: vec![Slot::default(); MIN_SLOTS],
            len: 0,
            counted: FastMap::default(),
            replaced: Vec::new(),
            lessons: Vec::new(),
        }
    }

    /// Rates `plays` by `player` in these contexts. A play's rating is the mean of its own rating and those of the
    /// sequences that it ends, as far as they count.
    pub fn rate<P: MoveIndex>(
        &mut self,
        contexts: Contexts,
        player: Player,
        plays: &[P],
        own: &mut MoveTable<P, f32>,
        ratings: &mut Vec<f32>,
    ) {
        // The compiler knows this length, so it checks no index below.
        let own = &mut own.of_mut(player)[..P::COUNT];
        // Replacing the few ratings that sequences change is faster than looking for sequences for every play. The
        // context of two moves has a list only if that of the last move has one.
        let contexts = contexts.into_iter().take(self.before).flatten();
        let lists = contexts.map_while(|context| self.counted.get(&context));
        for (list, share) in lists.zip([1.0 / 2.0, 1.0 / 3.0]) {
            self.replaced.extend(list.iter().map(|&(index, rating)| {
                let mean = &mut own[index as usize];
                let replaced = (index, *mean);
                *mean += share * (rating - *mean);
                replaced
            }));
        }
        ratings.clear();
        ratings.extend(plays.iter().map(|play| own[play.index()]));
        self.replaced.drain(..).rev().for_each(|(index, rating)| own[index as usize] = rating);
    }

    /// Learns the value of each play, given by its index, in its contexts. Adds missing sequences while there is room.
    pub fn learn(&mut self, values: impl Iterator<Item = (Contexts, usize, f32)>) {
        if self.before == 0 {
            return;
        }
        let mut lessons = std::mem::take(&mut self.lessons);
        lessons.clear();
        lessons.extend(values.map(|(contexts, index, value)| (contexts, index as u32, value)));
        for place in 0..self.before {
            // These reads do not wait for each other, so the caches fetch many slots at once.
            let keys =
                lessons.iter().filter_map(|&(contexts, index, _)| Some(self.key(contexts[place]?, index)));
            black_box(keys.fold(0, |all, key| all ^ self.slots[self.first_place(key)].key));
            lessons.retain(|&(contexts, index, value)| {
                contexts[place].is_some_and(|context| self.learn_one(context, index, value))
            });
        }
        self.lessons = lessons;
    }

    /// Learns the value of a play in a context. Returns whether the sequence now counts.
    fn learn_one(&mut self, context: Context, index: u32, value: f32) -> bool {
        let key = self.key(context, index);
        let mut place = self.find(key);
        if self.slots[place].key == 0 {
            if self.len == MAX_SEQUENCES {
                return false;
            }
            if 2 * self.len >= self.slots.len() {
                self.resize((4 * self.slots.len()).min(2 * MAX_SEQUENCES));
                place = self.find(key);
            }
            self.slots[place].key = key;
            self.len += 1;
        }
        let entry = &mut self.slots[place].entry;
        entry.learn(value);
        let Some(rating) = entry.rating(self.min_visits) else { return false };
        let list = self.counted.entry(context).or_default();
        match list.iter().position(|&(other, _)| other == index) {
            Some(place) => list[place].1 = rating,
            None if list.len() < T::MAX_COUNTED => list.push((index, rating)),
            None => return false,
        }
        true
    }

    #[inline]
    fn key(&self, context: Context, index: u32) -> u64 {
        context * self.plays + u64::from(index)
    }

    /// The first slot where the sequence with this `key` may be.
    #[inline]
    fn first_place(&self, key: u64) -> usize {
        mix(key) as usize & (self.slots.len() - 1)
    }

    /// The slot of the sequence with this `key`, or the empty slot where it belongs. At least half of the slots are
    /// empty.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mut place = self.first_place(key);
        while self.slots[place].key != key && self.slots[place].key != 0 {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }

    /// Moves all entries into a table of this size.
    fn resize(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
        for slot in old.into_iter().filter(|slot| slot.key != 0) {
            let place = self.find(slot.key);
            self.slots[place] = slot;
        }
    }

    /// Keeps this share, 0…1, of everything learned so far.
    pub fn decay(&mut self, share: f32) {
        self.slots.retain_mut(|slot| slot.key != 0 && slot.entry.decay(share));
        self.len = self.slots.len();
        self.counted.clear();
        for slot in &self.slots {
            if let Some(rating) = slot.entry.rating(self.min_visits) {
                let list = self.counted.entry(slot.key / self.plays).or_default();
                if list.len() < T::MAX_COUNTED {
                    list.push(((slot.key % self.plays) as u32, rating));
                }
            }
        }
        self.resize((2 * self.len).next_power_of_two().max(MIN_SLOTS));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots = vec![Slot::default(); MIN_SLOTS];
        self.len = 0;
        self.counted.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Play, Square};

    #[test]
    fn entries_belong_to_the_moves_before_them() {
        let at = |player, text: &str| Move { player, play: text.parse::<Play>().unwrap() };
        let (one, two) = (at(Player::One, "2,2 4,2"), at(Player::Two, "2,2 4,2"));
        let all = [&[][..], &[one], &[two], &[one, two], &[two, one], &[one, one, two]];
        let mut seen: Vec<Context> = all.iter().flat_map(|before| contexts(before)).flatten().collect();
        assert_eq!((contexts::<Play>(&[]), contexts(&[one])[1]), ([None, None], None));
        // The last and the fourth of `all` have the same contexts: only the last two moves count.
        assert_eq!(contexts(&[one, two]), contexts(&[one, one, two]));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 4);
        let mut sequences = Sequences::<Average>::new::<Play>(2, 3);
        for (number, &context) in seen.iter().enumerate() {
            let values =
                |index, value, visits| std::iter::repeat_n(([Some(context), None], index, value), visits);
            sequences.learn(values(7, 0.125 * number as f32, 3));
            sequences.learn(values(8, 0.5, 2 + number));
        }
        let rated = |sequences: &mut Sequences<Average>, context| {
            let plays = [7, 8, 9].map(|to| Play::new(Square::from_number(0), Square::from_number(to)));
            let (mut own, mut ratings) = (MoveTable::new(), Vec::new());
            own.for_each(|rating| *rating = -1.0);
            sequences.rate([Some(context), None], Player::One, &plays, &mut own, &mut ratings);
            assert!(plays.iter().all(|&play| own[Move { player: Player::One, play }] == -1.0));
            ratings
        };
        for (number, &context) in seen.iter().enumerate() {
            let first = (0.125 * number as f32 - 1.0) / 2.0;
            let second = if number == 0 { -1.0 } else { -0.25 };
            assert_eq!(rated(&mut sequences, context), [first, second, -1.0]);
        }
        // Three visits become 1.5, and five 2.5.
        sequences.decay(0.5);
        assert_eq!((sequences.len, rated(&mut sequences, seen[3])), (8, vec![-1.0; 3]));
        sequences.learn([([Some(seen[3]), None], 8, 0.5)].into_iter());
        assert_eq!(rated(&mut sequences, seen[3]), [-1.0, -0.25, -1.0]);
        // 0.375 visits are forgotten, 0.5 and more are not.
        sequences.decay(0.25);
        assert_eq!(sequences.len, 2);
        sequences.clear();
        assert_eq!((sequences.len, sequences.slots.len()), (0, MIN_SLOTS));
    }

    #[test]
    fn sequences_of_three_plays_are_learned_once_their_last_two_count() {
        let mut sequences = Sequences::<Average>::new::<Play>(3, 3);
        let both = [3, 4].map(|earlier| earlier * (2 * Play::COUNT as u64 + 1) + 2);
        let lens = [0, 0, 0, 1, 0, 0].map(|earlier: usize| {
            sequences.learn(std::iter::once(([Some(2), Some(both[earlier])], 7, 1.0)));
            sequences.len
        });
        assert_eq!(lens, [1, 1, 2, 3, 3, 3]);
        // The play was learned three times in the first context, and once in the second.
        assert_eq!(both.map(|context| sequences.counted.contains_key(&context)), [true, false]);
    }

    #[test]
    fn the_first_averages_of_a_context_that_count_are_kept() {
        let mut sequences = Sequences::<Average>::new::<Play>(2, 1);
        let kept =
            |sequences: &Sequences<Average>| sequences.counted[&5].iter().map(|&(index, _)| index).max();
        sequences.learn((0..100).map(|index| ([Some(5), None], index, 1.0)));
        assert_eq!((sequences.len, sequences.counted[&5].len(), kept(&sequences)), (100, 32, Some(31)));
        sequences.decay(1.0);
        assert_eq!((sequences.len, sequences.counted[&5].len()), (100, 32));
        // Three plays are not learned if the last two do not count.
        let mut sequences = Sequences::<Average>::new::<Play>(3, 1);
        sequences.learn((0..100).map(|index| ([Some(5), Some(70)], index, 1.0)));
        assert_eq!((sequences.len, kept(&sequences)), (100 + 32, Some(31)));
    }

    #[test]
    fn memory_is_bounded() {
        let mut sequences = Sequences::<f32>::new::<Play>(2, 1);
        let all =
            |index| (1..=MAX_SEQUENCES as u64 + 1000).map(move |context| ([Some(context), None], index, 1.0));
        sequences.learn(all(1));
        assert_eq!((sequences.len, sequences.counted.len()), (MAX_SEQUENCES, MAX_SEQUENCES));
        assert_eq!(sequences.slots.len(), 2 * MAX_SEQUENCES);
        sequences.learn(all(2).take(5));
        sequences.learn(all(1).take(5));
        assert_eq!((sequences.len, sequences.counted[&5].len()), (MAX_SEQUENCES, 1));
        assert_eq!(sequences.slots[sequences.find(sequences.key(5, 1))].entry, 2.0);
    }
}
