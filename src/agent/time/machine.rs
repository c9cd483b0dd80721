//! The speed of a machine, and the limits that follow from it alone.

use crate::search::Limits;

/// The speed of a machine, as measured by `calibrate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// CPU seconds for a run without a search: start, reading, writing and exit.
    pub startup_seconds: f64,
    /// CPU seconds for one reading of the process clock.
    pub clock_read_seconds: f64,
    /// Iterations per CPU second of the default agent.
    pub iterations_per_second: f64,
    /// CPU seconds to write a node to `playdata.txt` and read it back.
    pub playdata_node_seconds: f64,
}

impl Default for Machine {
    /// A slow machine, assumed if nothing was measured.
    fn default() -> Machine {
        Machine {
            startup_seconds: 0.0015,
            clock_read_seconds: 1e-6,
            iterations_per_second: 300_000.0,
            playdata_node_seconds: 2e-6,
        }
    }
}

/// The share of a move's time that `playdata.txt` may cost, half a point below the promised 3 %.
const PLAYDATA_SHARE: f64 = 0.025;

/// The CPU seconds per node for finding the most visited nodes, or for moving saved nodes into the next tree.
const SAVING_SECONDS: f64 = 0.5e-6;

impl Machine {
    /// The number of nodes that can be written and read in less than 3 % of the time of a move with `limits`. An
    /// iteration limit counts as the time that the iterations would take.
    pub fn nodes_to_save(&self, limits: &Limits) -> usize {
        let by_iterations = limits.iterations.map(|count| count as f64 / self.iterations_per_second);
        let seconds = limits.seconds().or(by_iterations).unwrap_or(0.0);
        (seconds * PLAYDATA_SHARE / self.node_seconds()) as usize
    }

    /// CPU seconds to save this many `nodes`: half the cost of writing and reading them.
    pub fn seconds_to_save(&self, nodes: usize) -> f64 {
        nodes as f64 * self.node_seconds() / 2.0
    }

    /// CPU seconds to save and restore a node. Finding the most visited nodes takes time even if writing takes almost
    /// none.
    fn node_seconds(&self) -> f64 {
        self.playdata_node_seconds.max(2.0 * SAVING_SECONDS)
    }

    /// The number of iterations between two readings of the clock in a search of `seconds`.
    ///
    /// It is at least 32, and high enough that reading takes at most 2 % of the time (`50·read·rate`), up to 1,024. But
    /// it is lower in short searches, so that they overrun by at most a 32nd of their time (`seconds·rate/32`).
    pub fn iterations_per_clock_read(&self, seconds: f64) -> u32 {
        let rate = self.iterations_per_second;
        let cheap = (50.0 * self.clock_read_seconds * rate).max(32.0);
        let fine = seconds * rate / 32.0;
        cheap.min(fine).round().clamp(1.0, 1024.0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_read_rarely_but_in_time() {
        let machine = Machine { iterations_per_second: 1e6, clock_read_seconds: 1e-6, ..Machine::default() };
        assert_eq!(machine.iterations_per_clock_read(1.0), 50);
        assert_eq!(machine.iterations_per_clock_read(0.001), 31);
        assert_eq!(machine.iterations_per_clock_read(0.0), 1);
    }
}
