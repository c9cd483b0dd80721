//! Plays a sweep, match by match, in a folder that survives being killed.
//!
//! `sweep.json` holds the sweep; `cells/` a folder for each match, of the shape that `lab match`
//! leaves, so that a run that is started again plays only the games that are not there. A shard
//! of a sweep plays the same shard of each of its matches.

use super::draw::draw;
use super::plan::{Match, Sweep};
use super::result::{Cell, Outcome};
use crate::files::{claim_folder, read_json, write_json, write_whole};
use crate::matches::{self, Recorded, Shard, Summary, folder};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The file with the [`Header`].
pub const HEADER: &str = "sweep.json";
/// The folder with a folder for each match.
const CELLS: &str = "cells";

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

impl Match {
    /// Its folder, below that of the sweep.
    pub fn folder(&self) -> PathBuf {
        Path::new(CELLS).join(&self.name)
    }
}

impl Header {
    /// Reads what the sweep in `folder` is.
    ///
    /// # Errors
    /// The file can't be read or is broken.
    pub fn read(folder: &Path) -> Result<Header> {
        read_json(&folder.join(HEADER))
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

/// Plays the part `shard` of `sweep` to its end, on `jobs` threads, tells `watch` of each game, and
/// writes games, table, plots and result into `folder`. Games that are there already are not played
/// again. The result is that of this part.
///
/// # Errors
/// The folder can't be read or written, is in use by another run, or holds something else; or an
/// agent panicked.
pub fn run(
    sweep: &Sweep,
    shard: Shard,
    jobs: usize,
    folder: &Path,
    watch: &mut dyn FnMut(&Progress<'_>),
) -> Result<Outcome> {
    let _lock = open(folder, sweep, shard)?;
    let (mut games_before, mut cells) = (0, Vec::new());
    for (number, current) in (1..).zip(&sweep.matches()) {
        let folder = folder.join(current.folder());
        let mut tell = |games, summary: &Summary, ended| {
            watch(&Progress { games: games_before + games, current, number, summary, ended });
        };
        let summary = matches::run(&current.settings, shard, jobs, Some(&folder), &mut |progress| {
            tell(progress.ended, &progress.summary, false);
        })?;
        tell(summary.games, &summary, true);
        cells.push(count(current, shard, &folder)?);
        games_before += shard.games(current.settings.pairs).count() as u64;
    }
    let outcome = Outcome::of(sweep, &cells);
    write_whole(&folder.join("sweep.csv"), &outcome.csv()?)?;
    for (name, svg) in draw(&outcome)? {
        write_whole(&folder.join(name), svg.as_bytes())?;
    }
    write_json(&folder.join(folder::RESULT), &outcome)?;
    Ok(outcome)
}

/// Makes the folder that of this part of the sweep, and keeps others out.
fn open(folder: &Path, sweep: &Sweep, shard: Shard) -> Result<File> {
    let header = Header { sweep: sweep.clone(), shard };
    claim_folder(folder, HEADER, &header, |key| match key {
        "shard" => "another shard of the sweep",
        _ => "another sweep",
    })
}

/// What one match has come to, from its games on disk.
fn count(one: &Match, shard: Shard, folder: &Path) -> Result<Cell> {
    let games = Recorded::read(folder)?.games;
    let expected = shard.games(one.settings.pairs).count();
    ensure!(games.len() == expected, "{} has {} of {expected} games", folder.display(), games.len());
    Ok(Cell::of(one, &games))
}
