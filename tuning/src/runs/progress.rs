//! The progress of a run.

use super::schedule::Match;
use super::shard::Shard;
use crate::play::matches::{Count, Summary};

/// How much of a run has been played.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Finished games, including those found in the folder.
    pub ended: u64,
    /// Games found in the folder.
    pub kept: u64,
    /// The maximum number of games of the run.
    pub planned: u64,
    /// The share, 0…1, of the initially missing games that is done. Games are weighted by their
    /// expected time.
    pub done: f64,
    /// The match of the game that ended last.
    pub current: &'a Match,
    /// The games of that match counted so far.
    pub count: &'a Count,
    /// The shard whose games this one waits for, because the next matches follow from them.
    pub waiting_for: Option<Shard>,
}

impl Progress<'_> {
    /// The result so far of the match of the game that ended last. Computing it takes about a millisecond.
    pub fn summary(&self) -> Summary {
        self.count.summary(&self.current.settings)
    }
}

/// A number of games and the CPU seconds they are expected to take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amount {
    count: u64,
    seconds: f64,
}

impl Amount {
    pub(super) fn add(&mut self, one: &Match, count: u64) {
        self.count = self.count.saturating_add(count);
        self.seconds += one.settings.limit.seconds_of_a_game() * count as f64;
    }

    pub(super) fn times(self, times: u64) -> Amount {
        Amount { count: self.count.saturating_mul(times), seconds: self.seconds * times as f64 }
    }
}

/// The games of the whole run.
pub(super) struct Totals {
    pub ended: Amount,
    pub kept: Amount,
    pub planned: Amount,
}

impl Totals {
    pub(super) fn progress<'a>(&self, current: &'a Match, count: &'a Count) -> Progress<'a> {
        Progress {
            ended: self.ended.count,
            kept: self.kept.count,
            planned: self.planned.count,
            done: self.share_done(),
            current,
            count,
            waiting_for: None,
        }
    }

    fn share_done(&self) -> f64 {
        let Totals { ended, kept, planned } = self;
        if ended.count >= planned.count {
            return 1.0;
        }
        ((ended.seconds - kept.seconds) / (planned.seconds - kept.seconds)).clamp(0.0, 1.0)
    }
}
