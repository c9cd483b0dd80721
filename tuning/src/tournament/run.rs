//! Plays a tournament, match by match.

use super::standings::Standings;
use super::{Pairing, Tournament};
use crate::files::{claim_folder, read_json, write_json};
use crate::matches::{self, Shard, Summary, folder};
use anyhow::Result;
use serde::{Deserialize, Serialize};
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
        let folder = folder.map(|folder| folder.join(PAIRINGS).join(pairing.folder()));
        let mut tell = |games, summary: &Summary, ended| {
            watch(&Progress { games: games_before + games, current: &pairing, summary, ended });
        };
        let summary = matches::run(&pairing.settings, shard, jobs, folder.as_deref(), &mut |progress| {
            tell(progress.ended, &progress.summary, false);
        })?;
        tell(summary.games, &summary, true);
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
    let header = Header { tournament: tournament.clone(), shard };
    claim_folder(folder, HEADER, &header, |key| match key {
        "shard" => "another shard of the tournament",
        _ => "a tournament with other arguments",
    })
}
