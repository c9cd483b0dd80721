//! Plays the games of a match on several threads, and counts them in order.

use super::game::play_game;
use super::record::GameRecord;
use super::settings::Settings;
use super::shard::Shard;
use super::store::Store;
use super::summary::{Count, Summary};
use crate::statistics::{Hypotheses, Verdict};
use anyhow::{Result, anyhow};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// How far a match has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Games that have ended, those of earlier runs included.
    pub ended: u64,
    /// The result of the pairs counted so far.
    pub summary: Summary,
}

/// Plays the part `shard` of the match with `settings` to its end, on `jobs` threads, and tells
/// `watch` how it stands at the beginning and after each game. The result is that of this part.
///
/// If there is a `folder`, games and result go there, and games that are there already are not
/// played again.
///
/// # Errors
/// The match can't be divided so; an agent panicked; or the folder can't be read or written, is in
/// use by another run, or holds another match, another shard, or games of an engine that plays
/// differently.
pub fn run(
    settings: &Settings,
    shard: Shard,
    jobs: usize,
    folder: Option<&Path>,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Summary> {
    shard.check(settings)?;
    let Some(folder) = folder else {
        return play(settings, shard, jobs, None, BTreeMap::new(), watch);
    };
    let (mut store, records) = Store::open(folder, settings, shard)?;
    let summary = play(settings, shard, jobs, Some(&mut store), records, watch)?;
    store.write_result(&summary)?;
    Ok(summary)
}

/// Plays those games of the match that are not among `records`, and puts them into `store`.
fn play(
    settings: &Settings,
    shard: Shard,
    jobs: usize,
    store: Option<&mut Store>,
    records: BTreeMap<u64, GameRecord>,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Summary> {
    let ended = records.len() as u64;
    let to_play: Vec<u64> = shard.games(settings.pairs).filter(|game| !records.contains_key(game)).collect();
    let pairs = shard.pairs(settings.pairs).collect();
    let mut tally = Tally { settings, pairs, waiting: records, count: Count::default(), ended };
    tally.advance();
    watch(&tally.progress());
    if !tally.is_over() {
        play_all(&to_play, jobs, &mut tally, store, watch)?;
    }
    Ok(tally.count.summary(settings))
}

/// Plays the games in `to_play` until the tally says that it is enough.
fn play_all(
    to_play: &[u64],
    jobs: usize,
    tally: &mut Tally<'_>,
    mut store: Option<&mut Store>,
    watch: &mut dyn FnMut(&Progress),
) -> Result<()> {
    let settings = tally.settings;
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, games) = channel();
        for _ in 0..jobs.clamp(1, to_play.len().max(1)) {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || work(settings, to_play, next, stop, &sender));
        }
        drop(sender);
        let mut result = Ok(());
        for game in games {
            let counted = game.and_then(|record| {
                if let Some(store) = store.as_deref_mut() {
                    store.append(&record)?;
                }
                tally.add(record);
                watch(&tally.progress());
                Ok(())
            });
            if let Err(error) = counted {
                // The first error is the cause; those games that still end are stored if they can.
                result = result.and(Err(error));
            }
            if result.is_err() || tally.is_over() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        result
    })
}

/// One thread: plays the next game that nobody has begun, until there is none.
fn work(
    settings: &Settings,
    to_play: &[u64],
    next: &AtomicUsize,
    stop: &AtomicBool,
    sender: &Sender<Result<GameRecord>>,
) {
    let cancelled = || stop.load(Ordering::Relaxed);
    while let Some(&game) = to_play.get(next.fetch_add(1, Ordering::Relaxed)) {
        let played = catch_unwind(AssertUnwindSafe(|| play_game(settings, game, &cancelled)));
        let result = match played {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(record))) => Ok(record),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(anyhow!("an agent panicked in game {game}")),
        };
        if sender.send(result).is_err() {
            return;
        }
    }
}

/// Counts games in the order of the match's list, whatever the order in which they end.
struct Tally<'a> {
    settings: &'a Settings,
    /// The numbers of the pairs that are not counted yet, in order.
    pairs: VecDeque<u64>,
    /// Games that have ended before another one ahead of them.
    waiting: BTreeMap<u64, GameRecord>,
    count: Count,
    ended: u64,
}

impl Tally<'_> {
    fn add(&mut self, record: GameRecord) {
        self.ended += 1;
        self.waiting.insert(record.game, record);
        self.advance();
    }

    /// Counts the pairs that are next and complete, up to the one that decides the match.
    fn advance(&mut self) {
        while !self.is_over() {
            let Some(first) = self.pairs.front().map(|pair| 2 * pair) else { return };
            if !(self.waiting.contains_key(&first) && self.waiting.contains_key(&(first + 1))) {
                return;
            }
            if let (Some(one), Some(two)) = (self.waiting.remove(&first), self.waiting.remove(&(first + 1))) {
                self.count.add(&one, &two);
                self.pairs.pop_front();
            }
        }
    }

    /// Whether all games are counted or the sequential test has decided.
    fn is_over(&self) -> bool {
        let decided = |sprt: Hypotheses| sprt.verdict(self.count.pairs()) != Verdict::Undecided;
        self.pairs.is_empty() || self.settings.sprt.is_some_and(decided)
    }

    fn progress(&self) -> Progress {
        Progress { ended: self.ended, summary: self.count.summary(self.settings) }
    }
}
