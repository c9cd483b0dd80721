//! Plays the games of a run on several threads and counts them in order.

use super::cautions::cautions;
use super::fingerprint::Fingerprint;
use super::folder::RESULT;
use super::games::{GamePlace, Games, OwnGames};
use super::header::{Builds, Header};
use super::kinds;
use super::parallel::for_each;
use super::schedule::{Arguments, Conclusion, Match, Schedule};
use super::shard::Shard;
use crate::play::agents;
use crate::play::matches::{Count, Counter, MatchPlayer, Summary};
use crate::play::record::GameRecord;
use anyhow::{Result, anyhow, ensure};
use halma::homework::files::replace;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A run to be played: its arguments and the matches of its first round.
///
/// ```
/// use halma_lab::play::matches::{Settings, Terms};
/// use halma_lab::play::time_control::TimeControl;
/// use halma_lab::runs::{Builds, PlannedRun, Shard};
///
/// let agents = ["mcts(playout=static)", "greedy"];
/// let settings = Settings::new(agents, 1, TimeControl::Iterations(10), Terms::default());
/// let run = PlannedRun::new("match", settings, Shard::WHOLE)?;
/// let conclusion = run.play(1, None, Builds::Same, &mut |_| ())?;
/// assert!(conclusion.text.contains("games      2:"));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub struct PlannedRun {
    pub(super) header: Header,
    pub(super) schedule: Box<dyn Schedule>,
    pub(super) first_round: Vec<Match>,
}

/// How far a run has come.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Finished games, including those found in the folder.
    pub ended: u64,
    /// Games found in the folder.
    pub kept: u64,
    /// The maximum number of games of the run.
    pub planned: u64,
    /// The share, 0…1, of the work left at the start that is done. Games are weighted by the time their limits
    /// suggest.
    pub done: f64,
    /// The match of the game that ended last.
    pub current: &'a Match,
    /// The result of its pairs so far.
    pub summary: Summary,
}

impl PlannedRun {
    /// The part `shard` of a run of `lab` `kind`.
    ///
    /// # Errors
    /// The schedule has no matches, or one of its agents can't be made.
    pub fn new<S: Schedule + Serialize + 'static>(
        kind: &str,
        schedule: S,
        shard: Shard,
    ) -> Result<PlannedRun> {
        let arguments = serde_json::from_value(serde_json::to_value(&schedule)?)?;
        PlannedRun::with(kind, arguments, Box::new(schedule), shard)
    }

    /// The whole run of which `header` describes a shard.
    pub(super) fn whole(header: &Header) -> Result<PlannedRun> {
        PlannedRun::with(&header.kind, header.arguments.clone(), kinds::schedule(header)?, Shard::WHOLE)
    }

    fn with(
        kind: &str,
        arguments: Arguments,
        schedule: Box<dyn Schedule>,
        shard: Shard,
    ) -> Result<PlannedRun> {
        let first_round = schedule.round(&[])?;
        let engine = Fingerprint::of(&first_round, agents::registry())?;
        let header = Header::new(kind, arguments, shard, engine);
        Ok(PlannedRun { header, schedule, first_round })
    }

    /// Warnings that do not stop this run.
    pub fn cautions(&self) -> Vec<String> {
        cautions(&self.first_round, self.header.shard, &self.header.engine, agents::registry())
    }

    /// Plays the run to its end on `jobs` threads. `watch` is called at the start of each round and after each game.
    ///
    /// With a folder, games and result are stored there, and games already there are not played again. A shorter
    /// run in the folder is extended.
    ///
    /// # Errors
    /// The run can't be sharded this way; an agent panicked; or the folder can't be read or written, is in use, or
    /// holds another run, another shard, or games of builds that play differently.
    pub fn play(
        &self,
        jobs: usize,
        folder: Option<&Path>,
        builds: Builds,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Conclusion> {
        let shard = self.header.shard;
        ensure!(!self.first_round.is_empty(), "there are no matches to play");
        ensure!(
            shard.is_whole() || self.schedule.rounds() == 1,
            "--shard {shard}: this run can't be sharded, because each of its rounds depends on the games before it"
        );
        self.first_round.iter().try_for_each(|one| shard.check(&one.settings))?;
        let claim = |folder| OwnGames::claim(folder, &self.header, self, builds);
        let mut store = folder.map(claim).transpose()?;
        let mut totals = self.totals(store.as_ref());
        let mut counts = Vec::new();
        for _ in 0..self.schedule.rounds() {
            let matches = self.matches_after(&counts)?;
            let mut round = Round::new(&matches, counts.len() as u64, shard, &mut totals);
            if let Some(store) = &store {
                round.take(&store.games)?;
            }
            round.play(jobs, store.as_mut(), watch)?;
            counts.extend(round.into_counts());
        }
        if let Some(store) = &store {
            store.games.check_within(counts.len() as u64)?;
        }
        self.conclude(&counts, folder)
    }

    /// The matches of the round after those already counted.
    fn matches_after(&self, counts: &[Count]) -> Result<Cow<'_, [Match]>> {
        if counts.is_empty() {
            Ok(Cow::Borrowed(&self.first_round))
        } else {
            self.schedule.round(counts).map(Cow::Owned)
        }
    }

    fn totals(&self, store: Option<&OwnGames>) -> Totals {
        let mut a_round = Amount::default();
        for one in &self.first_round {
            a_round.add(one, self.header.shard.count_games(one.settings.pairs));
        }
        let mut kept = Amount::default();
        for (number, _) in store.iter().flat_map(|store| store.games.places()) {
            // All rounds have the same limits as the first.
            let at = number.wrapping_sub(1) % self.first_round.len() as u64;
            kept.add(&self.first_round[at as usize], 1);
        }
        Totals { ended: Amount::default(), kept, planned: a_round.times(self.schedule.rounds()) }
    }

    fn conclude(&self, counts: &[Count], folder: Option<&Path>) -> Result<Conclusion> {
        let mut conclusion = self.schedule.conclude(counts)?;
        let header = folder.map_or_else(|| Ok(self.header.clone()), Header::read)?;
        conclusion.add("provenance", &header.provenance())?;
        if let Some(folder) = folder {
            for (name, contents) in &conclusion.files {
                replace(&folder.join(name), contents)?;
            }
            replace(&folder.join(RESULT), format!("{}\n", conclusion.json).as_bytes())?;
        }
        Ok(conclusion)
    }
}

/// A number of games and the CPU seconds their limits suggest.
#[derive(Clone, Copy, Debug, Default)]
struct Amount {
    count: u64,
    seconds: f64,
}

impl Amount {
    fn add(&mut self, one: &Match, count: u64) {
        self.count = self.count.saturating_add(count);
        self.seconds += one.settings.limit.seconds_of_a_game() * count as f64;
    }

    fn times(self, times: u64) -> Amount {
        Amount { count: self.count.saturating_mul(times), seconds: self.seconds * times as f64 }
    }
}

/// The games of the whole run.
struct Totals {
    ended: Amount,
    kept: Amount,
    planned: Amount,
}

impl Totals {
    fn share_done(&self) -> f64 {
        let Totals { ended, kept, planned } = self;
        if ended.count >= planned.count {
            return 1.0;
        }
        ((ended.seconds - kept.seconds) / (planned.seconds - kept.seconds)).clamp(0.0, 1.0)
    }
}

/// Matches that are played at the same time.
struct Round<'a> {
    matches: &'a [Match],
    counters: Vec<Counter<'a>>,
    /// How many matches the earlier rounds had.
    before: u64,
    shard: Shard,
    /// Games found in the folder.
    stored: BTreeSet<GamePlace>,
    totals: &'a mut Totals,
}

impl<'a> Round<'a> {
    fn new(matches: &'a [Match], before: u64, shard: Shard, totals: &'a mut Totals) -> Round<'a> {
        let counter = |one: &'a Match| shard.counter(&one.settings, shard.pairs(one.settings.pairs));
        let counters = matches.iter().map(counter).collect();
        Round { matches, counters, before, shard, stored: BTreeSet::new(), totals }
    }

    /// Counts the games found in the folder.
    fn take(&mut self, games: &Games) -> Result<()> {
        for (number, one) in (self.before + 1..).zip(self.matches) {
            for game in games.of_match(number, one, self.shard)? {
                self.stored.insert((number, game));
                self.add(games.read((number, game))?);
            }
        }
        let last = self.before + self.matches.len() as u64;
        if self.is_over() { Ok(()) } else { games.check_within(last) }
    }

    /// Counts a game, and returns the index of its match.
    fn add(&mut self, record: GameRecord) -> usize {
        let at = (record.match_number - self.before - 1) as usize;
        self.totals.ended.add(&self.matches[at], 1);
        self.counters[at].add(record);
        at
    }

    fn is_over(&self) -> bool {
        self.counters.iter().all(Counter::is_over)
    }

    fn progress(&self, at: usize) -> Progress<'a> {
        let Totals { ended, kept, planned } = &*self.totals;
        let current = &self.matches[at];
        Progress {
            ended: ended.count,
            kept: kept.count,
            planned: planned.count,
            done: self.totals.share_done(),
            current,
            summary: self.counters[at].count().summary(&current.settings),
        }
    }

    fn into_counts(self) -> impl Iterator<Item = Count> {
        self.counters.into_iter().map(Counter::into_count)
    }

    /// Plays the missing games until all matches are over.
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
        let (shard, stored) = (self.shard, std::mem::take(&mut self.stored));
        let all: u64 = self.matches.iter().map(|one| shard.count_games(one.settings.pairs)).sum();
        let missing = usize::try_from(all).unwrap_or(usize::MAX) - stored.len();
        let matches = self.matches;
        let players: Vec<_> =
            matches.iter().map(|one| MatchPlayer::new(&one.settings)).collect::<Result<_>>()?;
        let games = |(number, at): (u64, usize)| {
            shard.games(matches[at].settings.pairs).map(move |game| (at, (number, game)))
        };
        let to_play = (self.before + 1..).zip(0..matches.len()).flat_map(games);
        let to_play = to_play.filter(|(_, place)| !stored.contains(place));
        let stop = AtomicBool::new(false);
        let play = |(): &mut (), (at, place): (usize, _)| {
            play_one(&matches[at], &players[at], place, &stop).transpose()
        };
        let mut result = Ok(());
        for_each(to_play, vec![(); jobs.clamp(1, missing.max(1))], play, |game| {
            let counted = game.and_then(|record| {
                if let Some(store) = store.as_deref_mut() {
                    store.append(&record)?;
                }
                let at = self.add(record);
                watch(&self.progress(at));
                Ok(())
            });
            if let Err(error) = counted {
                // The first error is the cause; games that still finish are stored if possible.
                result = std::mem::replace(&mut result, Ok(())).and(Err(error));
            }
            if result.is_err() || self.is_over() {
                stop.store(true, Ordering::Relaxed);
            }
        });
        result
    }
}

/// Plays one game; `None` if `stop` was set before its end.
fn play_one(
    one: &Match,
    player: &MatchPlayer<'_>,
    (match_number, game): GamePlace,
    stop: &AtomicBool,
) -> Result<Option<GameRecord>> {
    let cancelled = || stop.load(Ordering::Relaxed);
    let played = catch_unwind(AssertUnwindSafe(|| player.play(game, &cancelled)));
    let record = played.map_err(|_| anyhow!("an agent panicked in game {game} of {}", one.name))??;
    Ok(record.map(|record| GameRecord { match_number, ..record }))
}
