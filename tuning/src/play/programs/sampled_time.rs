//! CPU time of a tree of processes, from looks at it now and then.
//!
//! The system adds a process's time to its parent's account when the parent waits for it. A parent that ignores SIGCHLD
//! does not wait: what its children used is in nobody's account. So each look keeps what every process had used. What a
//! process had used when it was last seen, and what its parent then does not have in its account, is *unreported*.
//! Processes that live for less than the time between two looks may be missed.

use super::processes::{Process, ProcessId};
use std::collections::HashMap;

/// An account in `/proc` is user and system time, each cut off to a hundredth of a second.
const CUT_OFF_SECONDS: f64 = 0.02;

/// A process as it was last seen.
#[derive(Clone, Debug, Default)]
struct Seen {
    parent: Option<ProcessId>,
    own: f64,
    waited: f64,
    /// What its children that are gone had used when they were last seen.
    children: f64,
    /// The same one look ago: these children were gone before `waited` was read.
    children_before: f64,
}

impl Seen {
    fn unreported(&self) -> f64 {
        (self.children_before - self.waited - CUT_OFF_SECONDS).max(0.0)
    }
}

/// What was seen of a tree of processes.
#[derive(Debug, Default)]
pub(super) struct SampledTime {
    living: HashMap<ProcessId, Seen>,
    /// Sums over those that are gone.
    own_of_gone: f64,
    unreported_of_gone: f64,
}

impl SampledTime {
    /// Those that were there at the last look.
    pub fn living(&self) -> impl Iterator<Item = ProcessId> {
        self.living.keys().copied()
    }

    /// Takes what a look has found: all that are there.
    pub fn look(&mut self, found: &[Process]) {
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
        for gone in before.into_values() {
            self.own_of_gone += gone.own;
            self.unreported_of_gone += gone.unreported();
            if let Some(parent) = gone.parent.and_then(|parent| self.living.get_mut(&parent)) {
                parent.children += gone.own + gone.waited;
            }
        }
    }

    /// CPU seconds of all processes that were seen, as far as they were seen.
    pub fn seen(&self) -> f64 {
        self.own_of_gone + self.living.values().map(|seen| seen.own).sum::<f64>()
    }

    /// CPU seconds that are in no account of those who are still there, nor of those whose children they were.
    pub fn unreported(&self) -> f64 {
        self.unreported_of_gone + self.living.values().map(Seen::unreported).sum::<f64>()
    }

    /// CPU seconds in the accounts of those that are there.
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
    fn children_nobody_waits_for_are_unreported() {
        let mut time = SampledTime::default();
        time.look(&[process(10, 1, 0.0, 0.0), process(11, 10, 1.0, 0.0)]);
        time.look(&[process(10, 1, 0.1, 0.0), process(12, 10, 2.0, 0.0)]);
        time.look(&[process(10, 1, 0.1, 0.0)]);
        time.look(&[process(10, 1, 0.1, 0.0)]);
        assert!((time.unreported() - (3.0 - CUT_OFF_SECONDS)).abs() < 1e-9, "{time:?}");
        assert!((time.seen() - 3.1).abs() < 1e-9, "{time:?}");
        // It remains so when the parent is gone too.
        time.look(&[]);
        assert!((time.unreported() - (3.0 - CUT_OFF_SECONDS)).abs() < 1e-9, "{time:?}");
        assert!((time.seen() - 3.1).abs() < 1e-9, "{time:?}");
    }

    #[test]
    fn honest_parents_have_nothing_unreported() {
        let mut time = SampledTime::default();
        time.look(&[process(10, 1, 0.0, 0.0), process(11, 10, 1.0, 0.5)]);
        // The parent's line was read just before it waited.
        time.look(&[process(10, 1, 0.1, 0.0)]);
        assert_eq!(time.unreported(), 0.0);
        // Its account has been cut off.
        time.look(&[process(10, 1, 0.1, 1.49)]);
        assert_eq!(time.unreported(), 0.0);
        // A child that ends with its parent was left to this process, which has waited for it.
        time.look(&[process(10, 1, 0.2, 1.49), process(12, 10, 5.0, 0.0)]);
        time.look(&[]);
        assert_eq!(time.unreported(), 0.0);
        assert!((time.seen() - 6.2).abs() < 1e-9, "{time:?}");
    }

    #[test]
    fn a_number_may_come_again() {
        let mut time = SampledTime::default();
        time.look(&[process(10, 1, 1.0, 0.0)]);
        time.look(&[process(10, 1, 1.5, 0.0)]);
        assert_eq!((time.seen(), time.in_accounts()), (1.5, 1.5));
        time.look(&[Process { id: (10, 8), ..process(10, 1, 0.25, 0.0) }]);
        assert_eq!((time.seen(), time.in_accounts()), (1.75, 0.25));
    }
}
