//! A run on disk, read without changing it.

use super::folder::{GAMES, HEADER, RESULT};
use super::games::Games;
use super::header::Header;
use super::kinds;
use super::schedule::Match;
use crate::play::matches::{Count, GameFigures};
use crate::play::record::GameRecord;
use anyhow::{Context, Result, ensure};
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
    pub(super) games: Games,
    has_ended: bool,
}

impl RecordedRun {
    /// Reads the run in `folder`, which may still be playing.
    ///
    /// # Errors
    /// The folder holds no run, a file can't be read or is broken, or it contains games of another run.
    pub fn open(folder: &Path) -> Result<RecordedRun> {
        let header = Header::read(folder)?;
        let schedule = kinds::schedule(&header).with_context(|| format!("in {}", folder.display()))?;
        ensure!(
            !header.renumbering,
            "{} was being extended when lab was stopped; run the same command again",
            folder.display()
        );
        // Read before the games: a folder with a result has all its games.
        let has_ended = folder.join(RESULT).exists();
        let games = Games::open(folder)?;
        let mut run =
            RecordedRun { folder: folder.to_path_buf(), header, matches: Vec::new(), games, has_ended };
        let mut counts = Vec::new();
        for _ in 0..schedule.rounds() {
            run.matches.extend(schedule.round(&counts)?);
            if !run.games.go_beyond(run.matches.len() as u64) {
                break;
            }
            for place in counts.len()..run.matches.len() {
                counts.push(run.count(place)?);
            }
        }
        run.games.check_within(run.matches.len() as u64)?;
        for place in 0..run.matches.len() {
            run.numbers(place)?;
        }
        Ok(run)
    }

    /// Reads the runs in `folder` and below, ordered by name. Folders below a run, such as its shards, belong to it.
    ///
    /// # Errors
    /// No run is found, or a file can't be read or is broken.
    pub fn all_below(folder: &Path) -> Result<Vec<RecordedRun>> {
        let mut found = Vec::new();
        find(folder, MAX_DEPTH, &mut found)?;
        ensure!(
            !found.is_empty(),
            "no run in {}: expected {HEADER} and {GAMES}, as 'lab match --out' writes them, there or in a folder below",
            folder.display()
        );
        Ok(found)
    }

    /// Whether the folder had a result when it was read.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The numbers of the games of the match at `place`, in order.
    fn numbers(&self, place: usize) -> Result<Vec<u64>> {
        self.games.of_match(place as u64 + 1, &self.matches[place], self.header.shard)
    }

    /// The maximum number of games of the match at `place` in this folder.
    pub fn planned(&self, place: usize) -> u64 {
        self.header.shard.count_games(self.matches[place].settings.pairs)
    }

    /// The games of the match at `place`, in the order of their numbers.
    ///
    /// # Errors
    /// A line is not a game of the match. Each item is an error if its game can't be read or is broken.
    pub fn records(&self, place: usize) -> Result<impl Iterator<Item = Result<GameRecord>>> {
        let numbers = self.numbers(place)?.into_iter();
        Ok(numbers.map(move |game| self.games.read((place as u64 + 1, game), &self.matches[place])))
    }

    /// The count of the complete pairs of the match at `place`, up to the pair that decides its sequential test.
    ///
    /// # Errors
    /// The same as for [`records`](Self::records).
    pub fn count(&self, place: usize) -> Result<Count> {
        let numbers = self.numbers(place)?;
        let whole = numbers.windows(2).filter(|two| two[0].is_multiple_of(2) && two[1] == two[0] + 1);
        let whole = whole.map(|two| two[0] / 2);
        let mut counter = self.header.shard.counter(&self.matches[place].settings, whole);
        for record in self.records(place)? {
            counter.add(GameFigures::of(&record?, &self.matches[place].settings));
        }
        Ok(counter.into_count())
    }
}

fn find(folder: &Path, depth: usize, found: &mut Vec<RecordedRun>) -> Result<()> {
    if folder.join(HEADER).is_file() {
        found.push(RecordedRun::open(folder)?);
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
