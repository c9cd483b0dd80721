//! A run on disk, read without changing it.

use super::folder::{GAMES, HEADER, RESULT};
use super::games::Games;
use super::header::Header;
use super::kinds;
use super::schedule::Match;
use super::siblings::Siblings;
use crate::play::matches::{Count, GameFigures};
use crate::play::record::GameRecord;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How many levels of folders are searched for runs.
const MAX_DEPTH: usize = 6;

/// A run on disk: its header, its matches, and their games.
#[derive(Debug)]
pub struct RecordedRun {
    /// The run's folder.
    pub folder: PathBuf,
    /// Its arguments and origin.
    pub header: Header,
    /// Its matches; in a run with several rounds, up to the last round that has games.
    pub matches: Vec<Match>,
    /// In a shard whose matches follow from the games of all shards: the counts of the rounds that all have played.
    pub(crate) joint_counts: Option<Vec<Count>>,
    pub(super) games: Games,
    has_ended: bool,
}

impl RecordedRun {
    /// Reads the run in `folder`, which may still be in progress.
    ///
    /// # Errors
    /// The folder holds no run or contains games of another run, or a file can't be read or is invalid.
    pub fn open(folder: &Path) -> Result<RecordedRun> {
        let mut run = RecordedRun::unread(folder)?;
        run.update()?;
        Ok(run)
    }

    /// The run in `folder` before its games are read.
    fn unread(folder: &Path) -> Result<RecordedRun> {
        let (header, games) = (Header::read(folder)?, Games::unread(folder));
        let folder = folder.to_path_buf();
        Ok(RecordedRun { folder, header, matches: Vec::new(), joint_counts: None, games, has_ended: false })
    }

    /// Reads what was added since the last call. Returns whether anything has changed.
    ///
    /// # Errors
    /// The same as for [`open`](Self::open).
    pub fn update(&mut self) -> Result<bool> {
        let header = Header::read(&self.folder)?;
        ensure!(
            !header.renumbering,
            "{} is being extended; if lab was stopped meanwhile, run the same command again",
            self.folder.display()
        );
        if header.arguments != self.header.arguments {
            // The figures of its games depend on its settings.
            self.games = Games::unread(&self.folder);
        }
        // This is read before the games, because a folder with a result has all its games.
        let has_ended = self.folder.join(RESULT).exists();
        let is_same = !self.matches.is_empty() && (&header, has_ended) == (&self.header, self.has_ended);
        (self.header, self.has_ended) = (header, has_ended);
        if !self.games.update()? && is_same {
            return Ok(false);
        }
        self.matches.clear();
        let arranged = self.arrange();
        if arranged.is_err() {
            self.matches.clear();
        }
        arranged.map(|()| true)
    }

    /// Finds the run's matches, up to the last round that has games.
    fn arrange(&mut self) -> Result<()> {
        let context = || format!("in {}", self.folder.display());
        let schedule = kinds::schedule(&self.header).with_context(context)?;
        let is_part = !self.header.shard.is_whole() && schedule.rounds() > 1;
        if is_part {
            // Before they are listed: the list of too many shards may not fit into memory.
            let check = |one: &Match| self.header.shard.check(&one.settings);
            schedule.round(&[])?.iter().try_for_each(check).with_context(context)?;
        }
        let mut siblings = is_part.then(|| Siblings::of(&self.folder, &self.header)).transpose()?;
        let mut counts = Vec::new();
        for _ in 0..schedule.rounds() {
            let before = counts.len();
            self.matches.extend(schedule.round(&counts)?);
            let is_last = !self.games.go_beyond(self.matches.len() as u64);
            if let Some(siblings) = &mut siblings {
                let (before, round) = (before as u64, &self.matches[before..]);
                // The others may still be playing the last round.
                if !is_last || siblings.have_played(before, round)? {
                    counts.extend(siblings.counts(before, round)?);
                }
            } else if !is_last {
                for place in before..self.matches.len() {
                    counts.push(self.count(place)?);
                }
            }
            if is_last {
                break;
            }
        }
        self.joint_counts = is_part.then_some(counts);
        self.games.check_within(self.matches.len() as u64)?;
        (0..self.matches.len()).try_for_each(|place| self.numbers(place).map(drop))
    }

    /// Reads the runs in `folder` and below, ordered by name. Folders below a run, such as its shards, belong to it.
    ///
    /// # Errors
    /// No run is found, or a file can't be read or is invalid.
    pub fn all_below(folder: &Path) -> Result<Vec<RecordedRun>> {
        let mut runs = Vec::new();
        RecordedRun::update_all(folder, &mut runs)?;
        Ok(runs)
    }

    /// Updates `runs`, found by an earlier call, to all runs in `folder` and below. Returns whether anything has changed.
    ///
    /// # Errors
    /// The same as for [`all_below`](Self::all_below).
    pub fn update_all(folder: &Path, runs: &mut Vec<RecordedRun>) -> Result<bool> {
        let mut found = Vec::new();
        find(folder, MAX_DEPTH, &mut found)?;
        ensure!(
            !found.is_empty(),
            "no run in {}: expected {HEADER} and {GAMES}, as 'lab match --out' writes them, there or in a folder below",
            folder.display()
        );
        let mut changed = runs.len() != found.len();
        let mut known: BTreeMap<PathBuf, RecordedRun> =
            runs.drain(..).map(|run| (run.folder.clone(), run)).collect();
        for folder in found {
            let run = known.remove(&folder);
            changed |= run.is_none();
            runs.push(run.map_or_else(|| RecordedRun::unread(&folder), Ok)?);
        }
        for run in runs {
            changed |= run.update()?;
        }
        Ok(changed)
    }

    /// Whether the folder had a result when it was read.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The numbers of the games of `matches[place]`, in order.
    fn numbers(&self, place: usize) -> Result<Vec<u64>> {
        self.games.of_match(place as u64 + 1, &self.matches[place], self.header.shard)
    }

    /// The maximum number of games of `matches[place]` in this folder.
    pub fn planned(&self, place: usize) -> u64 {
        self.header.shard.count_games(self.matches[place].settings.pairs)
    }

    /// The games of `matches[place]`, in the order of their numbers.
    ///
    /// # Errors
    /// A line is not a game of the match. An item is an error if its game can't be read or is invalid.
    pub fn records(&self, place: usize) -> Result<impl Iterator<Item = Result<GameRecord>>> {
        let numbers = self.numbers(place)?.into_iter();
        Ok(numbers.map(move |game| self.games.read((place as u64 + 1, game), &self.matches[place])))
    }

    /// Game `number` of `matches[place]`; `None` if it does not exist.
    ///
    /// # Errors
    /// The game can't be read or is invalid.
    pub fn record(&self, place: usize, number: u64) -> Result<Option<GameRecord>> {
        let exists = self.numbers(place)?.contains(&number);
        exists.then(|| self.games.read((place as u64 + 1, number), &self.matches[place])).transpose()
    }

    /// The figures of each game of `matches[place]`, in the order of their numbers.
    ///
    /// # Errors
    /// A line is not a game of the match. An item is an error if its game can't be read or is invalid.
    pub fn figures(&self, place: usize) -> Result<impl Iterator<Item = Result<&GameFigures>>> {
        let numbers = self.numbers(place)?.into_iter();
        Ok(numbers.map(move |game| self.games.figures((place as u64 + 1, game), &self.matches[place])))
    }

    /// The count of the complete pairs of `matches[place]`, up to the pair that decides its sequential test. While a
    /// whole run is played, only the pairs before the first incomplete one count, so that matches are compared pair by
    /// pair.
    ///
    /// # Errors
    /// The same as for [`figures`](Self::figures).
    pub fn count(&self, place: usize) -> Result<Count> {
        let numbers = self.numbers(place)?;
        let whole = numbers.windows(2).filter(|two| two[0].is_multiple_of(2) && two[1] == two[0] + 1);
        let whole = whole.map(|two| two[0] / 2);
        let in_order = self.header.shard.is_whole() && !self.has_ended;
        let whole =
            (0..).zip(whole).take_while(|&(next, pair)| !in_order || next == pair).map(|(_, pair)| pair);
        let mut counter = self.header.shard.counter(&self.matches[place].settings, whole);
        for game in self.figures(place)? {
            counter.add(game?.clone());
        }
        Ok(counter.into_count())
    }
}

/// Adds the folders of runs in `folder` and below to `found`.
fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    if folder.join(HEADER).symlink_metadata().is_ok() {
        found.push(folder.to_path_buf());
        return Ok(());
    }
    let cant_read = || format!("can't read {}", folder.display());
    let mut below = Vec::new();
    for entry in fs::read_dir(folder).with_context(cant_read)? {
        let entry = entry.with_context(cant_read)?;
        if entry.file_type().with_context(cant_read)?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    if depth > 0 {
        below.iter().try_for_each(|folder| find(folder, depth - 1, found))?;
    }
    Ok(())
}
