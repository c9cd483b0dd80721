//! `lab sweep` from outside: what it refuses, that it is made of matches, and that neither threads,
//! nor shards, nor being killed change its result.

use crate::support::{
    games, games_of_match, kill_ten_times, lab, refused_on_full_disk, succeeds, text, timeless,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Two parameters, two budgets, eight matches of four games.
const SMALL: &str = r#"
title = "A small sweep"
agent = "mcts(playout=static)"
opponent = "greedy"
games = 4
budgets = [{ iterations = 10 }, { iterations = 30, games = 3 }]
seed = 5
[grid]
c = [0.5, 2]
"prior.base" = { from = 1.1, to = 1.5, steps = 2 }
"#;

/// A folder with `sweep.toml` in it.
fn folder(sweep: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("sweep.toml"), sweep).expect("it can be written");
    folder
}

/// Runs the sweep of a folder into `out` there.
fn sweep(folder: &TempDir, out: &str, more: &[&str]) -> String {
    let (file, out) = (folder.path().join("sweep.toml"), folder.path().join(out));
    succeeds(&[&["sweep", text(&file), "--out", text(&out)], more].concat())
}

/// Everything that a sweep left and that does not depend on the machine or its speed: table, plots,
/// result, and the games.
fn left(out: &Path) -> (Vec<String>, Vec<Value>) {
    let files = timeless(out);
    let names = ["sweep.csv", "score.svg", "heat.svg", "result.json"];
    (names.map(|name| files[name].clone()).to_vec(), games(out))
}

/// The table by rows, each by the names of its columns.
fn table(out: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(out.join("sweep.csv")).expect("there is a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn each_cell_is_the_match_played_alone() {
    let folder = folder(SMALL);
    sweep(&folder, "out", &[]);
    let out = folder.path().join("out");
    let rows = table(&out);
    assert_eq!(rows.len(), 8);
    let mut different = std::collections::HashSet::new();
    for (number, row) in (1..).zip(&rows) {
        let cell = format!("match {number}");
        let alone = folder.path().join(format!("alone-{number}"));
        let (name, value) = row["budget"].split_once('=').expect("a limit");
        let limit = format!("--{name}");
        let spec = format!("mcts(playout=static, c={}, prior=network(base={}))", row["c"], row["prior.base"]);
        let arguments = ["match", &spec, "greedy", &limit, value, "--games", "4", "--seed", "5", "--json"];
        let output = succeeds(&[&arguments[..], &["--out", text(&alone)]].concat());
        let result: Value = serde_json::from_str(&output).expect("the result is JSON");
        for count in ["games", "wins", "draws", "losses"] {
            assert_eq!(row[count], result[count].to_string(), "{cell}: {count}");
        }
        let close = |name: &str, value: &Value| {
            let found: f64 = row[name].parse().expect("a number");
            let expected = value.as_f64().unwrap_or(f64::INFINITY);
            assert!(
                (found - expected).abs() < 0.01 || found.abs() == expected,
                "{cell}: {name} {found} {value}"
            );
        };
        close("score", &result["score"]);
        close("elo", &result["elo"]);
        close("elo_low", &result["elo_interval"]["from"]);
        close("elo_high", &result["elo_interval"]["to"]);
        close("los", &result["los"]);
        close("plies", &result["mean_plies"]);
        let games = games(&alone);
        assert_eq!(games_of_match(&out, number), games);
        different.insert(games.iter().map(|game| game["plays"].to_string()).collect::<Vec<_>>());
    }
    assert!(different.len() > 4, "the settings play differently: {}", different.len());
}

#[test]
fn threads_and_shards_do_not_matter() {
    let folder = folder(SMALL);
    let out = |name: &str| folder.path().join(name);
    sweep(&folder, "one", &["--jobs", "1"]);
    sweep(&folder, "three", &["--jobs", "3"]);
    let whole = left(&out("one"));
    assert_eq!(left(&out("three")), whole);
    sweep(&folder, "a", &["--shard", "1/2"]);
    let (merged, a, b) = (out("merged"), out("a"), out("b"));
    let merge = ["merge", text(&merged), text(&a), text(&b)];
    let refused = lab(&merge).output().expect("lab starts");
    assert_eq!(refused.status.code(), Some(2), "a part is missing");
    sweep(&folder, "b", &["--shard", "2/2", "--jobs", "2"]);
    let output = succeeds(&merge);
    assert_eq!(left(&merged), whole);
    assert_eq!(output, sweep(&folder, "one", &[]));
}

/// How many bytes of games there are.
fn size(out: &Path) -> u64 {
    fs::metadata(out.join("games.jsonl")).map_or(0, |file| file.len())
}

/// Ten times it is killed when a random number of games and a random time have passed.
#[test]
fn killed_and_resumed_is_as_if_undisturbed() {
    let folder = folder(SMALL);
    let undisturbed = sweep(&folder, "calm", &[]);
    let (file, wild) = (folder.path().join("sweep.toml"), folder.path().join("wild"));
    let whole = size(&folder.path().join("calm"));
    kill_ten_times(&["sweep", text(&file), "--out", text(&wild)], 11, whole / 6, || size(&wild));
    assert_eq!(sweep(&folder, "wild", &[]), undisturbed);
    assert_eq!(left(&wild), left(&folder.path().join("calm")));
}

/// Disks without room for the third game, and for the table.
#[test]
fn a_full_disk_is_an_error_that_loses_no_game() {
    let folder = folder(SMALL);
    sweep(&folder, "calm", &["--jobs", "1"]);
    let (file, calm, full) =
        (folder.path().join("sweep.toml"), folder.path().join("calm"), folder.path().join("full"));
    let game =
        fs::read_to_string(calm.join("games.jsonl")).expect("games").lines().next().expect("one").len();
    let arguments = ["sweep", text(&file), "--out", text(&full), "--jobs", "1"];
    let message = refused_on_full_disk(&arguments, game as u64 + 600);
    assert!(message.contains("can't write") && message.contains("games.jsonl: File too large"), "{message}");
    let kept = size(&full);
    assert!(kept > game as u64, "{kept} bytes");
    assert!(!full.join("sweep.csv").exists() && !full.join("result.json").exists());
    sweep(&folder, "full", &[]);
    assert_eq!(left(&full), left(&calm));

    // All games are there, and room for what is at most as long as the table, but not for the plots.
    for name in ["sweep.csv", "score.svg", "heat.svg", "result.json"] {
        fs::remove_file(full.join(name)).expect(name);
    }
    let table = fs::metadata(calm.join("sweep.csv")).expect("a table").len();
    let message = refused_on_full_disk(&arguments, table);
    assert!(message.contains("can't write") && message.contains("svg: File too large"), "{message}");
    assert!(!full.join("score.svg").exists() && fs::read_dir(&full).expect("a folder").count() == 3);
    sweep(&folder, "full", &[]);
    assert_eq!(left(&full), left(&calm));
}

#[test]
fn all_against_each_other() {
    let folder = folder(
        "agent = 'mcts'\neach_other = true\nalso = ['greedy']\ngames = 2\nbudgets = [{ iterations = 10 }]\n\
         [grid]\nplayout = ['static', 'uniform']\n",
    );
    sweep(&folder, "out", &[]);
    let out = folder.path().join("out");
    let rows = table(&out);
    assert_eq!((rows.len(), games(&out).len()), (3, 6));
    assert_eq!((rows[1]["playout"].as_str(), rows[2]["agent"].as_str()), ("uniform", "greedy"));
    let points: f64 = rows.iter().map(|row| 4.0 * row["score"].parse::<f64>().expect("a score")).sum();
    assert!((points - 6.0).abs() < 1e-3, "{points} points in six games");
    assert!(rows.iter().all(|row| row["games"] == "4"));
    assert!(out.join("matrix.svg").exists() && !out.join("heat.svg").exists());
}

#[test]
fn the_result_tells_what_is_decided() {
    let folder = folder(
        "agent = 'alphabeta'\nopponent = 'random'\ngames = 12\nbudgets = [{ iterations = 1 }]\nmax_plies = 250\n\
         [grid]\ndepth = [1, 2]\n",
    );
    let output = sweep(&folder, "out", &["--json"]);
    let result: Value = serde_json::from_str(&output).expect("the result is JSON");
    let verdict = &result["verdicts"][0];
    let scores: Vec<f64> =
        table(&folder.path().join("out")).iter().map(|row| row["score"].parse().expect("a score")).collect();
    let best = if scores[1] > scores[0] { "depth=2" } else { "depth=1" };
    assert_eq!(verdict["best"], best);
    let contenders = verdict["contenders"].as_array().expect("a list").len();
    assert_eq!(verdict["decided"], contenders == 1);
    assert!(verdict["verify"].as_str().expect("a command").starts_with("lab match 'alphabeta(depth="));
}

/// Runs the sweep in `text`, which must be refused with `message` at this place.
fn refused(sweep: &str, message: &str) {
    let folder = folder(sweep);
    let (file, out) = (folder.path().join("sweep.toml"), folder.path().join("out"));
    let output = lab(&["sweep", text(&file), "--out", text(&out)]).output().expect("lab starts");
    let found = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{sweep}: {found}");
    assert!(found.contains(&format!("sweep.toml:{message}")), "{sweep}: {found}");
    assert!(output.stdout.is_empty() && !out.exists(), "nothing was begun");
}

#[test]
fn files_that_make_no_sense_are_refused_where_they_do_not() {
    let replaced = |from: &str, to: &str, message: &str| {
        assert!(SMALL.contains(from), "{from}");
        refused(&SMALL.replacen(from, to, 1), message);
    };
    replaced("title", "titel", "2:1: unknown field `titel`");
    replaced("[0.5, 2]", "[0.5, 2", "10:1: missing comma");
    replaced("[0.5, 2]", "[0.5, -2]", "9:11: c=-2: expected a number from 0 to 100");
    replaced("[0.5, 2]", "[0.5, 0.50]", "9:11: 0.5 is there twice");
    replaced("[0.5, 2]", "[]", "9:1: there are no values");
    replaced("c =", "cc =", "9:1: mcts has no parameter 'cc'; it has c, ");
    replaced("c = [0.5, 2]", "c = [1]\ncap = [2]", "8:1: a grid has one or two parameters, not 3");
    replaced("playout=static", "playout=best", "3:9: there is no playout policy 'best'; there are ");
    replaced("playout=static", "c=1", "9:1: the agent sets 'c' already");
    replaced("to = 1.5", "to = 1.0", "10:16: from 1.1 to 1: expected two numbers");
    replaced("greedy", "gredy", "4:12: there is no agent 'gredy'");
    replaced("opponent = \"greedy\"", "", "3:9: 'opponent' is missing");
    replaced("seed = 5", "each_other = true", "4:12: 'opponent' and 'each_other' exclude each other");
    replaced("seed = 5", "seed = -5", "7:8: ");
    replaced("seed = 5", "openings = 'random:9-1'", "7:12: 'random:9-1': expected random:LEAST-MOST");
    replaced("seed = 5", "max_plies = 0", "7:13: ");
    replaced("{ iterations = 10 }", "{ iterations = 0 }", "6:12: 0 iterations");
    replaced("{ iterations = 10 }", "{ cpu = inf }", "6:12: expected seconds above 0");
    replaced("{ iterations = 10 }", "{ iterations = 30 }", "6:33: this budget is there twice");
    replaced("{ iterations = 10 }", "{ plies = 10 }", "6:14: unknown field `plies`");
    replaced("games = 4", "games = 0", "6:12: 0 games");
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let folder = folder(SMALL);
    let file = folder.path().join("sweep.toml");
    sweep(&folder, "out", &[]);
    let out = folder.path().join("out");
    let refused = |arguments: &[&str], message: &str| {
        let output = lab(&[&["sweep", text(&file)], arguments].concat()).output().expect("lab starts");
        let found = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{found}");
        assert!(found.contains(message), "{found}");
    };
    refused(
        &["--out", text(&out), "--seed", "6"],
        "holds a run of 'lab sweep' with other arguments; use another folder: 'seed' was 5 and is 6",
    );
    refused(&["--out", text(&out), "--shard", "1/2"], "holds another shard of this run");
    refused(&["--out", text(&out), "--games", "2"], "'budgets' was");
    refused(&["--out", "/proc/nowhere"], "can't create the folder /proc/nowhere");
    refused(&["--out", text(&folder.path().join("x")), "--shard", "1/3"], "there are only 2 pairs of games");
    let missing = lab(&["sweep", "no-such.toml"]).output().expect("lab starts");
    assert!(String::from_utf8_lossy(&missing.stderr).contains("can't read no-such.toml"));
}

#[test]
fn the_experiments_that_come_with_it_are_right() {
    for (name, matches) in [("exploration", 54), ("playouts", 30)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.toml"));
        let source = halma_lab::runs::experiment::Document::read(&path).expect("it is there");
        let sweep = halma_lab::runs::sweep::Sweep::parse(&source, Default::default()).expect("it is right");
        assert_eq!(sweep.cells().len(), matches, "{name}");
    }
}
