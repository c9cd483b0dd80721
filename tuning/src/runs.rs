//! The kinds of runs, and how one is read from its folder.

use crate::matches::Settings;
use crate::run::{Header, Recorded, Schedule, read_arguments};
use crate::sweep::Sweep;
use crate::tournament::Tournament;
use crate::tune::Tune;
use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use std::path::Path;

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
