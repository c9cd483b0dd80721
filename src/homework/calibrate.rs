//! The program `calibrate`: measures this machine and writes `calibration.txt`.

use super::calibration::calibration_text;
use super::playdata::{parse_playdata, playdata_text};
use crate::agent;
use crate::agent::time::Machine;
use crate::evaluation::Fitted;
use crate::game::Game;
use crate::playout::{Playout, SampledJump, SampledJumpParameters, Simulation};
use crate::rules::{BLACK, Position, Rules};
use crate::search::Limits;
use crate::support::clock::Clock;
use crate::support::files::replace;
use anyhow::{Context, Result};
use std::path::Path;

/// The length of the measured search, in CPU seconds.
const SEARCH_SECONDS: f64 = 1.5;

/// The number of nodes saved and restored to measure the cost per node.
const SAVED_NODES: usize = 20_000;

/// The number of clock readings to measure the cost per reading.
const CLOCK_READS: u32 = 50_000;

/// Measures this machine in about two CPU seconds and writes `calibration.txt` in `folder`. `clock` must have started
/// with the process.
///
/// # Errors
/// The file can't be written, or the search that was measured left no tree to save.
pub fn calibrate(folder: &Path, clock: &dyn Clock) -> Result<Machine> {
    // So far this process has done the same work as `homework` at its start.
    let start = clock.seconds();
    let path = folder.join("calibration.txt");
    let mut machine = Machine::default();
    let writing = timed(clock, || Ok(replace(&path, calibration_text(&machine).as_bytes())?))?;
    machine.startup_seconds = start + writing;
    let reading = timed(clock, || {
        (0..CLOCK_READS).for_each(|_| _ = std::hint::black_box(clock.seconds()));
        Ok(())
    })?;
    machine.clock_read_seconds = reading / f64::from(CLOCK_READS);
    search(&mut machine, clock)?;
    replace(&path, calibration_text(&machine).as_bytes())?;
    Ok(machine)
}

/// Measures the speed of search, and the cost of saving a node of its tree and restoring it at the next move.
fn search(machine: &mut Machine, clock: &dyn Clock) -> Result<()> {
    let position = middle_game();
    let mut agent = agent::parse("mcts", 1)?;
    let report = agent.decide(&position, &Limits::cpu(SEARCH_SECONDS), clock, None)?.report;
    machine.iterations_per_second = report.iterations as f64 / report.seconds;
    let save = agent.save(SAVED_NODES).context("the measured search left no tree")?;
    let reply = save.nodes.first().context("the measured search left no node below its play")?.play;
    let mut next = save.before;
    next.play(reply);
    let carrying = timed(clock, || {
        let text = playdata_text(&save);
        agent.restore(parse_playdata(text.as_bytes())?);
        agent.decide(&next, &Limits::iterations(0), clock, None)?;
        Ok(())
    })?;
    machine.playdata_node_seconds = carrying / save.nodes.len() as f64;
    Ok(())
}

/// A position from the middle of a game.
fn middle_game() -> Position {
    let mut position = Position::initial(BLACK, Rules::default());
    let parameters = SampledJumpParameters { cap: 70, leaving: 0, sample: 3 };
    SampledJump::new(parameters, Box::new(Fitted)).play_out(&mut position, &mut Simulation::new(3));
    position
}

/// The CPU seconds that `work` takes.
fn timed(clock: &dyn Clock, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let start = clock.seconds();
    work()?;
    Ok(clock.seconds() - start)
}
