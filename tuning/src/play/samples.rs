//! The course's six sample boards.

use halma::homework::input::parse_input;
use halma::rules::Position;

/// A sample board.
pub struct Sample {
    /// The name of its file.
    pub file: &'static str,
    /// The feature of the position that it tests.
    pub about: &'static str,
    pub position: Position,
}

/// All samples, in order.
pub fn samples() -> [Sample; 6] {
    macro_rules! sample {
        ($file:literal, $about:literal) => {{
            let bytes = include_bytes!(concat!("../../../tests/data/halma/", $file));
            let position = parse_input(bytes).expect("a valid sample").position;
            Sample { file: $file, about: $about, position }
        }};
    }
    [
        sample!("1.input.txt", "a win in one"),
        sample!("2.input.txt", "a win in one"),
        sample!("3.input.txt", "the ending"),
        sample!("4.input.txt", "must leave the camp"),
        sample!("5.input.txt", "no exit from the camp"),
        sample!("6.input.txt", "a piece stuck at home"),
    ]
}
