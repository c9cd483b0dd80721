//! The course's sample inputs of both homeworks, with answers that it accepts.

use super::homework::read_output;
use halma::homework::input::parse_input;
use halma::rules::{Play, Position, Square};
use std::fs;
use std::path::PathBuf;

/// A sample of Halma.
pub struct Sample {
    /// The position in `input.txt`.
    pub position: Position,
    /// The squares that the piece visits in `output.txt`, origin first.
    pub chain: Vec<Square>,
    /// Whether `output.txt` writes jumps (`J`) rather than a step (`E`).
    pub jumps: bool,
}

impl Sample {
    /// The numbers of the samples.
    pub const NUMBERS: std::ops::RangeInclusive<usize> = 1..=6;

    pub fn read(number: usize) -> Sample {
        let input = parse_input(text(number, "input").as_bytes()).expect("a sample's input");
        let (jumps, chain) = read_output(&text(number, "output")).expect("a sample's output");
        let chain = chain.into_iter().map(|(x, y)| Square::new(x, y)).collect();
        Sample { position: input.position, chain, jumps }
    }

    /// The play in `output.txt`.
    pub fn answer(&self) -> Play {
        Play::new(self.chain[0], self.chain[self.chain.len() - 1])
    }
}

/// A file of sample `number`: `input` or `output`.
pub fn text(number: usize, kind: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/halma");
    fs::read_to_string(folder.join(format!("{number}.{kind}.txt"))).expect("a sample file")
}

/// The problems of Star and Circle in `file`, which is `examples` or `cases`: inputs and expected outputs.
pub fn star_and_circle(file: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/star_circle");
    let text = fs::read_to_string(folder.join(format!("{file}.txt"))).expect("a file of problems");
    let cases = text.split("==================== ").skip(1).map(|case| {
        let (_name, case) = case.split_once('\n').expect("a name");
        let (input, output) = case.split_once("\n--------------------\n").expect("an output");
        (input.to_owned(), output.trim_end().to_owned())
    });
    cases.collect()
}
