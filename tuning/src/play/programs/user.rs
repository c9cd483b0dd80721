//! As root, each program runs as a user of its own, whose processes and files are nobody else's.

use super::processes::pids_of_machine;
use anyhow::{Context, Result, bail};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, geteuid, getppid, getresuid, setresuid};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::process::{Gid, getegid, getgroups};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::fs;
use std::ops::RangeInclusive;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

/// Users whom no system has: systemd's list of users (systemd.io/UIDS-GIDS) leaves them unused.
const USERS: RangeInclusive<u32> = 60578..=61183;

/// A user, and with it a group of the same number, for the programs of this process alone.
#[derive(Debug)]
pub struct User {
    id: u32,
    /// A name that only one process of the machine can have at a time.
    _claim: UnixListener,
}

impl User {
    /// A user that nobody else has. `None` if this process does not run as root.
    ///
    /// # Errors
    /// If all are taken, or root may not become another user here.
    pub fn claim() -> Result<Option<User>> {
        if !geteuid().is_root() {
            return Ok(None);
        }
        let owner = |pid| Some(fs::metadata(format!("/proc/{pid}")).ok()?.uid());
        let at_work: Vec<u32> = pids_of_machine().filter_map(owner).collect();
        let claim = |id: u32| {
            let name = SocketAddr::from_abstract_name(format!("halma-lab-user-{id}")).ok()?;
            Some(User { id, _claim: UnixListener::bind_addr(&name).ok()? })
        };
        let Some(user) = USERS.filter(|id| !at_work.contains(id)).find_map(claim) else {
            bail!("all users from {} to {} are taken: {}", USERS.start(), USERS.end(), INSTEAD);
        };
        user.act(|| ()).with_context(|| format!("can't become user {}: {INSTEAD}", user.id))?;
        Ok(Some(user))
    }

    /// The user's number.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Whether this user may run the file at `path`.
    ///
    /// # Errors
    /// If this process can't become that user and itself again.
    pub(super) fn may_run(&self, path: &Path) -> Result<bool> {
        self.act(|| accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS).is_ok())
    }

    /// Makes the folder at `path` this user's.
    ///
    /// # Errors
    /// If it can't be, or the user can't reach it.
    pub(super) fn take_folder(&self, path: &Path) -> Result<()> {
        let id = self.id;
        chown(path, Some(id), Some(id))
            .with_context(|| format!("can't give {} to user {id}", path.display()))?;
        let wanted = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
        if self.act(|| accessat(CWD, path, wanted, AtFlags::EACCESS).is_err())? {
            bail!(
                "user {id}, as whom the program runs, can't reach {}: make the folders above it accessible (chmod o+x), or {INSTEAD}",
                path.display()
            );
        }
        Ok(())
    }

    /// Does something with this user's rights. Only this thread has them meanwhile: others play games of their own.
    fn act<T>(&self, what: impl FnOnce() -> T) -> Result<T> {
        let become_user = |id| set_thread_res_uid(None, rustix::process::Uid::from_raw(id), None);
        let (groups, group) = (getgroups()?, getegid());
        set_thread_groups(&[])?;
        set_thread_res_gid(None, Gid::from_raw(self.id), None)?;
        become_user(self.id)?;
        let done = what();
        become_user(0)?;
        set_thread_res_gid(None, group, None)?;
        set_thread_groups(&groups)?;
        Ok(done)
    }
}

/// What to do where there are no such users.
pub(super) const INSTEAD: &str =
    "run the programs as the user that you are with --same-user (in a spec, user=same)";

/// Kills all processes of user `id`, in one step, so that none can flee. The user must be one of those that are only
/// for programs.
pub(super) fn kill_all_of(id: u32) {
    let (user, root) = (Uid::from_raw(id), Uid::from_raw(0));
    if !USERS.contains(&id) || setresuid(user, user, root).is_err() {
        return;
    }
    let became = getresuid().is_ok_and(|now| now.real == user && now.effective == user);
    // The referee is root's. Whoever may not signal it may signal nobody but that user's processes.
    if became && kill(getppid(), None) == Err(Errno::EPERM) {
        // All processes that this one may signal, but for itself.
        let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
    }
    setresuid(root, root, root).expect("root may become root again");
}
