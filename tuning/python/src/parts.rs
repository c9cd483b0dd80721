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

/// Registers `object`, which must be callable, in `names`, for these parts of an agent. `expected` says what it should be;
/// `add` adds a new name to the laboratory's registry.
fn register(
    names: &Names,
    parts: &[Part],
    name: &str,
    object: &Bound<'_, PyAny>,
    expected: &str,
    add: impl FnOnce(Registry, &'static str) -> Result<Registry, SpecError>,
) -> PyResult<()> {
    if !object.is_callable() {
        return Err(PyTypeError::new_err(format!("'{name}': expected {expected}, not {}", object.repr()?)));
    }
    if !names.contains(name) {
        let registry = agents::registry();
        let is_taken = |part| registry.parts(part).iter().any(|component| component.name == name);
        if let Some(part) = parts.iter().find(|&&part| is_taken(part)) {
            return Err(PyValueError::new_err(format!(
                "the engine has the {part} '{name}' already; choose another name"
            )));
        }
        let added = add(registry.clone(), name.to_string().leak());
        agents::install(added.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    drop(names.set(name, object.clone().unbind()));
    Ok(())
}

/// Register a playout policy as `mcts(playout=NAME)`. `make` is the policy's class, not an instance: it is called once
/// for each agent, and in a match for each agent in each game.
///
/// The policy has the method `value(position, random)`: the value of a leaf for its side to move, from -1 to 1. The
/// search knows the outcome of finished games, so the game is not over in `position`. All chance must come from
/// `random`, a `halma.Random`, so that a seed determines the search. It may have:
///
/// - `learn(path, value)`: a simulation has ended. `path` has its plays from the root to the leaf, and `value` is
///   the leaf's for the side to move at the root.
/// - `new_search(position)`: a search from this root begins.
/// - `new_game()`: another game begins.
///
/// A policy is called in the thread that searches: the one that called `decide`, or one of the `jobs` of a match.
/// Registering a name again replaces the policy for agents made from then on.
#[pyfunction]
pub fn register_playout(name: &str, make: &Bound<'_, PyAny>) -> PyResult<()> {
    let expected = "the class of a policy, or a function that makes one";
    register(&PLAYOUTS, &[Part::Playout], name, make, expected, |registry, name| {
        registry.named_playout(name, |spec, _| policy::make(spec))
    })
}

/// Register a network as `mcts(evaluation=NAME, prior=NAME)`, or as either of them.
///
/// `evaluate` gets observations of shape (n, 2, 16, 16), the leaves that a search values together (n is at most
/// `leaf_batch`), and returns n values for their sides to move, from -1 to 1; or a tuple of values and logits.
/// Logits have the shape (n, 65536), one for each action, or (n, 512): one for each square to leave and one for
/// each square to reach, which are added. Only those of legal plays are read. They count in steps of 1/8, down to
/// 63 steps below the best. Anything that `numpy.asarray` turns into floats will do.
#[pyfunction]
pub fn register_evaluator(name: &str, evaluate: &Bound<'_, PyAny>) -> PyResult<()> {
    let expected = "a function of observations";
    register(&EVALUATORS, &[Part::Evaluation, Part::Prior], name, evaluate, expected, |registry, name| {
        let registry = registry.named_prior(name, |spec, ()| evaluator::make_prior(spec))?;
        registry.named_evaluation(name, |spec, ()| evaluator::make_evaluation(spec))
    })
}
