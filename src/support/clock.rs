//! CPU clocks, passed to whatever has to stop in time.
//!
//! All time in this crate is CPU time in seconds, user and system together, as the shell's `time` adds it
//! up; waiting does not count. Each clock counts from its own origin, so only differences of two readings
//! of the same clock mean something.
//!
//! A reading is a system call, 0.6–1 µs on machines of today: up to half as long as an iteration of
//! tree search. Read it every 32–64 iterations (see [`time`](crate::agent::time)), not after each.

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;

/// Tells how much CPU time has passed.
pub trait Clock {
    /// CPU seconds since the clock's own origin. Never runs backwards.
    fn seconds(&self) -> f64;
}

/// The CPU time of all threads of this process, since its start, so what happens before `main` counts:
/// this is the time that a referee charges.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessClock;

impl Clock for ProcessClock {
    fn seconds(&self) -> f64 {
        cpu_seconds(ClockId::ProcessCPUTime)
    }
}

/// The CPU time of the thread that reads it, since that thread's start, for games played side by side in
/// one process. Readings from different threads must not be mixed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadClock;

impl Clock for ThreadClock {
    fn seconds(&self) -> f64 {
        cpu_seconds(ClockId::ThreadCPUTime)
    }
}

fn cpu_seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// A clock for tests: it shows what it is told to.
///
/// ```
/// use halma::support::clock::{Clock, FakeClock};
///
/// let clock = FakeClock::ticking(0.5);
/// clock.advance(10.0);
/// assert_eq!((clock.seconds(), clock.seconds()), (10.0, 10.5));
/// assert_eq!(clock.reads(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct FakeClock {
    now: Cell<f64>,
    step: f64,
    reads: Cell<u64>,
}

impl FakeClock {
    /// A clock that shows 0 seconds until it is set or advanced.
    pub fn new() -> FakeClock {
        FakeClock::default()
    }

    /// A clock that shows 0 seconds first and `step` seconds more at each further reading, so that any
    /// search by it ends.
    pub fn ticking(step: f64) -> FakeClock {
        FakeClock { step, ..FakeClock::default() }
    }

    /// Makes the next reading show `seconds`.
    pub fn set(&self, seconds: f64) {
        self.now.set(seconds);
    }

    /// Makes the next reading show `seconds` more than it would have.
    pub fn advance(&self, seconds: f64) {
        self.now.set(self.now.get() + seconds);
    }

    /// How often the clock has been read.
    pub fn reads(&self) -> u64 {
        self.reads.get()
    }
}

impl Clock for FakeClock {
    fn seconds(&self) -> f64 {
        let now = self.now.get();
        self.reads.set(self.reads.get() + 1);
        self.advance(self.step);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    fn work() -> u64 {
        (0..3_000_000u64).fold(1, |sum, i| black_box(sum.wrapping_mul(31).wrapping_add(i)))
    }

    #[test]
    fn work_moves_both_real_clocks() {
        let before = (ProcessClock.seconds(), ThreadClock.seconds());
        work();
        let after = (ProcessClock.seconds(), ThreadClock.seconds());
        assert!(after.0 > before.0 && after.1 > before.1);
    }

    #[test]
    fn a_thread_is_not_charged_for_another_and_the_process_for_both() {
        let (process, thread) = (ProcessClock.seconds(), ThreadClock.seconds());
        let elsewhere = std::thread::spawn(|| {
            work();
            ThreadClock.seconds()
        })
        .join()
        .expect("the thread only counts");
        let (process, thread) = (ProcessClock.seconds() - process, ThreadClock.seconds() - thread);
        assert!(elsewhere > 0.0 && process >= elsewhere);
        assert!(thread < process);
    }

    #[test]
    fn a_fake_clock_stands_still_unless_told() {
        let clock = FakeClock::new();
        assert_eq!((clock.seconds(), clock.seconds()), (0.0, 0.0));
        clock.advance(1.5);
        assert_eq!(clock.seconds(), 1.5);
        clock.set(0.25);
        assert_eq!((clock.seconds(), clock.reads()), (0.25, 4));
    }
}
