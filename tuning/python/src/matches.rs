//! Matches and recorded runs.

use crate::fault::{Fault, MatchFault, SIGNALS_EVERY};
use crate::position::AnyRules;
use anyhow::Result;
use halma_lab::play::matches::{Settings, Terms};
use halma_lab::play::openings::Openings;
use halma_lab::play::time_control::TimeControls;
use halma_lab::runs::{Builds, PlannedRun, Progress, Shard};
use halma_lab::show::{Column, Table, tables};
use halma_lab::stats::{ERROR, Hypotheses, Scale};
use numpy::IntoPyArray;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;

/// One amount for both sides, or A's and B's.
#[derive(FromPyObject)]
pub enum Amounts<T> {
    Both(T),
    Each([T; 2]),
}

impl<T: Copy> Amounts<T> {
    fn each(self) -> [T; 2] {
        match self {
            Amounts::Both(both) => [both; 2],
            Amounts::Each(each) => each,
        }
    }
}

/// News of a match: games ended and planned, and the score so far.
type News = (u64, u64, String);

/// Plays a match and returns its result as text and as JSON. `watch` gets the games ended and planned, and the score so
/// far; `warn` gets what might make the result misleading.
#[pyfunction]
#[pyo3(signature = (
    a, b, *, games, iterations, cpu, game_time, seed, openings, max_plies, rules, sprt, jobs, out, watch, warn
))]
#[expect(clippy::too_many_arguments, reason = "halma.match names them, with their defaults")]
pub fn play_match(
    py: Python<'_>,
    a: &str,
    b: &str,
    games: u64,
    iterations: Option<Amounts<u64>>,
    cpu: Option<Amounts<f64>>,
    game_time: Option<Amounts<f64>>,
    seed: u64,
    openings: &str,
    max_plies: u32,
    rules: AnyRules,
    sprt: Option<(f64, f64)>,
    jobs: Option<usize>,
    out: Option<PathBuf>,
    watch: &Bound<'_, PyAny>,
    warn: &Bound<'_, PyAny>,
) -> PyResult<(String, String)> {
    let limits = [
        iterations.map(|amounts| TimeControls::Iterations(amounts.each())),
        cpu.map(|amounts| TimeControls::Cpu(amounts.each())),
        game_time.map(|amounts| TimeControls::GameTime(amounts.each())),
    ];
    let mut limits = limits.into_iter().flatten();
    let (Some(limit), None) = (limits.next(), limits.next()) else {
        return Err(PyValueError::new_err("expected one of iterations, cpu (seconds a move) and game_time"));
    };
    let openings = Openings::parse(openings).map_err(wrong)?;
    let terms = Terms { seed, openings, max_plies, rules: rules.0, ..Terms::default() };
    let sprt = sprt.map(|(elo0, elo1)| Hypotheses {
        elo0,
        elo1,
        scale: Scale::default(),
        alpha: ERROR,
        beta: ERROR,
    });
    let settings = Settings { sprt, ..Settings::new([a, b], games.div_ceil(2), limit, terms) };
    let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
    let current = MatchFault::begin().ok_or_else(|| {
        PyRuntimeError::new_err("another match is being played; use jobs= to play games at the same time")
    })?;
    let fault = &current.0;
    let (watch, warn) = (watch.clone().unbind(), warn.clone().unbind());
    let (sender, news) = channel();
    let played = py.detach(move || {
        thread::scope(|scope| {
            let work = scope.spawn(move || play(settings, jobs, out.as_deref(), fault, &sender));
            loop {
                let next = news.recv_timeout(SIGNALS_EVERY);
                let told = Python::attach(|py| match &next {
                    Ok(Ok(news)) => watch.call1(py, news.clone()).map(drop),
                    Ok(Err(caution)) => warn.call1(py, (caution,)).map(drop),
                    Err(_) => py.check_signals(),
                });
                told.unwrap_or_else(|error| fault.set(error));
                if next == Err(RecvTimeoutError::Disconnected) {
                    break work.join();
                }
            }
        })
    });
    fault.take()?;
    let played = played.map_err(|_| PyRuntimeError::new_err("the match panicked; see standard error"))?;
    played?.map_err(|error| PyRuntimeError::new_err(format!("{error:#}")))
}

/// Plays a match that ends soon after `fault`. The outer error is about the settings.
fn play(
    settings: Settings,
    jobs: usize,
    out: Option<&Path>,
    fault: &Fault,
    news: &Sender<Result<News, String>>,
) -> PyResult<Result<(String, String)>> {
    settings.check().map_err(wrong)?;
    // Nobody listens once the match has been stopped.
    let tell = |update| drop(news.send(update));
    let mut watch = |progress: &Progress<'_>| {
        tell(Ok((progress.ended, progress.planned, progress.summary.in_short())));
    };
    let conclude = || {
        let run = PlannedRun::new("match", settings, Shard::WHOLE)?.stopped_by(fault.flag());
        run.cautions().into_iter().for_each(|caution| tell(Err(caution)));
        let conclusion = run.play(jobs, out, Builds::Same, &mut watch)?;
        Ok((conclusion.text, conclusion.json))
    };
    Ok(conclude())
}

/// An error in the settings, which the laboratory describes as options of its commands.
fn wrong(error: anyhow::Error) -> PyErr {
    PyValueError::new_err(format!("{error:#}").replace("--", ""))
}

/// The tables of the games and of the decisions of a run.
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
