//! As root, the referee gives each program a user of its own, who owns no other processes or files.

use super::descendants::pids_of_machine;
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

/// User ids that no system assigns: systemd's list (systemd.io/UIDS-GIDS) leaves them unused.
const USERS: RangeInclusive<u32> = 60578..=61183;

/// A user, with a group of the same id, for one program.
#[derive(Debug)]
pub struct User {
    id: u32,
    /// A socket name, which only one process on the machine can hold at a time.
    _claim: UnixListener,
}

impl User {
    /// A free user; `None` if this process does not run as root.
    ///
    /// # Errors
    /// All users are taken, or root can't become another user here.
    pub fn claim() -> Result<Option<User>> {
        if !geteuid().is_root() {
            return Ok(None);
        }
        let owner = |pid| Some(fs::metadata(format!("/proc/{pid}")).ok()?.uid());
        let with_processes: Vec<u32> = pids_of_machine().filter_map(owner).collect();
        let claim = |id: u32| {
            let name = SocketAddr::from_abstract_name(format!("halma-lab-user-{id}")).ok()?;
            Some(User { id, _claim: UnixListener::bind_addr(&name).ok()? })
        };
        let Some(user) = USERS.filter(|id| !with_processes.contains(id)).find_map(claim) else {
            bail!("all users from {} to {} are taken: {}", USERS.start(), USERS.end(), INSTEAD);
        };
        user.act(|| ()).with_context(|| format!("can't become user {}: {INSTEAD}", user.id))?;
        Ok(Some(user))
    }

    /// The user's id.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Whether this user may execute the file at `path`.
    pub(super) fn may_run(&self, path: &Path) -> Result<bool> {
        self.act(|| accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS).is_ok())
    }

    /// Makes this user the owner of the folder at `path`.
    pub(super) fn take_folder(&self, path: &Path) -> Result<()> {
        let id = self.id;
        chown(path, Some(id), Some(id))
            .with_context(|| format!("can't give {} to user {id}", path.display()))?;
        let wanted = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
        if self.act(|| accessat(CWD, path, wanted, AtFlags::EACCESS).is_err())? {
            bail!(
                "user {id}, who runs the program, can't reach {}: make the folders above it accessible (chmod o+x), or {INSTEAD}",
                path.display()
            );
        }
        Ok(())
    }

    /// Calls `action` with this user's rights. Only this thread gets them, because other threads play other
    /// games.
    fn act<T>(&self, action: impl FnOnce() -> T) -> Result<T> {
        let become_user = |id| set_thread_res_uid(None, rustix::process::Uid::from_raw(id), None);
        let (groups, group) = (getgroups()?, getegid());
        set_thread_groups(&[])?;
        set_thread_res_gid(None, Gid::from_raw(self.id), None)?;
        become_user(self.id)?;
        let result = action();
        become_user(0)?;
        set_thread_res_gid(None, group, None)?;
        set_thread_groups(&groups)?;
        Ok(result)
    }
}

/// The alternative to giving a program a user of its own, for messages.
pub(super) const INSTEAD: &str =
    "run the programs as the current user with --same-user (user=same in a spec)";

/// Kills all processes of user `id` in one step, so that none can escape. Does nothing unless `id` is one of
/// the users for programs.
pub(super) fn kill_all_of(id: u32) {
    let (user, root) = (Uid::from_raw(id), Uid::from_raw(0));
    if !USERS.contains(&id) || setresuid(user, user, root).is_err() {
        return;
    }
    let became = getresuid().is_ok_and(|now| now.real == user && now.effective == user);
    // The referee runs as root. If this process can't signal the referee, it can signal only the processes of its own
    // user.
    if became && kill(getppid(), None) == Err(Errno::EPERM) {
        // A signal to PID −1 reaches every process that the sender may signal, except the sender.
        let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
    }
    setresuid(root, root, root).expect("the saved user is root");
}
