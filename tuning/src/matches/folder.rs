//! What is in the folder of a match, and how it is read.
//!
//! - `match.json`: the [`Header`]; there whole or not at all.
//! - `games.jsonl`: one line for each game that has ended, in the order in which they ended. Who is
//!   killed while writing leaves a last line without an end, which is not counted.
//! - `result.json`: the result, once the match or the shard has ended.

use super::engine::Engine;
use super::record::{Contestant, GameRecord};
use super::settings::Settings;
use super::shard::Shard;
use crate::files::read_json;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The file with the [`Header`].
pub const HEADER: &str = "match.json";
/// The file with the games.
pub const GAMES: &str = "games.jsonl";
/// The file with the result.
pub const RESULT: &str = "result.json";

/// What a folder holds: which match, which part of it, played by which engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The arguments of the match.
    #[serde(flatten)]
    pub settings: Settings,
    /// The part of it whose games are here; not written if it is the whole.
    #[serde(default, skip_serializing_if = "Shard::is_whole")]
    pub shard: Shard,
    /// The engine that plays.
    pub engine: Engine,
}

/// A match as it was found on disk: its header, and its games by number.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What the folder holds.
    pub header: Header,
    /// The games that have ended.
    pub games: BTreeMap<u64, GameRecord>,
}

impl Recorded {
    /// Reads the match in `folder` and changes nothing there; a run may be at work in it.
    ///
    /// # Errors
    /// There is no match, or one of its files can't be read or is broken.
    pub fn read(folder: &Path) -> Result<Recorded> {
        let header: Header = read_json(&folder.join(HEADER))?;
        let path = folder.join(GAMES);
        let bytes = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
        let (games, _) = parse_games(&bytes, &header.settings, header.shard)
            .with_context(|| format!("in {}", path.display()))?;
        Ok(Recorded { header, games })
    }
}

/// The games of `shard` in the bytes of a file, and how many of the bytes are whole lines.
///
/// # Errors
/// Which line is broken, does not belong there, or is a game that was there before.
pub(super) fn parse_games(
    bytes: &[u8],
    settings: &Settings,
    shard: Shard,
) -> Result<(BTreeMap<u64, GameRecord>, usize)> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut records = BTreeMap::new();
    for (number, line) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let record: GameRecord =
            serde_json::from_slice(line).with_context(|| format!("line {number} is broken"))?;
        let game = record.game;
        let expected = (settings.game_seed(game), Contestant::black_in(game));
        let belongs = game < settings.games() && (record.seed, record.black) == expected;
        ensure!(belongs, "line {number} is no game of this match");
        ensure!(shard.contains(game / 2), "line {number}, game {game}, is not of shard {shard}");
        ensure!(records.insert(game, record).is_none(), "line {number}: game {game} is there twice");
    }
    Ok((records, whole))
}
