//! `lab tune` from outside: repeatable on any number of threads, resumable wherever it is killed,
//! and exact about what it is told.

use crate::support::{games, kill_ten_times, lab, refused_on_full_disk, text, timeless};
use halma::search::mcts::Params;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

const SMALL: &str = r#"
agent = "mcts(playout=static)"
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

/// A folder with `tune.toml` in it.
fn folder(tune: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("tune.toml"), tune).expect("it can be written");
    folder
}

fn output(folder: &TempDir, out: &str, more: &[&str]) -> Output {
    let (file, out) = (folder.path().join("tune.toml"), folder.path().join(out));
    lab(&[&["tune", text(&file), "--out", text(&out)], more].concat()).output().expect("lab starts")
}

/// Tunes into `out`, and returns everything that is left there, but for where and when it was played.
fn tune(folder: &TempDir, out: &str, more: &[&str]) -> Vec<Vec<u8>> {
    let output = output(folder, out, more);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = timeless(&folder.path().join(out));
    let file = |name: &str| files[name].clone().into_bytes();
    let mut left = ["run.json", "tune.jsonl", "tune.svg", "result.json"].map(file).to_vec();
    left.push(output.stdout);
    left
}

#[test]
fn the_number_of_jobs_does_not_matter() {
    let folder = folder(SMALL);
    let one = tune(&folder, "one", &["--jobs", "1"]);
    assert_eq!(tune(&folder, "three", &["--jobs", "3"]), one);
    assert_eq!(tune(&folder, "one", &[]), one, "what has ended is not played again");
}

/// Ten times it is killed when a random part of some games has been written.
#[test]
fn killed_and_resumed_is_as_if_undisturbed() {
    let folder = folder(SMALL);
    let undisturbed = tune(&folder, "calm", &[]);
    let (file, wild) = (folder.path().join("tune.toml"), folder.path().join("wild"));
    let size =
        |out: &str| fs::metadata(folder.path().join(out).join("games.jsonl")).map_or(0, |file| file.len());
    let step = size("calm") / 6;
    kill_ten_times(&["tune", text(&file), "--out", text(&wild)], 5, step, || size("wild"));
    assert_eq!(tune(&folder, "wild", &[]), undisturbed);
    assert_eq!(games(&wild), games(&folder.path().join("calm")));
}

/// A disk that has no room for all games.
#[test]
fn a_full_disk_is_an_error_that_loses_no_game() {
    let folder = folder(SMALL);
    let undisturbed = tune(&folder, "calm", &[]);
    let log = |out: &str| fs::read_to_string(folder.path().join(out).join("games.jsonl")).expect("games");
    let (file, out) = (folder.path().join("tune.toml"), folder.path().join("full"));
    let room = log("calm").len() as u64 / 2;
    let message = refused_on_full_disk(&["tune", text(&file), "--out", text(&out)], room);
    assert!(message.contains("can't write") && message.contains("games.jsonl: File too large"), "{message}");
    assert!(log("full").lines().count() > 8 && !out.join("result.json").exists());
    assert_eq!(tune(&folder, "full", &[]), undisturbed);
}

#[test]
fn a_broken_last_line_is_played_again_and_other_lines_are_checked() {
    let folder = folder(SMALL);
    let undisturbed = tune(&folder, "out", &[]);
    let path = folder.path().join("out").join("games.jsonl");
    let whole = fs::read_to_string(&path).expect("there are games");
    for bytes in [1, whole.len() * 2 / 3, whole.len() - 1] {
        fs::write(&path, &whole[..bytes]).expect("it can be written");
        assert_eq!(tune(&folder, "out", &[]), undisturbed, "{bytes} bytes");
    }
    let refused = |text: String, message: &str| {
        fs::write(&path, text).expect("it can be written");
        let found = String::from_utf8_lossy(&output(&folder, "out", &[]).stderr).into_owned();
        assert!(found.contains(message), "{found}");
    };
    // Four games an iteration: those of the second one begin in the fifth line.
    refused(
        whole.replacen("\"match\":2,\"game\":", "\"match\":2,\"game\":9", 1),
        "line 5: not a game of this run",
    );
    refused(whole.replacen("\"match\":8", "\"match\":9", 1), "line 29: not a game of this run");
    refused(whole.replacen("\"match\":2", "match", 1), "line 5 is broken");
}

#[test]
fn it_steps_from_what_was_tried_to_where_it_won() {
    let folder = folder(SMALL);
    let left = tune(&folder, "out", &["--json"]);
    let log = String::from_utf8(left[1].clone()).expect("text");
    let steps: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(steps.len(), 8);
    let number = |value: &Value| value.as_f64().expect("a number");
    let memory = Params::default().memory;
    let mut before = [1.0, memory as f64];
    for step in &steps {
        let result = number(&step["result"]);
        for (i, value) in before.iter_mut().enumerate() {
            let (plus, minus) = (number(&step["plus"][i]), number(&step["minus"][i]));
            let moved = number(&step["values"][i]) - *value;
            assert!(moved * result * (plus - minus) >= 0.0, "{step}");
            // At its least value a parameter can't go further down.
            let blocked = *value == [0.5, 1.0][i] && result * (plus - minus) < 0.0;
            assert_eq!(moved == 0.0, result == 0.0 || blocked, "{step}");
            *value = number(&step["values"][i]);
        }
        assert_eq!(number(&step["plus"][1]).fract(), 0.0, "whole numbers stay whole");
        assert!((0.5..=4.0).contains(&number(&step["plus"][0])));
    }
    assert!(steps.iter().any(|step| number(&step["result"]) != 0.0));
    let result: Value = serde_json::from_slice(&left[4]).expect("the result is JSON");
    assert!((number(&result["values"][0]) - before[0]).abs() < 1e-3);
    assert_eq!(number(&result["values"][1]), before[1].round());
    let (spec, verify) =
        (result["spec"].as_str().expect("a spec"), result["verify"].as_str().expect("a command"));
    assert!(halma::agent::parse(spec, 1).is_ok(), "{spec}");
    assert!(verify.starts_with(&format!(
        "lab match '{spec}' 'mcts(playout=static, c=1, memory={memory})' --iterations=10"
    )));
}

#[test]
fn nodes_of_trees_are_written_down_where_the_file_asks_for_them() {
    let noted = folder(&SMALL.replacen("seed = 3", "seed = 3\ntree_nodes = 2", 1));
    tune(&noted, "out", &[]);
    let games = games(&noted.path().join("out"));
    assert_eq!(games.len(), 32);
    for game in games {
        let (plays, trees) = (game["plays"].as_array().unwrap(), game["trees"].as_array().unwrap());
        assert_eq!(plays.len(), trees.len());
        let sizes: Vec<usize> = trees.iter().map(|tree| tree.as_array().unwrap().len()).collect();
        assert!(sizes.iter().all(|&size| size <= 2) && sizes.contains(&2), "{sizes:?}");
    }
}

#[test]
fn mistakes_are_told_by_line_and_column() {
    let replaced = |from: &str, to: &str, message: &str| {
        assert!(SMALL.contains(from), "{from}");
        let folder = folder(&SMALL.replacen(from, to, 1));
        let output = output(&folder, "out", &[]);
        let found = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{to}: {found}");
        assert!(found.contains(&format!("tune.toml:{message}")), "{to}: {found}");
        assert!(!folder.path().join("out").exists(), "nothing was begun");
    };
    replaced("[parameters.c]", "[parameters.cc]", "7:13: mcts has no parameter 'cc'");
    replaced("[parameters.c]", "[parameters.select]", "7:13: 'select' is no number");
    replaced("from = 0.5", "from = 5", "7:1: from 5 to 4: expected a range within 0 to 100");
    replaced("to = 4", "to = 0.75", "7:1: start 1: expected a number from 0.5 to 0.75");
    replaced("step = 0.5", "step = -1", "7:1: step -1: expected");
    replaced("rate = 0.5", "rate = 0", "12:1: rate 0: expected");
    replaced("rate = 0.5", "from = 1.5", "12:1: from 1.5 to 65536: 'memory' has whole values");
    replaced("iterations = 8", "iterations = 0", "4:14: ");
    replaced("iterations = 10", "cpu = -1", "3:10: expected seconds above 0");
    replaced("agent = \"mcts(playout=static)\"", "agent = \"mcts(c=1)\"", "7:13: the agent sets 'c' already");
    replaced("pairs = 2", "", "1:1: missing field `pairs`");
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let folder = folder(&SMALL.replace("iterations = 8", "iterations = 1"));
    tune(&folder, "out", &[]);
    let refused = |out: &str, message: &str| {
        let output = output(&folder, out, &[]);
        let found = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{found}");
        assert!(found.contains(message), "{found}");
    };
    refused("/proc/nowhere", "can't create the folder /proc/nowhere");
    let other = SMALL.replace("iterations = 8", "iterations = 1").replace("seed = 3", "seed = 4");
    fs::write(folder.path().join("tune.toml"), other).expect("it can be written");
    refused(
        "out",
        "holds a run of 'lab tune' with other arguments; use another folder: 'seed' was 3 and is 4 now",
    );
    fs::write(folder.path().join("tune.toml"), SMALL).expect("it can be written");
    refused(
        "out",
        "can't be extended so: its steps began as those of 1 iterations: leave 'iterations = 1' in the file",
    );
}

#[test]
fn the_example_is_right() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("search.toml");
    let source = halma_lab::runs::experiment::Document::read(&path).expect("it is there");
    let tune = halma_lab::runs::tune::Tune::parse(&source).expect("it is right");
    assert_eq!(2 * tune.pairs * tune.iterations, 4000, "as its first lines say");
}
