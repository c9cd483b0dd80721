//! A run to be played, from its start or from the games in its folder.

use super::entrant_files::EntrantFiles;
use super::fingerprint::Fingerprint;
use super::folder::RESULT;
use super::games::OwnGames;
use super::header::{Builds, Header};
use super::kinds;
use super::machine;
use super::progress::{Amount, Progress, Totals};
use super::round::{Round, Venue};
use super::schedule::{Conclusion, Match, Schedule};
use super::session::TimeScale;
use super::shard::Shard;
use super::siblings::Siblings;
use super::warnings::warnings;
use crate::play::agents;
use crate::play::matches::Count;
use anyhow::{Context, Result, ensure};
use halma::support::files::replace;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A machine may be at most this many times as fast or as slow as the reference.
const MAX_FACTOR: f64 = 20.0;

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
    files: EntrantFiles,
    /// The core of each thread; empty if threads are not pinned.
    cores: Vec<usize>,
    /// The run ends when this is set.
    stop: Arc<AtomicBool>,
}

/// The matches of the first round. It is an error if there are none.
fn first_round(schedule: &dyn Schedule) -> Result<Vec<Match>> {
    let matches = schedule.round(&[])?;
    ensure!(!matches.is_empty(), "there are no matches to play");
    Ok(matches)
}

impl PlannedRun {
    /// A shard of a run. `kind` is the command of `lab` that plays the run.
    ///
    /// # Errors
    /// The arguments are invalid, there are no matches to play, or one of the agents can't be made.
    pub fn new<S: Schedule + Serialize + 'static>(
        kind: &str,
        schedule: S,
        shard: Shard,
    ) -> Result<PlannedRun> {
        let arguments = serde_json::from_value(serde_json::to_value(&schedule)?)?;
        let first_round = first_round(&schedule)?;
        // The files are read first, so that a change during the next steps is noticed too.
        let files = EntrantFiles::of_matches(&first_round, agents::registry())?;
        let engine = Fingerprint::of(&first_round, agents::registry(), &files)?;
        let header = Header::new(kind, arguments, shard, engine);
        let schedule = Box::new(schedule);
        Ok(PlannedRun { header, schedule, first_round, files, cores: Vec::new(), stop: Arc::default() })
    }

    /// The run with this `header`, to be merged and not played: its programs and networks need not be on this machine.
    pub(super) fn to_merge(header: Header) -> Result<PlannedRun> {
        let schedule = kinds::schedule(&header)?;
        let first_round = first_round(schedule.as_ref())?;
        let files = EntrantFiles::default();
        Ok(PlannedRun { header, schedule, first_round, files, cores: Vec::new(), stop: Arc::default() })
    }

    /// The run with a `note` for its header. Notes already in the header of its folder are kept.
    #[must_use]
    pub fn noting(mut self, note: Option<&str>) -> PlannedRun {
        self.header.notes.extend(note.map(str::to_string));
        self
    }

    /// The run with each of its threads, and the programs that it starts, pinned to one of `cores`.
    #[must_use]
    pub fn pinned(self, cores: Vec<usize>) -> PlannedRun {
        PlannedRun { cores, ..self }
    }

    /// The run with a stop flag: it ends with an error soon after `stop` is set. Games under way are not recorded.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> PlannedRun {
        PlannedRun { stop, ..self }
    }

    /// The run with its limits in seconds scaled: they are meant for a machine that makes `reference` iterations per
    /// second, and this one makes `speed`.
    ///
    /// # Errors
    /// The speeds differ too much.
    pub fn scaling_time(mut self, reference: f64, speed: f64) -> Result<PlannedRun> {
        let factor = reference / speed;
        ensure!(
            (1.0 / MAX_FACTOR..=MAX_FACTOR).contains(&factor),
            "--scale-time {reference}: this machine makes {speed:.0} iterations/s, so times would be multiplied by \
             {factor:.3}; expected a factor from {} to {MAX_FACTOR}",
            1.0 / MAX_FACTOR
        );
        self.header.scale_time = Some(reference);
        if let Some(session) = self.header.sessions.last_mut() {
            session.time_scale = Some(TimeScale { speed, factor });
        }
        Ok(self)
    }

    /// Whether a limit is in seconds.
    pub fn is_timed(&self) -> bool {
        self.first_round.iter().any(|one| one.settings.limit.is_timed())
    }

    /// Warnings that do not stop this run on `jobs` threads. With limits in seconds, they include reasons why times on
    /// this machine are unreliable.
    pub fn warnings(&self, jobs: usize) -> Vec<String> {
        let mut found = warnings(&self.first_round, &self.header.engine, agents::registry());
        if self.is_timed() {
            found.extend(machine::warnings(jobs));
        }
        found
    }

    /// Plays the run to its end on `jobs` threads. `watch` is called at the start of each round, after each game, and
    /// again and again while this shard waits for others.
    ///
    /// If `folder` is given, it stores the games and the result, and games already there are not played again. A
    /// shorter run in the folder is extended.
    ///
    /// # Errors
    /// There are too many shards; this one needs the games of the others and its folder is not beside theirs; an agent
    /// panicked; a file behind an entrant changed; or the folder can't be read or written, is in use, or holds another
    /// run, another shard, or games of builds that play differently.
    pub fn play(
        &self,
        jobs: usize,
        folder: Option<&Path>,
        builds: Builds,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Conclusion> {
        let shard = self.header.shard;
        self.first_round.iter().try_for_each(|one| shard.check(&one.settings))?;
        let mut siblings = None;
        if self.needs_siblings() {
            let folder = folder
                .context("the shards of this run read each other's games, so each needs a folder: --out")?;
            siblings = Some(Siblings::of(folder, &self.header)?);
        }
        let claim = |folder| OwnGames::claim(folder, &self.header, self, builds);
        let mut store = folder.map(claim).transpose()?;
        let session = self.header.sessions.last();
        let venue = Venue {
            files: &self.files,
            cores: &self.cores,
            stop: &self.stop,
            host: session.map_or("unknown", |session| &session.machine.host),
            factor: session.and_then(|session| session.time_scale).map_or(1.0, |scale| scale.factor),
        };
        let mut totals = self.totals(store.as_ref());
        let mut counts = Vec::new();
        for _ in 0..self.schedule.rounds() {
            let matches = self.matches_after(&counts)?;
            let mut round = Round::new(&matches, counts.len() as u64, shard, &mut totals);
            if let Some(store) = &store {
                round.take(&store.games)?;
            }
            round.play(jobs, &venue, store.as_mut(), watch)?;
            let Some(siblings) = &mut siblings else {
                counts.extend(round.into_counts());
                continue;
            };
            let progress = round.progress(0);
            let before = counts.len() as u64;
            siblings.wait(before, &matches, &mut |shard| {
                watch(&Progress { waiting_for: Some(shard), ..progress.clone() });
            })?;
            counts.extend(siblings.counts(before, &matches)?);
        }
        if let Some(store) = &store {
            store.games.check_within(counts.len() as u64)?;
        }
        self.conclude(&counts, folder)
    }

    /// Whether this is a shard of a run whose matches follow from the games of all shards.
    fn needs_siblings(&self) -> bool {
        !self.header.shard.is_whole() && self.schedule.rounds() > 1
    }

    /// The matches of the round that follows the matches already counted.
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

    pub(super) fn conclude(&self, counts: &[Count], folder: Option<&Path>) -> Result<Conclusion> {
        let mut conclusion = self.schedule.conclude(counts)?;
        let header = folder.map_or_else(|| Ok(self.header.clone()), Header::read)?;
        conclusion.add("provenance", &header.provenance())?;
        header.annotate(&mut conclusion.text);
        if let Some(folder) = folder {
            for (name, contents) in &conclusion.files {
                replace(&folder.join(name), contents)?;
            }
            replace(&folder.join(RESULT), format!("{}\n", conclusion.json).as_bytes())?;
        }
        Ok(conclusion)
    }
}
