//! The random numbers of a simulation, for policies in Python.

use crate::whole::{seed, whole};
use halma::support::random::Random;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Random numbers that follow from the seed of an agent.
#[pyclass(frozen, name = "Random", module = "halma")]
pub struct PyRandom(Mutex<Random>);

impl PyRandom {
    /// The numbers of `random`.
    pub fn from(random: Random) -> PyRandom {
        PyRandom(Mutex::new(random))
    }

    /// The generator.
    pub fn lock(&self) -> MutexGuard<'_, Random> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyRandom {
    #[new]
    fn new(#[pyo3(from_py_with = seed)] seed: u64) -> PyRandom {
        PyRandom::from(Random::new(seed))
    }

    /// A random number of at least 0 and less than 1.
    fn random(&self) -> f64 {
        (self.lock().bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// 64 random bits, such as a seed for NumPy.
    fn bits(&self) -> u64 {
        self.lock().bits()
    }

    /// A whole number from 0 to `end - 1`.
    fn below(&self, end: &Bound<'_, PyAny>) -> PyResult<usize> {
        let end = whole("end", end, 1..=u64::from(u32::MAX))?;
        Ok(self.lock().below(end as usize))
    }

    /// A random item of a sequence.
    fn choice<'py>(&self, items: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = items.len()?;
        if length == 0 {
            return Err(PyIndexError::new_err("there is nothing to choose from"));
        }
        items.get_item(self.lock().below(length))
    }
}
