//! The weights as the engine's source has them.

use crate::files::write_whole;
use anyhow::{Context, Result};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The line after which the numbers are, and the one that ends them.
const BEGIN: &str = "pub const WEIGHTS: [f32; COUNT] = [\n";
const END: &str = "];\n";

/// A file with the weights: what is before them, and what after.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    path: &'a Path,
    before: String,
    after: String,
}

impl<'a> Source<'a> {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// It can't be read, or does not have the array.
    pub fn read(path: &'a Path) -> Result<Source<'a>> {
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        let (before, after) = split(&text).with_context(|| {
            format!(
                "{}: this is not the engine's weights.rs: there is no array WEIGHTS in it",
                path.display()
            )
        })?;
        Ok(Source { path, before: before.to_string(), after: after.to_string() })
    }

    /// Replaces the file by one with these weights.
    ///
    /// # Errors
    /// It can't be written; then it is as it was.
    pub fn replace(&self, weights: &[f64]) -> Result<()> {
        write_whole(self.path, format!("{}{}{}", self.before, lines(weights), self.after).as_bytes())
    }
}

/// What is before the numbers, and what after.
fn split(text: &str) -> Option<(&str, &str)> {
    let numbers = text.find(BEGIN)? + BEGIN.len();
    let end = numbers + text[numbers..].find(END)?;
    Some((&text[..numbers], &text[end..]))
}

/// The numbers, eight to a line.
fn lines(weights: &[f64]) -> String {
    let mut lines = String::new();
    for line in weights.chunks(8) {
        let numbers: Vec<String> = line.iter().map(|&weight| number(weight)).collect();
        let _ = writeln!(lines, "    {},", numbers.join(", "));
    }
    lines
}

/// A number in five significant digits.
fn number(weight: f64) -> String {
    let digits = (4 - weight.abs().max(1e-9).log10().floor() as i32).clamp(1, 9) as usize;
    format!("{weight:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_numbers_change() {
        let text = "// a\npub const WEIGHTS: [f32; COUNT] = [\n    0.0,\n];\n// b\n";
        let (before, after) = split(text).expect("it has the array");
        let source = format!("{before}{}{after}", lines(&[1.5, -0.000123456]));
        assert_eq!(source, "// a\npub const WEIGHTS: [f32; COUNT] = [\n    1.5000, -0.00012346,\n];\n// b\n");
        assert!(split("no array").is_none());
    }
}
