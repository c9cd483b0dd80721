//! The memory that this process may still allocate.
//!
//! Linux overcommits: touching memory that is not there kills the process, so a search checks first how much is free. The
//! lowest of three bounds applies: the machine's free memory, the process's resource limits, and the limits of its
//! control groups, which containers and batch systems set. A bound that can't be read is ignored. On systems without
//! `/proc`, only the resource limits are known.

use rustix::process::{Resource, getrlimit};
use std::fs;
use std::path::Path;

/// The bytes that this process may still allocate; `None` if no bound is known.
pub fn left() -> Option<usize> {
    let root = Path::new("/");
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let left = |resource, used| {
        let limit = getrlimit(resource).current?;
        Some(limit.saturating_sub(size_in_bytes(&status, used).unwrap_or(0)))
    };
    let bounds = [left(Resource::As, "VmSize:"), left(Resource::Data, "VmData:")];
    let smallest = bounds.into_iter().flatten().chain(left_in(root)).min()?;
    Some(usize::try_from(smallest).unwrap_or(usize::MAX))
}

/// The bytes left on the machine or in this process's control groups, whichever is less. `root` is the root of the file
/// system.
fn left_in(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo")).unwrap_or_default();
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    // A line is `number:controllers:path`; in cgroup v2, the list of controllers is empty.
    let groups = groups.lines().filter_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let version = match controllers {
            "" => &VERSION_2,
            _ => controllers.split(',').any(|name| name == "memory").then_some(&VERSION_1)?,
        };
        left_in_groups(&root.join(version.folder), Path::new(path.trim_start_matches('/')), version)
    });
    groups.chain(size_in_bytes(&machine, "MemAvailable:")).min()
}

/// The file names of a version of control groups.
struct Version {
    folder: &'static str,
    limit: &'static str,
    used: &'static str,
    /// The field of `memory.stat` for cached files, which count as used but are dropped when memory is short.
    cached: &'static str,
}

const VERSION_1: Version = Version {
    folder: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: "total_inactive_file",
};

const VERSION_2: Version =
    Version { folder: "sys/fs/cgroup", limit: "memory.max", used: "memory.current", cached: "inactive_file" };

/// The fewest bytes left in the cgroup at `path` below `folder` or in any of its ancestors; `None` without a limit.
fn left_in_groups(folder: &Path, path: &Path, version: &Version) -> Option<u64> {
    let left = |group: &Path| {
        let number =
            |name| fs::read_to_string(folder.join(group).join(name)).ok()?.trim().parse::<u64>().ok();
        // Without a limit the file contains `max`.
        let limit = number(version.limit)?;
        let statistics = fs::read_to_string(folder.join(group).join("memory.stat")).unwrap_or_default();
        let cached = value(&statistics, version.cached).unwrap_or(0);
        Some(limit.saturating_sub(number(version.used)?.saturating_sub(cached)))
    };
    path.ancestors().filter_map(left).min()
}

/// The size, in bytes, in the line that begins with the word `name`, such as `MemAvailable:   22853340 kB`.
fn size_in_bytes(text: &str, name: &str) -> Option<u64> {
    value(text, name)?.checked_mul(1024)
}

/// The number in the line that begins with the word `name`.
fn value(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root folder with these files.
    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            fs::write(path, text).expect("a new file");
        }
        root
    }

    #[test]
    fn the_lowest_bound_applies() {
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
        assert_eq!(left(&files), Some(1_500_000), "the memory use is unknown");
        files.push(("sys/fs/cgroup/memory/job/step/memory.usage_in_bytes", "99000\n"));
        assert_eq!(left(&files), Some(1000));
        files.push(("sys/fs/cgroup/memory/memory.limit_in_bytes", "100\n"));
        files.push(("sys/fs/cgroup/memory/memory.usage_in_bytes", "101\n"));
        assert_eq!(left(&files), Some(0), "in a container, the group is at the top");
    }

    #[test]
    fn malformed_files_are_ignored() {
        let files = [
            ("proc/meminfo", "MemAvailable: lots kB\nMemAvailable:\n"),
            ("proc/self/cgroup", "\n:\n::\n0::/../..\nx:memory:\n"),
            ("sys/fs/cgroup/memory.max", "-1\n"),
        ];
        assert_eq!(left_in(machine(&files).path()), None);
    }

    #[test]
    fn this_process_may_take_a_part_of_the_machine() {
        let machine = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        if let Some(total) = size_in_bytes(&machine, "MemTotal:") {
            let left = left().expect("a bound") as u64;
            assert!((1 << 20..total).contains(&left), "{left} of {total} bytes");
        }
    }
}
