//! `lab tune`: a tuning run steps towards settings that win, and mistakes in its file are refused.

use crate::support::{Folder, list, number, string};
use halma::search::mcts::Params;
use halma_lab::runs::experiment::Document;
use halma_lab::runs::tune::Tune;
use serde_json::Value;
use std::path::Path;

/// Eight steps of two parameters, each decided by two pairs of games.
pub const SMALL: &str = r#"
agent = "mcts(race=off)"
budget = { iterations = 10 }
iterations = 8
pairs = 2
seed = 3
[parameters.c]
start = 1
from = 0.5
to = 4
step = 0.5
[parameters.memory]
step = 400
rate = 0.5
"#;

/// A folder in which the tuning run that this file describes has been played, in `run`.
fn played(tune: &str) -> Folder {
    Folder::played_with("tune file.toml", "file.toml", tune)
}

#[test]
fn each_step_goes_towards_the_settings_that_won() {
    let folder = played(SMALL);
    let log = folder.read("run/tune.jsonl");
    let steps: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(steps.len(), 8);
    let memory = Params::default().memory;
    let mut before = [1.0, memory as f64];
    for step in &steps {
        let result = number(&step["result"]);
        for (i, value) in before.iter_mut().enumerate() {
            let [plus, minus, next] = ["plus", "minus", "values"].map(|name| number(&step[name][i]));
            let moved = next - *value;
            assert!(moved * result * (plus - minus) >= 0.0, "{step}");
            // A parameter at its minimum can't go lower.
            let blocked = *value == [0.5, 1.0][i] && result * (plus - minus) < 0.0;
            assert_eq!(moved == 0.0, result == 0.0 || blocked, "{step}");
            *value = next;
        }
        assert_eq!(number(&step["plus"][1]).fract(), 0.0, "whole numbers stay whole");
        assert!((0.5..=4.0).contains(&number(&step["plus"][0])));
    }
    assert!(steps.iter().any(|step| number(&step["result"]) != 0.0));
    let result = folder.json("run/result.json");
    assert!((number(&result["values"][0]) - before[0]).abs() < 1e-3);
    assert_eq!(number(&result["values"][1]), before[1].round());
    let spec = string(&result["spec"]);
    assert!(halma::agent::parse(spec, 1).is_ok(), "{spec}");
    let opponent = format!("mcts(race=off, c=1, memory={memory})");
    let verify = format!("lab match '{spec}' '{opponent}' --iterations=10");
    assert!(string(&result["verify"]).starts_with(&verify), "{result}");
}

#[test]
fn values_that_have_not_changed_need_no_test() {
    let slow = SMALL.replace("step = 0.5", "step = 0.5\nrate = 1e-9").replace("rate = 0.5", "rate = 1e-9");
    let folder = played(&slow);
    let printed = folder.succeeds("tune file.toml --out run");
    assert!(printed.ends_with("The values are those at the start.\n"), "{printed}");
    assert!(folder.json("run/result.json")["verify"].is_null());
    folder.succeeds("report run");
    assert!(folder.read("run/report.html").contains("The values are those at the start."));
}

#[test]
fn games_of_other_runs_are_refused() {
    let folder = played(SMALL);
    let whole = folder.read("run/games.jsonl");
    // Each iteration has four games, so the second iteration begins with the fifth line.
    for (from, to, message) in [
        ("\"match\":2,\"game\":", "\"match\":2,\"game\":9", "line 5: not a game of this run"),
        ("\"match\":8", "\"match\":9", "line 29: not a game of this run"),
        ("\"match\":2", "match", "line 5 is broken"),
    ] {
        folder.write("run/games.jsonl", whole.replacen(from, to, 1));
        folder.refused("tune file.toml --out run", message);
    }
}

#[test]
fn tree_nodes_are_recorded_where_the_file_asks_for_them() {
    let games = played(&SMALL.replace("seed = 3", "seed = 3\ntree_nodes = 2")).games("run");
    assert_eq!(games.len(), 32);
    for game in games {
        let sizes: Vec<usize> = list(&game["trees"]).iter().map(|tree| list(tree).len()).collect();
        assert_eq!(sizes.len(), list(&game["plays"]).len());
        assert!(sizes.iter().all(|&size| size <= 2) && sizes.contains(&2), "{sizes:?}");
    }
}

#[test]
fn mistakes_in_the_file_are_refused_by_line_and_column() {
    let folder = Folder::new();
    for (from, to, message) in [
        ("[parameters.c]", "[parameters.cc]", "7:13: mcts has no parameter 'cc'"),
        ("[parameters.c]", "[parameters.select]", "7:13: 'select' is not a number"),
        ("from = 0.5", "from = 5", "7:1: from 5 to 4: expected a range within 0 to 100"),
        ("to = 4", "to = 0.75", "7:1: start 1: expected a number from 0.5 to 0.75"),
        ("step = 0.5", "step = -1", "7:1: step -1: expected"),
        (
            "step = 0.5",
            "step = 1e-9",
            "7:1: step 0.000000001: too small to change 'c', which is rounded to five digits: expected 0.0001 or more",
        ),
        (
            "step = 400",
            "step = 0.4",
            "12:1: step 0.4: too small to change 'memory', which is a whole number: expected 0.5 or more",
        ),
        ("rate = 0.5", "rate = 0", "12:1: rate 0: expected"),
        ("rate = 0.5", "from = 1.5", "12:1: from 1.5: 'memory' takes whole numbers"),
        ("rate = 0.5", "start = 2.5", "12:1: start 2.5: 'memory' takes whole numbers"),
        ("iterations = 8", "iterations = 0", "4:14: expected 1 or more"),
        ("iterations = 10", "cpu = -1", "3:10: expected seconds above 0"),
        ("agent = \"mcts(race=off)\"", "agent = \"mcts(c=1)\"", "7:13: the agent already sets 'c'"),
        ("pairs = 2", "", "1:1: missing field `pairs`"),
        ("pairs = 2", "pairs = 0", "5:9: expected 1 or more"),
    ] {
        folder.write("tune.toml", SMALL);
        folder.replace("tune.toml", from, to);
        folder.refused("tune tune.toml --out out", &format!("tune.toml:{message}"));
        assert!(!folder.exists("out"), "nothing was begun");
    }
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let one = SMALL.replace("iterations = 8", "iterations = 1");
    let folder = played(&one);
    folder.refused("tune file.toml --out /proc/nowhere", "can't create the folder /proc/nowhere");
    for (file, message) in [
        (
            one.replace("seed = 3", "seed = 4"),
            "holds a run of 'lab tune' with other arguments; use another folder: 'seed' was 3 and is now 4",
        ),
        (SMALL.to_string(), "the run began with 'iterations = 1': leave that in the file"),
    ] {
        folder.write("file.toml", file);
        folder.refused("tune file.toml --out run", message);
    }
}

#[test]
fn the_example_is_valid() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("search.toml");
    let tune = Tune::parse(&Document::read(&path).expect("it is there")).expect("it is valid");
    assert_eq!(2 * tune.pairs * tune.iterations, 4000, "as its first lines say");
}
