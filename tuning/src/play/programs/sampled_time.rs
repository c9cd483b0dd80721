//! The CPU time of a tree of processes, from samples.
//!
//! The system adds a process's time to its parent's account when the parent waits for it. A parent that
//! ignores SIGCHLD never waits, so its children's time is in no account. Each sample therefore records the
//! time of every process. If the time of an ended process does not reach its parent's account, the time it
//! was seen to have used is *unreported*. A process that lives for less than the time between two samples may
//! be missed.

use super::descendants::{Process, ProcessId};
use std::collections::HashMap;

/// User and system time in `/proc` are each rounded down to a hundredth of a second.
const ROUNDING_SECONDS: f64 = 0.02;

/// A process as it was last seen.
#[derive(Clone, Debug, Default)]
struct Seen {
    parent: Option<ProcessId>,
    own: f64,
    waited: f64,
    /// CPU seconds that its ended children had used when last seen.
    children: f64,
    /// `children` one sample ago. Those children had ended before `waited` was read, so `waited` should include their
    /// time.
    children_before: f64,
}

impl Seen {
    fn unreported(&self) -> f64 {
        (self.children_before - self.waited - ROUNDING_SECONDS).max(0.0)
    }
}

/// The samples of a tree of processes, added up.
#[derive(Debug, Default)]
pub(super) struct SampledTime {
    living: HashMap<ProcessId, Seen>,
    own_of_ended: f64,
    unreported_of_ended: f64,
}

impl SampledTime {
    /// The processes in the last sample.
    pub fn living(&self) -> impl Iterator<Item = ProcessId> {
        self.living.keys().copied()
    }

    /// Adds a sample: all processes that exist now.
    pub fn sample(&mut self, found: &[Process]) {
        let numbers: HashMap<i32, ProcessId> =
            found.iter().map(|process| (process.id.0, process.id)).collect();
        let mut before = std::mem::take(&mut self.living);
        for process in found {
            let seen = before.remove(&process.id).unwrap_or_default();
            let parent = numbers.get(&process.parent).copied();
            let (own, waited) = (process.own, process.waited);
            let seen = Seen { parent, own, waited, children_before: seen.children, ..seen };
            self.living.insert(process.id, seen);
        }
        for ended in before.into_values() {
            self.own_of_ended += ended.own;
            self.unreported_of_ended += ended.unreported();
            if let Some(parent) = ended.parent.and_then(|parent| self.living.get_mut(&parent)) {
                parent.children += ended.own + ended.waited;
            }
        }
    }

    /// CPU seconds of all sampled processes when they were last seen.
    pub fn seen(&self) -> f64 {
        self.own_of_ended + self.living.values().map(|seen| seen.own).sum::<f64>()
    }

    /// CPU seconds of ended processes that reached no account.
    pub fn unreported(&self) -> f64 {
        self.unreported_of_ended + self.living.values().map(Seen::unreported).sum::<f64>()
    }

    /// CPU seconds in the accounts of the processes that still exist.
    pub fn in_accounts(&self) -> f64 {
        self.living.values().map(|seen| seen.own + seen.waited).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32, own: f64, waited: f64) -> Process {
        Process { id: (pid, 7), parent, own, waited, threads: 1, pages: 0 }
    }

    #[test]
    fn children_without_a_waiting_parent_are_unreported() {
        let mut time = SampledTime::default();
        time.sample(&[process(10, 1, 0.0, 0.0), process(11, 10, 1.0, 0.0)]);
        time.sample(&[process(10, 1, 0.1, 0.0), process(12, 10, 2.0, 0.0)]);
        time.sample(&[process(10, 1, 0.1, 0.0)]);
        time.sample(&[process(10, 1, 0.1, 0.0)]);
        assert!((time.unreported() - (3.0 - ROUNDING_SECONDS)).abs() < 1e-9, "{time:?}");
        assert!((time.seen() - 3.1).abs() < 1e-9, "{time:?}");
        // The unreported time does not change when the parent ends too.
        time.sample(&[]);
        assert!((time.unreported() - (3.0 - ROUNDING_SECONDS)).abs() < 1e-9, "{time:?}");
        assert!((time.seen() - 3.1).abs() < 1e-9, "{time:?}");
    }

    #[test]
    fn a_waiting_parent_leaves_nothing_unreported() {
        let mut time = SampledTime::default();
        time.sample(&[process(10, 1, 0.0, 0.0), process(11, 10, 1.0, 0.5)]);
        // The parent was sampled just before it waited.
        time.sample(&[process(10, 1, 0.1, 0.0)]);
        assert_eq!(time.unreported(), 0.0);
        // Its account was rounded down.
        time.sample(&[process(10, 1, 0.1, 1.49)]);
        assert_eq!(time.unreported(), 0.0);
        // If a child ends with its parent, this process has waited for it.
        time.sample(&[process(10, 1, 0.2, 1.49), process(12, 10, 5.0, 0.0)]);
        time.sample(&[]);
        assert_eq!(time.unreported(), 0.0);
        assert!((time.seen() - 6.2).abs() < 1e-9, "{time:?}");
    }

    #[test]
    fn process_numbers_may_be_reused() {
        let mut time = SampledTime::default();
        time.sample(&[process(10, 1, 1.0, 0.0)]);
        time.sample(&[process(10, 1, 1.5, 0.0)]);
        assert_eq!((time.seen(), time.in_accounts()), (1.5, 1.5));
        time.sample(&[Process { id: (10, 8), ..process(10, 1, 0.25, 0.0) }]);
        assert_eq!((time.seen(), time.in_accounts()), (1.75, 0.25));
    }
}
