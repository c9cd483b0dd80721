//! The program `homework`: from `input.txt` to `output.txt`, in one folder.

use super::calibration::{self, parse_calibration};
use super::files::{read_at_most, replace};
use super::input::{self, Input, Kind, parse_input};
use super::output::output_text;
use super::playdata::{HEAD_BYTES, parse_playdata, playdata_text};
use crate::agent::{self, Legacy};
use crate::budget::{Allowance, Machine, Mode, Situation, allowance};
use crate::clock::Clock;
use crate::game::Game;
use crate::halma::Position;
use crate::mcts::Limits;
use crate::playout::Random;
use crate::star_circle::{self, Problem};
use anyhow::{Context, Result, anyhow};
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Who answers a problem of Halma.
#[derive(Clone, Copy, Debug)]
pub struct Contender<'a> {
    /// The agent, as a spec string.
    pub agent: &'a str,
    /// What is random in it follows from this number and the position.
    pub seed: u64,
    /// Whether it keeps `playdata.txt` from move to move of a game.
    pub remembers: bool,
}

/// The homework's own answer.
const ENGINE: Contender<'static> = Contender { agent: "mcts", seed: 1, remembers: true };

/// Iterations of a move for which there is no time: a tenth of a millisecond or two, enough to see
/// what the next plies bring.
const AT_ONCE: u64 = 64;

/// The part of a move's time that reading `playdata.txt` may take. The file was made to cost less
/// of the move before; a move with little choice may have less time than that one had.
const READING_SHARE: f64 = 0.1;

/// What a node takes in `playdata.txt`, in bytes.
const NODE_BYTES: f64 = 32.0;

/// Reads `input.txt` in `folder`, chooses a play, and writes `output.txt`; in a game, keeps
/// `playdata.txt` for the next move. `clock` must have started with the process.
///
/// Returns what the user should be told although the answer stands: what is wrong with files that
/// were ignored.
///
/// # Errors
/// If `input.txt` can't be read or is wrong (with line and column), if there is no legal play, or
/// if `output.txt` can't be written. Then `output.txt` is as it was.
pub fn answer(folder: &Path, clock: &dyn Clock) -> Result<Vec<String>> {
    answer_with(folder, &ENGINE, clock)
}

/// As [`answer`], but with a play of `contender`'s choice.
///
/// # Errors
/// As [`answer`]; or if the contender's spec string names no agent.
pub fn answer_with(folder: &Path, contender: &Contender, clock: &dyn Clock) -> Result<Vec<String>> {
    let path = folder.join("input.txt");
    let bytes = read_at_most(&path, input::MAX_BYTES + 1)?;
    let in_file = || path.display().to_string();
    match input::kind(&bytes).with_context(in_file)? {
        Kind::Halma => answer_halma(folder, &parse_input(&bytes).with_context(in_file)?, contender, clock),
        Kind::StarAndCircle => {
            input::check_length(&bytes).with_context(in_file)?;
            let problem = Problem::parse(&String::from_utf8_lossy(&bytes)).map_err(|error| {
                anyhow!("{}: line {}, column {}: {error}", in_file(), error.line(), error.column())
            })?;
            replace(&folder.join("output.txt"), star_circle::answer(&problem).to_string().as_bytes())?;
            Ok(Vec::new())
        }
    }
}

fn answer_halma(
    folder: &Path,
    input: &Input,
    contender: &Contender,
    clock: &dyn Clock,
) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let machine = optional(folder, "calibration.txt", calibration::MAX_BYTES, parse_calibration, &mut notes);
    let machine = machine.unwrap_or_default();
    let Input { mode, seconds, ref position } = *input;
    let situation = Situation::of(position, mode, seconds, clock.seconds());
    let allowance = allowance(&situation, &machine);
    let limits = limits(&allowance);
    let planned_at = clock.seconds();

    // Each move is a process of its own, and should not throw the same dice as the one before.
    let seed = Random::new(contender.seed ^ position.hash()).bits();
    let mut engine = agent::parse(contender.agent, seed)?;
    let remembers = contender.remembers && mode == Mode::Game && allowance.seconds > 0.0;
    if remembers {
        let most_bytes = affordable_bytes(limits.seconds().unwrap_or(0.0), &machine);
        match optional(folder, "playdata.txt", most_bytes, parse_playdata, &mut notes) {
            Some(legacy) if follows(position, &legacy.before) => engine.recall(legacy),
            Some(_) => notes.push("playdata.txt is ignored: it is not of the move before".into()),
            None => {}
        }
    }
    let most_nodes = match limits.seconds() {
        Some(seconds) if remembers => machine.playdata_nodes(seconds),
        _ => 0,
    };
    let limits = limits.less(clock.seconds() - planned_at + machine.seconds_to_keep(most_nodes));
    let play = engine.decide(position, &limits, clock)?.play;
    let text = output_text(position, play).context("the engine chose a play that no piece can make")?;
    replace(&folder.join("output.txt"), text.as_bytes())?;
    let legacy = engine.legacy(most_nodes).filter(|_| contender.remembers);
    if mode == Mode::Game
        && let Err(error) = keep(folder, legacy.as_ref())
    {
        notes.push(format!("{error:#}; the next move starts afresh"));
    }
    Ok(notes)
}

/// What the search is told.
fn limits(allowance: &Allowance) -> Limits {
    let at_once = allowance.seconds <= 0.0;
    Limits {
        cpu: Some(allowance.seconds).filter(|_| !at_once),
        planned: allowance.planned,
        iterations: Some(AT_ONCE).filter(|_| at_once),
        stop_when_settled: allowance.planned.is_some(),
        clock_every: u64::from(allowance.iterations_per_clock_read),
    }
}

/// How large a `playdata.txt` is worth reading in a move of `seconds`.
fn affordable_bytes(seconds: f64, machine: &Machine) -> usize {
    // Half of a node's cost is writing it.
    let nodes = READING_SHARE * seconds / (machine.playdata_node_seconds / 2.0);
    HEAD_BYTES + (nodes * NODE_BYTES) as usize
}

/// Whether `now` may have come from `before` by one play, as far as the pieces tell: all but one of
/// those that belong to the side to move in `before` stand where they stood.
fn follows(now: &Position, before: &Position) -> bool {
    let (waits, moves) = (now.to_move(), before.to_move());
    let stays = before.pieces(moves) & now.pieces(moves);
    let moved = [before, now].map(|position| (position.pieces(moves) & !stays).count());
    waits != moves && now.pieces(waits) == before.pieces(waits) && moved == [1, 1]
}

/// Writes what is to be kept for the next move. A file that would be out of date is removed.
fn keep(folder: &Path, legacy: Option<&Legacy>) -> Result<()> {
    let path = folder.join("playdata.txt");
    match legacy {
        Some(legacy) => Ok(replace(&path, playdata_text(legacy).as_bytes())?),
        None => match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("can't remove {}", path.display()))
            }
            _ => Ok(()),
        },
    }
}

/// What the file called `name` says; `None` if it is absent, or, with a note, if it is wrong.
fn optional<T, E: Display>(
    folder: &Path,
    name: &str,
    most_bytes: usize,
    parse: fn(&[u8]) -> Result<T, E>,
    notes: &mut Vec<String>,
) -> Option<T> {
    let found = match read_at_most(&folder.join(name), most_bytes + 1) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => Err(error.to_string()),
        Ok(bytes) if bytes.len() > most_bytes => {
            Err(format!("more than {most_bytes} bytes are not worth reading now"))
        }
        Ok(bytes) => parse(&bytes).map_err(|error| error.to_string()),
    };
    found.map_err(|fault| notes.push(format!("{name} is ignored: {fault}"))).ok()
}
