//! Warnings about unreliable times on this machine, and pinning threads to its cores.

use super::session::load;
use crate::bench::speed;
use anyhow::{Context, Result, ensure};
use halma::support::clock::ThreadClock;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::fs;
use std::thread::available_parallelism;

/// A warning is given if the times of the same work differ by more than this factor.
const MAX_SPREAD: f64 = 1.25;

/// A warning is given if the load and the run's own threads together exceed the number of cores by more than this.
const MAX_LOAD: f64 = 0.5;

/// Reasons why times on this machine are unreliable when `jobs` threads use it: more threads than cores, a high load, a
/// clock that jitters. Looking for them takes about a hundredth of a second.
pub fn warnings(jobs: usize) -> Vec<String> {
    let mine = available_parallelism().map_or(1, usize::from);
    let all = fs::read_to_string("/proc/stat").map_or(mine, |stat| count_cores(&stat).max(mine));
    let mut found = Vec::new();
    found.extend(crowded(jobs, mine));
    found.extend(loaded(jobs, load().unwrap_or(0.0), all));
    found.extend(jittering(speed::spread(&ThreadClock, speed::fixed_work)));
    found
}

fn crowded(jobs: usize, cores: usize) -> Option<String> {
    (jobs > cores).then(|| {
        format!("{jobs} games at a time share {cores} cores, so they disturb each other's times: play {cores} at a time")
    })
}

fn loaded(jobs: usize, load: f64, cores: usize) -> Option<String> {
    (load + jobs as f64 > cores as f64 + MAX_LOAD).then(|| {
        let threads = if jobs == 1 { "thread" } else { "threads" };
        format!(
            "the load of this machine is {load:.2}, so with {jobs} more {threads} on {cores} cores, times are unreliable: \
             wait, or play fewer games at a time"
        )
    })
}

fn jittering([min, max]: [f64; 2]) -> Option<String> {
    (max > MAX_SPREAD * min).then(|| {
        let [min, max] = [min, max].map(|seconds| 1e3 * seconds);
        format!(
            "the clock of this machine jitters: the same work takes {min:.2} to {max:.2} ms of CPU time, so times are \
             unreliable"
        )
    })
}

/// The number of cores in the text of `/proc/stat`.
fn count_cores(stat: &str) -> usize {
    let is_core = |line: &&str| {
        line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))
    };
    stat.lines().filter(is_core).count()
}

/// One core for each of `jobs` threads, chosen from the cores that this process may use. The first `skip` cores are
/// left to other shards of the run on the same machine.
///
/// # Errors
/// There are too few cores, or the system refuses.
pub fn cores(jobs: usize, skip: u64) -> Result<Vec<usize>> {
    let before = sched_getaffinity(None).context("--pin: can't ask the system for this process's cores")?;
    let all: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| before.is_set(core)).collect();
    ensure!(
        jobs <= all.len(),
        "--pin: {jobs} games at a time need as many cores, but this process may use only {}: use --jobs {}",
        all.len(),
        all.len()
    );
    let skip = (skip % all.len() as u64) as usize;
    let cores: Vec<usize> = all.iter().cycle().skip(skip).take(jobs).copied().collect();
    let tried = cores.iter().try_for_each(|&core| pin(core));
    sched_setaffinity(None, &before).context("--pin: can't restore this process's cores")?;
    tried.map(|()| cores)
}

/// Keeps this thread, and the programs that it starts, on `core`.
///
/// # Errors
/// The system refuses.
pub fn pin(core: usize) -> Result<()> {
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set)
        .with_context(|| format!("--pin: the system does not let this process choose core {core}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_and_a_clock_that_jitters_are_noticed() {
        let warned = |warning: Option<String>| warning.is_some();
        for (jobs, cores, expected) in [(1, 1, false), (2, 2, false), (3, 2, true)] {
            assert_eq!(warned(crowded(jobs, cores)), expected, "{jobs} jobs on {cores} cores");
        }
        assert!(loaded(2, 0.6, 2).is_some_and(|text| text.contains("with 2 more threads on 2 cores")));
        for (jobs, load, expected) in [(2, 0.1, false), (2, 0.6, true), (1, 1.4, false), (1, 1.6, true)] {
            assert_eq!(warned(loaded(jobs, load, 2)), expected, "{jobs} jobs at a load of {load}");
        }
        // A clock that stands still between its ticks shows no time for some of the work.
        for (spread, expected) in [([1.0, 1.2], false), ([1.0, 1.3], true), ([0.0, 0.01], true)] {
            assert_eq!(warned(jittering(spread)), expected, "{spread:?}");
        }
    }

    #[test]
    fn cores_are_counted_by_their_lines() {
        assert_eq!(count_cores("cpu  1 2\ncpu0 1 2\ncpu1 0 1\nintr 5\ncpu10 0 0\n"), 3);
    }
}
