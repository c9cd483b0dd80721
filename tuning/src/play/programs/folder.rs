//! The folders in which programs run. If a referee was killed, the next one removes its folders.

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

/// The names of temporary folders begin with this.
const PREFIX: &str = "halma-lab-";

/// A folder younger than this may not have been locked yet by the process that made it.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder in which a program runs.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// A temporary folder with a name that can't be guessed. A program with a user of its own can't change
    /// it.
    place: TempDir,
    /// Locks the temporary folder while it is in use.
    _lock: File,
}

impl Folder {
    /// A new folder that is removed when dropped. If this process is killed, the next one to make such a
    /// folder removes it.
    pub fn temporary() -> Result<Folder> {
        static REMOVE: Once = Once::new();
        REMOVE.call_once(|| remove_abandoned(&env::temp_dir()));
        let make = || -> io::Result<Folder> {
            let place = Builder::new().prefix(PREFIX).tempdir()?;
            let path = place.path().join("folder");
            let lock = File::open(place.path())?;
            flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
            fs::create_dir(&path)?;
            Ok(Folder { path, place, _lock: lock })
        };
        make().context("can't make a temporary folder")
    }

    /// The folder at `path`, which is created if necessary and not removed.
    pub fn kept(path: &Path) -> Result<Folder> {
        fs::create_dir_all(path).with_context(|| format!("can't make {}", path.display()))?;
        Ok(Folder { path: path.canonicalize()?, ..Folder::temporary()? })
    }

    /// The folder in which the program runs.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A folder for files that the program may use but not change.
    pub(super) fn place(&self) -> &Path {
        self.place.path()
    }

    /// Makes `user` the owner of the folder, and lets the user pass through the folder above. Other users can't read a
    /// temporary folder.
    pub(super) fn hand_to(&self, user: &User) -> Result<()> {
        fs::set_permissions(self.place.path(), Permissions::from_mode(0o711))?;
        if self.path.starts_with(self.place.path()) {
            fs::set_permissions(&self.path, Permissions::from_mode(0o700))?;
        }
        user.take_folder(&self.path)
    }
}

/// Removes the temporary folders in `within` that no process uses any more. Those that can't be removed
/// belong to other users.
fn remove_abandoned(within: &Path) {
    let is_ours = |entry: &DirEntry| {
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
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
    fn only_abandoned_folders_are_removed() {
        let within = tempfile::tempdir().expect("a folder");
        let folder = |name: &str, age: Duration| {
            let path = within.path().join(name);
            fs::create_dir_all(path.join("folder")).expect("a folder");
            fs::write(path.join("folder/playdata.txt"), "").expect("a file");
            let folder = File::open(&path).expect("an existing folder");
            folder.set_modified(SystemTime::now() - age).expect("our own folder");
            (path, folder)
        };
        let (abandoned, _) = folder("halma-lab-a", 2 * YOUNG);
        let (young, _) = folder("halma-lab-b", Duration::ZERO);
        let (used, lock) = folder("halma-lab-c", 2 * YOUNG);
        let (other, _) = folder("other", 2 * YOUNG);
        flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("an unlocked folder");
        remove_abandoned(within.path());
        assert!(!abandoned.exists());
        assert!(young.exists() && used.exists() && other.exists());
    }
}
