//! Reading a file with a limit, and replacing one whole.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first `limit` bytes of the file at `path`, or all if it has fewer. To notice a file that is too
/// large, ask for one byte more than it may have.
///
/// # Errors
/// If the file can't be read; the error names it and keeps its [`io::ErrorKind`].
pub fn read_at_most(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit as u64).read_to_end(&mut bytes));
    read.map_err(|error| in_context("can't read", path, &error))?;
    Ok(bytes)
}

/// Makes `contents` the contents of the file at `path`, whole or not at all.
///
/// They go into a new file in the same folder, which then takes the old one's name in one step, so
/// nobody ever sees half a file. If anything fails, the old file is as it was and the new one is removed.
/// The data are not forced to the disk: that would protect against a loss of power only, and a game
/// counts the time it takes.
///
/// # Errors
/// If the file can't be written; the error names it and keeps its [`io::ErrorKind`].
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    // No other process, thread or call uses this name.
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let (process, call) = (process::id(), CALLS.fetch_add(1, Ordering::Relaxed));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = path.with_file_name(format!(".{name}.{process}-{call}.tmp"));
    let replaced = fs::write(&aside, contents).and_then(|()| fs::rename(&aside, path));
    replaced.map_err(|error| {
        // There may be nothing to remove; the first error is the one to tell.
        let _ = fs::remove_file(&aside);
        in_context("can't write", path, &error)
    })
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
