//! The part of a match that one machine plays.
//!
//! Shard `I/N` plays every N-th pair of games, starting with the I-th. A match is a fixed list of seeded games, so
//! shards need not communicate, and together they play the games of an unsharded run. A pair is never split, because
//! its two games are counted together. Each shard has its own folder, like that of a whole run except for the line
//! `"shard": "I/N"` in `run.json`; [`merge`](super::merge()) combines them. (`tuning/sweep.sh` puts the shards into
//! `shards/2-of-4/` and so on, below the folder of the merged run.) The shards of a tuning run, each of whose matches
//! follows from the games before it, read each other's games: see [`Siblings`](super::siblings::Siblings).

use crate::play::matches::{Counter, Settings};
use anyhow::{Result, ensure};
use std::fmt;
use std::str::FromStr;

/// One of N equal parts of a match, written `I/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shard {
    /// The number of parts, at least 1.
    count: u64,
    /// Which part this is, 1…`count`.
    index: u64,
}

impl Shard {
    /// The whole match: `1/1`.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Part `index` of `count`, counted from 1; `None` if `index` is out of range.
    pub const fn new(index: u64, count: u64) -> Option<Shard> {
        if 1 <= index && index <= count { Some(Shard { index, count }) } else { None }
    }

    /// The number of parts.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// The name of its folder beside those of the other shards: `2-of-4`.
    pub fn folder_name(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }

    /// The number of threads of the shards before this one, if each has `jobs`.
    pub fn threads_before(self, jobs: usize) -> u64 {
        (self.index - 1).saturating_mul(jobs as u64)
    }

    /// Whether this is the whole match.
    pub fn is_whole(&self) -> bool {
        self.count == 1
    }

    /// Whether this shard plays pair `pair`, counted from 0.
    pub fn contains(self, pair: u64) -> bool {
        pair % self.count == self.index - 1
    }

    /// The numbers of this shard's pairs in a match of `pairs` pairs, in order.
    pub fn pairs(self, pairs: u64) -> impl Iterator<Item = u64> {
        (self.index - 1..pairs).step_by(usize::try_from(self.count).unwrap_or(usize::MAX))
    }

    /// The number of this shard's games in a match of `pairs` pairs.
    pub fn count_games(self, pairs: u64) -> u64 {
        2 * pairs.saturating_sub(self.index - 1).div_ceil(self.count)
    }

    /// The numbers of this shard's games in a match of `pairs` pairs, in order.
    pub fn games(self, pairs: u64) -> impl Iterator<Item = u64> {
        self.pairs(pairs).flat_map(|pair| [2 * pair, 2 * pair + 1])
    }

    /// Checks that the match with `settings` has a pair for each shard.
    ///
    /// # Errors
    /// There are more shards than pairs.
    pub fn check(self, settings: &Settings) -> Result<()> {
        let pairs = settings.pairs;
        ensure!(
            self.count <= pairs,
            "--shard {self}: there are only {pairs} pairs of games, and pairs are not split; use at most {pairs} \
             shards, or more games"
        );
        Ok(())
    }

    /// A counter for `pairs` of the match with `settings`. A sequential test needs the pairs in the order of the whole
    /// match, and a shard sees only every N-th one, so it plays all its pairs and leaves the test to the merge.
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

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let parse = || {
            let (index, count) = text.split_once('/')?;
            Shard::new(index.trim().parse().ok()?, count.trim().parse().ok()?)
        };
        parse().ok_or("expected I/N with I from 1 to N, such as 2/4")
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
    fn text_round_trips() {
        for text in ["1/1", "2/4", "1000/1000"] {
            let shard: Shard = text.parse().unwrap();
            assert_eq!(shard.to_string(), text);
        }
        for bad in ["", "/", "1", "0/4", "5/4", "-1/4", "1/0", "0/0", "a/b", "1/2/3", "1.5/4", "2of4"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
