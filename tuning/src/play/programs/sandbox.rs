//! What a program may use besides time, by limits that the system keeps and children inherit.

use super::processes::pids_of_machine;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt;
use std::{fs, io};

/// What a program and all that it starts may use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// MiB of memory.
    pub memory: u64,
    /// MiB of one file.
    pub file_size: u64,
    /// Processes and threads at the same time.
    pub processes: u64,
}

impl Default for ResourceLimits {
    fn default() -> ResourceLimits {
        ResourceLimits { memory: 4096, file_size: 256, processes: 1000 }
    }
}

impl ResourceLimits {
    pub(super) fn memory_bytes(&self) -> u64 {
        self.memory << 20
    }

    /// Sets the limits of this process, for the children that it will start as `user`.
    ///
    /// The system's limit on memory is for each process: that for all of a program's is for whoever watches it. It is
    /// the limit on data and not on addresses, of which some languages' machines reserve many times what they use.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn apply(&self, user: Option<u32>) -> io::Result<()> {
        // The system counts all that a user runs. Where that is a person, too, who needs some room, this is only what
        // saves the machine until somebody looks at how many processes the program has.
        let processes = match user {
            Some(_) => self.processes,
            None => threads_of_this_user() + 2 * self.processes,
        };
        lower(Resource::RLIMIT_DATA, self.memory_bytes())?;
        lower(Resource::RLIMIT_FSIZE, self.file_size << 20)?;
        lower(Resource::RLIMIT_NPROC, processes)?;
        lower(Resource::RLIMIT_CORE, 0)
    }
}

/// Lowers a limit of this process for good, if it is not lower anyway.
fn lower(resource: Resource, limit: u64) -> io::Result<()> {
    let (soft, hard) = getrlimit(resource)?;
    Ok(setrlimit(resource, limit.min(soft), limit.min(hard))?)
}

/// How many threads the user of this process runs, as far as that can be seen.
fn threads_of_this_user() -> u64 {
    let user = geteuid().as_raw();
    let threads = |pid| {
        let entry = fs::metadata(format!("/proc/{pid}/task")).ok()?;
        // A folder for each, and the folder's two names.
        (entry.uid() == user).then(|| entry.nlink().saturating_sub(2))
    };
    pids_of_machine().filter_map(threads).sum()
}
