//! The part of a match that one machine plays.
//!
//! Shard `I/N` plays every N-th pair of games, from the I-th on: a match is a fixed list of seeded
//! games, so the shards need not know of each other, and together they play what one run would
//! have played. A pair is never split, for its two games are counted together. Each shard has a
//! folder of its own, of the same shape as that of a whole run but for the line `"shard": "I/N"`
//! in `run.json`; [`merge`](super::merge()) puts them together. (`tuning/sweep.sh` has
//! the folders of the shards in `shards/2-of-4/` and so on, below that of the merged run.)

use crate::play::matches::{Counter, Settings};
use anyhow::{Result, ensure};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// One of so many equal parts of a match, written `I/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    /// How many there are, 1 or more.
    count: u64,
    /// Which one, 1…`count`.
    index: u64,
}

impl Shard {
    /// The whole match: `1/1`.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Part number `index`, from 1, of `count`; `None` if there is no such part.
    pub const fn new(index: u64, count: u64) -> Option<Shard> {
        if 1 <= index && index <= count { Some(Shard { index, count }) } else { None }
    }

    /// How many parts there are.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Whether it is all of the match.
    pub fn is_whole(&self) -> bool {
        self.count == 1
    }

    /// Whether it plays pair number `pair`, from 0.
    pub fn contains(self, pair: u64) -> bool {
        pair % self.count == self.index - 1
    }

    /// The numbers of its pairs in a match of `pairs` pairs, in order.
    pub fn pairs(self, pairs: u64) -> impl Iterator<Item = u64> {
        (self.index - 1..pairs).step_by(usize::try_from(self.count).unwrap_or(usize::MAX))
    }

    /// How many of the games of a match of `pairs` pairs are its own.
    pub fn count_games(self, pairs: u64) -> u64 {
        2 * ((pairs + self.count - self.index) / self.count)
    }

    /// The numbers of its games in a match of `pairs` pairs, in order.
    pub fn games(self, pairs: u64) -> impl Iterator<Item = u64> {
        self.pairs(pairs).flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Whether the match with `settings` can be divided like this.
    ///
    /// # Errors
    /// There are more shards than pairs.
    pub fn check(self, settings: &Settings) -> Result<()> {
        let pairs = settings.pairs;
        ensure!(
            self.count <= pairs,
            "--shard {self}: there are only {pairs} pairs of games (a pair is not divided); use at most {pairs} \
             shards or more --games"
        );
        Ok(())
    }

    /// Counts these of its pairs in the match with `settings`. A sequential test looks at the pairs one by one in the
    /// order of the whole match, of which a shard sees every N-th: so a shard plays all its pairs, and the test is for
    /// those who put them together.
    pub(super) fn counter<'a>(
        self,
        settings: &'a Settings,
        pairs: impl Iterator<Item = u64> + 'a,
    ) -> Counter<'a> {
        if self.is_whole() { Counter::new(settings, pairs) } else { Counter::of_part(settings, pairs) }
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// The text is not `I/N` with 1 ≤ I ≤ N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoShard(String);

impl fmt::Display for NoShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': expected I/N, part I of N, with I from 1 to N, such as 2/4", self.0)
    }
}

impl std::error::Error for NoShard {}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            Shard::new(index.trim().parse().ok()?, count.trim().parse().ok()?)
        };
        parse().ok_or_else(|| NoShard(text.to_string()))
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_the_games_without_splitting_a_pair() {
        for (pairs, count) in [(1, 1), (7, 3), (8, 4), (5, 5), (2, 3)] {
            let shards: Vec<Shard> = (1..=count).map(|index| Shard::new(index, count).unwrap()).collect();
            let mut games: Vec<u64> = Vec::new();
            for shard in &shards {
                let mine: Vec<u64> = shard.games(pairs).collect();
                assert!(mine.is_sorted() && mine.iter().all(|game| shard.contains(game / 2)));
                assert!(mine.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1));
                assert_eq!(mine.len() as u64, shard.count_games(pairs));
                games.extend(mine);
            }
            games.sort_unstable();
            assert_eq!(games, (0..2 * pairs).collect::<Vec<u64>>(), "{pairs} pairs, {count} shards");
        }
    }

    #[test]
    fn shards_are_written_as_they_are_read() {
        for text in ["1/1", "2/4", "1000/1000"] {
            let shard: Shard = text.parse().unwrap();
            assert_eq!(shard.to_string(), text);
            let json = serde_json::to_string(&shard).unwrap();
            assert_eq!(serde_json::from_str::<Shard>(&json).unwrap(), shard);
        }
        for bad in ["", "/", "1", "0/4", "5/4", "-1/4", "1/0", "0/0", "a/b", "1/2/3", "1.5/4", "2of4"] {
            let error = bad.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains("expected I/N") && error.contains(bad), "{error}");
        }
    }
}
