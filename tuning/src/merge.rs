//! The shards of a run put together in one folder.
//!
//! A run is a match or a tree of folders with matches. A shard of it has the same tree, and says in
//! each file what part it is; so runs of any kind are merged by merging their matches one by one.
//! What then is missing, tables and plots, is what the unsharded run leaves if it finds all games
//! in its folder: it plays nothing and writes its result.

use crate::files::same_json;
use crate::matches::{Shard, merge as merge_match};
use crate::runs::Run;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Puts the games of the run whose shards are in `folders` together in `out`, and returns what run
/// it is. The caller lets that run write its result.
///
/// # Errors
/// The folders do not hold all shards of one run, each once and complete; `out` holds something else;
/// or a file can't be read or written.
pub fn merge(out: &Path, folders: &[&Path]) -> Result<Run> {
    let runs: Vec<(&Path, Run)> =
        folders.iter().map(|&folder| Ok((folder, Run::read(folder)?))).collect::<Result<_>>()?;
    let shards: Vec<(&Path, Shard)> = runs.iter().map(|(folder, run)| (*folder, run.shard())).collect();
    let wholes: Vec<(&Path, Run)> = runs.into_iter().map(|(folder, run)| (folder, run.whole())).collect();
    check_same(&wholes)?;
    check_shards(&shards)?;
    let (_, run) = wholes.into_iter().next().context("there is nothing to merge")?;
    let parts: Vec<_> = folders.iter().map(|folder| run.matches(folder)).collect();
    for (number, out) in run.matches(out).iter().enumerate() {
        let parts: Vec<&Path> = parts.iter().map(|part| part[number].as_path()).collect();
        merge_match(out, &parts)?;
    }
    Ok(run)
}

/// Whether what was written down in several folders is the same.
///
/// # Errors
/// The first name whose values differ, and in which folders.
pub(crate) fn check_same<T: Serialize>(headers: &[(&Path, T)]) -> Result<()> {
    let Some(((first, header), rest)) = headers.split_first() else { return Ok(()) };
    let object = serde_json::from_value(serde_json::to_value(header)?)?;
    for (folder, header) in rest {
        same_json(first, &object, header).map_err(|differs| {
            let (before, now) = differs.values();
            let (first, other) = (first.display(), folder.display());
            anyhow!(
                "these are not shards of one run: '{}' is {before} in {first} and {now} in {other}",
                differs.key
            )
        })?;
    }
    Ok(())
}

/// Whether these are all shards of something, each once.
///
/// # Errors
/// Which one is missing, or there twice, or of another division.
pub(crate) fn check_shards(shards: &[(&Path, Shard)]) -> Result<()> {
    let Some(&(first, Shard { count, .. })) = shards.first() else { bail!("there is nothing to merge") };
    let mut found: BTreeMap<Shard, &Path> = BTreeMap::new();
    for &(folder, shard) in shards {
        let (first, here) = (first.display(), folder.display());
        ensure!(shard.count == count, "{here} is shard {shard}, but {first} is one of {count}");
        if let Some(other) = found.insert(shard, folder) {
            bail!("shard {shard} is there twice: in {} and in {here}", other.display());
        }
    }
    let all = (1..=count).filter_map(|index| Shard::new(index, count));
    let missing = all.filter(|shard| !found.contains_key(shard)).map(|shard| shard.to_string());
    let missing: Vec<String> = missing.take(10).collect();
    ensure!(missing.is_empty(), "shards are missing: {}", missing.join(", "));
    Ok(())
}
