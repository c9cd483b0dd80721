//! What is known of each play after the one or two plays before it.

use super::super::Move;
use crate::game::MoveIndex;
use fxhash::FxHashMap;

/// The maximum number of sequences. A sequence takes 8 or 12 bytes, and a context with its list up to about 100 more, so
/// the table stays below some 120 MiB. Once it is full, no new sequences are added.
const MAX_SEQUENCES: usize = 1 << 20;

/// The last one or two moves and the players who made them, as a number.
type Context = u64;

/// The context of a move after the last one, and after the last two.
pub type Contexts = [Option<Context>; 2];

/// A `T` for each play in each context in which it was made.
///
/// A context's plays lie in a list. A playout goes through the list once per ply, so it need not look up every legal
/// play.
#[derive(Clone, Debug)]
pub struct Sequences<T> {
    /// The maximum number of moves before a play that count, 0 to 2.
    before: usize,
    contexts: FxHashMap<Context, Vec<(u32, T)>>,
    len: usize,
    /// The sum and the number of the ratings of the sequences that a play ends, by its index. All are 0 between calls.
    sums: Vec<(f32, f32)>,
}

/// The contexts of the move after `before`.
pub fn contexts<P: MoveIndex>(before: &[Move<P>]) -> Contexts {
    let number = |at: &Move<P>| ((at.play.index() as u64) << 1) + at.player as u64 + 1;
    let last = before.last().map(number);
    let earlier = before.len().checked_sub(2).map(|place| number(&before[place]));
    [last, last.zip(earlier).map(|(last, earlier)| (earlier << 32) | last)]
}

impl<T: Default> Sequences<T> {
    /// An empty table of sequences of at most `length` plays, 1 to 3. Single plays are not in it.
    pub fn new<P: MoveIndex>(length: u64) -> Sequences<T> {
        Sequences {
            before: length as usize - 1,
            contexts: FxHashMap::default(),
            len: 0,
            sums: vec![(0.0, 0.0); P::COUNT],
        }
    }

    /// Rates `plays` in these contexts: by the mean of the play's own rating and those of the sequences that it ends.
    /// Sequences that `of_sequence` does not rate do not count.
    pub fn rate<P: MoveIndex>(
        &mut self,
        contexts: Contexts,
        plays: &[P],
        ratings: &mut Vec<f32>,
        own: impl Fn(P) -> f32,
        of_sequence: impl Fn(&T) -> Option<f32>,
    ) {
        let Sequences { before, contexts: known, sums, .. } = self;
        let contexts = || contexts.iter().take(*before).flatten();
        let entries = || contexts().filter_map(|context| known.get(context)).flatten();
        for (index, entry) in entries() {
            if let Some(rating) = of_sequence(entry) {
                let (sum, count) = &mut sums[*index as usize];
                (*sum, *count) = (*sum + rating, *count + 1.0);
            }
        }
        ratings.clear();
        ratings.extend(plays.iter().map(|&play| {
            let (sum, count) = sums[play.index()];
            (own(play) + sum) / (1.0 + count)
        }));
        entries().for_each(|&(index, _)| sums[index as usize] = (0.0, 0.0));
    }

    /// Applies `change` to the entries of the play with this `index` in `contexts`. Adds missing entries while there is
    /// room.
    pub fn update(&mut self, contexts: Contexts, index: usize, mut change: impl FnMut(&mut T)) {
        for context in contexts.into_iter().take(self.before).flatten() {
            self.entry(context, index).into_iter().for_each(&mut change);
        }
    }

    /// The entry of the play with this `index` in `context`; `None` if there is none and no room for it.
    fn entry(&mut self, context: Context, index: usize) -> Option<&mut T> {
        let is_full = self.len == MAX_SEQUENCES;
        let known = match is_full {
            true => self.contexts.get_mut(&context)?,
            false => self.contexts.entry(context).or_default(),
        };
        let place = match known.iter().position(|&(other, _)| other as usize == index) {
            Some(place) => place,
            None if is_full => return None,
            None => {
                known.push((index as u32, T::default()));
                self.len += 1;
                known.len() - 1
            }
        };
        Some(&mut known[place].1)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.contexts.clear();
        self.len = 0;
    }

    /// Keeps the entries for which `keep`, which may change them, returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.len = 0;
        self.contexts.retain(|_, known| {
            known.retain_mut(|(_, entry)| keep(entry));
            self.len += known.len();
            !known.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::rules::Play;

    #[test]
    fn entries_belong_to_the_moves_before_them() {
        let at = |player, text: &str| Move { player, play: text.parse::<Play>().unwrap() };
        let (one, two) = (at(Player::One, "2,2 4,2"), at(Player::Two, "2,2 4,2"));
        let mut sequences = Sequences::<u32>::new::<Play>(3);
        let all = [&[][..], &[one], &[two], &[one, two], &[two, one], &[one, one, two]];
        let mut seen: Vec<Context> = all.iter().flat_map(|before| contexts(before)).flatten().collect();
        assert_eq!((contexts::<Play>(&[]), contexts(&[one])[1]), ([None, None], None));
        // The last of them has the contexts of the fourth.
        assert_eq!(contexts(&[one, two]), contexts(&[one, one, two]));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 4);
        for (number, &context) in seen.iter().enumerate() {
            *sequences.entry(context, 7).unwrap() = number as u32;
            *sequences.entry(context, 8).unwrap() = 10;
        }
        for (number, &context) in seen.iter().enumerate() {
            assert_eq!(sequences.contexts[&context], [(7, number as u32), (8, 10)]);
        }
        sequences.retain(|entry| *entry < 3);
        assert_eq!((sequences.len, sequences.contexts.get(&seen[3])), (3, None));
    }

    #[test]
    fn memory_is_bounded() {
        let mut sequences = Sequences::<u32>::new::<Play>(3);
        let added = (0..MAX_SEQUENCES as u64 + 1000).filter(|&context| sequences.entry(context, 1).is_some());
        assert_eq!(added.count(), MAX_SEQUENCES);
        assert_eq!(sequences.contexts.len(), MAX_SEQUENCES);
        assert!(sequences.entry(5, 1).is_some() && sequences.entry(5, 2).is_none());
    }
}
