//! Plays.

use halma::game::MoveIndex;
use halma::rules::{Play, Square};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

/// A square as Python sees it: column and row.
pub type PySquare = (u8, u8);

/// A square given by a user, which may be off the board.
type AnySquare = (i64, i64);

/// One turn: the piece on `from_square` ends up on `to_square`. Made from text, "2,2 4,4", or from two squares.
#[pyclass(frozen, eq, hash, ord, name = "Play", module = "halma")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PyPlay(pub Play);

#[pymethods]
impl PyPlay {
    #[new]
    #[pyo3(signature = (text_or_from, to = None, /))]
    fn new(text_or_from: &Bound<'_, PyAny>, to: Option<AnySquare>) -> PyResult<PyPlay> {
        let expected = "expected text such as '2,2 4,4', or two squares such as (2, 2), (4, 4)";
        Ok(PyPlay(match to {
            None => parse(text_or_from, expected)?,
            Some(to) => Play::new(square(text_or_from.extract()?)?, square(to)?),
        }))
    }

    /// The square that the piece leaves: column and row.
    #[getter(from_square)]
    fn origin(&self) -> PySquare {
        pair(self.0.from)
    }

    /// The square that the piece reaches: column and row.
    #[getter(to_square)]
    fn destination(&self) -> PySquare {
        pair(self.0.to)
    }

    /// Whether it is a chain of jumps rather than a step. `Position.hops` lists its squares.
    #[getter]
    fn is_jump(&self) -> bool {
        self.0.is_jump()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Play('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

/// Every play that has been listed. Making an object takes ten times as long as finding it here.
static PLAYS: [PyOnceLock<Py<PyPlay>>; Play::COUNT] = [const { PyOnceLock::new() }; Play::COUNT];

/// `plays` as a list of `Play`s.
pub fn list<'py>(py: Python<'py>, plays: &[Play]) -> PyResult<Bound<'py, PyList>> {
    let object = |play: Play| PLAYS[play.index()].get_or_try_init(py, || Py::new(py, PyPlay(play)));
    let objects: Vec<_> = plays.iter().map(|&play| object(play)).collect::<PyResult<_>>()?;
    PyList::new(py, objects)
}

/// A play given as a `Play` or as its text.
pub struct AnyPlay(pub Play);

impl<'py> FromPyObject<'_, 'py> for AnyPlay {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyPlay> {
        match object.cast::<PyPlay>() {
            Ok(play) => Ok(AnyPlay(play.get().0)),
            Err(_) => parse(&object, "expected a Play, or its text such as '2,2 4,4'").map(AnyPlay),
        }
    }
}

/// The play whose text is `text`; `expected` is the error if it is not text.
fn parse(text: &Bound<'_, PyAny>, expected: &'static str) -> PyResult<Play> {
    let text = text.cast::<PyString>().map_err(|_| PyTypeError::new_err(expected))?;
    let text = text.to_string_lossy();
    text.parse().map_err(|error| PyValueError::new_err(format!("{text:?}: {error}")))
}

fn square((x, y): AnySquare) -> PyResult<Square> {
    match (u8::try_from(x), u8::try_from(y)) {
        (Ok(x @ 0..=15), Ok(y @ 0..=15)) => Ok(Square::new(x, y)),
        _ => Err(PyValueError::new_err(format!("({x}, {y}): expected column and row from 0 to 15"))),
    }
}

/// The column and the row of `square`.
pub fn pair(square: Square) -> PySquare {
    (square.x(), square.y())
}
