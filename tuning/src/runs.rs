//! The kinds of runs, and how one is read from its folder.

use crate::matches::Settings;
use crate::run::{Header, Recorded, Schedule};
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
    fn read<T: Schedule + DeserializeOwned + 'static>(
        header: &Header,
    ) -> serde_json::Result<Box<dyn Schedule>> {
        let arguments = header.arguments.clone().into_iter().collect();
        Ok(Box::new(serde_json::from_value::<T>(serde_json::Value::Object(arguments))?))
    }
    let read = match header.kind.as_str() {
        "match" => read::<Settings>,
        "tournament" => read::<Tournament>,
        "sweep" => read::<Sweep>,
        "tune" => read::<Tune>,
        other => bail!("there is no kind of run called '{other}'"),
    };
    read(header).with_context(|| format!("the arguments of a run of 'lab {}' are broken", header.kind))
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
