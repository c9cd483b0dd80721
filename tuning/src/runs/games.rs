//! `games.jsonl`: the games of a run on disk.

use super::folder::{GAMES, HEADER, RENUMBERED, RESULT};
use super::header::{Builds, Header};
use super::planned::PlannedRun;
use super::schedule::Match;
use super::session::Session;
use super::shard::Shard;
use crate::play::matches::GameFigures;
use crate::play::record::{Contestant, GameRecord, from_line};
use crate::runs::files::{FileVersion, make_folder, open, read_line, remove, write_json};
use anyhow::{Context, Result, anyhow, bail, ensure};
use halma::support::files::{append, open_regular};
use memchr::memmem;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The number of a game's match, from 1, and the game's number in that match, from 0.
pub(super) type GamePlace = (u64, u64);

/// An index of the games in a file. Games are read one by one, because they may not all fit into memory, and the file
/// is not kept open, because there may be many shards.
#[derive(Debug)]
pub(super) struct Games {
    path: PathBuf,
    lines: BTreeMap<GamePlace, GameLine>,
    /// The offset after the last complete line.
    end: u64,
    /// The version of the file when it was last read.
    version: Option<FileVersion>,
}

/// The games of a run whose folder is locked for as long as this value lives.
#[derive(Debug)]
pub(super) struct OwnGames {
    /// The games found in the folder.
    pub games: Games,
    file: File,
    /// The session to record when the first game is added, and the folder of the header.
    new_session: Option<(PathBuf, Session)>,
}

/// The location of a game in the file, and the fields that must match the run.
#[derive(Debug)]
struct GameLine {
    number: usize,
    start: u64,
    length: usize,
    /// The length up to [`SEARCHES`].
    brief: Option<usize>,
    head: Head,
    /// The figures that its match needs, once they have been read.
    figures: OnceLock<Box<GameFigures>>,
}

/// The start of the fields about a game's searches, which come last in its line.
const SEARCHES: &[u8] = b",\"candidates\":[";

/// The field after those of [`Head`].
const AFTER_HEAD: &[u8] = b",\"winner\":";

/// The first fields of a line.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Head {
    #[serde(rename = "match")]
    match_number: u64,
    game: u64,
    seed: u64,
    black: Contestant,
}

impl Games {
    /// An index of the games in `folder` from which no game has been read yet. A run may still be playing there.
    pub fn unread(folder: &Path) -> Games {
        Games { path: folder.join(GAMES), lines: BTreeMap::new(), end: 0, version: None }
    }

    /// Reads the lines that were appended since the last call, or the whole file if it was replaced, shortened or
    /// changed otherwise. Returns whether there was anything to read.
    pub fn update(&mut self) -> Result<bool> {
        let file = open(&self.path)?;
        let context = || self.path.display().to_string();
        let version = FileVersion::of(&file).with_context(context)?;
        if self.version.as_ref() == Some(&version) {
            return Ok(false);
        }
        let is_continued = self.version.as_ref().is_some_and(|before| version.may_continue(before));
        if !is_continued || !self.ends_as_before(&file) {
            (self.lines, self.end) = (BTreeMap::new(), 0);
        }
        // If this fails, the next call resumes at the invalid line.
        self.version = Some(version.up_to(self.end));
        self.scan(&file)?;
        self.version = Some(version);
        Ok(true)
    }

    /// Whether the last game that was read is still at the same offset in `file`.
    fn ends_as_before(&self, file: &File) -> bool {
        let Some(last) = self.lines.values().max_by_key(|line| line.start) else { return true };
        let mut bytes = vec![0; last.length];
        file.read_exact_at(&mut bytes, last.start).is_ok()
            && bytes.ends_with(b"\n")
            && head(&bytes).is_ok_and(|head| head == last.head)
    }

    /// Adds the games in `file` from `self.end` on.
    fn scan(&mut self, file: &File) -> Result<()> {
        let mut file = file;
        file.seek(SeekFrom::Start(self.end)).with_context(|| self.path.display().to_string())?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut bytes = Vec::new();
        for number in self.lines.len() + 1.. {
            let context = || format!("{}: line {number} is broken", self.path.display());
            let length = read_line(&mut reader, &mut bytes).with_context(context)?;
            if !bytes.ends_with(b"\n") {
                break;
            }
            let head = head(&bytes).with_context(context)?;
            let (place, game) = ((head.match_number, head.game), head.game);
            ensure!(
                !self.lines.contains_key(&place),
                "{}: line {number}: game {game} appears twice",
                self.path.display()
            );
            let brief = memmem::find(&bytes, SEARCHES);
            let line = GameLine { number, start: self.end, length, brief, head, figures: OnceLock::new() };
            self.lines.insert(place, line);
            self.end += length as u64;
        }
        Ok(())
    }

    /// The numbers of the games of match `number`, in order. Fails if a game does not fit the settings of `one` or is
    /// not part of `shard`.
    pub fn of_match(&self, number: u64, one: &Match, shard: Shard) -> Result<Vec<u64>> {
        let lines = self.lines.range((number, 0)..(number + 1, 0));
        let check = |(&(_, game), line): (&GamePlace, &GameLine)| {
            let (settings, line_number) = (&one.settings, line.number);
            let right = (settings.game_seed(game), Contestant::black_in(game));
            if game >= settings.games() || (line.head.seed, line.head.black) != right {
                return Err(self.not_of_run(line));
            }
            let ours = shard.contains(game / 2);
            ensure!(
                ours,
                "{}: line {line_number}: game {game} is not part of shard {shard}",
                self.path.display()
            );
            Ok(game)
        };
        lines.map(check).collect()
    }

    /// Whether there are games of matches after match `number`.
    pub fn go_beyond(&self, number: u64) -> bool {
        self.lines.last_key_value().is_some_and(|(place, _)| place.0 > number)
    }

    /// Checks that all games belong to matches 1 to `number`.
    pub fn check_within(&self, number: u64) -> Result<()> {
        let outside = self.lines.iter().find(|(place, _)| !(1..=number).contains(&place.0));
        outside.map_or(Ok(()), |(_, line)| Err(self.not_of_run(line)))
    }

    fn not_of_run(&self, line: &GameLine) -> anyhow::Error {
        anyhow!("{}: line {}: not a game of this run", self.path.display(), line.number)
    }

    /// The match and game numbers of all games, in order.
    pub fn places(&self) -> impl Iterator<Item = GamePlace> {
        self.lines.keys().copied()
    }

    /// The line of the game at `place` with its line break; `None` if the file does not contain it.
    pub fn line(&self, place: GamePlace) -> Result<Option<Vec<u8>>> {
        self.lines.get(&place).map(|line| self.bytes(line.start, line.length)).transpose()
    }

    fn bytes(&self, start: u64, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let read = open(&self.path)?.read_exact_at(&mut bytes, start);
        read.with_context(|| format!("can't read {}", self.path.display()))?;
        Ok(bytes)
    }

    /// The game at `place`, which belongs to the match `one`.
    ///
    /// Recorded games are checked whenever they are read: see [`GameRecord::check`].
    pub fn read(&self, place: GamePlace, one: &Match) -> Result<GameRecord> {
        let line = self.at(place)?;
        let bytes = self.bytes(line.start, line.length)?;
        self.checked(line, one, || from_line(&bytes))
    }

    /// The figures that the match `one` needs from its game at `place`. They are read once, without the
    /// game's searches, which make up most of a line, and then kept.
    pub fn figures(&self, place: GamePlace, one: &Match) -> Result<&GameFigures> {
        let line = self.at(place)?;
        if let Some(figures) = line.figures.get() {
            return Ok(figures);
        }
        // In a line that another program wrote, the searches may not be the last fields.
        let brief = line.brief.and_then(|length| self.brief(line, length, one).ok());
        let record = brief.map_or_else(|| self.read(place, one), Ok)?;
        Ok(line.figures.get_or_init(|| Box::new(GameFigures::of(&record, &one.settings))))
    }

    /// The game in the first `length` bytes of `line`, without searches.
    fn brief(&self, line: &GameLine, length: usize, one: &Match) -> Result<GameRecord> {
        let bytes = [&self.bytes(line.start, length)?, SEARCHES, b"]}"].concat();
        self.checked(line, one, || {
            let record: GameRecord = serde_json::from_slice(&bytes)?;
            Ok(GameRecord { candidates: vec![Vec::new(); record.plays.len()], ..record })
        })
    }

    fn at(&self, place: GamePlace) -> Result<&GameLine> {
        self.lines.get(&place).with_context(|| format!("game {place:?} is missing"))
    }

    /// The game that `parse` finds in `line`, checked.
    fn checked(
        &self,
        line: &GameLine,
        one: &Match,
        parse: impl FnOnce() -> Result<GameRecord>,
    ) -> Result<GameRecord> {
        let read = || {
            let (record, settings) = (parse()?, &one.settings);
            let rules = Contestant::BOTH.map(|which| settings.rules(which));
            record.check(rules, Some(settings.terms.max_plies)).map(|()| record)
        };
        read().with_context(|| format!("{}: line {} is broken", self.path.display(), line.number))
    }
}

impl OwnGames {
    /// Locks `folder` for `run`, writes or checks its `header`, and drops an incomplete last line. A shorter run in the
    /// folder is extended.
    ///
    /// # Errors
    /// The folder can't be read or written, is in use, or holds anything but this run or a shorter one.
    pub fn claim(folder: &Path, header: &Header, run: &PlannedRun, builds: Builds) -> Result<OwnGames> {
        make_folder(folder)?;
        let path = folder.join(GAMES);
        let is_filled = |file: &Path| fs::metadata(file).is_ok_and(|found| found.len() > 0);
        ensure!(
            !(is_filled(&path) || is_filled(&folder.join(RESULT))) || folder.join(HEADER).exists(),
            "{} has games or a result but no {HEADER} to describe them; use another folder",
            folder.display()
        );
        let mut file = lock(&path)?;
        if let Some(renumbered) = finish_renumbering(folder)? {
            file = renumbered;
        }
        if let Some((mut longer, extension)) = header.keep(folder, builds, run)? {
            remove(&folder.join(RESULT))?;
            if !extension.keeps_numbers() {
                let wrong = || path.display().to_string();
                extension.write_renumbered(&file, &folder.join(RENUMBERED)).with_context(wrong)?;
                longer.renumbering = true;
            }
            write_json(&folder.join(HEADER), &longer)?;
            if let Some(renumbered) = finish_renumbering(folder)? {
                file = renumbered;
            }
        }
        let mut games = Games::unread(folder);
        games.scan(&file)?;
        if file.metadata()?.len() > games.end {
            file.set_len(games.end)?;
        }
        let new_session = header.new_session(&Header::read(folder)?);
        let new_session = new_session.map(|session| (folder.to_path_buf(), session));
        Ok(OwnGames { games, file, new_session })
    }

    /// Stores a game.
    ///
    /// # Errors
    /// The game can't be written, for example because the disk is full. Earlier games are safe.
    pub fn append(&mut self, record: &GameRecord) -> Result<()> {
        if let Some((folder, session)) = self.new_session.take() {
            Header::note_session(&folder, session)?;
        }
        self.append_line(format!("{}\n", serde_json::to_string(record)?).as_bytes())
    }

    /// Stores a game, given as a line of the file.
    pub fn append_line(&mut self, line: &[u8]) -> Result<()> {
        append(&mut self.file, line).with_context(|| format!("can't write {}", self.games.path.display()))
    }
}

/// The first fields of `line`. The rest is skipped: parsing it would take most of the time to read a large file.
fn head(line: &[u8]) -> Result<Head> {
    let length = memmem::find(&line[..line.len().min(256)], AFTER_HEAD);
    let short = length.and_then(|length| serde_json::from_slice(&[&line[..length], b"}"].concat()).ok());
    short.map_or_else(|| from_line(line), Ok)
}

/// Opens the file at `path` and locks it against other runs for as long as it is open.
fn lock(path: &Path) -> Result<File> {
    let cant_write = || format!("can't write {}", path.display());
    loop {
        let file = open_regular(File::options().read(true).append(true).create(true), path);
        let file = file.with_context(cant_write)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => {
                bail!("another run is playing in {}", path.parent().unwrap_or(path).display())
            }
            locked => locked.with_context(|| {
                format!("can't lock {}: a run needs a file system with file locks", path.display())
            })?,
        }
        // Before this lock was taken, another run may have replaced the file with its renumbered games.
        let is_current = fs::metadata(path).with_context(cant_write)?.ino() == file.metadata()?.ino();
        if is_current {
            return Ok(file);
        }
    }
}

/// Finishes an interrupted extension of the run in `folder`, and returns the new file of games if it replaced the old
/// one. Renumbered games are discarded if the header has not been extended yet.
fn finish_renumbering(folder: &Path) -> Result<Option<File>> {
    let (renumbered, path) = (folder.join(RENUMBERED), folder.join(GAMES));
    if !folder.join(HEADER).exists() {
        return Ok(None);
    }
    let mut header = Header::read(folder)?;
    if !header.renumbering {
        remove(&renumbered)?;
        return Ok(None);
    }
    let file = if renumbered.exists() { Some(lock(&renumbered)?) } else { None };
    if file.is_some() {
        fs::rename(&renumbered, &path).with_context(|| format!("can't write {}", path.display()))?;
    }
    header.renumbering = false;
    write_json(&folder.join(HEADER), &header)?;
    Ok(file)
}
