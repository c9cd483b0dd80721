//! Playout policies written in Python.

use crate::fault::Fault;
use crate::parts::PLAYOUTS;
use crate::play::list;
use crate::position::PyPosition;
use crate::random::PyRandom;
use halma::agent::{BoxedPlayout, Spec, SpecError};
use halma::game::{Game, Player, Value};
use halma::playout::{Playout, Simulation};
use halma::rules::{BLACK, Play, Position};
use halma::support::random::Random;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

/// A policy: an object with the method `value`, and optionally `learn`, `new_search` and `new_game`.
struct Policy {
    name: String,
    object: Py<PyAny>,
    random: Py<PyRandom>,
    learns: bool,
    /// Who is to move at the root of the search.
    root: Player,
}

/// The policy that `spec` names.
pub fn make(spec: &Spec) -> Result<BoxedPlayout, SpecError> {
    let (class, settings) = PLAYOUTS.get(spec)?;
    let made = Python::attach(|py| {
        let object = class.call(py, (), Some(&settings.into_py_dict(py)?))?;
        let learns = object.bind(py).hasattr("learn")?;
        let random = Py::new(py, PyRandom::from(Random::new(0)))?;
        object.getattr(py, "value")?;
        Ok(Policy { name: spec.name.clone(), object, random, learns, root: BLACK })
    });
    match made {
        Ok(policy) => Ok(Box::new(policy)),
        Err(error) => {
            let message = SpecError::new(format!("{}: {error}", spec.name));
            Fault::current().set(error);
            Err(message)
        }
    }
}

impl Policy {
    /// Calls Python, unless it has failed before. `None` after a fault.
    fn call<T>(&self, call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        let fault = Fault::current();
        if fault.is_set() {
            return None;
        }
        Python::attach(|py| call(py, self.object.bind(py))).map_err(|error| fault.set(error)).ok()
    }

    /// Calls a method with the `argument`, if the policy has it.
    fn call_if_any(&self, method: &str, argument: Option<Position>) {
        self.call(|_, object| {
            match (object.getattr_opt(method)?, argument) {
                (Some(method), Some(argument)) => drop(method.call1((PyPosition(argument),))?),
                (Some(method), None) => drop(method.call0()?),
                (None, _) => {}
            }
            Ok(())
        });
    }
}

/// The value that Python code called `name` returned.
///
/// # Errors
/// The value is not a number from −1 to +1.
pub fn checked_value(name: &str, returned: &Bound<'_, PyAny>) -> PyResult<Value> {
    match returned.extract::<f64>() {
        Ok(value) if (-1.0..=1.0).contains(&value) => Ok(Value::new(value as f32)),
        _ => {
            let message = format!("{name} returned {}: expected a number from -1 to 1", returned.repr()?);
            Err(PyValueError::new_err(message))
        }
    }
}

impl Playout<Position> for Policy {
    fn evaluate(&mut self, end: &Position, simulation: &mut Simulation<Play>) -> Value {
        let value = self.call(|py, object| {
            let random = self.random.get();
            random.lock().clone_from(&simulation.random);
            let returned = object.call_method1("value", (PyPosition(*end), self.random.bind(py)))?;
            simulation.random.clone_from(&random.lock());
            checked_value(&format!("{}.value", self.name), &returned)
        });
        value.unwrap_or_default()
    }

    fn learns(&mut self) -> bool {
        self.learns
    }

    fn learn(&mut self, simulation: &Simulation<Play>) {
        let value = simulation.value_for(self.root).get();
        self.call(|py, object| {
            let path: Vec<Play> = simulation.moves().iter().map(|one| one.play).collect();
            object.call_method1("learn", (list(py, &path)?, value)).map(drop)
        });
    }

    fn new_search(&mut self, root: &Position) {
        self.root = root.to_move();
        self.call_if_any("new_search", Some(*root));
    }

    fn new_game(&mut self) {
        self.call_if_any("new_game", None);
    }
}
