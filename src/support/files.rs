//! Reads files with a size limit and replaces them atomically, in a folder that other processes may be using.

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The number of hexadecimal digits in the name of a temporary file.
const DIGITS: usize = 16;

/// The number of names to try for a temporary file. They are random, so the first one is almost always free.
const MAX_NAMES: usize = 8;

/// The maximum number of folder entries searched for abandoned temporary files.
const MAX_ENTRIES: usize = 1000;

/// Reads the file at `path`, up to `limit` bytes. To detect a file that is too large, pass one byte more than allowed.
///
/// # Errors
/// The file can't be read, or is not a regular file: reading a pipe could block forever. The error names the file and
/// keeps the [`io::ErrorKind`].
pub fn read_at_most(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open_regular(OpenOptions::new().read(true), path)
        .and_then(|file| file.take(limit as u64).read_to_end(&mut bytes));
    read.map_err(|error| in_context("can't read", path, &error))?;
    Ok(bytes)
}

/// Opens the regular file at `path` with `options`, without blocking.
///
/// # Errors
/// The file can't be opened, or is not a regular file: a pipe would block its reader, and a device may never end.
pub fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok(file)
}

/// Replaces the contents of the file at `path` atomically.
///
/// The contents go to a temporary file in the same folder, which is then renamed, so a reader never sees half a file. If
/// anything fails, the old file stays and the temporary file is removed. Temporary files that killed processes left
/// behind are removed too. The data are not flushed to the disk: that would only protect against a loss of power, and
/// would take time in a game.
///
/// If no file can be created or renamed in the folder, but the old file is a writable regular file, it is overwritten,
/// which is not atomic.
///
/// # Errors
/// The file can't be written. The error names the file and keeps the [`io::ErrorKind`].
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let written = replace_atomically(path, contents).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::ResourceBusy => {
            // If the old file can't be opened either, report the first error.
            let old = open_regular(OpenOptions::new().write(true), path).map_err(|_| error);
            old.and_then(|file| overwrite(file, contents))
        }
        _ => Err(error),
    });
    written.map_err(|error| in_context("can't write", path, &error))
}

/// Appends all of `bytes` to `file`, or nothing.
///
/// # Errors
/// The file can't be written, for example because the disk is full, or because of the process's file size limit, which
/// would kill the process if it were exceeded.
pub fn append(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let length = file.metadata()?.len();
    if length.saturating_add(bytes.len() as u64) > max_file_size() {
        return Err(Errno::FBIG.into());
    }
    file.write_all(bytes).inspect_err(|_| {
        // So that nothing is ever appended to half of these bytes. The first error is the one to report.
        let _ = file.set_len(length);
    })
}

/// The file size limit of this process.
fn max_file_size() -> u64 {
    getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX)
}

fn replace_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    if contents.len() as u64 > max_file_size() {
        return Err(Errno::FBIG.into());
    }
    let (aside, mut file) = temporary(path)?;
    let replaced = file.write_all(contents).and_then(|()| fs::rename(&aside, path));
    if replaced.is_err() {
        // An error here is ignored: the first error is reported.
        let _ = fs::remove_file(&aside);
    }
    replaced
}

/// Creates a temporary file beside `path`. It stays locked while it is open, which shows that its process is alive.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let random = RandomState::new();
    remove_abandoned(path, &name);
    let mut result = Err(ErrorKind::AlreadyExists.into());
    for attempt in 0..MAX_NAMES {
        let aside = path.with_file_name(format!(".{name}.{:0DIGITS$x}.tmp", random.hash_one(attempt)));
        match OpenOptions::new().write(true).create_new(true).open(&aside) {
            // Another process may have removed it as abandoned before it was locked.
            Ok(file) => {
                match (flock(&file, FlockOperation::NonBlockingLockExclusive), file.metadata()?.nlink()) {
                    (Err(Errno::WOULDBLOCK), _) | (_, 0) => {}
                    // The file is locked, or its file system has no locks.
                    _ => return Ok((aside, file)),
                }
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    result
}

/// Removes the unlocked temporary files for `name` in the folder of `path`, whose processes were killed. Files that can't
/// be removed stay.
fn remove_abandoned(path: &Path, name: &str) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.take(MAX_ENTRIES).flatten() {
        if !is_temporary(&entry.file_name().to_string_lossy(), name) {
            continue;
        }
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
        let Ok(file) = OpenOptions::new().write(true).custom_flags(flags).open(entry.path()) else {
            continue;
        };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether `entry` is the name of a temporary file for `name`.
fn is_temporary(entry: &str, name: &str) -> bool {
    let digits = entry.strip_prefix('.').and_then(|rest| rest.strip_prefix(name)?.strip_prefix('.'));
    digits
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn overwrite(mut file: File, contents: &[u8]) -> io::Result<()> {
    file.write_all(contents)?;
    file.set_len(contents.len() as u64)
}

fn in_context(problem: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{problem} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn replacing_leaves_no_other_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("output.txt");
        for contents in ["a long first text", "short", ""] {
            replace(&path, contents.as_bytes()).expect("written");
            assert_eq!(read_at_most(&path, 100).expect("read"), contents.as_bytes());
        }
        assert_eq!(names(folder.path()), ["output.txt"]);
    }

    #[test]
    fn a_failure_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).expect("a folder in the way");
        let error = replace(&taken, b"text").expect_err("a folder can't be replaced");
        assert!(error.to_string().contains("taken"), "{error}");
        assert_eq!(names(folder.path()), ["taken"]);
        let nowhere = folder.path().join("nowhere").join("file");
        let error = replace(&nowhere, b"text").expect_err("there is no such folder");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_path_without_a_folder_or_a_name_is_an_error() {
        assert!(replace(Path::new(""), b"text").is_err());
        assert!(replace(Path::new("/"), b"text").is_err());
        assert!(read_at_most(Path::new(""), 1).is_err());
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("input.txt");
        replace(&path, &[b'x'; 1000]).expect("written");
        assert_eq!(read_at_most(&path, 100).expect("read").len(), 100);
        assert_eq!(read_at_most(&path, 2000).expect("read").len(), 1000);
        let error = read_at_most(&folder.path().join("absent"), 1).expect_err("no such file");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().contains("absent"));
    }
}
