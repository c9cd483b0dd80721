//! `calibration.txt`: this machine's speed, as measured by `calibrate`.
//!
//! ```text
//! halma-calibration 1
//! startup_seconds 0.0012
//! clock_read_seconds 0.0000007
//! iterations_per_second 512000
//! playdata_node_seconds 0.0000015
//! ```
//!
//! The first line is the format and its version. The other lines are the figures of [`Machine`] in this order, each within
//! a credible range. The parser is strict: an agent can do without the file, and a wrong figure is worse than none.

use crate::agent::time::Machine;
use crate::support::text::TextError;
use std::ops::RangeInclusive;

/// The maximum size of `calibration.txt`, in bytes.
pub const MAX_BYTES: usize = 4 * 1024;

/// The first line: the format and its version.
const HEAD: &str = "halma-calibration 1";

/// The figures in the order of the file: their names, credible ranges and places in `machine`.
fn figures(machine: &mut Machine) -> [(&'static str, RangeInclusive<f64>, &mut f64); 4] {
    [
        ("startup_seconds", 1e-6..=1.0, &mut machine.startup_seconds),
        ("clock_read_seconds", 1e-10..=1e-3, &mut machine.clock_read_seconds),
        ("iterations_per_second", 100.0..=1e9, &mut machine.iterations_per_second),
        ("playdata_node_seconds", 1e-8..=1e-3, &mut machine.playdata_node_seconds),
    ]
}

/// The `calibration.txt` for `machine`.
pub fn calibration_text(machine: &Machine) -> String {
    let mut text = format!("{HEAD}\n");
    for (key, _, figure) in figures(&mut machine.clone()) {
        text += &format!("{key} {figure}\n");
    }
    text
}

/// Reads a `calibration.txt`.
///
/// # Errors
/// The first error in reading order. A file that is too long is not parsed.
pub fn parse_calibration(bytes: &[u8]) -> Result<Machine, TextError> {
    if bytes.len() > MAX_BYTES {
        return Err(TextError::new(1, 1, format!("the file has more than {MAX_BYTES} bytes")));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err(TextError::new(1, 1, format!("expected {HEAD:?}")));
    }
    let mut machine = Machine::default();
    let mut number = 1;
    for (key, credible, figure) in figures(&mut machine) {
        number += 1;
        let line = lines.next().unwrap_or_default();
        let Some(value) = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ')) else {
            return Err(TextError::new(number, 1, format!("expected \"{key} VALUE\"")));
        };
        match value.parse() {
            Ok(value) if credible.contains(&value) => *figure = value,
            _ => {
                let message =
                    format!("{key}: expected a number from {} to {}", credible.start(), credible.end());
                return Err(TextError::new(number, key.len() + 2, message));
            }
        }
    }
    match lines.next() {
        None => Ok(machine),
        Some(_) => Err(TextError::new(number + 1, 1, "expected the end of the file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_calibration_reads_back() {
        let machine =
            Machine { startup_seconds: 0.1 + 0.2, iterations_per_second: 1e9 / 3.0, ..Machine::default() };
        let text = calibration_text(&machine);
        assert_eq!(parse_calibration(text.as_bytes()), Ok(machine));
        assert_eq!(parse_calibration(text.replace('\n', "\r\n").as_bytes()), Ok(machine));
    }

    #[test]
    fn a_wrong_calibration_is_rejected() {
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
