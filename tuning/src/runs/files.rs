//! Folders, JSON in files, and large files that are replaced whole.

use anyhow::{Context, Result, ensure};
use halma::homework::files::replace;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

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

/// A file that takes the place of another one when it is complete, for what may be more than memory holds. If it is
/// dropped before, the other one is as it was.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Replacement {
    /// An empty file, to be that at `path`.
    ///
    /// # Errors
    /// It can't be made, or what is at `path` is no plain file: a device, say, that shall not be replaced.
    pub fn of(path: &Path) -> Result<Replacement> {
        let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file());
        ensure!(!is_other, "can't write {}: it is no plain file", path.display());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // What the user's mask leaves of it, as for any other file.
        let file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder);
        let file = file.with_context(|| format!("can't write {}", path.display()))?;
        Ok(Replacement { path: path.to_path_buf(), file: BufWriter::new(file) })
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// It can't be written; then the old one is as it was.
    pub fn take_its_place(self) -> Result<()> {
        let Replacement { path, file } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let placed = file.and_then(|file| file.persist(&path).map_err(|error| error.error));
        placed.map(drop).with_context(|| format!("can't write {}", path.display()))
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
