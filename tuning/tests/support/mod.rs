//! Helpers that the tests share: a folder to run `lab` in, programs for it to play with, a server, a browser, and JSON
//! values.

pub mod browser;
pub mod folder;
pub mod page;
pub mod programs;
pub mod report;
pub mod server;

use halma::rules::{Play, Position};
use serde_json::Value;

pub use folder::Folder;

/// The program under test.
pub const LAB: &str = env!("CARGO_BIN_EXE_lab");

/// The path of one of the course's sample inputs, 1 to 6.
pub fn sample(number: u32) -> String {
    format!("{}/../tests/data/halma/{number}.input.txt", env!("CARGO_MANIFEST_DIR"))
}

/// The number that a JSON value holds.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// The string that a JSON value holds.
pub fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string"))
}

/// The list that a JSON value holds.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

/// The plays of a recorded game, including its opening.
pub fn plays(game: &Value) -> Vec<Play> {
    let plays = list(&game["opening"]).iter().chain(list(&game["plays"]));
    plays.map(|play| string(play).parse().expect("a play")).collect()
}

/// The positions of a recorded game, from the first to the last.
pub fn positions(game: &Value) -> Vec<Position> {
    let mut positions = vec![Position::default()];
    for play in plays(game) {
        let mut next = positions[positions.len() - 1];
        next.try_play(play).unwrap_or_else(|error| panic!("{play} is recorded: {error}"));
        positions.push(next);
    }
    positions
}

/// `value` without times, and without the command and the machine of the run.
pub fn timeless(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let is_time = |key: &str| {
                let names = ["seconds", "began", "sessions", "provenance"];
                names.contains(&key) || key.ends_with("_per_second")
            };
            let rest = map.into_iter().filter(|(key, _)| !is_time(key));
            rest.map(|(key, value)| (key, timeless(value))).collect()
        }
        Value::Array(list) => list.into_iter().map(timeless).collect(),
        other => other,
    }
}
