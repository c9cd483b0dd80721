//! Matches and recorded runs.

use crate::fault::{Fault, MatchFault, SIGNALS_EVERY};
use crate::position::AnyRules;
use crate::whole::{seed, whole};
use anyhow::Result;
use halma_lab::cli::list_agents;
use halma_lab::play::is_program;
use halma_lab::play::matches::{SettingError, Settings, Terms};
use halma_lab::play::openings::Openings;
use halma_lab::play::time_control::TimeControls;
use halma_lab::runs::{Builds, OtherPlay, PlannedRun, Progress, Shard};
use halma_lab::show::{Column, Table, tables};
use halma_lab::stats::Hypotheses;
use numpy::IntoPyArray;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;

/// The limit called `name`: one amount for both sides, or A's and B's.
fn amounts<T>(name: &str, limit: Option<Bound<'_, PyAny>>, expected: &str) -> PyResult<Option<[T; 2]>>
where
    T: Copy + for<'py> FromPyObjectOwned<'py>,
{
    let Some(limit) = limit else { return Ok(None) };
    let both = limit.extract::<T>().map(|both| [both; 2]);
    let Ok(each) = both.or_else(|_| limit.extract()) else {
        let message = format!("{name}={}: expected {expected}, or a pair of them for A and B", limit.repr()?);
        return Err(PyValueError::new_err(message));
    };
    Ok(Some(each))
}

/// The progress of a match: the numbers of finished and of planned games, and the score so far.
type GamesAndScore = (u64, u64, String);

/// Plays a match and returns its result as text and as JSON. `watch` gets the numbers of finished and of planned games,
/// and the score so far; `warn` gets warnings about anything that might make the result misleading.
#[pyfunction]
#[pyo3(signature = (
    a, b, *, games, iterations, cpu, game_time, seed, openings, max_plies, rules, sprt, jobs, out, watch, warn
))]
#[expect(clippy::too_many_arguments, reason = "halma.match names them, with their defaults")]
pub fn play_match(
    py: Python<'_>,
    a: &str,
    b: &str,
    games: Option<Bound<'_, PyAny>>,
    iterations: Option<Bound<'_, PyAny>>,
    cpu: Option<Bound<'_, PyAny>>,
    game_time: Option<Bound<'_, PyAny>>,
    #[pyo3(from_py_with = seed)] seed: u64,
    openings: &str,
    max_plies: &Bound<'_, PyAny>,
    rules: AnyRules,
    sprt: Option<(f64, f64)>,
    jobs: Option<Bound<'_, PyAny>>,
    out: Option<PathBuf>,
    watch: &Bound<'_, PyAny>,
    warn: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    // A program's supervisor is this process's executable, which here is Python, and it takes over all signals.
    if let Some(spec) = [a, b].into_iter().find(|spec| is_program(spec)) {
        let message = format!("'{spec}': halma.match can't start programs; use the command 'lab match'");
        return Err(PyValueError::new_err(message));
    }
    let games = games.map(|games| whole("games", &games, 1..=u64::MAX)).transpose()?;
    let games = games.unwrap_or_else(|| Settings::default_games(sprt.is_some()));
    let max_plies = whole("max_plies", max_plies, 1..=u64::from(u32::MAX))? as u32;
    let jobs = jobs.map(|jobs| whole("jobs", &jobs, 1..=u64::from(u16::MAX))).transpose()?;
    let limits = [
        amounts("iterations", iterations, "a whole number above 0")?.map(TimeControls::Iterations),
        amounts("cpu", cpu, "a number of seconds above 0")?.map(TimeControls::Cpu),
        amounts("game_time", game_time, "a number of seconds above 0")?.map(TimeControls::GameTime),
    ];
    let mut limits = limits.into_iter().flatten();
    let (Some(limit), None) = (limits.next(), limits.next()) else {
        return Err(PyValueError::new_err("expected one of iterations, cpu (seconds a move) and game_time"));
    };
    let openings = Openings::parse(openings).map_err(setting_error)?;
    let terms = Terms { seed, openings, max_plies, rules: rules.0, ..Terms::default() };
    let sprt = sprt.map(|(elo0, elo1)| Hypotheses::logistic(elo0, elo1));
    let settings = Settings { sprt, ..Settings::new([a, b], games.div_ceil(2), limit, terms) };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.map_or_else(cores, |jobs| jobs as usize);
    let current = MatchFault::begin().ok_or_else(|| {
        PyRuntimeError::new_err("another match is being played; use jobs= to play games at the same time")
    })?;
    let fault = &current.0;
    let (watch, warn) = (watch.clone().unbind(), warn.clone().unbind());
    let (sender, updates) = channel();
    let played = py.detach(move || {
        thread::scope(|scope| {
            let work = scope.spawn(move || play(settings, jobs, out.as_deref(), fault, &sender));
            loop {
                let next = updates.recv_timeout(SIGNALS_EVERY);
                let handled = Python::attach(|py| match &next {
                    Ok(Ok(progress)) => watch.call1(py, progress.clone()).map(drop),
                    Ok(Err(warning)) => warn.call1(py, (warning,)).map(drop),
                    Err(_) => py.check_signals(),
                });
                handled.unwrap_or_else(|error| fault.set(error));
                if next == Err(RecvTimeoutError::Disconnected) {
                    break work.join();
                }
            }
        })
    });
    fault.take()?;
    let played = played.map_err(|_| PyRuntimeError::new_err("the match panicked; see standard error"))?;
    played?.map_err(|error| match error.downcast_ref() {
        Some(OtherPlay { folder, changed }) => PyRuntimeError::new_err(format!(
            "{}: its games were played before {changed} changed; use another folder as out=, or restore the \
             version that the run began with",
            folder.display()
        )),
        None => PyRuntimeError::new_err(format!("{error:#}")),
    })
}

/// Plays a match, which ends soon after `fault` is set. The outer error is about the settings.
fn play(
    settings: Settings,
    jobs: usize,
    out: Option<&Path>,
    fault: &Fault,
    updates: &Sender<Result<GamesAndScore, String>>,
) -> PyResult<Result<(String, String)>> {
    settings.check().map_err(setting_error)?;
    // Nobody listens once the match has been stopped.
    let send = |update| drop(updates.send(update));
    let mut watch = |progress: &Progress<'_>| {
        send(Ok((progress.ended, progress.planned, progress.summary().in_short())));
    };
    let conclude = || {
        let run = PlannedRun::new("match", settings, Shard::WHOLE)?.stopped_by(fault.flag());
        run.warnings(jobs).into_iter().for_each(|warning| send(Err(warning)));
        let conclusion = run.play(jobs, out, Builds::Same, &mut watch)?;
        Ok((conclusion.text, conclusion.json))
    };
    Ok(conclude())
}

/// An error in the settings, named as the arguments of the function: `max_plies=5: …`.
fn setting_error(error: anyhow::Error) -> PyErr {
    PyValueError::new_err(SettingError::with_keys(&error))
}

/// The agents and parts that specs can name, with their parameters and defaults, as `lab agents` prints them. With a
/// `name`, only those with that name.
#[pyfunction]
#[pyo3(signature = (name = None))]
pub fn agents(name: Option<&str>) -> PyResult<String> {
    list_agents(name).map_err(|error| PyValueError::new_err(format!("{error:#}")))
}

/// A run as two tables, one of its games and one of its decisions.
#[pyfunction]
pub fn read_tables(py: Python<'_>, folder: PathBuf) -> PyResult<[Bound<'_, PyDict>; 2]> {
    let [games, decisions] =
        py.detach(|| tables(&folder)).map_err(|error| PyValueError::new_err(format!("{error:#}")))?;
    Ok([columns(py, games)?, columns(py, decisions)?])
}

fn columns(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(py);
    for (name, column) in table {
        match column {
            Column::Whole(values) => columns.set_item(name, values.into_pyarray(py))?,
            Column::Number(values) => columns.set_item(name, values.into_pyarray(py))?,
            Column::Text(values) => columns.set_item(name, values)?,
        }
    }
    Ok(columns)
}
