//! Arguments that are whole numbers.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ops::RangeInclusive;

/// Any number that fits, as for a seed.
pub const ANY: RangeInclusive<u64> = 0..=u64::MAX;

/// The argument `name` as a whole number in `range`.
///
/// # Errors
/// The argument is not such a number. PyO3's own error names neither the argument nor the range.
pub fn whole(name: &str, argument: &Bound<'_, PyAny>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let extracted = argument.extract::<u64>();
    if let Some(number) = extracted.as_ref().ok().filter(|number| range.contains(number)) {
        return Ok(*number);
    }
    let high = if *range.end() == u64::MAX { "2**64 - 1".to_string() } else { range.end().to_string() };
    let message =
        format!("{name}={}: expected a whole number from {} to {high}", argument.repr()?, range.start());
    match extracted {
        Err(error) if error.is_instance_of::<PyTypeError>(argument.py()) => {
            Err(PyTypeError::new_err(message))
        }
        _ => Err(PyValueError::new_err(message)),
    }
}

/// The argument `seed`.
pub fn seed(argument: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", argument, ANY)
}
