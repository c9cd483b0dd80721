//! `calibration.txt`: what things cost on this machine, as `calibrate` measured it.
//!
//! ```text
//! halma-calibration 1
//! startup_seconds 0.0012
//! clock_read_seconds 0.0000007
//! iterations_per_second 512000
//! playdata_node_seconds 0.0000015
//! ```
//!
//! The first line names the format and its version. Each of the others gives one figure of
//! [`Machine`], each exactly once and in this order, and must lie where it could for some machine.
//! An agent ignores a file that is absent or wrong, so the reader is strict: a wrong figure would
//! do more harm than none.

use crate::budget::Machine;
use std::fmt;
use std::ops::RangeInclusive;

/// The longest `calibration.txt` that is read, in bytes.
pub const MAX_BYTES: usize = 4 * 1024;

/// The first line: name and version of the format.
const HEAD: &str = "halma-calibration 1";

/// One figure of a machine: its name in the file, the values that can be true of any machine that
/// runs this program, and where it is kept.
struct Figure {
    key: &'static str,
    credible: RangeInclusive<f64>,
    get: fn(&Machine) -> f64,
    set: fn(&mut Machine, f64),
}

/// All figures, in the order of the file.
const FIGURES: [Figure; 4] = [
    Figure {
        key: "startup_seconds",
        credible: 1e-6..=1.0,
        get: |machine| machine.startup_seconds,
        set: |machine, value| machine.startup_seconds = value,
    },
    Figure {
        key: "clock_read_seconds",
        credible: 1e-10..=1e-3,
        get: |machine| machine.clock_read_seconds,
        set: |machine, value| machine.clock_read_seconds = value,
    },
    Figure {
        key: "iterations_per_second",
        credible: 100.0..=1e9,
        get: |machine| machine.iterations_per_second,
        set: |machine, value| machine.iterations_per_second = value,
    },
    Figure {
        key: "playdata_node_seconds",
        credible: 1e-8..=1e-3,
        get: |machine| machine.playdata_node_seconds,
        set: |machine, value| machine.playdata_node_seconds = value,
    },
];

/// What is wrong with a `calibration.txt`, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalibrationError {
    /// The line of the fault, from 1.
    pub line: usize,
    /// The column of the fault in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub fault: CalibrationFault,
}

/// The ways in which a `calibration.txt` can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationFault {
    /// The first line is not that of this version of the format.
    Head,
    /// A line does not give the figure whose turn it is, as `key value`.
    Key(&'static str),
    /// The figure is not a number, or can't be true of any machine.
    Value(&'static str),
    /// Something follows the last figure.
    AfterFigures,
    /// The file has more than [`MAX_BYTES`] bytes.
    TooLong,
}

impl fmt::Display for CalibrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

impl fmt::Display for CalibrationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CalibrationFault::Head => write!(f, "expected {HEAD:?}"),
            CalibrationFault::Key(key) => write!(f, "expected \"{key} VALUE\""),
            CalibrationFault::Value(key) => write!(f, "this can't be the {key} of any machine"),
            CalibrationFault::AfterFigures => f.write_str("expected the end of the file"),
            CalibrationFault::TooLong => write!(f, "the file has more than {MAX_BYTES} bytes"),
        }
    }
}

impl std::error::Error for CalibrationError {}

/// The `calibration.txt` for `machine`.
pub fn calibration_text(machine: &Machine) -> String {
    let mut text = format!("{HEAD}\n");
    for Figure { key, get, .. } in &FIGURES {
        text += &format!("{key} {}\n", get(machine));
    }
    text
}

/// Reads a `calibration.txt` from its bytes.
///
/// # Errors
/// The first fault in reading order; but too long a file is not read at all.
pub fn parse_calibration(bytes: &[u8]) -> Result<Machine, CalibrationError> {
    let wrong = |line, column, fault| Err(CalibrationError { line, column, fault });
    if bytes.len() > MAX_BYTES {
        return wrong(1, 1, CalibrationFault::TooLong);
    }
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return wrong(1, 1, CalibrationFault::Head);
    }
    let mut machine = Machine::default();
    for (number, figure) in (2..).zip(&FIGURES) {
        let line = lines.next().unwrap_or_default();
        let Some(value) = line.strip_prefix(figure.key).and_then(|rest| rest.strip_prefix(' ')) else {
            return wrong(number, 1, CalibrationFault::Key(figure.key));
        };
        match value.parse() {
            Ok(value) if figure.credible.contains(&value) => (figure.set)(&mut machine, value),
            _ => return wrong(number, figure.key.len() + 2, CalibrationFault::Value(figure.key)),
        }
    }
    match lines.next() {
        None => Ok(machine),
        Some(_) => wrong(FIGURES.len() + 2, 1, CalibrationFault::AfterFigures),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calibration_is_read_as_it_was_written() {
        let machine =
            Machine { startup_seconds: 0.1 + 0.2, iterations_per_second: 1e9 / 3.0, ..Machine::default() };
        let text = calibration_text(&machine);
        assert_eq!(parse_calibration(text.as_bytes()), Ok(machine));
        assert_eq!(parse_calibration(text.replace('\n', "\r\n").as_bytes()), Ok(machine));
    }

    #[test]
    fn a_wrong_calibration_is_refused() {
        let text = calibration_text(&Machine::default());
        let with = |old: &str, new: &str| {
            let broken = text.replacen(old, new, 1);
            assert_ne!(broken, text, "{old} is in the file");
            broken
        };
        for (broken, line, column) in [
            (String::new(), 1, 1),
            (with("calibration 1", "calibration 2"), 1, 1),
            (with("startup_seconds", "startup"), 2, 1),
            (with("startup_seconds 0", "startup_seconds  0"), 2, 17),
            (with("startup_seconds 0", "startup_seconds -0"), 2, 17),
            (with("startup_seconds 0", "startup_seconds 1"), 2, 17),
            (with("startup_seconds 0.0015\n", ""), 2, 1),
            (with("startup_seconds 0.0015\n", "startup_seconds 0.0015\nstartup_seconds 0.0015\n"), 3, 1),
            (with("iterations_per_second 300000", "iterations_per_second nan"), 4, 23),
            (with("iterations_per_second 300000", "iterations_per_second inf"), 4, 23),
            (with("iterations_per_second 300000", "iterations_per_second 1e300"), 4, 23),
            (with("iterations_per_second 300000", "iterations_per_second 0"), 4, 23),
            (with("iterations_per_second 300000", "iterations_per_second"), 4, 1),
            (with("playdata_node_seconds 0.000002", "playdata_node_seconds 0.000000002"), 5, 23),
            (text.lines().take(3).collect::<Vec<_>>().join("\n"), 4, 1),
            (format!("{text}more 1\n"), 6, 1),
            (" ".repeat(5000), 1, 1),
        ] {
            let error = parse_calibration(broken.as_bytes()).expect_err(&broken);
            assert_eq!((error.line, error.column), (line, column), "{error}\n{broken}");
        }
    }
}
