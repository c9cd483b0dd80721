//! The shards of a run whose rounds depend on each other.
//!
//! The matches of such a run, for example of a tuning run, follow from the games of all earlier rounds. So its shards
//! are played at the same time, in the folders `1-of-4` to `4-of-4` side by side. Each plays its pairs of a round, waits
//! until the others have played theirs, and counts the games of all. The shards share nothing but these files, and each
//! of them finds the same matches for the next round.

use super::folder::{GAMES, HEADER};
use super::games::Games;
use super::header::{Difference, Header};
use super::kinds;
use super::schedule::Match;
use super::shard::Shard;
use crate::play::matches::{Count, Counter};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How long to wait before looking for more games of the others.
const PAUSE: Duration = Duration::from_millis(50);

/// All shards of a run, this one included.
#[derive(Debug)]
pub(super) struct Siblings {
    /// The header of one of the shards.
    header: Header,
    shards: Vec<Sibling>,
}

#[derive(Debug)]
struct Sibling {
    shard: Shard,
    folder: PathBuf,
    games: Games,
    /// Whether its header has been read and belongs to the run.
    is_known: bool,
}

impl Siblings {
    /// All shards of a run: the one in `folder`, whose header is `header`, and those in the folders beside it. The
    /// others need not exist yet.
    ///
    /// # Errors
    /// The folder does not have the name of its shard.
    pub fn of(folder: &Path, header: &Header) -> Result<Siblings> {
        let (shard, name) = (header.shard, header.shard.folder_name());
        // A folder given as `.` has its name only in its whole path.
        let folder =
            if folder.file_name().is_some() { folder.to_path_buf() } else { folder.canonicalize()? };
        ensure!(
            folder.file_name().is_some_and(|found| found == &*name),
            "--shard {shard}: the shards of this run need each other's games and find them by their folders: put this one \
             into a folder called {name}, beside those of the others"
        );
        let sibling = |shard: Shard| {
            let folder = folder.with_file_name(shard.folder_name());
            Sibling { shard, games: Games::unread(&folder), folder, is_known: false }
        };
        let all = (1..=shard.count()).filter_map(|index| Shard::new(index, shard.count()));
        Ok(Siblings { header: header.clone(), shards: all.map(sibling).collect() })
    }

    /// Waits until all games of `matches`, a round that follows `before` other matches, have been played. `waiting` is
    /// called repeatedly with a shard that still has games to play.
    ///
    /// # Errors
    /// A folder can't be read or holds another run, or a game in it is invalid.
    pub fn wait(&mut self, before: u64, matches: &[Match], waiting: &mut dyn FnMut(Shard)) -> Result<()> {
        for number in 0..self.shards.len() {
            while !self.has_played(number, before, matches)? {
                waiting(self.shards[number].shard);
                thread::sleep(PAUSE);
            }
        }
        Ok(())
    }

    /// Whether the folder of `shards[number]` holds this run. It may be a shorter or a longer one, because each shard is
    /// extended on its own.
    ///
    /// # Errors
    /// The folder holds another run.
    fn has_begun(&self, number: usize) -> Result<bool> {
        let Sibling { shard, folder, is_known, .. } = &self.shards[number];
        if *is_known || !folder.join(HEADER).exists() {
            return Ok(*is_known);
        }
        let there = Header::read(folder)?;
        let mut mine = Header { shard: *shard, ..self.header.clone() };
        let extends = |long: &Header, short: &Header| -> Result<bool> {
            Ok(long.kind == short.kind && kinds::schedule(long)?.extends(&short.arguments)?.is_some())
        };
        let is_shorter = extends(&mine, &there)
            .with_context(|| format!("{}: these arguments can't extend its run", folder.display()))?;
        if is_shorter || extends(&there, &mine).unwrap_or(false) {
            mine.arguments = there.arguments.clone();
        }
        match there.difference(&mine) {
            // Builds are compared when the shards are merged.
            None | Some(Difference::Engine(_)) => Ok(folder.join(GAMES).exists()),
            Some(difference) => Err(mine.refusal(&there, &difference, folder)),
        }
    }

    /// Whether all shards have played all their games of `matches`, a round that follows `before` other matches.
    ///
    /// # Errors
    /// The same as for [`wait`](Self::wait).
    pub fn have_played(&mut self, before: u64, matches: &[Match]) -> Result<bool> {
        (0..self.shards.len())
            .try_fold(true, |all, number| Ok(all && self.has_played(number, before, matches)?))
    }

    /// The counts of `matches`, a round that follows `before` other matches. All its games must have been played.
    ///
    /// # Errors
    /// A game is missing or invalid.
    pub fn counts(&mut self, before: u64, matches: &[Match]) -> Result<Vec<Count>> {
        for number in 0..self.shards.len() {
            let is_complete = self.has_played(number, before, matches)?;
            let Sibling { shard, folder, .. } = &self.shards[number];
            ensure!(
                is_complete,
                "{}: shard {shard} lacks games of match {}, from which later matches follow",
                folder.display(),
                before + 1
            );
        }
        (before + 1..).zip(matches).map(|(number, one)| self.count(number, one)).collect()
    }

    /// The count of match `number`.
    fn count(&self, number: u64, one: &Match) -> Result<Count> {
        let mut counter = Counter::new(&one.settings, 0..one.settings.pairs);
        for sibling in &self.shards {
            for game in sibling.shard.games(one.settings.pairs) {
                counter.add(sibling.games.figures((number, game), one)?.clone());
            }
        }
        Ok(counter.into_count())
    }

    /// Whether `shards[number]` has played all its games of `matches`, which follow `before` other matches.
    fn has_played(&mut self, number: usize, before: u64, matches: &[Match]) -> Result<bool> {
        if !self.has_begun(number)? {
            return Ok(false);
        }
        let Sibling { shard, folder, games, is_known } = &mut self.shards[number];
        *is_known = true;
        games.update()?;
        let mut numbered = (before + 1..).zip(matches);
        let played = |(number, one): (u64, &Match)| -> Result<bool> {
            let games =
                games.of_match(number, one, *shard).with_context(|| format!("in {}", folder.display()))?;
            Ok(games.len() as u64 == shard.count_games(one.settings.pairs))
        };
        numbered.try_fold(true, |all, one| Ok(all && played(one)?))
    }
}
