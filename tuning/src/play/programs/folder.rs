//! The folders in which programs run, and what is left of those of a referee that was killed.

use super::user::User;
use anyhow::{Context, Result};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, DirEntry, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;
use std::{env, io};
use tempfile::{Builder, TempDir};

/// How temporary folders are called, before some letters drawn at random.
const NAME: &str = "halma-lab-";

/// A folder that is younger may be one that its maker has not locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// Where a program runs.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// A folder with an unguessable name, which the program can't change if it runs as a user of its own.
    place: TempDir,
    /// Keeps that folder locked for as long as it is used.
    _lock: File,
}

impl Folder {
    /// A new folder that is removed at the end; if this process is killed, by the next one that makes such folders.
    ///
    /// # Errors
    /// It can't be made.
    pub fn temporary() -> Result<Folder> {
        static REMOVE: Once = Once::new();
        REMOVE.call_once(|| remove_abandoned(&env::temp_dir()));
        let make = || -> io::Result<Folder> {
            let place = Builder::new().prefix(NAME).tempdir()?;
            let path = place.path().join("folder");
            let lock = File::open(place.path())?;
            flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
            fs::create_dir(&path)?;
            Ok(Folder { path, place, _lock: lock })
        };
        make().context("can't make a temporary folder")
    }

    /// The folder at `path`, made if need be, which is kept.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn kept(path: &Path) -> Result<Folder> {
        fs::create_dir_all(path).with_context(|| format!("can't make {}", path.display()))?;
        Ok(Folder { path: path.canonicalize()?, ..Folder::temporary()? })
    }

    /// Where the program runs.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where other files may be that the program is to use but not to change.
    pub(super) fn place(&self) -> &Path {
        self.place.path()
    }

    /// Makes the folder `user`'s, and lets it pass through what is above.
    pub(super) fn hand_to(&self, user: &User) -> Result<()> {
        fs::set_permissions(self.place.path(), Permissions::from_mode(0o711))?;
        user.take_folder(&self.path)
    }
}

/// Removes the folders in `within` that nobody uses any more. What may not be removed is somebody else's.
fn remove_abandoned(within: &Path) {
    let is_ours = |entry: &DirEntry| {
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(NAME));
        named && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    for entry in fs::read_dir(within).into_iter().flatten().flatten().filter(is_ours) {
        let modified = entry.metadata().and_then(|found| found.modified());
        let is_old = modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > YOUNG));
        let Ok(folder) = File::open(entry.path()) else { continue };
        if is_old && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn what_a_killed_referee_has_left_is_removed_and_nothing_else() {
        let within = tempfile::tempdir().expect("a folder");
        let folder = |name: &str, age: Duration| {
            let path = within.path().join(name);
            fs::create_dir_all(path.join("folder")).expect("a folder");
            fs::write(path.join("folder/playdata.txt"), "").expect("a file");
            let folder = File::open(&path).expect("it is there");
            folder.set_modified(SystemTime::now() - age).expect("it is ours");
            (path, folder)
        };
        let (abandoned, _) = folder("halma-lab-a", 2 * YOUNG);
        let (young, _) = folder("halma-lab-b", Duration::ZERO);
        let (used, lock) = folder("halma-lab-c", 2 * YOUNG);
        let (other, _) = folder("other", 2 * YOUNG);
        flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("nobody else uses it");
        remove_abandoned(within.path());
        assert!(!abandoned.exists());
        assert!(young.exists() && used.exists() && other.exists());
    }
}
