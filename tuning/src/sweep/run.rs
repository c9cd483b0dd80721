//! Plays a sweep, match by match, in a folder that survives being killed.
//!
//! `sweep.json` holds the sweep; `cells/` a folder for each match, of the shape that `lab match`
//! leaves, so that a run that is started again plays only the games that are not there. A shard
//! of a sweep plays the same shard of each of its matches.

use super::plan::{Match, Sweep};
use super::result::Cell;
use crate::files::{Differs, keep_json, make_folder};
use crate::matches::{self, Recorded, Shard, Store, Summary};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

/// The file with the [`Header`].
pub const HEADER: &str = "sweep.json";
/// The folder with a folder for each match.
pub const CELLS: &str = "cells";

/// What a folder holds: which sweep, and which part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The sweep.
    #[serde(flatten)]
    pub sweep: Sweep,
    /// The part of each match whose games are here; not written if it is the whole.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
}

impl Header {
    /// Reads what the sweep in `folder` is.
    ///
    /// # Errors
    /// The file can't be read or is broken.
    pub fn read(folder: &Path) -> Result<Header> {
        let path = folder.join(HEADER);
        let bytes = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        serde_json::from_slice(&bytes).with_context(|| format!("{} is broken", path.display()))
    }
}

/// How far a sweep has come.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Games that have ended, in all matches up to this one.
    pub games: u64,
    /// The match that is being played.
    pub current: &'a Match,
    /// Its number, from 1.
    pub number: usize,
    /// Its result so far.
    pub summary: &'a Summary,
    /// Whether it has ended.
    pub ended: bool,
}

/// The folder of a sweep, in which no other run is at work as long as this value lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    header: Header,
    _lock: File,
}

impl Folder {
    /// Opens the folder at `path` for the part `shard` of `sweep`, making it if need be.
    ///
    /// # Errors
    /// It can't be read or written, is in use by another run, or holds another sweep or shard.
    pub fn open(path: &Path, sweep: &Sweep, shard: Shard) -> Result<Folder> {
        make_folder(path)?;
        let lock = path.join("lock");
        let file = OpenOptions::new().create(true).append(true).open(&lock);
        let file = file.with_context(|| format!("can't write {}", lock.display()))?;
        let locked = rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
        ensure!(locked.is_ok(), "another run is at work in {}", path.display());
        let header = Header { sweep: sweep.clone(), shard };
        keep_json(&path.join(HEADER), &header).map_err(|error| {
            if error.downcast_ref::<Differs>().is_none() {
                return error;
            }
            error.context(format!("{} holds another sweep or shard; use another folder", path.display()))
        })?;
        make_folder(&path.join(CELLS))?;
        Ok(Folder { path: path.to_path_buf(), header, _lock: file })
    }

    /// Plays what is not there yet, on `jobs` threads, and tells `watch` of each game.
    ///
    /// # Errors
    /// A game can't be stored, or an agent panicked.
    pub fn play(&self, jobs: usize, watch: &mut dyn FnMut(&Progress<'_>)) -> Result<()> {
        let Header { sweep, shard } = &self.header;
        let mut games_before = 0;
        for (number, current) in (1..).zip(&sweep.matches()) {
            let settings = &current.settings;
            let (mut store, records) = Store::open(&self.cell(current), settings, *shard)?;
            let mut tell = |games, summary: &Summary, ended| {
                watch(&Progress { games: games_before + games, current, number, summary, ended });
            };
            let summary = matches::run(settings, *shard, jobs, Some(&mut store), records, &mut |progress| {
                tell(progress.ended, &progress.summary, false);
            })?;
            store.write_result(&summary)?;
            tell(summary.games, &summary, true);
            games_before += shard.games(settings.pairs).count() as u64;
        }
        Ok(())
    }

    /// What each match of the sweep has come to, from the games on disk.
    ///
    /// # Errors
    /// They can't be read, or some are missing.
    pub fn cells(&self) -> Result<Vec<Cell>> {
        let Header { sweep, shard } = &self.header;
        let cell = |one: Match| {
            let folder = self.cell(&one);
            let Recorded { header, games } = Recorded::read(&folder)?;
            ensure!(header.settings == one.settings, "{} holds another match", folder.display());
            let expected = shard.games(one.settings.pairs).count();
            ensure!(games.len() == expected, "{} has {} of {expected} games", folder.display(), games.len());
            Ok(Cell::of(&one, &games))
        };
        sweep.matches().into_iter().map(cell).collect()
    }

    fn cell(&self, one: &Match) -> PathBuf {
        self.path.join(CELLS).join(&one.folder)
    }
}
