//! Puts the shards of a match together.

use super::folder::{GAMES, HEADER, Header, Recorded};
use super::record::GameRecord;
use super::shard::Shard;
use crate::files::{Differs, keep_json, make_folder, write_whole};
use crate::merge::{check_same, check_shards};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;

/// Puts the shards of a match, one in each of `folders`, together in the folder `out`, which becomes
/// that of the whole match, but for its result: the games in the order of their numbers.
///
/// `out` may be there already, if it holds nothing but the same games: merging twice is merging once.
///
/// # Errors
/// The folders do not hold all shards of one match, each once and complete; `out` holds something
/// else; or a file can't be read or written.
pub fn merge(out: &Path, folders: &[&Path]) -> Result<()> {
    let parts: Vec<(&Path, Recorded)> =
        folders.iter().map(|&folder| Ok((folder, Recorded::read(folder)?))).collect::<Result<_>>()?;
    let shards: Vec<(&Path, Shard)> =
        parts.iter().map(|(folder, part)| (*folder, part.header.shard)).collect();
    let whole = |part: &Recorded| Header { shard: Shard::WHOLE, ..part.header.clone() };
    let wholes: Vec<(&Path, Header)> = parts.iter().map(|(folder, part)| (*folder, whole(part))).collect();
    check_same(&wholes)?;
    check_shards(&shards)?;
    let (_, whole) = wholes.into_iter().next().context("there is nothing to merge")?;
    let mut games = BTreeMap::new();
    for (folder, part) in parts {
        check_complete(folder, &part)?;
        games.extend(part.games);
    }
    make_folder(out)?;
    keep_json(&out.join(HEADER), &whole).map_err(|error| match error.downcast_ref::<Differs>() {
        Some(_) => error.context(format!("{} holds another match; merge into another folder", out.display())),
        None => error,
    })?;
    write_games(out, &games)
}

/// Whether all games of a shard have been played.
fn check_complete(folder: &Path, part: &Recorded) -> Result<()> {
    let Header { settings, shard, .. } = &part.header;
    let expected = shard.games(settings.pairs).count();
    let missing = shard.games(settings.pairs).find(|game| !part.games.contains_key(game));
    missing.map_or(Ok(()), |game| {
        let number = part.games.len();
        bail!(
            "shard {shard} in {} has {number} of {expected} games (game {game} is missing): run it again to its end",
            folder.display()
        )
    })
}

/// Writes the games of the whole match, in order.
fn write_games(out: &Path, games: &BTreeMap<u64, GameRecord>) -> Result<()> {
    let path = out.join(GAMES);
    if path.exists() {
        let there = Recorded::read(out)?.games;
        let other = there.iter().find(|(number, game)| games.get(number) != Some(game));
        if let Some((number, _)) = other {
            bail!(
                "{} has a game {number} of its own, which merging would replace; merge into another folder",
                out.display()
            );
        }
    }
    let mut bytes = Vec::new();
    for game in games.values() {
        serde_json::to_writer(&mut bytes, game)?;
        bytes.push(b'\n');
    }
    write_whole(&path, &bytes)
}
