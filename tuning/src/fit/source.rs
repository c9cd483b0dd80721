//! Weights in the engine's source.

use anyhow::{Context, Result};
use halma::homework::files::replace;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// How the array of the evaluation's weights begins.
pub const EVALUATION: &str = "pub const WEIGHTS: [f32; COUNT] = [";
/// How the array of the priors' weights begins.
pub const PRIORS: &str = "pub static WEIGHTS: [i16; COUNT] = [";

/// What ends either.
const END: &str = "];\n";
/// The longest line of numbers that rustfmt makes: one less than the max_width of rustfmt.toml.
const LINE: usize = 109;
const INDENT: &str = "    ";

/// A file with weights: what is before them, and what after.
#[derive(Clone, Debug)]
pub struct WeightsSource<'a> {
    path: &'a Path,
    before: String,
    after: String,
}

impl<'a> WeightsSource<'a> {
    /// Reads the file at `path`, in which `begin` is how the array begins.
    ///
    /// # Errors
    /// It can't be read, or does not have the array.
    pub fn read(path: &'a Path, begin: &str) -> Result<WeightsSource<'a>> {
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let (before, after) = split(&text, begin).with_context(|| {
            format!(
                "{}: this is not the engine's weights.rs: there is no array '{begin}…]' in it",
                path.display()
            )
        })?;
        Ok(WeightsSource { path, before: before.to_string(), after: after.to_string() })
    }

    /// Replaces the file by one with these lines of numbers.
    ///
    /// # Errors
    /// It can't be written; then it is unchanged.
    pub fn replace(&self, lines: &str) -> Result<()> {
        Ok(replace(self.path, format!("{}\n{lines}{}", self.before, self.after).as_bytes())?)
    }
}

/// What is before the numbers, and what after.
fn split<'a>(text: &'a str, begin: &str) -> Option<(&'a str, &'a str)> {
    let numbers = text.find(begin)? + begin.len();
    let end = numbers + text[numbers..].find(END)?;
    Some((&text[..numbers], &text[end..]))
}

/// The numbers in five significant digits, eight to a line.
pub fn decimals(weights: &[f64]) -> String {
    let mut lines = String::new();
    for line in weights.chunks(8) {
        let numbers: Vec<String> = line.iter().map(|&weight| decimal(weight)).collect();
        let _ = writeln!(lines, "{INDENT}{},", numbers.join(", "));
    }
    lines
}

/// A number in five significant digits.
fn decimal(weight: f64) -> String {
    let digits = (4 - weight.abs().max(1e-9).log10().floor() as i32).clamp(1, 9) as usize;
    format!("{weight:.digits$}")
}

/// The numbers, broken into lines as rustfmt does.
pub fn integers(weights: &[i16]) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for weight in weights {
        let number = format!(" {weight},");
        if INDENT.len() + line.len() + number.len() - 1 > LINE {
            let _ = writeln!(lines, "{INDENT}{}", line.trim_start());
            line.clear();
        }
        line.push_str(&number);
    }
    if !line.is_empty() {
        let _ = writeln!(lines, "{INDENT}{}", line.trim_start());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_change() {
        for numbers in ["\n    0.0,\n", "0.0; COUNT"] {
            let text = format!("// a\n{EVALUATION}{numbers}];\n// b\n");
            let (before, after) = split(&text, EVALUATION).expect("it has the array");
            assert_eq!(before, format!("// a\n{EVALUATION}"));
            assert_eq!(after, "];\n// b\n");
            assert!(split(&text, PRIORS).is_none());
        }
        assert_eq!(decimals(&[1.5, -0.000123456]), "    1.5000, -0.00012346,\n");
    }

    #[test]
    fn lines_of_integers_are_full() {
        let weights: Vec<i16> = (0..180).map(|number| number * number - 99).collect();
        let text = integers(&weights);
        let lines: Vec<&str> = text.lines().collect();
        for (line, next) in lines.iter().zip(&lines[1..]) {
            let first = next.split_whitespace().next().expect("a number");
            assert!((LINE - first.len()..=LINE).contains(&line.len()), "{line}");
        }
        let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
        assert_eq!(numbers.map(|number| number.parse().unwrap()).collect::<Vec<i16>>(), weights);
        assert_eq!(integers(&[]), "");
    }
}
