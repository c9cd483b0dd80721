//! The kinds of runs by name.

use super::header::Header;
use super::schedule::Schedule;
use super::sweep::Sweep;
use super::tournament::Tournament;
use super::tune::Tune;
use crate::play::matches::Settings;
use anyhow::{Result, bail};
use serde::de::DeserializeOwned;

/// The schedule of the run with this header.
pub(super) fn schedule(header: &Header) -> Result<Box<dyn Schedule>> {
    fn read<T: Schedule + DeserializeOwned + 'static>(header: &Header) -> Result<Box<dyn Schedule>> {
        Ok(Box::new(header.arguments_as::<T>()?))
    }
    let read = match header.kind.as_str() {
        "match" => read::<Settings>,
        "tournament" => read::<Tournament>,
        "sweep" => read::<Sweep>,
        "tune" => read::<Tune>,
        other => bail!("unknown kind of run '{other}'"),
    };
    read(header)
}
