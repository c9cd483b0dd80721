//! Creating folders, reading and removing regular files, and replacing files atomically, however large.

use anyhow::{Context, Result, ensure};
use halma::support::files::{open_regular, read_at_most, replace};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Replaces the file at `path` with `value` as indented JSON and a final line break.
///
/// # Errors
/// The file can't be written.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    Ok(replace(path, format!("{}\n", serde_json::to_string_pretty(value)?).as_bytes())?)
}

/// The maximum size of a file that is read whole, and of a line of a larger file, in bytes.
const MAX_READ: u64 = 256 << 20;

/// Opens the file at `path`, which must be a regular file: a pipe would block its reader, and a device may never end.
///
/// # Errors
/// The file can't be opened or is not a regular file.
pub fn open(path: &Path) -> Result<File> {
    open_regular(File::options().read(true), path).with_context(|| format!("can't read {}", path.display()))
}

/// Reads the regular file at `path`.
///
/// # Errors
/// The file can't be read or is too large.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = read_at_most(path, MAX_READ as usize + 1)?;
    let is_short = bytes.len() as u64 <= MAX_READ;
    ensure!(is_short, "can't read {}: larger than {} MiB", path.display(), MAX_READ >> 20);
    Ok(bytes)
}

/// Reads the next line of `reader`, with its line break, into `line`, and returns its length.
///
/// # Errors
/// The line can't be read or is too long.
pub fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let length = reader.take(MAX_READ).read_until(b'\n', line)?;
    if length as u64 == MAX_READ {
        return Err(io::Error::other(format!("the line is longer than {} MiB", MAX_READ >> 20)));
    }
    Ok(length)
}

/// Identifies the state of a file, so that a change, or another file at its path, is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersion {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl FileVersion {
    /// The version of the open `file`.
    ///
    /// # Errors
    /// The file's metadata can't be read.
    pub fn of(file: &File) -> io::Result<FileVersion> {
        let about = file.metadata()?;
        let modified = (about.mtime(), about.mtime_nsec());
        Ok(FileVersion { device: about.dev(), inode: about.ino(), length: about.len(), modified })
    }

    /// The version of a file of which only the first `length` bytes were read.
    pub(super) fn up_to(self, length: u64) -> FileVersion {
        FileVersion { length, ..self }
    }

    /// Whether this may be the file of version `before`, with lines appended since.
    pub(super) fn may_continue(&self, before: &FileVersion) -> bool {
        (self.device, self.inode) == (before.device, before.inode) && self.length > before.length
    }
}

/// Reads the JSON file at `path`.
///
/// # Errors
/// The file can't be read or is invalid.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = read(path)?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is broken", path.display()))
}

/// Creates the folder at `path` and the folders above it, if they don't exist.
///
/// # Errors
/// The folder can't be created.
pub fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("can't create the folder {}", path.display()))
}

/// Removes the file at `path`, if it exists.
///
/// # Errors
/// The file can't be removed.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("can't remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// A file that replaces another one when it is [committed](Self::commit). Dropping it earlier leaves the other file
/// unchanged.
///
/// It is for contents that may not fit into memory; [`replace`] writes smaller ones.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Replacement {
    /// An empty file that will replace the one at `path`.
    ///
    /// # Errors
    /// The new file can't be created, or `path` is not a regular file: a device, for example, must not be replaced.
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
    /// The new file can't be written; the old one is then unchanged.
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
