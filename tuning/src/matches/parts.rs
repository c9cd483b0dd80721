//! Whether the folders that are to be merged are the parts of one thing.

use super::shard::Shard;
use crate::files::same_json;
use anyhow::{Result, anyhow, bail, ensure};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

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
