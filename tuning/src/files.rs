//! Folders, and JSON in files.

use anyhow::{Context, Result};
use halma::homework::files::replace;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;

/// Replaces the file at `path` by `value` as JSON, indented, with a line break at the end.
///
/// # Errors
/// It can't be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    Ok(replace(path, format!("{}\n", serde_json::to_string_pretty(value)?).as_bytes())?)
}

/// Reads the JSON file at `path`.
///
/// # Errors
/// It can't be read or is broken.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is broken", path.display()))
}

/// Makes the folder at `path`, and those above it, if they are not there.
///
/// # Errors
/// It can't be made.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("can't make the folder {}", path.display()))
}
