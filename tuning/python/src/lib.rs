//! The Python package `halma`, on top of the engine and the laboratory. `halma/__init__.py` adds what is written in Python,
//! and `halma/_halma.pyi` has the types and the documentation of everything here.

mod arrays;
mod play;
mod position;

use pyo3::pymodule;

#[pymodule]
mod _halma {
    #[pymodule_export]
    use crate::play::PyPlay;
    #[pymodule_export]
    use crate::position::PyPosition;

    #[pymodule_export]
    const ACTIONS: usize = crate::arrays::ACTIONS;
}
