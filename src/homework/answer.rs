//! The program `homework`: from `input.txt` to `output.txt`, in one folder.

use super::calibration::{self, parse_calibration};
use super::files::{read_at_most, replace};
use super::input::{self, Homework, Input, parse_input};
use super::output::output_text;
use super::playdata::{self, parse_playdata, playdata_text};
use super::star_circle::Problem;
use crate::agent::time::{Machine, Mode, Situation, own_plays_to_race};
use crate::agent::{self, MakeAgent, NoLegalPlay};
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

/// Who plays Halma, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The agent, as a spec string.
    pub agent: &'a str,
    /// What makes it of the spec and the seed: [`agent::parse`], or a function that knows more agents.
    pub make: MakeAgent,
    /// What is random in it follows from this number and the position.
    pub seed: u64,
    /// Whether it keeps `playdata.txt` from move to move of a game.
    pub reuses: bool,
    /// How many iterations every search runs, whatever they take; by default the time left decides. With
    /// a number here, a game is the same each time.
    pub iterations: Option<u64>,
}

impl Default for Options<'static> {
    /// The program `homework`.
    fn default() -> Options<'static> {
        Options { agent: "mcts", make: agent::parse, seed: 1, reuses: true, iterations: None }
    }
}

/// The part of a move's time that reading `playdata.txt` may take. The file cost less of the move before,
/// but a move with little choice has less time than that one had.
const READING_SHARE: f64 = 0.1;

/// The CPU seconds after which a minimax search of Star and Circle is stopped. The course allows three minutes, and
/// without a well-formed output there are no points at all.
const MOST_MINIMAX_SECONDS: f64 = 120.0;

/// A search of this many CPU seconds or more is a long one.
const LONG_SEARCH: f64 = 0.1;

/// A long search may take one such part of the memory that is left: beside its tree there are the table of its
/// transpositions and what is saved of it.
const MEMORY_PART: usize = 2;

/// Reads `input.txt` in `folder`, chooses a play, and writes `output.txt`; in a game, keeps
/// `playdata.txt` for the next move. `clock` must have started with the process.
///
/// Before a long search it writes a play that it finds at once, so that there is a legal one whatever ends the process,
/// and replaces that in the end.
///
/// Returns notes for the user, which do not change the answer: why files were ignored.
///
/// # Errors
/// If `input.txt` can't be read or is wrong (with line and column), if there is no legal play, if
/// `output.txt` can't be written, or if the spec string of `options` names no agent. Then `output.txt`
/// is as it was, unless the error came after a long search: then it has the play from before it.
pub fn answer(folder: &Path, options: &Options, clock: &dyn Clock) -> Result<Vec<String>> {
    let path = folder.join("input.txt");
    let bytes = read_at_most(&path, input::MAX_BYTES + 1)?;
    let in_file = || path.display().to_string();
    match input::homework(&bytes).with_context(in_file)? {
        Homework::Halma => answer_halma(folder, &parse_input(&bytes).with_context(in_file)?, options, clock),
        Homework::StarAndCircle => {
            input::check_length(&bytes).with_context(in_file)?;
            let problem = Problem::parse(&String::from_utf8_lossy(&bytes)).with_context(in_file)?;
            let (answer, whole) = problem.answer_until(|| clock.seconds() >= MOST_MINIMAX_SECONDS);
            replace(&folder.join("output.txt"), answer.to_string().as_bytes())?;
            let stopped = "the minimax search was stopped: the play and the utilities are right, but the nodes are \
                only those visited in two minutes";
            Ok(if whole { Vec::new() } else { vec![stopped.into()] })
        }
    }
}

fn answer_halma(folder: &Path, input: &Input, options: &Options, clock: &dyn Clock) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    let machine = optional(folder, "calibration.txt", calibration::MAX_BYTES, parse_calibration, &mut notes);
    let machine = machine.unwrap_or_default();
    let Input { mode, seconds, ref position } = *input;
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

    let mut agent = (options.make)(options.agent, options.seed)?;
    let searches = limits.cpu.is_some() || options.iterations.is_some();
    let reuses = options.reuses && mode == Mode::Game && searches;
    if reuses {
        let most_bytes = affordable_bytes(&limits, &machine);
        match optional(folder, "playdata.txt", most_bytes, parse_playdata, &mut notes) {
            Some(save) if follows(position, &save.before) => agent.restore(save),
            Some(_) => notes.push("playdata.txt is ignored: it is not of the move before".into()),
            None => {}
        }
    }
    let most_nodes = if reuses { machine.nodes_to_save(&limits) } else { 0 };
    let mut memory = None;
    if searches && limits.seconds().is_none_or(|seconds| seconds >= LONG_SEARCH) {
        // To be found if the search does not come to its end: a play that wins, else one that goes far.
        let furthest = legal_plays.iter().copied().max_by_key(|&play| position.progress(play));
        if let Some(play) = position.winning_play(&legal_plays).or(furthest) {
            write_output(folder, position, play)?;
        }
        memory = memory::left().map(|bytes| bytes / MEMORY_PART);
    }
    let limits = limits.less(clock.seconds() - planned_at + machine.seconds_to_save(most_nodes));
    let decision = agent.decide(position, &Limits { memory, ..limits }, clock, None);
    let play = decision.map_err(|none| without_a_play(position, none))?.play;
    write_output(folder, position, play)?;
    if mode == Mode::Game {
        let save = agent.save(most_nodes).filter(|_| options.reuses);
        let kept = keep(&folder.join("playdata.txt"), save.as_ref().map(playdata_text));
        kept.unwrap_or_else(|error| notes.push(format!("{error:#}; the next move starts afresh")));
    }
    Ok(notes)
}

/// Why there is no play in `position`.
fn without_a_play(position: &Position, none: NoLegalPlay) -> anyhow::Error {
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

/// The largest `playdata.txt`, in bytes, that is worth reading before a search of `limits`. A number of
/// iterations leaves all the time there is.
fn affordable_bytes(limits: &Limits, machine: &Machine) -> usize {
    // Half of a node's cost is writing it.
    let node_seconds = machine.seconds_to_save(1);
    let nodes = limits.seconds().map_or(f64::INFINITY, |seconds| READING_SHARE * seconds / node_seconds);
    let bytes = playdata::HEAD_BYTES as f64 + nodes * playdata::NODE_BYTES as f64;
    (bytes as usize).min(playdata::MAX_BYTES)
}

/// Whether one play can have led from `before` to `now`, as far as the pieces tell: all but one of the side
/// that moved stand where they stood.
fn follows(now: &Position, before: &Position) -> bool {
    let (waits, moves) = (now.to_move(), before.to_move());
    let stays = before.pieces(moves) & now.pieces(moves);
    let moved = [before, now].map(|position| (position.pieces(moves) & !stays).count());
    waits != moves && now.pieces(waits) == before.pieces(waits) && moved == [1, 1]
}

/// Writes the `playdata.txt` at `path` for the next move. Without a `text`, removes the file that is there,
/// which is out of date.
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

/// What the file called `name` says; `None` if it is absent, or, with a note, if it is wrong.
fn optional<T>(
    folder: &Path,
    name: &str,
    most_bytes: usize,
    parse: fn(&[u8]) -> Result<T, TextError>,
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
