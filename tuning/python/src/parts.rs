//! Policies and evaluators under the names that specs use.

use crate::{evaluator, policy};
use halma::agent::{Registry, Spec, SpecError};
use halma::support::parameters::Part;
use halma_lab::play::agents;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What was registered under each name.
pub struct Names(LazyLock<Mutex<HashMap<String, Py<PyAny>>>>);

/// The functions that make playout policies.
pub static PLAYOUTS: Names = Names::new();

/// The evaluators, each of which is an evaluation and a prior.
pub static EVALUATORS: Names = Names::new();

impl Names {
    const fn new() -> Names {
        Names(LazyLock::new(Mutex::default))
    }

    fn set(&self, name: &str, object: Py<PyAny>) -> Option<Py<PyAny>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string(), object)
    }

    fn contains(&self, name: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(name)
    }

    /// The object that `spec` names.
    ///
    /// # Errors
    /// The spec has parameters.
    pub fn get(&self, spec: &Spec) -> Result<Py<PyAny>, SpecError> {
        if let Some((parameter, _)) = spec.settings.first() {
            let name = &spec.name;
            return Err(SpecError::new(format!("{name} has no parameter '{parameter}'; it has none")));
        }
        let object = Python::attach(|py| {
            let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            names.get(&spec.name).map(|object| object.clone_ref(py))
        });
        object.ok_or_else(|| SpecError::new(format!("nothing is registered as '{}'", spec.name)))
    }
}

/// Registers `object` in `names`, which `part` of an agent uses; `add` tells the laboratory a new name.
fn register(
    names: &Names,
    part: Part,
    name: &str,
    object: &Bound<'_, PyAny>,
    add: impl FnOnce(Registry, &'static str) -> Result<Registry, SpecError>,
) -> PyResult<()> {
    if !object.is_callable() {
        return Err(PyTypeError::new_err(format!(
            "'{name}': expected something to call, not {}",
            object.repr()?
        )));
    }
    if !names.contains(name) {
        let registry = agents::registry();
        if registry.parts(part).iter().any(|component| component.name == name) {
            return Err(PyValueError::new_err(format!(
                "'{name}' is a {part} of the engine; choose another name"
            )));
        }
        let added = add(registry.clone(), name.to_string().leak());
        agents::install(added.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    drop(names.set(name, object.clone().unbind()));
    Ok(())
}

#[pyfunction]
pub fn register_playout(name: &str, make: &Bound<'_, PyAny>) -> PyResult<()> {
    register(&PLAYOUTS, Part::Playout, name, make, |registry, name| {
        registry.named_playout(name, |spec, _| policy::make(spec))
    })
}

#[pyfunction]
pub fn register_evaluator(name: &str, evaluate: &Bound<'_, PyAny>) -> PyResult<()> {
    register(&EVALUATORS, Part::Evaluation, name, evaluate, |registry, name| {
        let registry = registry.named_prior(name, |spec, ()| evaluator::make_prior(spec))?;
        registry.named_evaluation(name, |spec, ()| evaluator::make_evaluation(spec))
    })
}
