//! Positions.

use crate::arrays::{self, ACTIONS, OBSERVATION};
use crate::decision::svg;
use crate::play::{AnyPlay, PyPlay, PySquare, list, pair};
use crate::whole::whole;
use halma::game::{Game, Outcome, Player};
use halma::homework::input::{MAX_BYTES, parse_input};
use halma::rules::{Bitboard, PIECES, Play, Position, Rules, chain, colour, parse_colour};
use halma::support::files::read_at_most;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

/// A board, the side to move, and the rules. It never changes: `play` returns the next one.
///
/// Without a text it is the start, Black to move. The text is that of `str(position)`, the side and then sixteen rows
/// of "B", "W" and ".", or that of an input.txt; `Position.read` reads a file.
#[pyclass(frozen, eq, hash, name = "Position", module = "halma")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PyPosition(pub Position);

impl Hash for PyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0.key(), self.0.rules()).hash(state);
    }
}

/// An argument that names rules.
pub struct AnyRules(pub Rules);

impl<'py> FromPyObject<'_, 'py> for AnyRules {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyRules> {
        let name: String = object.extract()?;
        let wrong = |expected| PyValueError::new_err(format!("{name:?}: {expected}"));
        name.parse().map(AnyRules).map_err(wrong)
    }
}

/// An argument that names a side.
struct Side(Player);

impl<'py> FromPyObject<'_, 'py> for Side {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Side> {
        let name: String = object.extract()?;
        let wrong = || PyValueError::new_err(format!("{name:?}: expected BLACK or WHITE"));
        parse_colour(&name).map(Side).ok_or_else(wrong)
    }
}

/// The position that `text` describes.
fn parse(text: &str) -> Result<Position, String> {
    let is_input = ["SINGLE", "GAME"].iter().any(|mode| text.lines().next().map(str::trim_end) == Some(mode));
    let position = match is_input {
        true => parse_input(text.as_bytes()).map(|input| input.position),
        false => text.parse(),
    };
    position.map_err(|error| {
        let hint = if text.contains('\n') { "" } else { "; to read a file, use Position.read(path)" };
        format!("the position: {error}{hint}")
    })
}

const ADDENDUM: AnyRules = AnyRules(Rules::Addendum);

/// The winner of the game that has come to `position`, if it is over.
pub fn winner(position: &Position) -> Option<Player> {
    match position.outcome() {
        Some(Outcome::Win(winner)) => Some(winner),
        Some(Outcome::Draw) => None,
        None => (position.count_plays() == 0).then(|| position.to_move().opponent()),
    }
}

impl PyPosition {
    fn legal(&self) -> Vec<Play> {
        let mut plays = Vec::new();
        if self.0.outcome().is_none() {
            self.0.legal_plays(&mut plays);
        }
        plays
    }

    fn is_legal_play(&self, play: Play) -> bool {
        self.0.outcome().is_none() && self.0.is_legal(play)
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (text = None, *, rules = ADDENDUM), text_signature = "(text=None, *, rules='addendum')")]
    fn new(text: Option<&str>, rules: AnyRules) -> PyResult<PyPosition> {
        let position = match text {
            None => Position::default(),
            Some(text) => parse(text).map_err(PyValueError::new_err)?,
        };
        Ok(PyPosition(position.with_rules(rules.0)))
    }

    /// The position in a file in the format of input.txt.
    #[staticmethod]
    #[pyo3(signature = (path, *, rules = ADDENDUM), text_signature = "(path, *, rules='addendum')")]
    fn read(path: PathBuf, rules: AnyRules) -> PyResult<PyPosition> {
        let input = parse_input(&read_at_most(&path, MAX_BYTES + 1)?).map_err(|error| {
            let (path, line, column) = (path.display(), error.line, error.column);
            PyValueError::new_err(format!("{path}:{line}:{column}: {}", error.message))
        })?;
        Ok(PyPosition(input.position.with_rules(rules.0)))
    }

    /// The position with these planes: see `planes`.
    #[staticmethod]
    #[pyo3(
        signature = (planes, to_move, *, rules = ADDENDUM),
        text_signature = "(planes, to_move, *, rules='addendum')"
    )]
    fn from_planes(planes: PyReadonlyArray3<'_, u8>, to_move: Side, rules: AnyRules) -> PyResult<PyPosition> {
        let planes = planes.as_array();
        if planes.dim() != (2, 16, 16) {
            let shape = planes.dim();
            return Err(PyValueError::new_err(format!(
                "planes: expected the shape (2, 16, 16), not {shape:?}"
            )));
        }
        let mut pieces = [Bitboard::EMPTY; 2];
        for ((side, y, x), &mark) in planes.indexed_iter() {
            let square = arrays::square(16 * y + x);
            let wrong = |what: &str| Err(PyValueError::new_err(format!("planes[{side}, {y}, {x}]: {what}")));
            match mark {
                0 => continue,
                1 if pieces[1 - side].contains(square) => return wrong("both sides have a piece here"),
                1 if pieces[side].count() == PIECES => return wrong("this side has more than 19 pieces"),
                1 => pieces[side] = pieces[side].with(square),
                _ => return wrong(&format!("expected 0 or 1, not {mark}")),
            }
        }
        Ok(PyPosition(Position::new(pieces, to_move.0, rules.0)))
    }

    /// The side to move: "BLACK" or "WHITE".
    #[getter(to_move)]
    fn mover(&self) -> &'static str {
        colour(self.0.to_move())
    }

    /// The side that is not to move.
    #[getter]
    fn opponent(&self) -> &'static str {
        colour(self.0.to_move().opponent())
    }

    /// "addendum" or "original".
    #[getter]
    fn rules(&self) -> String {
        self.0.rules().to_string()
    }

    /// The winner, or None while the game goes on. A side that has no legal play loses. A side has won only if it has
    /// just moved: a board on which the side to move has filled its goal has no outcome, but agents refuse it.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        winner(&self.0).map(colour)
    }

    /// A 64-bit hash of the board and the side to move, the same in every process.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// All legal plays; none once the game is over.
    fn legal_plays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.legal())
    }

    /// Whether a play, a `Play` or its text, is legal.
    fn is_legal(&self, play: AnyPlay) -> bool {
        self.is_legal_play(play.0)
    }

    /// The position after a legal play.
    fn play(&self, play: AnyPlay) -> PyResult<PyPosition> {
        let mut next = self.0;
        next.try_play(play.0).map_err(|error| match self.0.outcome() {
            Some(_) => PyValueError::new_err(format!("{error}: the game is over")),
            None => PyValueError::new_err(error.to_string()),
        })?;
        Ok(PyPosition(next))
    }

    /// The squares that the piece of a legal play touches, including both ends.
    fn hops(&self, play: AnyPlay) -> PyResult<Vec<PySquare>> {
        let illegal = || PyValueError::new_err(format!("the play {} is not legal here", play.0));
        let chain = chain(&self.0, play.0).filter(|_| self.is_legal_play(play.0)).ok_or_else(illegal)?;
        Ok(chain.into_iter().map(pair).collect())
    }

    /// Columns plus rows from the pieces of `side` to the corner of its goal, added up.
    fn distance(&self, side: Side) -> i32 {
        self.0.tally(side.0).distance()
    }

    /// By how much a play reduces the distance of the side to move.
    fn progress(&self, play: AnyPlay) -> i32 {
        self.0.progress(play.0)
    }

    /// The board turned by 180° with the colours swapped, and the other side to move.
    fn half_turn(&self) -> PyPosition {
        PyPosition(self.0.half_turn())
    }

    /// The same board and side to move, under these rules.
    fn with_rules(&self, rules: AnyRules) -> PyPosition {
        PyPosition(self.0.with_rules(rules.0))
    }

    /// The pieces of Black and of White as 0 or 1, in an array of shape (2, 16, 16), indexed by side, row and column.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        arrays::planes(&self.0).into_pyarray(py).reshape([2, 16, 16])
    }

    /// The planes of the side to move and of its opponent, seen from the side to move: for White, turned by 180°.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let mut planes = vec![0; OBSERVATION];
        arrays::observe(&self.0, &mut planes);
        planes.into_pyarray(py).reshape([2, 16, 16])
    }

    /// The actions that encode the legal plays, in the order of `legal_plays`, from the side to move's point of view.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        arrays::actions(&self.0, &self.legal()).into_pyarray(py)
    }

    /// An array of shape (65536,), with 1 for each legal action.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mut mask = vec![0; ACTIONS];
        arrays::actions(&self.0, &self.legal()).into_iter().for_each(|action| mask[action as usize] = 1);
        mask.into_pyarray(py)
    }

    /// The action that encodes a play, from the side to move's point of view.
    fn action(&self, play: AnyPlay) -> usize {
        arrays::action(self.0.to_move(), play.0)
    }

    /// The play that an action encodes, from the side to move's point of view.
    fn play_of(&self, action: &Bound<'_, PyAny>) -> PyResult<PyPlay> {
        let action = whole("action", action, 0..=ACTIONS as u64 - 1)?;
        Ok(PyPlay(arrays::play(self.0.to_move(), action as usize)))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        svg(&self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let text = self.0.to_string().replace('\n', "\\n");
        match self.0.rules() {
            Rules::Addendum => format!("Position('{text}')"),
            rules @ Rules::Original => format!("Position('{text}', rules='{rules}')"),
        }
    }

    fn __getnewargs_ex__(&self) -> ((String,), std::collections::BTreeMap<&'static str, String>) {
        ((self.0.to_string(),), [("rules", self.0.rules().to_string())].into())
    }
}
