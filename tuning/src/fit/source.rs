//! The weights as the engine's source has them.

use anyhow::{Context, Result};
use std::fmt::Write;

/// The line after which the numbers are, and the one that ends them.
const BEGIN: &str = "pub const WEIGHTS: [f32; COUNT] = [\n";
const END: &str = "];\n";

/// The source `text` of `weights.rs` with these weights instead of its own.
///
/// # Errors
/// The text does not have the array.
pub fn replace(text: &str, weights: &[f64]) -> Result<String> {
    let missing = "this is not the engine's weights.rs: there is no array WEIGHTS in it";
    let (before, rest) = text.split_once(BEGIN).context(missing)?;
    let (_, after) = rest.split_once(END).context(missing)?;
    let mut source = format!("{before}{BEGIN}");
    for line in weights.chunks(8) {
        let numbers: Vec<String> = line.iter().map(|&weight| number(weight)).collect();
        writeln!(source, "    {},", numbers.join(", "))?;
    }
    Ok(source + END + after)
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
        let source = replace(text, &[1.5, -0.000123456]).expect("it has the array");
        assert_eq!(source, "// a\npub const WEIGHTS: [f32; COUNT] = [\n    1.5000, -0.00012346,\n];\n// b\n");
        assert!(replace("no array", &[1.0]).is_err());
    }
}
