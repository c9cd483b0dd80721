//! Control groups (version 2). If this process may make one, the system itself measures and kills everything
//! that runs in it.
//!
//! The cgroup is made below the one that this process is in, so making it needs no more rights than the administrator
//! has delegated (`systemd-run --scope -p Delegate=yes`). It contains only the program and its descendants.

use super::sandbox::ResourceLimits;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io, process, thread, time::Duration};

/// The names of cgroups begin with this, followed by the id of the process that made them.
const PREFIX: &str = "halma-lab-";

/// Held while this process looks up its cgroup or has moved into another one. Other games run on other
/// threads, which must not start processes meanwhile.
pub(super) fn lock_membership() -> MutexGuard<'static, ()> {
    static MEMBERSHIP: Mutex<()> = Mutex::new(());
    MEMBERSHIP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A cgroup that this process has made. Removed when dropped.
#[derive(Debug)]
pub(super) struct OwnCgroup(PathBuf);

impl OwnCgroup {
    /// A new cgroup with these limits, if this process may make one and put processes into it.
    pub fn new(limits: &ResourceLimits) -> Option<OwnCgroup> {
        static GROUPS: AtomicU32 = AtomicU32::new(0);
        let _membership = lock_membership();
        let parent = current_cgroup()?;
        remove_abandoned(&parent);
        let number = GROUPS.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{}-{number}", process::id()));
        fs::create_dir(&path).ok()?;
        let group = OwnCgroup(path);
        let cgroup = Cgroup(&group.0);
        (cgroup.seconds().is_ok() && cgroup.enter().is_ok() && cgroup.leave().is_ok()).then_some(())?;
        // These files exist only if the parent delegates its controllers. The limits on each process apply in any case.
        let bytes = limits.memory_bytes();
        for (file, limit) in [("memory.max", bytes), ("memory.swap.max", 0), ("pids.max", limits.processes)] {
            let _ = fs::write(group.0.join(file), limit.to_string());
        }
        Some(group)
    }

    /// The cgroup's folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnCgroup {
    fn drop(&mut self) {
        // If something still runs in the cgroup, the next referee removes the cgroup.
        let _ = fs::remove_dir(&self.0);
    }
}

/// The folder of the cgroup that this process is in.
fn current_cgroup() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    folder_of_group(&mounts, &groups)
}

/// The folder of the cgroup named in `groups`, the contents of `/proc/self/cgroup`, according to the list of
/// mounts.
fn folder_of_group(mounts: &str, groups: &str) -> Option<PathBuf> {
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        (after.split(' ').next() == Some("cgroup2")).then_some(())?;
        let mut before = before.split(' ').skip(3);
        let (root, mounted) = (before.next()?, before.next()?);
        let below = Path::new(group).strip_prefix(root).ok()?;
        Some(Path::new(mounted).join(below))
    })
}

/// Removes the cgroups of referees that were killed.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker).exists()) {
            // This fails if the cgroup is in use in another namespace, or belongs to another user.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// A cgroup, as seen by the process that starts programs in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cgroup<'a>(pub &'a Path);

impl Cgroup<'_> {
    /// Moves this process into the cgroup, so that the children it starts are in it.
    pub fn enter(self) -> io::Result<()> {
        move_into(self.0)
    }

    /// Moves this process back into the parent cgroup.
    pub fn leave(self) -> io::Result<()> {
        move_into(self.0.parent().unwrap_or(self.0))
    }

    /// CPU seconds, user and system, of everything that ran in the cgroup.
    pub fn seconds(self) -> io::Result<f64> {
        let text = fs::read_to_string(self.0.join("cpu.stat"))?;
        let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec ")?.parse::<u64>().ok());
        micros
            .map(|micros| micros as f64 * 1e-6)
            .ok_or_else(|| io::Error::other("cpu.stat contains no usage_usec"))
    }

    /// Kills everything in the cgroup in one step, if the system can. For older systems, the caller must also kill the
    /// processes one by one.
    pub fn kill(self) {
        let _ = fs::write(self.0.join("cgroup.kill"), "1");
    }
}

/// Moves this process into the cgroup at `path`.
fn move_into(path: &Path) -> io::Result<()> {
    // The system charges time when it switches processes. Sleeping makes it charge the old cgroup for the time before
    // the move.
    thread::sleep(Duration::from_micros(1));
    fs::write(path.join("cgroup.procs"), "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_cgroup_follows_from_the_list_of_mounts() {
        let old = "35 31 0:32 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";
        let pure = format!("{old}41 31 0:38 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n");
        let below = format!("{old}41 31 0:38 /user/one /cg rw - cgroup2 none rw\n");
        for (mounts, groups, expected) in [
            (pure.as_str(), "1:name=systemd:/\n0::/user.slice/x\n", Some("/sys/fs/cgroup/user.slice/x")),
            (&pure, "0::/\n", Some("/sys/fs/cgroup/")),
            (&below, "0::/user/one/two\n", Some("/cg/two")),
            (&below, "0::/elsewhere\n", None),
            (old, "0::/\n", None),
            (&pure, "1:name=systemd:/\n", None),
        ] {
            assert_eq!(folder_of_group(mounts, groups), expected.map(PathBuf::from), "{mounts}{groups}");
        }
    }
}
