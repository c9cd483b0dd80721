//! Which kind of run a folder holds, and where in it the matches are.

use crate::files::read_json;
use crate::matches::{self, Shard, folder};
use crate::tournament;
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
        let names = [folder::HEADER, tournament::HEADER].join(" or ");
        bail!("{} holds no run: there is no {names}", folder.display())
    }

    /// The part of the run that is there.
    pub fn shard(&self) -> Shard {
        match self {
            Run::Match(header) => header.shard,
            Run::Tournament(header) => header.shard,
        }
    }

    /// The same run as a whole.
    pub fn whole(self) -> Run {
        let shard = Shard::WHOLE;
        match self {
            Run::Match(header) => Run::Match(matches::Header { shard, ..header }),
            Run::Tournament(header) => Run::Tournament(tournament::Header { shard, ..header }),
        }
    }

    /// The folders of its matches, below its own.
    pub fn matches(&self) -> Vec<PathBuf> {
        match self {
            Run::Match(_) => vec![PathBuf::new()],
            Run::Tournament(header) => {
                let folder =
                    |pairing: &tournament::Pairing| Path::new(tournament::PAIRINGS).join(pairing.folder());
                header.tournament.pairings().iter().map(folder).collect()
            }
        }
    }
}
