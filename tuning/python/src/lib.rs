//! The Python package `halma`, on top of the engine and the laboratory. `halma/__init__.py` adds what is written in
//! Python, and `halma/_halma.pyi` has the types of everything here. Doc comments on items that Python sees become their
//! documentation in Python.

mod agent;
mod arrays;
mod decision;
mod evaluator;
mod fault;
mod matches;
mod parts;
mod play;
mod policy;
mod position;
mod random;
mod whole;

use pyo3::pymodule;

#[pymodule]
mod _halma {
    #[pymodule_export]
    use crate::agent::PyAgent;
    #[pymodule_export]
    use crate::decision::{PyCandidate, PyDecision};
    #[pymodule_export]
    use crate::matches::{agents, play_match, read_tables};
    #[pymodule_export]
    use crate::parts::{register_evaluator, register_playout};
    #[pymodule_export]
    use crate::play::PyPlay;
    #[pymodule_export]
    use crate::position::PyPosition;
    #[pymodule_export]
    use crate::random::PyRandom;

    #[pymodule_export]
    const ACTIONS: usize = crate::arrays::ACTIONS;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
