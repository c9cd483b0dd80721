//! `games.jsonl`: the games of a run on disk.

use super::folder::{GAMES, HEADER, RENUMBERED, RESULT};
use super::header::{Builds, Header};
use super::planned::PlannedRun;
use super::schedule::Match;
use super::session::Session;
use super::shard::Shard;
use crate::play::record::{Contestant, GameRecord, from_line};
use crate::runs::files::{make_folder, write_json};
use anyhow::{Context, Result, anyhow, ensure};
use halma::homework::files::append;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The number of a game's match, from 1, and its own number there, from 0.
pub(super) type GamePlace = (u64, u64);

/// An index of the games in a file. Games are read one by one, because they may not all fit into memory, and the file
/// is not kept open, because there may be many shards.
#[derive(Debug)]
pub(super) struct Games {
    path: PathBuf,
    lines: BTreeMap<GamePlace, GameLine>,
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

/// The place of a game in the file, and the fields that must match the run.
#[derive(Debug)]
struct GameLine {
    number: usize,
    start: u64,
    length: usize,
    head: Head,
}

/// The first fields of a line.
#[derive(Debug, Deserialize)]
struct Head {
    #[serde(rename = "match")]
    match_number: u64,
    game: u64,
    seed: u64,
    black: Contestant,
}

impl Games {
    /// Reads the index of the games in `folder`, where a run may be playing.
    pub fn open(folder: &Path) -> Result<Games> {
        let path = folder.join(GAMES);
        let file = File::open(&path).with_context(|| format!("can't read {}", path.display()))?;
        Ok(Games::found_in(path, &file)?.0)
    }

    /// The games in `file`, and the offset after its last complete line.
    fn found_in(path: PathBuf, file: &File) -> Result<(Games, u64)> {
        let mut lines = BTreeMap::new();
        let end = scan(file, &mut lines).with_context(|| path.display().to_string())?;
        Ok((Games { path, lines }, end))
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

    /// Checks that all games are of matches 1 to `number`.
    pub fn check_within(&self, number: u64) -> Result<()> {
        let outside = self.lines.iter().find(|(place, _)| !(1..=number).contains(&place.0));
        outside.map_or(Ok(()), |(_, line)| Err(self.not_of_run(line)))
    }

    fn not_of_run(&self, line: &GameLine) -> anyhow::Error {
        anyhow!("{}: line {}: not a game of this run", self.path.display(), line.number)
    }

    /// The places of all games, in order.
    pub fn places(&self) -> impl Iterator<Item = GamePlace> {
        self.lines.keys().copied()
    }

    /// The line of the game at `place` with its line break; `None` if the file does not contain it.
    pub fn line(&self, place: GamePlace) -> Result<Option<Vec<u8>>> {
        let Some(line) = self.lines.get(&place) else { return Ok(None) };
        let mut bytes = vec![0; line.length];
        let read = File::open(&self.path).and_then(|file| file.read_exact_at(&mut bytes, line.start));
        read.with_context(|| format!("can't read {}", self.path.display()))?;
        Ok(Some(bytes))
    }

    /// The game at `place`, a game of the match `one`.
    ///
    /// This is the only reader of recorded games, and it checks them: see [`GameRecord::check`].
    pub fn read(&self, place: GamePlace, one: &Match) -> Result<GameRecord> {
        let line = self.line(place)?.with_context(|| format!("game {place:?} is missing"))?;
        let read = || {
            let (record, settings): (GameRecord, _) = (from_line(&line)?, &one.settings);
            let rules = Contestant::BOTH.map(|which| settings.rules(which));
            record.check(rules, Some(settings.terms.max_plies)).map(|()| record)
        };
        let number = self.lines.get(&place).map_or(0, |line| line.number);
        read().with_context(|| format!("{}: line {number} is broken", self.path.display()))
    }
}

impl OwnGames {
    /// Locks `folder` for `run`, writes or checks its `header`, and drops an incomplete last line. A shorter run in the
    /// folder is extended.
    ///
    /// # Errors
    /// The folder can't be read or written, is in use by another run, or holds something else.
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
        let (games, end) = Games::found_in(path, &file)?;
        if file.metadata()?.len() > end {
            file.set_len(end)?;
        }
        let new_session = header.new_session(&Header::read(folder)?);
        let new_session = new_session.map(|session| (folder.to_path_buf(), session));
        Ok(OwnGames { games, file, new_session })
    }

    /// Stores a game.
    ///
    /// # Errors
    /// It can't be written, for example on a full disk. Earlier games are safe.
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

/// Opens the file at `path` and locks it against other runs for as long as it is open.
fn lock(path: &Path) -> Result<File> {
    let cant_write = || format!("can't write {}", path.display());
    loop {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.with_context(cant_write)?;
        let lock = rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
        let folder = path.parent().unwrap_or(path);
        ensure!(lock.is_ok(), "another run is playing in {}", folder.display());
        // Before this lock was taken, another run may have replaced the file by its renumbered games.
        let is_current = fs::metadata(path).with_context(cant_write)?.ino() == file.metadata()?.ino();
        if is_current {
            return Ok(file);
        }
    }
}

/// Finishes an interrupted extension of the run in `folder`, and returns the new file of games if it was replaced.
/// Renumbered games are discarded if the header was not extended yet.
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

/// Removes the file at `path`, if it exists.
fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("can't remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Adds the games in `file` to `lines`, and returns the offset after its last complete line.
fn scan(file: &File, lines: &mut BTreeMap<GamePlace, GameLine>) -> Result<u64> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut start) = (Vec::new(), 0);
    for number in 1.. {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        if !bytes.ends_with(b"\n") {
            break;
        }
        let head: Head = from_line(&bytes).with_context(|| format!("line {number} is broken"))?;
        let (place, game) = ((head.match_number, head.game), head.game);
        let twice = lines.insert(place, GameLine { number, start, length, head }).is_some();
        ensure!(!twice, "line {number}: game {game} appears twice");
        start += length as u64;
    }
    Ok(start)
}
