//! Evaluators written in Python: networks that value whole batches of leaves and rate their plays.
//!
//! An evaluator is both an evaluation and a prior, under one name. When the search is about to value several leaves
//! together, it passes all of them to the evaluation, which makes one call for them. The logits of that call are kept
//! until the prior needs them, which is when a leaf gets children.

use crate::arrays::{self, ACTIONS, OBSERVATION, SQUARES};
use crate::fault::Fault;
use crate::parts::EVALUATORS;
use crate::policy::checked_value;
use halma::agent::{BoxedPrior, Spec, SpecError};
use halma::evaluation::Evaluation;
use halma::game::{Game, Player, Value};
use halma::prior::Prior;
use halma::rules::{Play, Position, Rules};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// How many steps of a score change a play's probability by a factor of e.
const STEPS: f32 = 8.0;

/// The prior treats all plays this many steps or more behind the best as equal.
const LAST_STEP: f32 = 63.0;

/// The maximum number of positions whose scores are kept: about 20 MB.
const MAX_KEPT: usize = 100_000;

/// The scores of legal plays, keyed by the evaluator's name and by the position's key and rules: a match can mix
/// searches under different rules, which allow different plays.
type Scores = HashMap<(Arc<str>, u64, Rules), Box<[i8]>>;

thread_local! {
    /// The scores that were computed with values. A search runs on one thread, so its evaluation and its prior share
    /// them.
    static SCORES: RefCell<Scores> = RefCell::default();

    /// Changes whenever this thread forgets. Values computed at another epoch are out of date.
    static EPOCH: Cell<u64> = const { Cell::new(0) };
}

/// Forgets all scores and values of this thread. The function may have changed, as when a network has been trained.
pub fn forget() {
    // No two calls give the same epoch, because an agent may move to another thread.
    static LAST_EPOCH: AtomicU64 = AtomicU64::new(0);
    SCORES.with_borrow_mut(Scores::clear);
    EPOCH.set(1 + LAST_EPOCH.fetch_add(1, Ordering::Relaxed));
}

/// The evaluation that `spec` names.
pub fn make_evaluation(spec: &Spec) -> Result<Box<dyn Evaluation>, SpecError> {
    Ok(Box::new(Batched { evaluator: Evaluator::new(spec)?, batch: Vec::new(), epoch: 0 }))
}

/// The prior that `spec` names.
pub fn make_prior(spec: &Spec) -> Result<BoxedPrior, SpecError> {
    Ok(Box::new(Evaluator::new(spec)?))
}

/// A function from observations to values, or to values and logits.
struct Evaluator {
    name: Arc<str>,
    function: Py<PyAny>,
}

impl Evaluator {
    fn new(spec: &Spec) -> Result<Evaluator, SpecError> {
        let (function, _) = EVALUATORS.get(spec)?;
        forget();
        Ok(Evaluator { name: spec.name.as_str().into(), function })
    }

    /// The values of `positions` for their sides to move. If the function returns logits, the scores of their plays are
    /// kept. `None` after a fault.
    fn evaluate(&self, positions: &[Position]) -> Option<Vec<Value>> {
        let fault = Fault::current();
        if fault.is_set() || positions.is_empty() {
            return None;
        }
        Python::attach(|py| self.call(py, positions)).map_err(|error| fault.set(error)).ok()
    }

    fn call<'py>(&self, py: Python<'py>, positions: &[Position]) -> PyResult<Vec<Value>> {
        let count = positions.len();
        let mut planes = vec![0; count * OBSERVATION];
        for (position, planes) in positions.iter().zip(planes.chunks_mut(OBSERVATION)) {
            arrays::observe(position, planes);
        }
        let planes = planes.into_pyarray(py).reshape([count, 2, 16, 16])?;
        let returned = self.function.bind(py).call1((planes,))?;
        let (values, logits) = match returned.cast::<PyTuple>() {
            Ok(both) => both
                .extract::<(Bound<'_, PyAny>, Option<Bound<'_, PyAny>>)>()
                .map_err(|error| self.unreadable(&returned, Some(error)))?,
            Err(_) => (returned.clone(), None),
        };
        let array = |given: &Bound<'py, PyAny>| {
            // NumPy would read `None` as NaN.
            if given.is_none() {
                return Err(self.unreadable(&returned, None));
            }
            let array = AS_ARRAY.import(py, "numpy", "asarray")?.call1((given, "float32"));
            array.map_err(|error| self.unreadable(&returned, Some(error)))
        };
        if let Some(logits) = logits {
            let logits = self.matrix(&array(&logits)?, "logits", count, &[2 * SQUARES, ACTIONS])?;
            self.keep(positions, &logits)?;
        }
        let values = self.matrix(&array(&values)?, "values", count, &[1])?;
        let values = values.as_array();
        let checked = |&value: &f32| match value {
            -1.0..=1.0 => Ok(Value::new(value)),
            _ => checked_value(&self.name, value.into_pyobject(py)?.as_any()),
        };
        values.iter().map(checked).collect()
    }

    /// The error about what the function returned, with its cause.
    fn unreadable(&self, returned: &Bound<'_, PyAny>, cause: Option<PyErr>) -> PyErr {
        let py = returned.py();
        let kind = match returned.get_type().name() {
            _ if returned.is_none() => "None".to_string(),
            Ok(name) => format!("an object of type {name}"),
            Err(error) => return error,
        };
        let message = format!(
            "{} returned {kind}: expected an array of values, or a tuple (values, logits)",
            self.name
        );
        let unreadable = PyTypeError::new_err(message);
        unreadable.set_cause(py, cause);
        unreadable
    }

    /// `array` as a matrix with a row for each of `count` positions. The number of columns must be one of `columns`; a
    /// vector counts as one column.
    fn matrix<'py>(
        &self,
        array: &Bound<'py, PyAny>,
        what: &str,
        count: usize,
        columns: &[usize],
    ) -> PyResult<PyReadonlyArray2<'py, f32>> {
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        let fits = shape.first() == Some(&count) && columns.contains(&shape[1..].iter().product());
        if !fits || count == 0 {
            let (name, shape) = (&self.name, array.getattr("shape")?.repr()?);
            let vector = columns.contains(&1).then(|| format!("({count},)"));
            let expected =
                vector.into_iter().chain(columns.iter().map(|columns| format!("({count}, {columns})")));
            let message = format!(
                "{name} returned {what} of shape {shape} for {count} positions: expected {}",
                expected.collect::<Vec<_>>().join(" or ")
            );
            return Err(PyValueError::new_err(message));
        }
        let matrix = array.call_method1("reshape", (count, -1))?;
        Ok(matrix.cast_into::<PyArray2<f32>>()?.readonly())
    }

    /// The key of the kept scores of `position`.
    fn kept_key(&self, position: &Position) -> (Arc<str>, u64, Rules) {
        (Arc::clone(&self.name), position.key(), position.rules())
    }

    /// Keeps the scores of the legal plays of `positions`.
    fn keep(&self, positions: &[Position], logits: &PyReadonlyArray2<'_, f32>) -> PyResult<()> {
        let logits = logits.as_array();
        let mut plays = Vec::new();
        for (position, row) in positions.iter().zip(logits.rows()) {
            position.legal_plays(&mut plays);
            let logit = |&play: &Play| {
                let action = arrays::action(position.to_move(), play);
                match row.len() {
                    ACTIONS => row[action],
                    _ => row[action / SQUARES] + row[SQUARES + action % SQUARES],
                }
            };
            let logits: Vec<f32> = plays.iter().map(logit).collect();
            if let Some(at) = logits.iter().position(|logit| !logit.is_finite()) {
                let (name, play, logit) = (&self.name, plays[at], logits[at]);
                let message = format!("{name} returned the logit {logit} for the legal play {play}");
                return Err(PyValueError::new_err(message));
            }
            let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let score = |logit: f32| -((best - logit) * STEPS).round().min(LAST_STEP) as i8;
            let scores = logits.into_iter().map(score).collect();
            SCORES.with_borrow_mut(|kept| {
                if kept.len() >= MAX_KEPT {
                    kept.clear();
                }
                kept.insert(self.kept_key(position), scores);
            });
        }
        Ok(())
    }
}

/// The last batch of an evaluator.
struct Batched {
    evaluator: Evaluator,
    /// The keys of the positions, and their values for their sides to move.
    batch: Vec<(u64, Value)>,
    /// When they were computed.
    epoch: u64,
}

impl Batched {
    /// The value of `position` in the last batch, unless it is out of date.
    fn find(&self, position: &Position) -> Option<Value> {
        let batch = if self.epoch == EPOCH.get() { &self.batch[..] } else { &[] };
        batch.iter().find(|(key, _)| *key == position.key()).map(|&(_, value)| value)
    }
}

impl Evaluation for Batched {
    fn score(&mut self, position: &Position, player: Player) -> f32 {
        // The inverse of `squash`.
        let value = self.value(position, player).get().clamp(-0.9999, 0.9999);
        value / (1.0 - value * value).sqrt()
    }

    fn value(&mut self, position: &Position, player: Player) -> Value {
        if let Some(outcome) = position.outcome() {
            return outcome.value_for(player);
        }
        let value = self.find(position).or_else(|| {
            self.prepare(&[*position]);
            self.find(position)
        });
        let value = value.unwrap_or_default();
        if player == position.to_move() { value } else { -value }
    }

    fn prepares(&self) -> bool {
        true
    }

    fn prepare(&mut self, positions: &[Position]) {
        let values = self.evaluator.evaluate(positions).unwrap_or_default();
        self.epoch = EPOCH.get();
        self.batch.clear();
        self.batch.extend(positions.iter().map(Game::key).zip(values));
    }
}

impl Prior<Position> for Evaluator {
    fn scores(&mut self, position: &Position, plays: &[Play], scores: &mut Vec<i8>) {
        let key = self.kept_key(position);
        let is_kept = || SCORES.with_borrow(|kept| kept.contains_key(&key));
        if !is_kept() && self.evaluate(&[*position]).is_some() && !is_kept() {
            let name = &self.name;
            Fault::current().set(PyTypeError::new_err(format!(
                "{name} returned no logits, which prior={name} needs: return values and logits"
            )));
        }
        scores.clear();
        SCORES.with_borrow(|kept| {
            let kept = kept.get(&key).filter(|kept| kept.len() == plays.len());
            scores.extend(kept.into_iter().flat_map(|kept| kept.iter()));
        });
        scores.resize(plays.len(), 0);
    }

    fn base(&self) -> f32 {
        (1.0 / STEPS).exp()
    }
}
