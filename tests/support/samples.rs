//! The course's sample inputs of both homeworks, with answers that it accepts.

use halma::rules::{BLACK, Play, Position, Rules, Square, WHITE, parse_board};
use std::fs;
use std::path::PathBuf;

/// A sample of Halma.
pub struct Sample {
    /// The position of `input.txt`, under the addendum's rules.
    pub position: Position,
    /// The squares on the way of the piece in `output.txt`, origin first.
    pub way: Vec<Square>,
    /// Whether `output.txt` writes jumps (`J`) rather than a step (`E`).
    pub jumps: bool,
}

impl Sample {
    /// The numbers of the samples.
    pub const NUMBERS: std::ops::RangeInclusive<usize> = 1..=6;

    pub fn read(number: usize) -> Sample {
        let input = text(number, "input");
        let mut lines = input.lines().skip(1);
        let side = match lines.next() {
            Some("BLACK") => BLACK,
            Some("WHITE") => WHITE,
            other => panic!("sample {number}: {other:?} is no colour"),
        };
        let pieces = parse_board(lines.skip(1)).expect("a sample's board");
        let (mut way, mut jumps) = (Vec::new(), false);
        for line in text(number, "output").lines() {
            let (kind, hop) = line.split_once(' ').expect("a letter and a hop");
            let hop: Play = hop.parse().expect("a sample's hop");
            assert_eq!(hop.from, *way.last().unwrap_or(&hop.from), "hops follow each other");
            jumps = kind == "J";
            way.resize(way.len().max(1), hop.from);
            way.push(hop.to);
        }
        Sample { position: Position::new(pieces, side, Rules::Addendum), way, jumps }
    }

    /// The play in `output.txt`.
    pub fn answer(&self) -> Play {
        Play::new(self.way[0], self.way[self.way.len() - 1])
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
