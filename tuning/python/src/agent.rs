//! Agents.

use crate::decision::PyDecision;
use crate::evaluator;
use crate::fault::{Fault, SIGNALS_EVERY};
use crate::position::PyPosition;
use crate::whole::{ANY, seed, whole};
use halma::agent::Agent;
use halma::rules::colour;
use halma::search::Limits;
use halma::support::clock::{Clock, ThreadClock};
use halma_lab::play::agents;
use halma_lab::play::time_control::DEFAULT_SECONDS;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Instant;

/// Only one in this many calls of `is_cancelled` reads the time, because reading it takes a twentieth of the time of an
/// iteration.
const CALLS: u32 = 32;

/// A player, made from a spec such as "mcts(c=0.2)". `print(halma.agents())` lists names and parameters.
///
/// `seed` determines its random numbers. The agent may keep its search tree for the next position of the game. Searches
/// do not hold the interpreter, so agents in several threads search at the same time. Use a separate agent in each
/// thread.
#[pyclass(frozen, name = "Agent", module = "halma")]
pub struct PyAgent {
    /// The spec it was made from.
    #[pyo3(get)]
    spec: String,
    /// The seed of its random numbers.
    #[pyo3(get)]
    seed: u64,
    agent: Mutex<Box<dyn Agent>>,
}

impl PyAgent {
    /// Lets other Python code run while the agent does `work`.
    fn with_agent<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn Agent, &Fault) -> T + Send,
    ) -> PyResult<T> {
        let fault = Arc::<Fault>::default();
        let done = py.detach(|| {
            // Never waits: the thread that holds the lock may need the interpreter.
            let mut agent = self.agent.try_lock().map_err(|error| match error {
                TryLockError::WouldBlock => {
                    "this agent is deciding already; use another agent in each thread"
                }
                TryLockError::Poisoned(_) => "a search of this agent panicked; make a new agent",
            })?;
            Ok(fault.during(|| work(&mut **agent, &fault)))
        });
        fault.take()?;
        done.map_err(PyRuntimeError::new_err::<&str>)
    }
}

#[pymethods]
impl PyAgent {
    #[new]
    #[pyo3(signature = (spec = "mcts", *, seed = 1))]
    fn new(py: Python<'_>, spec: &str, #[pyo3(from_py_with = seed)] seed: u64) -> PyResult<PyAgent> {
        let fault = Arc::<Fault>::default();
        let made = py.detach(|| fault.during(|| agents::make(spec, seed)));
        fault.take()?;
        let agent = made.map_err(|error| PyValueError::new_err(format!("the agent '{spec}': {error}")))?;
        Ok(PyAgent { spec: spec.to_string(), seed, agent: Mutex::new(agent) })
    }

    /// Choose a play.
    ///
    /// iterations: the iterations of the search, 0 or more. The result is then the same on every machine.
    /// cpu: CPU seconds of the thread that searches. Time on a GPU or on other threads, such as those of NumPy, is not
    ///     counted.
    ///
    /// With both, the search stops at whichever comes first; with neither, after one second.
    ///
    /// Ctrl-C ends a search in the main thread. An exception in a policy or an evaluator ends any search, and is raised
    /// as it is.
    #[pyo3(signature = (position, *, iterations = None, cpu = None))]
    fn decide(
        &self,
        py: Python<'_>,
        position: &PyPosition,
        iterations: Option<Bound<'_, PyAny>>,
        cpu: Option<f64>,
    ) -> PyResult<PyDecision> {
        let iterations = iterations.map(|given| whole("iterations", &given, ANY)).transpose()?;
        if let Some(seconds) = cpu.filter(|&seconds| !(seconds > 0.0 && seconds.is_finite())) {
            return Err(PyValueError::new_err(format!(
                "cpu={seconds}: expected a number of seconds above 0"
            )));
        }
        let position = position.0;
        if let Some(winner) = position.winner() {
            let message = format!("the game is over: {} has filled its goal", colour(winner));
            return Err(PyValueError::new_err(message));
        }
        let cpu = cpu.or_else(|| iterations.is_none().then_some(DEFAULT_SECONDS));
        let limits = Limits { iterations, cpu, ..Limits::default() };
        let decided = self.with_agent(py, |agent, fault| {
            evaluator::forget();
            agent.decide(&position, &limits, &Interruptible::new(fault), None)
        })?;
        let decision = decided.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyDecision::new(&self.spec, position, decision)
    }

    /// Forget the game so far.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.with_agent(py, |agent, _| agent.new_game())
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}', seed={})", self.spec, self.seed)
    }
}

/// The CPU clock of a thread, which cancels a search after a fault or a signal.
struct Interruptible<'a> {
    fault: &'a Fault,
    calls: Cell<u32>,
    last_check: Cell<Instant>,
}

impl Interruptible<'_> {
    fn new(fault: &Fault) -> Interruptible<'_> {
        Interruptible { fault, calls: Cell::new(0), last_check: Cell::new(Instant::now()) }
    }
}

impl Clock for Interruptible<'_> {
    fn seconds(&self) -> f64 {
        ThreadClock.seconds()
    }

    fn is_cancelled(&self) -> bool {
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() >= CALLS {
            self.calls.set(0);
            if self.last_check.get().elapsed() >= SIGNALS_EVERY {
                self.last_check.set(Instant::now());
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    self.fault.set(error);
                }
            }
        }
        self.fault.is_set()
    }
}
