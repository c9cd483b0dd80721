//! Plays the games of a run on several threads, and counts them in order.

use super::games::{GamePlace, Games, OwnGames};
use super::header::Header;
use super::schedule::{Conclusion, Match, Schedule};
use super::shard::Shard;
use crate::matches::{Count, Counter, GameRecord, Summary, play_game};
use anyhow::{Result, anyhow, ensure};
use halma::homework::files::replace;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The file with the result.
pub const RESULT: &str = "result.json";

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Games that have ended, those that were there already included.
    pub ended: u64,
    /// Games that are planned, at the most.
    pub planned: u64,
    /// The match whose game has ended last.
    pub current: &'a Match,
    /// The result of its pairs counted so far.
    pub summary: Summary,
}

/// Plays the part `shard` of the run to its end, on `jobs` threads, and tells `watch` how it stands at the
/// beginning of each round and after each game. The result is that of this part.
///
/// If there is a `folder`, which then has this header, games and result go there, and games that are there
/// already are not played again.
///
/// # Errors
/// The run can't be divided so; an agent panicked; or the folder can't be read or written, is in use by
/// another run, or holds another run, another shard, or games of an engine that plays differently.
pub fn play(
    schedule: &dyn Schedule,
    shard: Shard,
    jobs: usize,
    folder: Option<(&Path, &Header)>,
    watch: &mut dyn FnMut(&Progress<'_>),
) -> Result<Conclusion> {
    let first = schedule.round(&[])?;
    ensure!(!first.is_empty(), "there are no matches to play");
    ensure!(
        shard.is_whole() || schedule.rounds() == 1,
        "--shard {shard}: this run can't be divided, for each of its rounds follows from the games before"
    );
    first.iter().try_for_each(|one| shard.check(&one.settings))?;
    let games_of = |one: &Match| shard.games(one.settings.pairs).count() as u64;
    let planned = schedule.rounds().saturating_mul(first.iter().map(games_of).sum());
    let mut games = folder.map(|(folder, header)| OwnGames::claim(folder, header)).transpose()?;
    let (mut counts, mut ended) = (Vec::new(), 0);
    for _ in 0..schedule.rounds() {
        let matches = schedule.round(&counts)?;
        let mut round = Round::new(&matches, counts.len() as u64, shard, ended, planned);
        if let Some(own) = &games {
            round.take(&own.games, shard)?;
        }
        round.play(jobs, games.as_mut(), watch)?;
        ended = round.ended;
        counts.extend(round.into_counts());
    }
    if let Some(own) = &games {
        own.games.check_within(counts.len() as u64)?;
    }
    let conclusion = schedule.conclude(&counts)?;
    if let Some((folder, _)) = folder {
        for (name, contents) in &conclusion.files {
            replace(&folder.join(name), contents)?;
        }
        replace(&folder.join(RESULT), format!("{}\n", conclusion.json).as_bytes())?;
    }
    Ok(conclusion)
}

/// Matches that are played at the same time.
struct Round<'a> {
    matches: &'a [Match],
    counters: Vec<Counter<'a>>,
    /// The number of the last match before these.
    before: u64,
    /// Games that are not there yet, in order.
    to_play: BTreeSet<GamePlace>,
    ended: u64,
    planned: u64,
}

impl<'a> Round<'a> {
    fn new(matches: &'a [Match], before: u64, shard: Shard, ended: u64, planned: u64) -> Round<'a> {
        let counter = |one: &'a Match| Counter::new(&one.settings, shard.pairs(one.settings.pairs));
        let games =
            |(number, one): (u64, &Match)| shard.games(one.settings.pairs).map(move |game| (number, game));
        Round {
            matches,
            counters: matches.iter().map(counter).collect(),
            before,
            to_play: (before + 1..).zip(matches).flat_map(games).collect(),
            ended,
            planned,
        }
    }

    /// Counts what is there already.
    fn take(&mut self, games: &Games, shard: Shard) -> Result<()> {
        for (number, one) in (self.before + 1..).zip(self.matches) {
            for game in games.of_match(number, one, shard)? {
                self.to_play.remove(&(number, game));
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
        self.ended += 1;
        let at = self.at(record.match_number);
        self.counters[at].add(record);
    }

    fn is_over(&self) -> bool {
        self.counters.iter().all(Counter::is_over)
    }

    fn progress(&self, at: usize) -> Progress<'a> {
        let Round { ended, planned, .. } = *self;
        let current = &self.matches[at];
        Progress { ended, planned, current, summary: self.counters[at].count().summary(&current.settings) }
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
        let to_play: Vec<(&Match, GamePlace)> =
            self.to_play.iter().map(|&place| (&self.matches[self.at(place.0)], place)).collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            let (sender, games) = channel();
            for _ in 0..jobs.clamp(1, to_play.len().max(1)) {
                let sender = sender.clone();
                let (to_play, next, stop) = (&to_play, &next, &stop);
                scope.spawn(move || work(to_play, next, stop, &sender));
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
fn work(
    to_play: &[(&Match, GamePlace)],
    next: &AtomicUsize,
    stop: &AtomicBool,
    sender: &Sender<Result<GameRecord>>,
) {
    let cancelled = || stop.load(Ordering::Relaxed);
    while let Some(&(one, (match_number, game))) = to_play.get(next.fetch_add(1, Ordering::Relaxed)) {
        let played = catch_unwind(AssertUnwindSafe(|| play_game(&one.settings, game, &cancelled)));
        let result = match played {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(record))) => Ok(GameRecord { match_number, ..record }),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => Err(anyhow!("an agent panicked in game {game} of {}", one.name)),
        };
        if sender.send(result).is_err() {
            return;
        }
    }
}
