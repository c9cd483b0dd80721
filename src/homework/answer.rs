//! The program `homework`: from `input.txt` to `output.txt` in one folder.

use super::calibration::{self, parse_calibration};
use super::files::{read_at_most, replace};
use super::input::{self, Homework, Input, parse_homework};
use super::output::output_text;
use super::playdata::{self, parse_playdata, playdata_text};
use super::star_circle::Problem;
use crate::agent::time::{Machine, Mode, Situation, own_plays_to_race};
use crate::agent::{NoLegalPlay, Registry, Spec};
use crate::game::Game;
use crate::rules::{Play, Position, colour};
use crate::search::Limits;
use crate::support::clock::Clock;
use crate::support::memory;
use crate::support::text::TextError;
use anyhow::{Context, Result, anyhow};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The agent that plays Halma, and how it plays.
#[derive(Clone)]
pub struct Options {
    /// The agent.
    pub agent: Spec,
    /// The agents and parts that exist.
    pub registry: Registry,
    /// Determines the agent's random numbers, together with the position.
    pub seed: u64,
    /// Whether to keep `playdata.txt` between the moves of a game.
    pub reuses: bool,
    /// The iterations of every search, which make games repeatable. By default the time left limits searches.
    pub iterations: Option<u64>,
}

impl Default for Options {
    /// The options of the program `homework`.
    fn default() -> Options {
        let (agent, registry) = (Spec::of("mcts"), Registry::default());
        Options { agent, registry, seed: 1, reuses: true, iterations: None }
    }
}

/// The part of a move's time that reading `playdata.txt` may take. Writing it took a smaller part of the last move, but
/// a move with few legal plays has less time than the last one.
const READING_SHARE: f64 = 0.1;

/// The CPU seconds after which a minimax search of Star and Circle is stopped. The course allows three minutes, and an
/// output that is missing or malformed scores no points.
const MAX_MINIMAX_SECONDS: f64 = 120.0;

/// A search of this many CPU seconds or more is long.
const LONG_SEARCH: f64 = 0.1;

/// The tree of a long search may take the free memory divided by this. The rest is for its transposition table and for
/// saving it.
const MEMORY_PART: usize = 2;

/// Reads `input.txt` in `folder`, chooses a play, and writes `output.txt`. In a game, also writes `playdata.txt` for the
/// next move. `clock` must have started with the process.
///
/// Before a long search it writes a play that takes no search, so that `output.txt` has a legal play even if the process
/// is killed.
///
/// Returns notes for the user about files that were ignored. They do not change the answer.
///
/// # Errors
/// `input.txt` cannot be read or is wrong (with line and column), there is no legal play, `options` name no agent, or
/// `output.txt` cannot be written. Then `output.txt` is unchanged, or has the play from before a long search.
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
    let note = "the minimax search was stopped after two minutes: the play and the utilities are right, but the number \
        of nodes counts only those visited until then";
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
    let planned_at = clock.seconds();
    let situation = Situation {
        mode,
        seconds_left: seconds,
        seconds_used: planned_at,
        legal_plays: legal_plays.len(),
        own_plays_to_race: own_plays_to_race(position),
    };
    let limits = options.iterations.map_or_else(|| situation.limits(&machine), Limits::iterations);
    let searches = limits.cpu.is_some() || options.iterations.is_some();

    let mut agent = options.registry.make_agent(&options.agent, options.seed)?;
    let reuses = options.reuses && mode == Mode::Game && searches;
    if reuses {
        let max_bytes = affordable_bytes(&limits, &machine);
        match read_optional(folder, "playdata.txt", max_bytes, parse_playdata, &mut notes) {
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
        // In case the process is killed: a winning play, or else one of most progress.
        let furthest = legal_plays.iter().copied().max_by_key(|&play| position.progress(play));
        if let Some(play) = position.winning_play(&legal_plays).or(furthest) {
            write_output(folder, position, play)?;
        }
        memory = memory::left().map(|bytes| bytes / MEMORY_PART);
    }
    let limits = limits.less(clock.seconds() - planned_at + machine.seconds_to_save(max_nodes));
    let decision = agent.decide(position, &Limits { memory, ..limits }, clock, None);
    let play = decision.map_err(|none| explain(none, position))?.play;
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

/// Why there is no play in `position`.
fn explain(none: NoLegalPlay, position: &Position) -> anyhow::Error {
    let side = position.to_move();
    if position.has_filled_goal(side) {
        anyhow!("there is no legal play: {} has already filled its goal, so the game is over", colour(side))
    } else {
        none.into()
    }
}

fn write_output(folder: &Path, position: &Position, play: Play) -> Result<()> {
    let text = output_text(position, play).context("the agent chose a play that no piece can make")?;
    Ok(replace(&folder.join("output.txt"), text.as_bytes())?)
}

/// The size of the largest `playdata.txt` that is worth reading before a search of `limits`. Limits without a time leave
/// time for any file.
fn affordable_bytes(limits: &Limits, machine: &Machine) -> usize {
    // Reading a node costs as much as saving it.
    let node_seconds = machine.seconds_to_save(1);
    let nodes = limits.seconds().map_or(f64::INFINITY, |seconds| READING_SHARE * seconds / node_seconds);
    let bytes = playdata::HEAD_BYTES as f64 + nodes * playdata::NODE_BYTES as f64;
    (bytes as usize).min(playdata::MAX_BYTES)
}

/// Whether one play can have led from `before` to `now`, judged by the pieces: the side that moved has moved one piece.
fn follows(now: &Position, before: &Position) -> bool {
    let (waits, moves) = (now.to_move(), before.to_move());
    let stays = before.pieces(moves) & now.pieces(moves);
    let moved = [before, now].map(|position| (position.pieces(moves) & !stays).count());
    waits != moves && now.pieces(waits) == before.pieces(waits) && moved == [1, 1]
}

/// Writes the `playdata.txt` at `path` for the next move. Without a `text`, removes the file, which is out of date.
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

/// Reads the file called `name`. `None` if it is absent, or, with a note, if it is wrong.
fn read_optional<T>(
    folder: &Path,
    name: &str,
    max_bytes: usize,
    parse: fn(&[u8]) -> Result<T, TextError>,
    notes: &mut Vec<String>,
) -> Option<T> {
    let read = match read_at_most(&folder.join(name), max_bytes + 1) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => Err(error.to_string()),
        Ok(bytes) if bytes.len() > max_bytes => {
            Err(format!("it has more than {max_bytes} bytes, too many to read in this move's time"))
        }
        Ok(bytes) => parse(&bytes).map_err(|error| error.to_string()),
    };
    read.map_err(|fault| notes.push(format!("{name} is ignored: {fault}"))).ok()
}
