//! Plays a tournament, match by match.

use super::standings::Standings;
use super::{Pairing, Tournament};
use crate::files::{Differs, keep_json, lock_folder, make_folder, read_json, write_json};
use crate::matches::{self, Shard, Store, Summary, folder};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The file with the [`Header`].
pub const HEADER: &str = "tournament.json";
/// The folder with a folder for each match.
pub const PAIRINGS: &str = "pairings";

/// What a folder holds: which tournament, and which part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The tournament.
    #[serde(flatten)]
    pub tournament: Tournament,
    /// The part of each match whose games are here; not written if it is the whole.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
}

impl Header {
    /// Reads what the tournament in `folder` is.
    ///
    /// # Errors
    /// The file can't be read or is broken.
    pub fn read(folder: &Path) -> Result<Header> {
        read_json(&folder.join(HEADER))
    }
}

/// How far a tournament has come.
#[derive(Debug)]
pub struct Progress<'a> {
    /// Games that have ended, in all matches up to this one.
    pub games: u64,
    /// The match that is being played.
    pub current: &'a Pairing,
    /// Its result so far.
    pub summary: &'a Summary,
    /// Whether it has ended.
    pub ended: bool,
}

/// Plays the part `shard` of `tournament` to its end, on `jobs` threads, tells `watch` of each game,
/// and writes games and result into `folder`, if there is one. Games that are there already are not
/// played again. The result is that of this part.
///
/// # Errors
/// The folder can't be read or written, is in use by another run, or holds something else; or an
/// agent panicked.
pub fn run(
    tournament: &Tournament,
    shard: Shard,
    jobs: usize,
    folder: Option<&Path>,
    watch: &mut dyn FnMut(&Progress<'_>),
) -> Result<Standings> {
    let _lock = folder.map(|folder| open(folder, tournament, shard)).transpose()?;
    let mut results = Vec::new();
    let mut games_before = 0;
    for pairing in tournament.pairings() {
        let watch_one = &mut |games, summary: &Summary, ended| {
            watch(&Progress { games: games_before + games, current: &pairing, summary, ended });
        };
        let summary = play(&pairing, shard, jobs, folder, watch_one)?;
        games_before += summary.games;
        results.push((pairing.players, summary));
    }
    let standings = Standings::of(&tournament.agents, results);
    if let Some(path) = folder {
        write_json(&path.join(folder::RESULT), &standings)?;
    }
    Ok(standings)
}

/// Makes the folder that of this part of the tournament, and keeps others out.
fn open(folder: &Path, tournament: &Tournament, shard: Shard) -> Result<std::fs::File> {
    make_folder(folder)?;
    let lock = lock_folder(folder)?;
    let header = Header { tournament: tournament.clone(), shard };
    keep_json(&folder.join(HEADER), &header).map_err(|error| {
        let what = match error.downcast_ref() {
            Some(Differs { key, .. }) if key == "shard" => "another shard of the tournament",
            Some(_) => "a tournament with other arguments",
            None => return error,
        };
        error.context(format!("{} holds {what}; use another folder", folder.display()))
    })?;
    Ok(lock)
}

/// Plays one match.
fn play(
    pairing: &Pairing,
    shard: Shard,
    jobs: usize,
    folder: Option<&Path>,
    watch: &mut dyn FnMut(u64, &Summary, bool),
) -> Result<Summary> {
    let settings = &pairing.settings;
    let (mut store, records) = match folder {
        Some(folder) => {
            let path = folder.join(PAIRINGS).join(pairing.folder());
            let (store, records) = Store::open(&path, settings, shard)?;
            (Some(store), records)
        }
        None => (None, BTreeMap::new()),
    };
    let summary = matches::run(settings, shard, jobs, store.as_mut(), records, &mut |progress| {
        watch(progress.ended, &progress.summary, false);
    })?;
    if let Some(store) = &store {
        store.write_result(&summary)?;
    }
    watch(summary.games, &summary, true);
    Ok(summary)
}
