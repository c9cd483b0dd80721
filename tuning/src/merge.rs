//! The shards of a run put together in one folder.
//!
//! A run is a match or a tree of folders with matches. A shard of it has the same tree, and says in
//! each file what part it is; so runs of any kind are merged by merging their matches one by one.
//! What then is missing, tables and plots, is what the unsharded run leaves if it finds all games
//! in its folder: it plays nothing and writes its result.

use crate::matches::parts::{check_same, check_shards};
use crate::matches::{Shard, merge as merge_match};
use crate::runs::Run;
use anyhow::{Context, Result};
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
