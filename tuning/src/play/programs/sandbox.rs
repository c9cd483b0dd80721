//! Limits on what a program may use besides time. The system enforces most limits, and children inherit them.

use super::descendants::pids_of_machine;
use crate::play::time_control::{positive_number, positive_seconds};
use clap::value_parser;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt;
use std::{fs, io};

/// How a program is confined: options of `lab referee` and `lab grade` and, except for `accounting`, settings of
/// `program(COMMAND)`.
#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub struct Sandbox {
    /// What the program and everything it starts may use.
    #[command(flatten)]
    pub resources: ResourceLimits,
    /// How CPU time is counted [default: cgroup if one can be made, otherwise sampling].
    #[arg(long, value_enum)]
    pub accounting: Option<Accounting>,
    /// Run the programs as the current user even if that is root. By default root gives each program a user
    /// of its own.
    #[arg(long)]
    pub same_user: bool,
    /// Kill a program that exceeds its time by this many CPU seconds.
    #[arg(long, value_name = "S", default_value_t = Sandbox::default().grace, value_parser = positive_seconds)]
    pub grace: f64,
    /// Kill a program, even one that sleeps, once its real time exceeds this many times the sum of its CPU limit and
    /// grace.
    #[arg(long, value_name = "X", default_value_t = Sandbox::default().wall_factor, value_parser = positive_number)]
    pub wall_factor: f64,
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        let resources = ResourceLimits::default();
        Sandbox { resources, accounting: None, same_user: false, grace: 10.0, wall_factor: 4.0 }
    }
}

/// How CPU time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Accounting {
    /// The system counts the time of the cgroup in which the program runs.
    Cgroup,
    /// The system's accounts of ended processes are read, and running processes are sampled.
    Sampling,
}

/// What a program and everything it starts may use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct ResourceLimits {
    /// The maximum memory of a program and everything it starts, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = ResourceLimits::default().memory, value_parser = value_parser!(u64).range(16..1 << 40))]
    pub memory: u64,
    /// The maximum size of each file that a program writes, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = ResourceLimits::default().file_size, value_parser = value_parser!(u64).range(1..1 << 40))]
    pub file_size: u64,
    /// The maximum number of processes and threads that a program may run at the same time.
    #[arg(long, value_name = "N", default_value_t = ResourceLimits::default().processes, value_parser = value_parser!(u64).range(1..1 << 22))]
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

    /// Sets the limits of this process, which the children that it starts as `user` inherit.
    ///
    /// The system limits the memory of each process; the supervisor watches their sum. The limit is on data
    /// and not on address space, because the runtimes of some languages reserve far more addresses than they
    /// use.
    pub(super) fn apply(&self, user: Option<u32>) -> io::Result<()> {
        // The system counts all processes of a user, so if the program shares its user with a person, there must be
        // room for that person's processes. This limit only protects the machine until the supervisor counts the
        // program's own processes.
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

/// Lowers a limit of this process for good, unless it is lower already.
fn lower(resource: Resource, limit: u64) -> io::Result<()> {
    let (soft, hard) = getrlimit(resource)?;
    Ok(setrlimit(resource, limit.min(soft), limit.min(hard))?)
}

/// The number of threads that this process's user runs, as far as this process can see.
fn threads_of_this_user() -> u64 {
    let user = geteuid().as_raw();
    let threads = |pid| {
        let entry = fs::metadata(format!("/proc/{pid}/task")).ok()?;
        // The ".." in each thread's folder is a link. Two more links are the folder's own names.
        (entry.uid() == user).then(|| entry.nlink().saturating_sub(2))
    };
    pids_of_machine().filter_map(threads).sum()
}
