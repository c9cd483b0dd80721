//! A match on disk: a folder that survives being killed at any moment.
//!
//! `match.json` holds the settings, and is there whole or not at all; `games.jsonl` one line for
//! each game that has ended, in the order in which they ended. A line is written in one piece when
//! its game ends. Killed in the middle of that, it leaves a last line without an end, which the
//! next run drops.

use super::record::{Contestant, GameRecord};
use super::settings::Settings;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const SETTINGS: &str = "match.json";
const GAMES: &str = "games.jsonl";
const RESULT: &str = "result.json";

/// The folder of one match, open for as long as this value lives.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    games: File,
}

impl Store {
    /// Opens `folder` for the match with `settings`, making it if need be, and reads the games
    /// that are already there, by number.
    ///
    /// # Errors
    /// The folder can't be read or written, is in use by another run, or holds another match.
    pub fn open(folder: &Path, settings: &Settings) -> Result<(Store, BTreeMap<u64, GameRecord>)> {
        fs::create_dir_all(folder).with_context(|| format!("can't make the folder {}", folder.display()))?;
        let path = folder.join(GAMES);
        let games = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .with_context(|| format!("can't write {}", path.display()))?;
        let lock = rustix::fs::flock(&games, rustix::fs::FlockOperation::NonBlockingLockExclusive);
        ensure!(lock.is_ok(), "another run is at work in {}", folder.display());
        let mut store = Store { folder: folder.to_path_buf(), games };
        store.keep_settings(settings)?;
        let records = store.read_games(settings).with_context(|| format!("in {}", path.display()))?;
        Ok((store, records))
    }

    /// Writes down a game that has ended.
    ///
    /// # Errors
    /// It can't be written: the disk may be full. The games before it are safe.
    pub fn append(&mut self, record: &GameRecord) -> Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        self.games
            .write_all(line.as_bytes())
            .with_context(|| format!("can't write {}", self.folder.join(GAMES).display()))
    }

    /// Writes down the result of the match.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write_result(&self, result: &impl serde::Serialize) -> Result<()> {
        write_whole(&self.folder.join(RESULT), &serde_json::to_string_pretty(result)?)
    }

    /// Writes the settings down, or checks that they are those of the match that is there.
    fn keep_settings(&self, settings: &Settings) -> Result<()> {
        let path = self.folder.join(SETTINGS);
        let text = serde_json::to_string_pretty(settings)?;
        match fs::read_to_string(&path) {
            Ok(there) => same_settings(&there, &text).with_context(|| {
                format!("{} holds a match with other arguments; use another folder", self.folder.display())
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => write_whole(&path, &text),
            Err(error) => Err(error).with_context(|| format!("can't read {}", path.display())),
        }
    }

    /// Reads all games, and cuts off a last line that is broken.
    fn read_games(&mut self, settings: &Settings) -> Result<BTreeMap<u64, GameRecord>> {
        let mut bytes = Vec::new();
        self.games.seek(SeekFrom::Start(0))?;
        self.games.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            self.games.set_len(whole as u64)?;
        }
        let mut records = BTreeMap::new();
        let lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        for (number, line) in lines.enumerate() {
            let record: GameRecord =
                serde_json::from_slice(line).with_context(|| format!("line {} is broken", number + 1))?;
            let expected = (settings.game_seed(record.game), Contestant::black_in(record.game));
            let belongs = record.game < settings.games() && (record.seed, record.black) == expected;
            ensure!(belongs, "line {} is no game of this match", number + 1);
            records.insert(record.game, record);
        }
        Ok(records)
    }
}

/// Compares settings as they were written down, and names the first that differs.
fn same_settings(there: &str, here: &str) -> Result<()> {
    let there: Value = serde_json::from_str(there).context("match.json is broken")?;
    let here: Value = serde_json::from_str(here)?;
    let (Value::Object(there), Value::Object(here)) = (&there, &here) else {
        bail!("match.json is broken");
    };
    for key in here.keys().chain(there.keys()) {
        let (before, now) = (there.get(key), here.get(key));
        if before != now {
            let show = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
            bail!("'{key}' was {} and is {} now", show(before), show(now));
        }
    }
    Ok(())
}

/// Writes a file so that it is there whole or not at all: aside, then renamed.
fn write_whole(path: &Path, text: &str) -> Result<()> {
    let aside = path.with_extension("json.part");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&aside)?;
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    write().with_context(|| format!("can't write {}", path.display()))
}
