//! The kinds of runs, and how those in a folder or below it are read.

use crate::play::matches::Settings;
use crate::runs::sweep::Sweep;
use crate::runs::tournament::Tournament;
use crate::runs::tune::Tune;
use crate::runs::{GAMES, HEADER, Header, Recorded, Schedule, read_arguments};
use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// How many folders deep runs are searched for.
const MOST_DEPTH: usize = 6;

/// The schedule of the run with this header.
///
/// # Errors
/// There is no such kind of run, or its arguments are broken.
pub fn schedule(header: &Header) -> Result<Box<dyn Schedule>> {
    fn read<T: Schedule + DeserializeOwned + 'static>(header: &Header) -> Result<Box<dyn Schedule>> {
        Ok(Box::new(arguments::<T>(header)?))
    }
    let read = match header.kind.as_str() {
        "match" => read::<Settings>,
        "tournament" => read::<Tournament>,
        "sweep" => read::<Sweep>,
        "tune" => read::<Tune>,
        other => bail!("there is no kind of run called '{other}'"),
    };
    read(header)
}

/// The arguments of the run with this header, which is of the kind `T`.
///
/// # Errors
/// They are broken.
pub fn arguments<T: DeserializeOwned>(header: &Header) -> Result<T> {
    read_arguments(&header.arguments)
        .with_context(|| format!("the arguments of a run of 'lab {}' are broken", header.kind))
}

/// Reads the run in `folder`; a run may be at work there.
///
/// # Errors
/// There is none, or a file can't be read or is broken.
pub fn read(folder: &Path) -> Result<Recorded> {
    let header = Header::read(folder)?;
    let schedule = schedule(&header).with_context(|| format!("in {}", folder.display()))?;
    Recorded::open(folder, header, &*schedule)
}

/// Reads the runs in `folder` and below, in the order of their names. Folders below a run, such as its shards,
/// belong to it.
///
/// # Errors
/// There is none, or a file can't be read or is broken.
pub fn below(folder: &Path) -> Result<Vec<Recorded>> {
    let mut found = Vec::new();
    find(folder, MOST_DEPTH, &mut found)?;
    ensure!(
        !found.is_empty(),
        "no run in {}: expected {HEADER} and {GAMES}, as 'lab match --out' writes them, there or in a folder below",
        folder.display()
    );
    Ok(found)
}

fn find(folder: &Path, depth: usize, found: &mut Vec<Recorded>) -> Result<()> {
    if folder.join(HEADER).is_file() {
        found.push(read(folder)?);
        return Ok(());
    }
    let cant_read = || format!("can't read {}", folder.display());
    let mut below = Vec::new();
    for entry in fs::read_dir(folder).with_context(cant_read)? {
        let entry = entry.with_context(cant_read)?;
        if entry.file_type().with_context(cant_read)?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    if depth > 0 {
        below.iter().try_for_each(|folder| find(folder, depth - 1, found))?;
    }
    Ok(())
}
