//! Policies and evaluators under the names that specs use.

use crate::{evaluator, policy};
use halma::agent::{Component, Registry, Spec, SpecError};
use halma::support::parameters::{ON_OFF, Parameter, ParameterValue, Part, Range, number};
use halma_lab::play::agents;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The objects registered under each name.
pub struct Names(LazyLock<Mutex<HashMap<&'static str, Registered>>>);

struct Registered {
    object: Py<PyAny>,
    parameters: Vec<Parameter>,
}

/// The value of a parameter, as a keyword argument.
#[derive(Clone, Copy, Debug, PartialEq, IntoPyObject)]
pub enum Argument {
    Switch(bool),
    Whole(i64),
    Number(f64),
}

/// The functions that make playout policies.
pub static PLAYOUTS: Names = Names::new();

/// The evaluators, each of which is an evaluation and a prior.
pub static EVALUATORS: Names = Names::new();

/// Arguments by name.
pub type Arguments = Vec<(String, Argument)>;

impl Names {
    const fn new() -> Names {
        Names(LazyLock::new(Mutex::default))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Registered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name as it was registered.
    fn name(&self, name: &str) -> Option<&'static str> {
        self.lock().get_key_value(name).map(|(&name, _)| name)
    }

    fn component(&self, name: &'static str) -> Component {
        let parameters = self.lock().get(name).map(|registered| registered.parameters.clone());
        Component { parameters: parameters.unwrap_or_default(), ..Component::plain(name) }
    }

    /// The object that `spec` names, and the arguments that it sets.
    ///
    /// # Errors
    /// Nothing is registered under this name, or the spec has a parameter that the object lacks, or an invalid value.
    pub fn get(&self, spec: &Spec) -> Result<(Py<PyAny>, Arguments), SpecError> {
        let unknown = || SpecError::new(format!("nothing is registered as '{}'", spec.name));
        let component = self.component(self.name(&spec.name).ok_or_else(unknown)?);
        let argument = |(name, value): &(String, Spec)| {
            let range = component.parameter(name)?.range;
            let wrong = || SpecError::new(format!("{name}={value}: expected {}", range.describe()));
            Ok((name.clone(), argument(value, range).ok_or_else(wrong)?))
        };
        let arguments = spec.settings.iter().map(argument).collect::<Result<_, SpecError>>()?;
        let object = Python::attach(|py| self.lock().get(component.name).map(|one| one.object.clone_ref(py)));
        Ok((object.ok_or_else(unknown)?, arguments))
    }
}

/// `value` as an argument in `range`.
fn argument(value: &Spec, range: Range) -> Option<Argument> {
    let text = value.plain()?;
    match range {
        Range::Word(_) => bool::from_spec(value, &range).map(Argument::Switch),
        _ => text
            .parse()
            .map(Argument::Whole)
            .ok()
            .or_else(|| text.parse().ok().filter(|number: &f64| number.is_finite()).map(Argument::Number)),
    }
}

/// The parameters of `make`: those of its arguments that have a number or a bool as a default.
fn parameters(make: &Bound<'_, PyAny>) -> PyResult<Vec<Parameter>> {
    let py = make.py();
    let inspect = py.import("inspect")?;
    // Some classes that are written in C have no signature.
    let Ok(signature) = inspect.call_method1("signature", (make,)) else { return Ok(Vec::new()) };
    let positional = inspect.getattr("Parameter")?.getattr("POSITIONAL_ONLY")?;
    let mut parameters = Vec::new();
    for argument in signature.getattr("parameters")?.call_method0("values")?.try_iter()? {
        let argument = argument?;
        let default = argument.getattr("default")?;
        let (range, default) = if let Ok(default) = default.extract::<bool>() {
            (ON_OFF, default.to_spec())
        } else if default.extract::<f64>().is_ok_and(f64::is_finite) {
            (number(f64::NEG_INFINITY, f64::INFINITY, 1.0), Spec::of(default.str()?.to_string()))
        } else {
            continue;
        };
        if !argument.getattr("kind")?.eq(&positional)? {
            let name = argument.getattr("name")?.extract::<String>()?.leak();
            parameters.push(Parameter { name, range, default, about: "an argument of its constructor" });
        }
    }
    Ok(parameters)
}

/// Registers `object`, which must be callable, in `names`, for these parts of an agent. `expected` says what it should
/// be; `add` adds a new name to the laboratory's registry.
fn register(
    names: &Names,
    parts: &[Part],
    name: &str,
    object: &Bound<'_, PyAny>,
    expected: &str,
    parameters: Vec<Parameter>,
    add: impl FnOnce(Registry, &'static str) -> Result<Registry, SpecError>,
) -> PyResult<()> {
    if !object.is_callable() {
        return Err(PyTypeError::new_err(format!("'{name}': expected {expected}, not {}", object.repr()?)));
    }
    let known = names.name(name);
    let name = known.unwrap_or_else(|| name.to_string().leak());
    if known.is_none() {
        let registry = agents::registry();
        let is_taken = |part| registry.parts(part).iter().any(|component| component.name == name);
        if let Some(part) = parts.iter().find(|&&part| is_taken(part)) {
            return Err(PyValueError::new_err(format!(
                "the engine has the {part} '{name}' already; choose another name"
            )));
        }
        let added = add(registry.clone(), name);
        agents::install(added.map_err(|error| PyValueError::new_err(error.to_string()))?);
    }
    let registered = Registered { object: object.clone().unbind(), parameters };
    // Dropped after the lock, because dropping an object may call Python.
    let _before = names.lock().insert(name, registered);
    Ok(())
}

/// Register a playout policy as `mcts(playout=NAME)`. `make` is the policy's class, not an instance: it is called for
/// each agent. A match makes new agents for each game, and a few more before the first game, with which it searches
/// fixed positions: from the plays found there, it notices when a policy has changed since a run began.
///
/// The policy has the method `value(position, random)`: the value of a leaf for its side to move, from -1 to 1. The
/// search knows the outcome of finished games, so the game is not over in `position`. All randomness must come from
/// `random`, a `halma.Random`, so that a seed determines the search. It may also have these methods:
///
/// - `learn(path, value)`: a simulation has ended. `path` has its plays from the root to the leaf, and `value` is the
///   leaf's value for the side to move at the root.
/// - `new_search(position)`: a search from this root begins.
/// - `new_game()`: another game begins.
///
/// Arguments of the class with a number or a bool as their default are parameters: after
/// `def __init__(self, scale=100)`, specs may say `mcts(playout=NAME(scale=50))`. In specs, bools are written `on` and
/// `off`.
///
/// A policy is called in the thread that searches: the one that called `decide`, or one of the `jobs` of a match.
/// Registering a name again replaces the policy for agents made from then on.
#[pyfunction]
pub fn register_playout(name: &str, make: &Bound<'_, PyAny>) -> PyResult<()> {
    let expected = "the class of a policy, or a function that makes one";
    register(&PLAYOUTS, &[Part::Playout], name, make, expected, parameters(make)?, |registry, name| {
        registry.named_playout(name, |name| PLAYOUTS.component(name), |spec, _| policy::make(spec))
    })
}

/// Register a network as `mcts(evaluation=NAME, prior=NAME)`, or as either of them.
///
/// `evaluate` gets observations of shape (n, 2, 16, 16), the leaves that a search values together (n is at most
/// `leaf_batch`), and returns n values for their sides to move, from -1 to 1; or a tuple of values and logits.
/// Logits have the shape (n, 65536), one for each action, or (n, 512): one for each square to leave and one for
/// each square to reach, which are added. Only those of legal plays are read. Logits are rounded to eighths, and plays
/// more than 7.9 below the best count alike. Anything that `numpy.asarray` turns into floats will do.
#[pyfunction]
pub fn register_evaluator(name: &str, evaluate: &Bound<'_, PyAny>) -> PyResult<()> {
    let expected = "a function of observations";
    let parts = [Part::Evaluation, Part::Prior];
    register(&EVALUATORS, &parts, name, evaluate, expected, Vec::new(), |registry, name| {
        let registry = registry.named_prior(name, |spec, ()| evaluator::make_prior(spec))?;
        registry.named_evaluation(name, |spec, ()| evaluator::make_evaluation(spec))
    })
}
