//! Decisions.

use crate::play::PyPlay;
use crate::position::PyPosition;
use halma::agent::Decision;
use halma::game::{Game, Outcome, Player};
use halma::rules::{Play, Position};
use halma::search::Candidate;
use halma_lab::show::{analysis_of, picture_of};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::Value;

/// A play, and the search behind it. Notebooks show the board with arrows for the best plays.
#[pyclass(frozen, name = "Decision", module = "halma")]
pub struct PyDecision {
    agent: String,
    position: Position,
    decision: Decision,
    /// The analysis as `lab analyse --json` prints it.
    analysis: Value,
}

impl PyDecision {
    /// The `decision` of `agent` in `position`.
    pub fn new(agent: &str, position: Position, decision: Decision) -> PyResult<PyDecision> {
        let analysis = analysis_of(agent, &position, &decision).map_err(internal)?;
        Ok(PyDecision { agent: agent.to_string(), position, decision, analysis })
    }

    fn text(&self, field: &str) -> &str {
        self.analysis[field].as_str().unwrap_or_default()
    }
}

fn internal(error: anyhow::Error) -> PyErr {
    PyRuntimeError::new_err(format!("{error:#}"))
}

/// A proof for `side`.
fn proof(outcome: Option<Outcome>, side: Player) -> Option<i8> {
    outcome.map(|outcome| outcome.value_for(side).get() as i8)
}

#[pymethods]
impl PyDecision {
    /// The spec of the agent.
    #[getter]
    fn agent(&self) -> &str {
        &self.agent
    }

    /// The position in which the decision was made.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(self.position)
    }

    /// The play to make.
    #[getter]
    fn play(&self) -> PyPlay {
        PyPlay(self.decision.play)
    }

    /// The expected outcome for the side to move, from -1 to 1; None if nothing was searched, as by "greedy".
    #[getter]
    fn value(&self) -> Option<f32> {
        (!self.analysis["value"].is_null()).then(|| self.decision.report.value.get())
    }

    /// 1 for a proved win of the side to move, -1 for a proved loss; None if nothing is proved.
    #[getter]
    fn proof(&self) -> Option<i8> {
        proof(self.decision.report.proof, self.position.to_move())
    }

    /// The plays that were searched, a list of `Candidate`, the choice of the search first.
    #[getter]
    fn candidates(&self) -> Vec<PyCandidate> {
        let rows = &self.analysis["search"]["candidates"];
        let candidate = |(at, &candidate): (usize, &Candidate<Play>)| PyCandidate {
            candidate,
            side: self.position.to_move(),
            is_valued: !rows[at]["value"].is_null(),
        };
        self.decision.report.candidates.iter().enumerate().map(candidate).collect()
    }

    /// The line of best play by both sides, from the best candidate on.
    #[getter]
    fn principal_variation(&self) -> Vec<PyPlay> {
        self.decision.report.principal_variation.iter().map(|&play| PyPlay(play)).collect()
    }

    /// What decided the play, in a word: "visits", "value", "depth", "race", "proof", "prior", "only-play", "rule", …
    #[getter]
    fn decided_by(&self) -> &str {
        self.text("decided_by")
    }

    /// What decided the play, in a phrase: "search: most visits".
    #[getter]
    fn why(&self) -> &str {
        self.text("why")
    }

    /// Iterations of tree search.
    #[getter]
    fn iterations(&self) -> u64 {
        self.decision.report.iterations
    }

    /// Nodes visited by alpha-beta or minimax.
    #[getter]
    fn nodes(&self) -> u64 {
        self.decision.report.visited
    }

    /// CPU seconds of the thread that searched. Work on a GPU or on other threads is not counted.
    #[getter]
    fn seconds(&self) -> f64 {
        self.decision.report.seconds
    }

    /// Everything, as `lab analyse --json` prints it, but without the file, the seed and the limits.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.analysis.to_string(),))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        picture_of(&self.position, Some(&self.decision)).map_err(internal)
    }

    fn __repr__(&self) -> String {
        format!("<Decision {}{}, {}>", self.decision.play, valued(self.value()), self.why())
    }
}

/// A play that a search considered.
#[pyclass(frozen, name = "Candidate", module = "halma")]
pub struct PyCandidate {
    candidate: Candidate<Play>,
    /// The side to move.
    side: Player,
    is_valued: bool,
}

#[pymethods]
impl PyCandidate {
    /// The play.
    #[getter]
    fn play(&self) -> PyPlay {
        PyPlay(self.candidate.play)
    }

    /// The iterations that began with this play; for alpha-beta, the nodes below it.
    #[getter]
    fn visits(&self) -> u32 {
        self.candidate.visits
    }

    /// The expected outcome for the side to move, from -1 to 1; None if the play was not searched. For alpha-beta, only
    /// an upper bound, except for the first candidate.
    #[getter]
    fn value(&self) -> Option<f32> {
        self.is_valued.then(|| self.candidate.value.get())
    }

    /// The probability, before search, that the play is best; None without a prior.
    #[getter]
    fn prior(&self) -> Option<f32> {
        self.candidate.prior
    }

    /// 1 for a proved win of the side to move, -1 for a proved loss; None if nothing is proved.
    #[getter]
    fn proof(&self) -> Option<i8> {
        proof(self.candidate.proof, self.side)
    }

    fn __repr__(&self) -> String {
        let Candidate { play, visits, .. } = self.candidate;
        format!("<Candidate {play}, {visits} visits{}>", valued(self.value()))
    }
}

/// A value as part of a `repr`; empty without one.
fn valued(value: Option<f32>) -> String {
    value.map_or_else(String::new, |value| format!(", value {value:+.3}"))
}

/// The board of `position` as SVG.
pub fn svg(position: &Position) -> PyResult<String> {
    picture_of(position, None).map_err(internal)
}
