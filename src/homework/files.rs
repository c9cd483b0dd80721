//! Reading a file with a limit, and replacing one whole, in a folder in which others may be at work.

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Hexadecimal digits in the name of a temporary file.
const DIGITS: usize = 16;

/// How many names are tried for a temporary file. They are random, so the second one is hardly ever needed.
const NAMES: usize = 8;

/// How many entries of a folder are looked at for what dead processes left: a folder may have very many.
const ENTRIES: usize = 1000;

/// The first `limit` bytes of the file at `path`, or all if it has fewer. To notice a file that is too
/// large, ask for one byte more than it may have.
///
/// # Errors
/// If the file can't be read or is no plain file: nobody may have to wait for a pipe that nobody writes to. The error
/// names the file and keeps its [`io::ErrorKind`].
pub fn read_at_most(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open_plain(OpenOptions::new().read(true), path)
        .and_then(|file| file.take(limit as u64).read_to_end(&mut bytes));
    read.map_err(|error| in_context("can't read", path, &error))?;
    Ok(bytes)
}

/// Opens the plain file at `path`, and waits for nobody.
fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is no plain file"));
    }
    Ok(file)
}

/// Makes `contents` the contents of the file at `path`, whole or not at all.
///
/// They go into a new file in the same folder, which then takes the old one's name in one step, so
/// nobody ever sees half a file. If anything fails, the old file is as it was and the new one is removed.
/// What processes that were killed left of such files is removed too.
/// The data are not forced to the disk: that would protect against a loss of power only, and a game
/// counts the time it takes.
///
/// Where no file can be made or renamed, but the old one is a plain file that may be written, it is written over: that
/// is not one step.
///
/// # Errors
/// If the file can't be written; the error names it and keeps its [`io::ErrorKind`].
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let replaced = replace_in_one_step(path, contents);
    let written = replaced.or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::ResourceBusy => {
            // If that can't be opened either, the first error is the one to tell.
            let plain = open_plain(OpenOptions::new().write(true), path).map_err(|_| error);
            plain.and_then(|file| write_over(file, contents))
        }
        _ => Err(error),
    });
    written.map_err(|error| in_context("can't write", path, &error))
}

/// Appends `bytes` to `file`. Where a limit on the size of files leaves no room for all of them, some are there and it is
/// an error, as on a full disk; the system would kill this process for trying.
///
/// # Errors
/// If the file can't be written.
pub fn append(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let room = longest_file().saturating_sub(file.metadata()?.len());
    let fitting = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
    file.write_all(&bytes[..fitting])?;
    if fitting < bytes.len() { Err(Errno::FBIG.into()) } else { Ok(()) }
}

/// How long the files may be that this process writes.
fn longest_file() -> u64 {
    getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX)
}

fn replace_in_one_step(path: &Path, contents: &[u8]) -> io::Result<()> {
    if contents.len() as u64 > longest_file() {
        return Err(Errno::FBIG.into());
    }
    let (aside, mut file) = temporary(path)?;
    let replaced = file.write_all(contents).and_then(|()| fs::rename(&aside, path));
    if replaced.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&aside);
    }
    replaced
}

/// A new file beside `path`, locked as long as it is open: so others know that its process lives.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let random = RandomState::new();
    remove_what_the_dead_left(path, &name);
    let mut result = Err(ErrorKind::AlreadyExists.into());
    for attempt in 0..NAMES {
        let aside = path.with_file_name(format!(".{name}.{:0DIGITS$x}.tmp", random.hash_one(attempt)));
        match OpenOptions::new().write(true).create_new(true).open(&aside) {
            // Who looked for what the dead left may have removed it before it was locked.
            Ok(file) => {
                match (flock(&file, FlockOperation::NonBlockingLockExclusive), file.metadata()?.nlink()) {
                    // Some file systems have no locks.
                    (Err(Errno::WOULDBLOCK), _) | (_, 0) => {}
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

/// Removes the temporary files for `name` in the folder of `path` whose processes were killed: nobody has locked them.
/// What can't be removed stays.
fn remove_what_the_dead_left(path: &Path, name: &str) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.take(ENTRIES).flatten() {
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

/// Writes `contents` over what is in `file`.
fn write_over(mut file: File, contents: &[u8]) -> io::Result<()> {
    file.write_all(contents)?;
    file.set_len(contents.len() as u64)
}

fn in_context(what: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what} {}: {error}", path.display()))
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
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("output.txt");
        for contents in ["a long first text", "short", ""] {
            replace(&path, contents.as_bytes()).expect("written");
            assert_eq!(read_at_most(&path, 100).expect("read"), contents.as_bytes());
        }
        assert_eq!(names(folder.path()), ["output.txt"]);
    }

    #[test]
    fn a_failure_leaves_things_as_they_were() {
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
    fn a_path_without_a_folder_or_a_name_is_no_panic() {
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
