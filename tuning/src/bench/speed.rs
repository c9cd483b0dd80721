//! The speed of this machine in one number, and how steady its clock is.

use super::measure::Meter;
use super::positions;
use crate::play::agents;
use anyhow::{Context, Result, ensure};
use halma::search::Limits;
use halma::support::clock::{Clock, ThreadClock};
use std::hint::black_box;
use std::thread;

/// The agent that is measured.
pub const AGENT: &str = "mcts";

/// Iterations of each search that measures the machine: few, so that short measurements are possible.
const ITERATIONS: u64 = 10_000;

/// The name of the speed in the output of `lab bench`.
pub const NAME: &str = "speed";

/// The iterations per second that the agent `spec` makes in searches of `iterations` from a middlegame position, each
/// with a new tree.
///
/// # Errors
/// There is no such agent.
pub fn iterations_per_second(meter: &Meter, spec: &str, iterations: u64) -> Result<f64> {
    let (position, mut agent) = (positions::midgame(), agents::make(spec, 1)?);
    Ok(meter.rate(|| {
        agent.new_game();
        let decision = agent.decide(&position, &Limits::iterations(iterations), &ThreadClock, None);
        decision.map_or(0, |decision| decision.report.iterations)
    }))
}

/// The iterations per second of the default agent, averaged over `threads` threads that search at the same time, as in a
/// run with the same number of `--jobs`. The measurement takes about `seconds`.
///
/// # Errors
/// A thread can't be started, the search panicked, or the machine is too slow to be measured.
pub fn of_machine(threads: usize, seconds: f64) -> Result<f64> {
    let measure = || iterations_per_second(&Meter { clock: &ThreadClock, seconds }, AGENT, ITERATIONS);
    let speeds: Vec<Result<f64>> = thread::scope(|scope| {
        let started = (0..threads).map(|_| thread::Builder::new().spawn_scoped(scope, measure));
        let started: Vec<_> = started.collect();
        let ended = started.into_iter().map(|thread| match thread.context("can't start a thread") {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the search panicked"))),
            Err(error) => Err(error),
        });
        ended.collect()
    });
    let speeds = speeds.into_iter().collect::<Result<Vec<f64>>>()?;
    ensure!(speeds.iter().all(|&speed| speed > 0.0), "this machine is too slow to measure its speed");
    Ok(speeds.iter().sum::<f64>() / threads.max(1) as f64)
}

/// The number of samples of the clock, not counting the first few, which warm it up.
const SAMPLES: usize = 20;
const WARM_UP: usize = 4;

/// The seconds that the same work takes by `clock`: the second-shortest and the second-longest of 20 times.
pub fn spread(clock: &dyn Clock, mut work: impl FnMut()) -> [f64; 2] {
    let mut time = || {
        let start = clock.seconds();
        work();
        clock.seconds() - start
    };
    let mut times: Vec<f64> = (0..WARM_UP + SAMPLES).map(|_| time()).skip(WARM_UP).collect();
    times.sort_by(f64::total_cmp);
    [times[SAMPLES / 10 - 1], times[SAMPLES - SAMPLES / 10]]
}

/// A few tenths of a millisecond of work that always takes the same number of steps.
pub fn fixed_work() {
    let step =
        |state: u64, _| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    black_box((0..black_box(200_000)).fold(1, step));
}

#[cfg(test)]
mod tests {
    use super::*;
    use halma::support::clock::FakeClock;

    #[test]
    fn the_spread_leaves_out_the_shortest_and_longest_times() {
        let (clock, mut number) = (FakeClock::new(), 0);
        let spread = spread(&clock, || {
            number += 1;
            // Slow at first, then between 1 and 2 ms with a few outliers.
            clock.advance(match number {
                1..=4 => 0.1,
                11 => 0.05,
                20 => 0.0001,
                number if number % 2 == 0 => 0.001,
                _ => 0.002,
            });
        });
        assert!((spread[0] - 0.001).abs() < 1e-9 && (spread[1] - 0.002).abs() < 1e-9, "{spread:?}");
    }
}
