//! A match on disk under way: a [folder](super::folder) that survives being killed at any moment.

use super::engine::Engine;
use super::folder::{GAMES, HEADER, Header, RESULT, parse_games};
use super::record::GameRecord;
use super::settings::Settings;
use super::shard::Shard;
use crate::files::{Differs, keep_json, make_folder, write_json};
use anyhow::{Context, Error, Result, ensure};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The folder of one match, or of one shard of it, open for as long as this value lives.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    games: File,
}

impl Store {
    /// Opens `folder` for the part `shard` of the match with `settings`, making it if need be, and
    /// reads the games that are already there, by number.
    ///
    /// # Errors
    /// The folder can't be read or written, is in use by another run, or holds another match, another
    /// shard, or games of an engine that plays differently.
    pub fn open(
        folder: &Path,
        settings: &Settings,
        shard: Shard,
    ) -> Result<(Store, BTreeMap<u64, GameRecord>)> {
        make_folder(folder)?;
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
        store.keep_header(settings, shard)?;
        let records = store.read_games(settings, shard).with_context(|| format!("in {}", path.display()))?;
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
        write_json(&self.folder.join(RESULT), result)
    }

    /// Writes down what the folder holds, or checks that it is what it held before.
    fn keep_header(&self, settings: &Settings, shard: Shard) -> Result<()> {
        let engine = Engine::of_this_build()?.clone();
        let header = Header { settings: settings.clone(), shard, engine };
        keep_json(&self.folder.join(HEADER), &header).map_err(|error| self.explain(error))
    }

    /// Says what to do if the folder holds something else.
    fn explain(&self, error: Error) -> Error {
        let Some(Differs { key, .. }) = error.downcast_ref() else { return error };
        let folder = self.folder.display();
        let message = match key.as_str() {
            "shard" => format!("{folder} holds another shard of the match; each needs a folder of its own"),
            "engine" => format!(
                "the games in {folder} are those of an engine that plays differently; go on with the build \
                 that began it, or use another folder"
            ),
            _ => format!("{folder} holds a match with other arguments; use another folder"),
        };
        error.context(message)
    }

    /// Reads all games, and cuts off a last line that is broken.
    fn read_games(&mut self, settings: &Settings, shard: Shard) -> Result<BTreeMap<u64, GameRecord>> {
        let mut bytes = Vec::new();
        self.games.seek(SeekFrom::Start(0))?;
        self.games.read_to_end(&mut bytes)?;
        let (records, whole) = parse_games(&bytes, settings, shard)?;
        if whole < bytes.len() {
            self.games.set_len(whole as u64)?;
        }
        Ok(records)
    }
}
