//! The program `calibrate`: measures this machine and writes `calibration.txt`.

use super::calibration::calibration_text;
use super::files::replace;
use super::playdata::{parse_playdata, playdata_text};
use crate::agent;
use crate::budget::Machine;
use crate::clock::Clock;
use crate::game::Game;
use crate::halma::{BLACK, Position, Rules};
use crate::mcts::Limits;
use crate::playout::{ForwardJump, Options, Policy, Random};
use anyhow::{Context, Result};
use std::path::Path;

/// CPU seconds of search from which the number of iterations per second is taken.
const SEARCH_SECONDS: f64 = 1.5;

/// How many nodes are carried over for what one of them costs.
const MEMORY_NODES: usize = 20_000;

/// How often the clock is read for the time that one reading takes.
const CLOCK_READS: u32 = 50_000;

/// Measures what things cost, in about two CPU seconds, and writes it to `calibration.txt` in
/// `folder`. `clock` must have started with the process.
///
/// # Errors
/// If the file can't be written.
pub fn calibrate(folder: &Path, clock: &dyn Clock) -> Result<Machine> {
    // Until here this process has done what every program does at its start.
    let start = clock.seconds();
    let path = folder.join("calibration.txt");
    let mut machine = Machine::default();
    let ((), writing) = timed(clock, || replace(&path, calibration_text(&machine).as_bytes()))?;
    machine.startup_seconds = start + writing;
    let ((), reading) = timed(clock, || {
        (0..CLOCK_READS).for_each(|_| _ = std::hint::black_box(clock.seconds()));
        anyhow::Ok(())
    })?;
    machine.clock_read_seconds = reading / f64::from(CLOCK_READS);
    search(&mut machine, clock)?;
    replace(&path, calibration_text(&machine).as_bytes())?;
    Ok(machine)
}

/// Measures the search, and what it costs to carry a node of its tree over to the next move.
fn search(machine: &mut Machine, clock: &dyn Clock) -> Result<()> {
    let position = middle_game();
    let mut engine = agent::parse("mcts", 1)?;
    let report = engine.decide(&position, &Limits::cpu(SEARCH_SECONDS), clock)?.report;
    machine.iterations_per_second = report.iterations as f64 / report.seconds;
    let legacy = engine.legacy(MEMORY_NODES).context("a search of the middle game remembers something")?;
    let reply = legacy.nodes.first().context("and something below its play")?.play;
    let mut next = legacy.before;
    next.play(reply);
    let ((), carrying) = timed(clock, || {
        let text = playdata_text(&legacy);
        engine.recall(parse_playdata(text.as_bytes())?);
        engine.decide(&next, &Limits::iterations(0), clock)?;
        anyhow::Ok(())
    })?;
    machine.playdata_node_seconds = carrying / legacy.nodes.len() as f64;
    Ok(())
}

/// A position from the middle of a game.
fn middle_game() -> Position {
    let mut position = Position::initial(BLACK, Rules::default());
    ForwardJump::new(Options { cap: 70, leaving: 0, epsilon: 0.0, sample: 3 })
        .run(&mut position, &mut Random::new(3));
    position
}

/// What `work` comes to, and the CPU seconds it took.
fn timed<T, E>(clock: &dyn Clock, work: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let start = clock.seconds();
    let result = work()?;
    Ok((result, clock.seconds() - start))
}
