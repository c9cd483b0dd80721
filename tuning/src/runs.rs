//! Which kind of run a folder holds, and where in it the matches are.

use crate::files::read_json;
use crate::matches::{self, Shard, folder};
use crate::{sweep, tournament};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A run, as its folder says what it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Run {
    /// A match, in the folder itself.
    Match(matches::Header),
    /// A tournament, its matches in folders below.
    Tournament(tournament::Header),
    /// A sweep, its matches in folders below.
    Sweep(sweep::Header),
}

impl Run {
    /// Reads what run is in `folder`.
    ///
    /// # Errors
    /// There is none, or its file can't be read or is broken.
    pub fn read(folder: &Path) -> Result<Run> {
        let has = |name: &str| folder.join(name).exists();
        if has(folder::HEADER) {
            return Ok(Run::Match(read_json(&folder.join(folder::HEADER))?));
        }
        if has(tournament::HEADER) {
            return Ok(Run::Tournament(tournament::Header::read(folder)?));
        }
        if has(sweep::HEADER) {
            return Ok(Run::Sweep(sweep::Header::read(folder)?));
        }
        let names = [folder::HEADER, tournament::HEADER, sweep::HEADER].join(", ");
        bail!("{} holds no run: there is none of {names}", folder.display())
    }

    /// The part of the run that is there.
    pub fn shard(&self) -> Shard {
        match self {
            Run::Match(header) => header.shard,
            Run::Tournament(header) => header.shard,
            Run::Sweep(header) => header.shard,
        }
    }

    /// The same run as a whole.
    pub fn whole(self) -> Run {
        let shard = Shard::WHOLE;
        match self {
            Run::Match(header) => Run::Match(matches::Header { shard, ..header }),
            Run::Tournament(header) => Run::Tournament(tournament::Header { shard, ..header }),
            Run::Sweep(header) => Run::Sweep(sweep::Header { shard, ..header }),
        }
    }

    /// The folders of its matches, where its own is `folder`.
    pub fn matches(&self, folder: &Path) -> Vec<PathBuf> {
        match self {
            Run::Match(_) => vec![folder.to_path_buf()],
            Run::Tournament(header) => {
                let all = folder.join(tournament::PAIRINGS);
                header.tournament.pairings().iter().map(|pairing| all.join(pairing.folder())).collect()
            }
            Run::Sweep(header) => {
                header.sweep.matches().iter().map(|one| folder.join(one.folder())).collect()
            }
        }
    }
}
