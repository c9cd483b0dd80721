//! The program `homework`: from `input.txt` to `output.txt` in one folder.

use super::calibration::{self, parse_calibration};
use super::input::{self, Homework, Input, parse_homework};
use super::output::output_text;
use super::playdata::{self, parse_playdata, parse_start, playdata_text};
use super::star_circle::Problem;
use crate::agent::time::{Machine, Mode, Situation};
use crate::agent::{Registry, Spec};
use crate::game::Game;
use crate::rules::{Play, Position, colour};
use crate::search::Limits;
use crate::support::clock::Clock;
use crate::support::files::{read_at_most, replace};
use crate::support::memory;
use crate::support::text::TextError;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The agent that plays Halma, and its settings.
#[derive(Clone)]
pub struct Options {
    /// The agent.
    pub agent: Spec,
    /// The agents and parts that `agent` may name.
    pub registry: Registry,
    /// The seed of the agent's random numbers, which also depend on the position.
    pub seed: u64,
    /// Whether to keep `playdata.txt` between the moves of a game.
    pub reuses: bool,
    /// The number of iterations of every search, to make games repeatable. By default searches are limited by time.
    pub iterations: Option<u64>,
}

impl Default for Options {
    /// The options of the program `homework`.
    fn default() -> Options {
        let (agent, registry) = (Spec::of("mcts"), Registry::default());
        Options { agent, registry, seed: 1, reuses: true, iterations: None }
    }
}

/// The share of a move's time that reading `playdata.txt` may take. Writing it took a smaller share of the last move, but
/// this move may have much less time, if it has few legal plays. Of a larger file only the boards are read.
const READING_SHARE: f64 = 0.1;

/// The CPU seconds after which a minimax search of Star and Circle is stopped. The course allows three minutes, and a
/// missing output scores no points.
const MAX_MINIMAX_SECONDS: f64 = 120.0;

/// A search that is planned to take at least this many CPU seconds counts as long, as does one without a limit on time.
const LONG_SEARCH: f64 = 0.1;

/// The tree of a long search may take the free memory divided by this. The rest is for the transposition table and for
/// saving the tree.
const MEMORY_PART: usize = 2;

/// Reads `input.txt` in `folder`, chooses a play, and writes `output.txt`. In a game, also writes `playdata.txt` for the
/// next move. `clock` must have started with the process.
///
/// Before a long search it writes a play chosen without search, so that `output.txt` contains a legal play even if the
/// process is killed.
///
/// Returns notes for the user, for example about files that were ignored.
///
/// # Errors
/// `input.txt` can't be read or is invalid (with line and column), there is no legal play, the agent can't be built, or
/// `output.txt` can't be written. Then `output.txt` is unchanged, or contains the play that was written before a long
/// search.
pub fn answer(folder: &Path, options: &Options, clock: &dyn Clock) -> Result<Vec<String>> {
    let path = folder.join("input.txt");
    let bytes = read_at_most(&path, input::MAX_BYTES + 1)?;
    match parse_homework(&bytes).with_context(|| path.display().to_string())? {
        Homework::Halma(input) => answer_halma(folder, &input, options, clock),
        Homework::StarAndCircle(problem) => answer_star_circle(folder, &problem, clock),
    }
}

fn answer_star_circle(folder: &Path, problem: &Problem, clock: &dyn Clock) -> Result<Vec<String>> {
    let (answer, complete) = problem.answer_until(|| clock.seconds() >= MAX_MINIMAX_SECONDS);
    replace(&folder.join("output.txt"), answer.to_string().as_bytes())?;
    let note = "the minimax search was stopped after two minutes: the play and the utilities are correct, but the number \
        of nodes includes only those visited until then";
    Ok(if complete { Vec::new() } else { vec![note.into()] })
}

fn answer_halma(folder: &Path, input: &Input, options: &Options, clock: &dyn Clock) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let Input { mode, seconds, ref position } = *input;
    let machine =
        read_optional(folder, "calibration.txt", calibration::MAX_BYTES, parse_calibration, &mut notes)
            .unwrap_or_default();
    let mut legal_plays = Vec::new();
    position.legal_plays(&mut legal_plays);
    if let Some(winner) = position.winner() {
        let over = format!("{} has already filled its goal, so the game is over", colour(winner));
        ensure!(!legal_plays.is_empty(), "there is no legal play: {over}");
        notes.push(format!("{over}; the play in output.txt is legal all the same"));
    }
    let planned_at = clock.seconds();
    let situation = Situation::of(position, mode, seconds, planned_at);
    let limits = options.iterations.map_or_else(|| situation.limits(&machine), Limits::iterations);
    let searches = limits.cpu.is_some() || options.iterations.is_some();

    let mut agent = options.registry.make_agent(&options.agent, options.seed)?;
    let reuses = options.reuses && mode == Mode::Game;
    if reuses {
        let max_bytes = affordable_bytes(&limits, &machine);
        let parse = |bytes: &[u8]| match bytes.len() <= max_bytes {
            true => parse_playdata(bytes),
            false => parse_start(bytes),
        };
        match read_optional(folder, "playdata.txt", max_bytes, parse, &mut notes) {
            Some(game) if follows(position, &game.before) => agent.restore(game),
            Some(_) => {
                notes.push("playdata.txt is ignored: it is not from the previous move of this game".into())
            }
            None => {}
        }
    }
    let max_nodes = if reuses { machine.nodes_to_save(&limits) } else { 0 };

    let mut memory = None;
    if searches && limits.seconds().is_none_or(|seconds| seconds >= LONG_SEARCH) {
        // In case the process is killed: a winning play, or else a play with the most progress.
        let furthest = legal_plays.iter().copied().max_by_key(|&play| position.progress(play));
        if let Some(play) = position.winning_play(&legal_plays).or(furthest) {
            write_output(folder, position, play)?;
        }
        memory = memory::left().map(|bytes| bytes / MEMORY_PART);
    }
    // A move without time has little enough for its race.
    let limits = match searches {
        true => limits.less(clock.seconds() - planned_at + machine.seconds_to_save(max_nodes)),
        false => limits,
    };
    let decision = agent.decide(position, &Limits { memory, ..limits }, clock, None);
    let play = decision?.play;
    write_output(folder, position, play)?;

    if mode == Mode::Game {
        let save = agent.save(max_nodes).filter(|_| options.reuses);
        let kept = keep(&folder.join("playdata.txt"), save.as_ref().map(playdata_text));
        kept.unwrap_or_else(|error| {
            notes.push(format!("{error:#}; the next move starts with an empty tree"))
        });
    }
    Ok(notes)
}

fn write_output(folder: &Path, position: &Position, play: Play) -> Result<()> {
    let text = output_text(position, play).context("the agent chose a play that no piece can make")?;
    Ok(replace(&folder.join("output.txt"), text.as_bytes())?)
}

/// The maximum size of a `playdata.txt` worth reading whole before a search with these limits, in bytes. Without a time
/// limit, every allowed size is worth reading.
fn affordable_bytes(limits: &Limits, machine: &Machine) -> usize {
    // Reading a node costs as much as saving it.
    let node_seconds = machine.seconds_to_save(1);
    let nodes = limits.seconds().map_or(f64::INFINITY, |seconds| READING_SHARE * seconds / node_seconds);
    let bytes = playdata::HEAD_BYTES as f64 + nodes * playdata::NODE_BYTES as f64;
    (bytes as usize).min(playdata::MAX_BYTES)
}

/// Whether `now` may follow from `before` by one play: exactly one piece of the side that was to move has moved.
fn follows(now: &Position, before: &Position) -> bool {
    let (waits, moves) = (now.to_move(), before.to_move());
    let stays = before.pieces(moves) & now.pieces(moves);
    let moved = [before, now].map(|position| (position.pieces(moves) & !stays).count());
    waits != moves && now.pieces(waits) == before.pieces(waits) && moved == [1, 1]
}

/// Writes the `playdata.txt` at `path` for the next move. If there is nothing to keep, removes the outdated file.
fn keep(path: &Path, text: Option<String>) -> Result<()> {
    if let Some(text) = text {
        return Ok(replace(path, text.as_bytes())?);
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("can't remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Reads the optional file `name`, up to just over `max_bytes`. `None` if it is absent or invalid; if it is invalid, also
/// adds a note.
fn read_optional<T>(
    folder: &Path,
    name: &str,
    max_bytes: usize,
    parse: impl Fn(&[u8]) -> Result<T, TextError>,
    notes: &mut Vec<String>,
) -> Option<T> {
    let read = match read_at_most(&folder.join(name), max_bytes + 1) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => Err(error.to_string()),
        Ok(bytes) => parse(&bytes).map_err(|error| error.to_string()),
    };
    read.map_err(|fault| notes.push(format!("{name} is ignored: {fault}"))).ok()
}
