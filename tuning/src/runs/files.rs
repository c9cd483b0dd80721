//! Folders, JSON files, and large files that are replaced whole.

use anyhow::{Context, Result, ensure};
use halma::homework::files::replace;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Replaces the file at `path` by `value` as indented JSON with a final line break.
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

/// Creates the folder at `path` and the folders above it, if they don't exist.
///
/// # Errors
/// It can't be created.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("can't create the folder {}", path.display()))
}

/// A file that replaces another one when it is [committed](Self::commit). If it is dropped before, the other file is
/// unchanged.
///
/// For contents that may not fit into memory; [`replace`] writes smaller ones.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Replacement {
    /// An empty file that will replace the one at `path`.
    ///
    /// # Errors
    /// It can't be created, or `path` is not a regular file: a device, for example, must not be replaced.
    pub fn of(path: &Path) -> Result<Replacement> {
        let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file());
        ensure!(!is_other, "can't write {}: not a regular file", path.display());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Temporary files are private by default; this one gets the permissions of any new file.
        let file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder);
        let file = file.with_context(|| format!("can't write {}", path.display()))?;
        Ok(Replacement { path: path.to_path_buf(), file: BufWriter::new(file) })
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// It can't be written; then the old file is unchanged.
    pub fn commit(self) -> Result<()> {
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
