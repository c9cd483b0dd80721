//! One round of a run: its games are played on several threads and counted in order.

use super::entrant_files::EntrantFiles;
use super::games::{GamePlace, Games, OwnGames};
use super::machine;
use super::parallel::for_each;
use super::progress::{Progress, Totals};
use super::schedule::Match;
use super::shard::Shard;
use crate::play::matches::{Count, Counter, GameFigures, MatchPlayer};
use crate::play::record::GameRecord;
use anyhow::{Result, anyhow, ensure};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// The conditions under which games are played.
pub(super) struct Venue<'a> {
    /// The files behind the entrants, which must not change.
    pub files: &'a EntrantFiles,
    /// The core of each thread; empty if the system chooses.
    pub cores: &'a [usize],
    /// Whether to stop playing.
    pub stop: &'a AtomicBool,
    /// The name of the machine.
    pub host: &'a str,
    /// The factor by which limits in seconds are multiplied.
    pub factor: f64,
}

/// Matches that are played at the same time.
pub(super) struct Round<'a> {
    matches: &'a [Match],
    counters: Vec<Counter<'a>>,
    /// The number of matches in earlier rounds.
    before: u64,
    shard: Shard,
    /// Games found in the folder.
    stored: BTreeSet<GamePlace>,
    totals: &'a mut Totals,
}

impl<'a> Round<'a> {
    pub(super) fn new(matches: &'a [Match], before: u64, shard: Shard, totals: &'a mut Totals) -> Round<'a> {
        let counter = |one: &'a Match| shard.counter(&one.settings, shard.pairs(one.settings.pairs));
        let counters = matches.iter().map(counter).collect();
        Round { matches, counters, before, shard, stored: BTreeSet::new(), totals }
    }

    /// Counts the games found in the folder.
    pub(super) fn take(&mut self, games: &Games) -> Result<()> {
        for (number, one) in (self.before + 1..).zip(self.matches) {
            for game in games.of_match(number, one, self.shard)? {
                self.stored.insert((number, game));
                self.add(games.read((number, game), one)?);
            }
        }
        let last = self.before + self.matches.len() as u64;
        if self.is_over() { Ok(()) } else { games.check_within(last) }
    }

    /// Counts a game, and returns the index of its match.
    fn add(&mut self, record: GameRecord) -> usize {
        let at = (record.match_number - self.before - 1) as usize;
        self.totals.ended.add(&self.matches[at], 1);
        self.counters[at].add(GameFigures::of(&record, &self.matches[at].settings));
        at
    }

    fn is_over(&self) -> bool {
        self.counters.iter().all(Counter::is_over)
    }

    /// The run's progress, with the count of `matches[at]`.
    pub(super) fn progress(&self, at: usize) -> Progress<'_> {
        self.totals.progress(&self.matches[at], self.counters[at].count())
    }

    pub(super) fn into_counts(self) -> impl Iterator<Item = Count> {
        self.counters.into_iter().map(Counter::into_count)
    }

    /// Plays the missing games until all matches are over.
    pub(super) fn play(
        &mut self,
        jobs: usize,
        venue: &Venue<'_>,
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
        let player = |one: &'a Match| Ok(MatchPlayer::new(&one.settings)?.scaled(venue.factor));
        let players: Vec<_> = matches.iter().map(player).collect::<Result<_>>()?;
        let numbered = (self.before + 1..).zip(matches.iter().zip(&players));
        let to_play = numbered.flat_map(|(number, (one, player))| {
            let games = shard.games(one.settings.pairs).map(move |game| (number, game));
            games.filter(|game| !stored.contains(game)).map(move |game| (one, player, game))
        });
        let stop = AtomicBool::new(false);
        let play = |core: &mut Option<usize>, (one, player, game)| {
            // The thread pins itself before its first game.
            let pinned = core.take().map_or(Ok(()), machine::pin);
            pinned.and_then(|()| play_one(one, player, venue, game, &stop)).transpose()
        };
        let threads = jobs.clamp(1, missing.max(1));
        let cores = (0..threads).map(|thread| venue.cores.get(thread).copied()).collect();
        let mut result = Ok(());
        for_each(to_play, cores, play, |game| {
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
        })?;
        result?;
        ensure!(self.is_over() || !venue.stop.load(Ordering::Relaxed), "the run was stopped");
        Ok(())
    }
}

/// Plays one game; `None` if `stop` or `venue.stop` was set before the game ended. The game does not count if a file
/// behind an entrant has changed by then.
fn play_one(
    one: &Match,
    player: &MatchPlayer<'_>,
    venue: &Venue<'_>,
    (match_number, game): GamePlace,
    stop: &AtomicBool,
) -> Result<Option<GameRecord>> {
    let cancelled = || [stop, venue.stop].iter().any(|stop| stop.load(Ordering::Relaxed));
    let played = catch_unwind(AssertUnwindSafe(|| player.play(game, &cancelled)));
    let played = played.map_err(|_| anyhow!("an agent panicked in game {game} of {}", one.name))?;
    // A changed file is reported before any error of the game, because the change may be the cause.
    venue.files.check().map_err(|error| {
        anyhow!(
            "{error:#}, so this game does not count; to go on, restore the file and start the same run again"
        )
    })?;
    let record = played?;
    Ok(record.map(|record| GameRecord { match_number, host: Some(venue.host.to_string()), ..record }))
}
