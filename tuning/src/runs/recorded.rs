//! A run as it was found on disk.

use super::folder::RESULT;
use super::games::Games;
use super::header::Header;
use super::schedule::{Match, Schedule};
use crate::play::matches::{Count, GameRecord};
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

/// A run on disk, which nobody changes: its header, its matches, and their games.
#[derive(Debug)]
pub struct Recorded {
    /// Where it is.
    pub folder: PathBuf,
    /// What it is.
    pub header: Header,
    /// Its matches, of a schedule with several rounds as far as there are games.
    pub matches: Vec<Match>,
    /// Where its games are.
    pub(super) games: Games,
    has_ended: bool,
}

impl Recorded {
    /// The run in `folder` with this header and its schedule; a run may be at work there.
    ///
    /// # Errors
    /// A file can't be read, or has games that are not of this run.
    pub fn open(folder: &Path, header: Header, schedule: &dyn Schedule) -> Result<Recorded> {
        ensure!(
            !header.renumbering,
            "{} was being extended when lab was stopped; give that command again",
            folder.display()
        );
        // Before the games: whoever finds a result finds all games.
        let has_ended = folder.join(RESULT).exists();
        let games = Games::open(folder)?;
        let mut run =
            Recorded { folder: folder.to_path_buf(), header, matches: Vec::new(), games, has_ended };
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

    /// Whether it had ended when it was read, with its result in the folder.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The numbers of the games of the match at `place`, in order.
    fn numbers(&self, place: usize) -> Result<Vec<u64>> {
        self.games.of_match(place as u64 + 1, &self.matches[place], self.header.shard)
    }

    /// How many games the match at `place` will have in this folder, at the most.
    pub fn planned(&self, place: usize) -> u64 {
        self.header.shard.count_games(self.matches[place].settings.pairs)
    }

    /// The games of the match at `place`, in the order of their numbers, so that it does not matter which
    /// ended first.
    ///
    /// # Errors
    /// A line does not belong there; and, for each game, it can't be read or is broken.
    pub fn records(&self, place: usize) -> Result<impl Iterator<Item = Result<GameRecord>>> {
        let numbers = self.numbers(place)?.into_iter();
        Ok(numbers.map(move |game| self.games.read((place as u64 + 1, game))))
    }

    /// What the whole pairs among the games of the match at `place` come to, up to the pair at which its
    /// sequential test decides. Of a match that has ended this is its result.
    ///
    /// # Errors
    /// Those of [`records`](Self::records).
    pub fn count(&self, place: usize) -> Result<Count> {
        let numbers = self.numbers(place)?;
        let whole = numbers.windows(2).filter(|two| two[0].is_multiple_of(2) && two[1] == two[0] + 1);
        let whole = whole.map(|two| two[0] / 2);
        let mut counter = self.header.shard.counter(&self.matches[place].settings, whole);
        for record in self.records(place)? {
            counter.add(record?);
        }
        Ok(counter.into_count())
    }
}
