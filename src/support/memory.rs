//! How much memory this process may still take.
//!
//! Memory that is promised and not there kills a process when it is touched, so a search has to ask before. There are
//! three bounds, and the least counts: what the machine has left, the limits of the process, and those of the control
//! groups that it is in, as containers and batch systems set them. What can't be read is no bound. On systems without
//! `/proc` only the process's own limits are known.

use rustix::process::{Resource, getrlimit};
use std::fs;
use std::path::Path;

/// The bytes that this process may still take; `None` if nothing bounds them.
pub fn left() -> Option<usize> {
    let root = Path::new("/");
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let within = |resource, taken| {
        let most = getrlimit(resource).current?;
        Some(most.saturating_sub(kibibytes(&status, taken).unwrap_or(0)))
    };
    let limits = [within(Resource::As, "VmSize:"), within(Resource::Data, "VmData:")];
    let least = limits.into_iter().flatten().chain(left_in(root)).min()?;
    Some(usize::try_from(least).unwrap_or(usize::MAX))
}

/// The bytes that the machine whose files are at `root`, and this process's control groups, have left.
fn left_in(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).unwrap_or_default();
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    // A line is `number:controllers:path`; version 2 has no controllers.
    let groups = groups.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let version = match controllers {
            "" => &VERSION_2,
            _ => controllers.split(',').any(|name| name == "memory").then_some(&VERSION_1)?,
        };
        left_in_groups(&root.join(version.folder), Path::new(path.trim_start_matches('/')), version)
    });
    groups.chain(kibibytes(&machine, "MemAvailable:")).min()
}

/// Where a version of control groups has what.
struct Version {
    folder: &'static str,
    most: &'static str,
    taken: &'static str,
    /// What of that is a copy of files, which the system drops when it needs the memory.
    cached: &'static str,
}

const VERSION_1: Version = Version {
    folder: "sys/fs/cgroup/memory",
    most: "memory.limit_in_bytes",
    taken: "memory.usage_in_bytes",
    cached: "total_inactive_file",
};

const VERSION_2: Version =
    Version { folder: "sys/fs/cgroup", most: "memory.max", taken: "memory.current", cached: "inactive_file" };

/// What the group at `path` below `folder` and those around it have left.
fn left_in_groups(folder: &Path, path: &Path, version: &Version) -> Option<u64> {
    let left = |group: &Path| {
        let number =
            |name| fs::read_to_string(folder.join(group).join(name)).ok()?.trim().parse::<u64>().ok();
        // The word `max` is no number, and no bound.
        let most = number(version.most)?;
        let statistics = fs::read_to_string(folder.join(group).join("memory.stat")).unwrap_or_default();
        let cached = value(&statistics, version.cached).unwrap_or(0);
        Some(most.saturating_sub(number(version.taken)?.saturating_sub(cached)))
    };
    path.ancestors().filter_map(left).min()
}

/// The bytes in a line like `MemAvailable:   22853340 kB`.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    value(text, name)?.checked_mul(1024)
}

/// The number after `name` at the beginning of a line.
fn value(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine's files.
    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            fs::write(path, text).expect("written");
        }
        root
    }

    #[test]
    fn the_least_bound_counts() {
        let available = ("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:   5000 kB\n");
        let left = |files: &[(&str, &str)]| left_in(machine(files).path());
        assert_eq!(left(&[]), None);
        assert_eq!(left(&[available]), Some(5000 << 10));
        let mut files = vec![
            available,
            ("proc/self/cgroup", "3:cpuset:/job\n4:hugetlb,memory:/job/step\n0::/slice/job\n"),
            ("sys/fs/cgroup/slice/job/memory.max", "max\n"),
            ("sys/fs/cgroup/slice/job/memory.current", "1000\n"),
            ("sys/fs/cgroup/slice/memory.max", "4000000\n"),
            ("sys/fs/cgroup/slice/memory.current", "3000000\n"),
            ("sys/fs/cgroup/slice/memory.stat", "anon 9\nactive_file 8\ninactive_file 500000\n"),
        ];
        assert_eq!(left(&files), Some(1_500_000));
        files.push(("sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "100000\n"));
        assert_eq!(left(&files), Some(1_500_000), "what is taken is not known");
        files.push(("sys/fs/cgroup/memory/job/step/memory.usage_in_bytes", "99000\n"));
        assert_eq!(left(&files), Some(1000));
        files.push(("sys/fs/cgroup/memory/memory.limit_in_bytes", "100\n"));
        files.push(("sys/fs/cgroup/memory/memory.usage_in_bytes", "101\n"));
        assert_eq!(left(&files), Some(0), "in a container the group is at the top");
    }

    #[test]
    fn nonsense_is_no_bound() {
        let files = [
            ("proc/meminfo", "MemAvailable: lots kB\nMemAvailable:\n"),
            ("proc/self/cgroup", "\n:\n::\n0::/../..\nx:memory:\n"),
            ("sys/fs/cgroup/memory.max", "-1\n"),
        ];
        assert_eq!(left_in(machine(&files).path()), None);
    }

    #[test]
    fn this_process_may_take_some_memory() {
        assert!(left().is_none_or(|bytes| bytes > 1 << 20));
    }
}
