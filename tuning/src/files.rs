//! Files that are there whole or not at all, and the record of what a folder belongs to.

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Replaces the file at `path` by `bytes`: written aside, then renamed, so that whoever is killed
/// or has a full disk leaves the old file as it was.
///
/// # Errors
/// It can't be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let aside = path.with_file_name(name);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&aside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    let cant_write = || format!("can't write {}", path.display());
    write().inspect_err(|_| drop(fs::remove_file(&aside))).with_context(cant_write)
}

/// Replaces the file at `path` by `value` as JSON, indented, with a line break at the end.
///
/// # Errors
/// It can't be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    write_whole(path, text.as_bytes())
}

/// Makes the folder at `path`, and those above it, if they are not there.
///
/// # Errors
/// It can't be made.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("can't make the folder {}", path.display()))
}

/// Keeps other runs out of the folder at `path` for as long as the file returned is open.
///
/// # Errors
/// The folder can't be written, or another run is at work there.
pub fn lock_folder(path: &Path) -> Result<File> {
    let name = path.join("lock");
    let file = OpenOptions::new().create(true).append(true).open(&name);
    let file = file.with_context(|| format!("can't write {}", name.display()))?;
    let locked = rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    ensure!(locked.is_ok(), "another run is at work in {}", path.display());
    Ok(file)
}

/// Reads the JSON file at `path`.
///
/// # Errors
/// It can't be read or is broken.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is broken", path.display()))
}

/// Something is written down differently from what it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Differs {
    /// Where it is written down.
    pub path: PathBuf,
    /// The first name whose value differs.
    pub key: String,
    /// What is written down; nothing, if the name is not there.
    pub before: Option<Value>,
    /// What it is now.
    pub now: Option<Value>,
}

impl Differs {
    /// What is written down, and what it is now, as text.
    pub fn values(&self) -> (String, String) {
        let show = |value: &Option<Value>| value.as_ref().map_or("nothing".to_string(), Value::to_string);
        (show(&self.before), show(&self.now))
    }
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, now) = self.values();
        write!(f, "'{}' was {before} and is {now} now", self.key)
    }
}

impl std::error::Error for Differs {}

/// Writes `value`, which is an object in JSON, to the file at `path` if there is none, or else
/// checks that the file says the same.
///
/// # Errors
/// [`Differs`] as the innermost error if it says something else; otherwise the file can't be read or
/// written, or is broken.
pub fn keep_json(path: &Path, value: &impl Serialize) -> Result<()> {
    if let Err(error) = fs::metadata(path)
        && error.kind() == ErrorKind::NotFound
    {
        return write_json(path, value);
    }
    Ok(same_json(path, &read_json(path)?, value)?)
}

/// Compares `value`, which is an object in JSON, with `before`, which was written down at `path`.
///
/// # Errors
/// The first name whose value differs.
pub fn same_json(path: &Path, before: &Map<String, Value>, value: &impl Serialize) -> Result<(), Differs> {
    let value = serde_json::to_value(value).unwrap_or_default();
    let empty = Map::new();
    let now = value.as_object().unwrap_or(&empty);
    let different = now.keys().chain(before.keys()).find(|&key| before.get(key) != now.get(key));
    different.map_or(Ok(()), |key| {
        let (before, now) = (before.get(key).cloned(), now.get(key).cloned());
        Err(Differs { path: path.to_path_buf(), key: key.clone(), before, now })
    })
}
