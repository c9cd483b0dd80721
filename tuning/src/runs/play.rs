//! Plays the games of a run on several threads, and counts them in order.

use super::folder::RESULT;
use super::games::{GamePlace, Games, OwnGames};
use super::header::{Builds, Header};
use super::schedule::{Conclusion, Match, Schedule};
use super::shard::Shard;
use crate::play::matches::{Count, Counter, GameRecord, Summary, play_game};
use anyhow::{Result, anyhow, ensure};
use halma::homework::files::replace;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Where a run is kept.
#[derive(Clone, Copy, Debug)]
pub struct Home<'a> {
    /// Its folder, if it is kept at all.
    pub folder: Option<&'a Path>,
    /// What the folder says of it.
    pub header: &'a Header,
    /// Whether it goes on with games of agents that play differently.
    pub builds: Builds,
}

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Games that have ended, those that were there already included.
    pub ended: u64,
    /// Games that were in the folder when the run began or went on.
    pub kept: u64,
    /// Games that are planned, at the most.
    pub planned: u64,
    /// How much of what was to do when the run began or went on is done, 0…1. Games count by the time that their
    /// limits let expect.
    pub done: f64,
    /// The match whose game has ended last.
    pub current: &'a Match,
    /// The result of its pairs counted so far.
    pub summary: Summary,
}

/// Plays the part `shard` of the run to its end, on `jobs` threads, and tells `watch` how it stands at the
/// beginning of each round and after each game. The result is that of this part.
///
/// If it has a folder, games and result go there, and games that are there already are not played again. A shorter
/// run that is there is extended.
///
/// # Errors
/// The run can't be divided so; an agent panicked; or the folder can't be read or written, is in use by
/// another run, or holds another run, another shard, or games of an engine that plays differently.
pub fn play(
    schedule: &dyn Schedule,
    shard: Shard,
    jobs: usize,
    home: Home<'_>,
    watch: &mut dyn FnMut(&Progress<'_>),
) -> Result<Conclusion> {
    let first = schedule.round(&[])?;
    ensure!(!first.is_empty(), "there are no matches to play");
    ensure!(
        shard.is_whole() || schedule.rounds() == 1,
        "--shard {shard}: this run can't be divided, for each of its rounds follows from the games before"
    );
    first.iter().try_for_each(|one| shard.check(&one.settings))?;
    let mut a_round = Amount::default();
    first.iter().for_each(|one| a_round.add(one, shard.count_games(one.settings.pairs)));
    let planned = a_round.times(schedule.rounds());
    let Home { folder, header, builds } = home;
    let claim = |folder| OwnGames::claim(folder, header, builds, schedule);
    let mut games = folder.map(claim).transpose()?;
    let mut kept = Amount::default();
    // Each round's matches have the limits of the first's.
    let match_of = |number: u64| &first[(number.wrapping_sub(1) % first.len() as u64) as usize];
    let places = games.iter().flat_map(|own| own.games.places());
    places.for_each(|(number, _)| kept.add(match_of(number), 1));
    let (mut counts, mut ended) = (Vec::new(), Amount::default());
    for _ in 0..schedule.rounds() {
        let matches = schedule.round(&counts)?;
        let mut round = Round::new(&matches, counts.len() as u64, shard, [ended, planned], kept);
        if let Some(own) = &games {
            round.take(&own.games)?;
        }
        round.play(jobs, games.as_mut(), watch)?;
        ended = round.ended;
        counts.extend(round.into_counts());
    }
    if let Some(own) = &games {
        own.games.check_within(counts.len() as u64)?;
    }
    let mut conclusion = schedule.conclude(&counts)?;
    let there = folder.map_or_else(|| Ok(header.clone()), Header::read)?;
    conclusion.add("provenance", &there.provenance())?;
    if let Some(folder) = folder {
        for (name, contents) in &conclusion.files {
            replace(&folder.join(name), contents)?;
        }
        replace(&folder.join(RESULT), format!("{}\n", conclusion.json).as_bytes())?;
    }
    Ok(conclusion)
}

/// How many games, and what they take.
#[derive(Clone, Copy, Debug, Default)]
struct Amount {
    count: u64,
    /// The CPU seconds that their limits let expect.
    seconds: f64,
}

impl Amount {
    /// Adds `count` games of a match.
    fn add(&mut self, one: &Match, count: u64) {
        self.count = self.count.saturating_add(count);
        self.seconds += one.settings.limit.seconds_of_a_game() * count as f64;
    }

    /// So many times as many.
    fn times(self, times: u64) -> Amount {
        Amount { count: self.count.saturating_mul(times), seconds: self.seconds * times as f64 }
    }
}

/// Matches that are played at the same time.
struct Round<'a> {
    matches: &'a [Match],
    counters: Vec<Counter<'a>>,
    /// The number of the last match before these.
    before: u64,
    /// Which part of each match is played.
    shard: Shard,
    /// Games that are there already.
    there: BTreeSet<GamePlace>,
    ended: Amount,
    kept: Amount,
    planned: Amount,
}

impl<'a> Round<'a> {
    fn new(
        matches: &'a [Match],
        before: u64,
        shard: Shard,
        [ended, planned]: [Amount; 2],
        kept: Amount,
    ) -> Round<'a> {
        let counter = |one: &'a Match| shard.counter(&one.settings, shard.pairs(one.settings.pairs));
        Round {
            matches,
            counters: matches.iter().map(counter).collect(),
            before,
            shard,
            there: BTreeSet::new(),
            ended,
            kept,
            planned,
        }
    }

    /// Counts what is there already.
    fn take(&mut self, games: &Games) -> Result<()> {
        for (number, one) in (self.before + 1..).zip(self.matches) {
            for game in games.of_match(number, one, self.shard)? {
                self.there.insert((number, game));
                self.add(games.read((number, game))?);
            }
        }
        let last = self.before + self.matches.len() as u64;
        if self.is_over() { Ok(()) } else { games.check_within(last) }
    }

    /// The place of match number `number` among these.
    fn at(&self, number: u64) -> usize {
        (number - self.before - 1) as usize
    }

    fn add(&mut self, record: GameRecord) {
        let at = self.at(record.match_number);
        self.ended.add(&self.matches[at], 1);
        self.counters[at].add(record);
    }

    fn is_over(&self) -> bool {
        self.counters.iter().all(Counter::is_over)
    }

    fn progress(&self, at: usize) -> Progress<'a> {
        let Round { ended, kept, planned, .. } = *self;
        let current = &self.matches[at];
        let to_do = planned.count.saturating_sub(ended.count);
        let done = (ended.seconds - kept.seconds) / (planned.seconds - kept.seconds);
        Progress {
            ended: ended.count,
            kept: kept.count,
            planned: planned.count,
            done: if to_do == 0 { 1.0 } else { done.clamp(0.0, 1.0) },
            current,
            summary: self.counters[at].count().summary(&current.settings),
        }
    }

    fn into_counts(self) -> impl Iterator<Item = Count> {
        self.counters.into_iter().map(Counter::into_count)
    }

    /// Plays the games that are not there until all matches are over.
    fn play(
        &mut self,
        jobs: usize,
        mut store: Option<&mut OwnGames>,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<()> {
        watch(&self.progress(0));
        if self.is_over() {
            return Ok(());
        }
        // One after the other, for there may be more than memory would hold.
        let (shard, there) = (self.shard, std::mem::take(&mut self.there));
        let games = |(number, one): (u64, &'a Match)| {
            shard.games(one.settings.pairs).map(move |game| (one, (number, game)))
        };
        let all = (self.before + 1..).zip(self.matches).flat_map(games);
        let to_play = Mutex::new(all.filter(|(_, place)| !there.contains(place)));
        let left: u64 = self.matches.iter().map(|one| shard.count_games(one.settings.pairs)).sum();
        let left = usize::try_from(left).unwrap_or(usize::MAX) - there.len();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let (sender, games) = channel();
            for _ in 0..jobs.clamp(1, left.max(1)) {
                let sender = sender.clone();
                let (to_play, stop) = (&to_play, &stop);
                scope.spawn(move || work(to_play, stop, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            for game in games {
                let counted = game.and_then(|record: GameRecord| {
                    if let Some(store) = store.as_deref_mut() {
                        store.append(&record)?;
                    }
                    let at = self.at(record.match_number);
                    self.add(record);
                    watch(&self.progress(at));
                    Ok(())
                });
                if let Err(error) = counted {
                    // The first error is the cause; those games that still end are stored if they can.
                    result = result.and(Err(error));
                }
                if result.is_err() || self.is_over() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            result
        })
    }
}

/// One thread: plays the next game that nobody has begun, until there is none.
fn work<'a>(
    to_play: &Mutex<impl Iterator<Item = (&'a Match, GamePlace)>>,
    stop: &AtomicBool,
    sender: &Sender<Result<GameRecord>>,
) {
    let cancelled = || stop.load(Ordering::Relaxed);
    let next = || to_play.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some((one, (match_number, game))) = next() {
        let played = catch_unwind(AssertUnwindSafe(|| play_game(&one.settings, game, &cancelled)));
        let result = match played {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(record))) => Ok(GameRecord { match_number, ..record }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(anyhow!("an agent panicked in game {game} of {}", one.name)),
        };
        if sender.send(result).is_err() {
            return;
        }
    }
}
