//! CPU clocks.
//!
//! All times in this crate are CPU seconds, the sum of `user` and `sys` in the output of the shell's `time`; waiting does
//! not count. Each clock has its own origin, so only differences between readings of one clock are meaningful.
//!
//! A reading is a system call that takes 0.6–1 µs, up to half the time of a tree search iteration, so a search
//! usually reads the clock only every 32–64 iterations (see [`time`](crate::agent::time)).

use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;

/// A source of CPU time.
pub trait Clock {
    /// CPU seconds since the clock's origin; they never decrease.
    fn seconds(&self) -> f64;

    /// Whether the search has been cancelled. A cancelled search soon stops, and returns the best play that it has
    /// found or any legal one.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// The CPU time of all threads of this process since it started, including the time before `main`. This is the time
/// that a referee charges.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessClock;

impl Clock for ProcessClock {
    fn seconds(&self) -> f64 {
        cpu_seconds(ClockId::ProcessCPUTime)
    }
}

/// The CPU time of the calling thread since it started, for games played in parallel in one process. Do not mix
/// readings from different threads.
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

/// A clock for tests, set by hand.
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
    /// A clock that reads 0 until it is set or advanced.
    pub fn new() -> FakeClock {
        FakeClock::default()
    }

    /// A clock that starts at 0 and advances by `step` seconds with each reading, so that timed searches end.
    pub fn ticking(step: f64) -> FakeClock {
        FakeClock { step, ..FakeClock::default() }
    }

    /// Sets the next reading.
    pub fn set(&self, seconds: f64) {
        self.now.set(seconds);
    }

    /// Advances the clock by `seconds`.
    pub fn advance(&self, seconds: f64) {
        self.now.set(self.now.get() + seconds);
    }

    /// The number of readings so far.
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
    fn both_real_clocks_advance_with_work() {
        let before = (ProcessClock.seconds(), ThreadClock.seconds());
        work();
        let after = (ProcessClock.seconds(), ThreadClock.seconds());
        assert!(after.0 > before.0 && after.1 > before.1);
    }

    #[test]
    fn a_thread_clock_counts_its_own_thread_and_the_process_clock_counts_all() {
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
    fn a_fake_clock_stands_still_until_it_is_set() {
        let clock = FakeClock::new();
        assert_eq!((clock.seconds(), clock.seconds()), (0.0, 0.0));
        clock.advance(1.5);
        assert_eq!(clock.seconds(), 1.5);
        clock.set(0.25);
        assert_eq!((clock.seconds(), clock.reads()), (0.25, 4));
    }
}
