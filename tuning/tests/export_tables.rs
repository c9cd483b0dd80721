//! `lab export` for other programs: CSV against the games themselves, read by others too, where they are there.

use crate::support::{files, games, refused, refused_on_full_disk, succeeds, text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A match with odds, whose agents have commas and spaces in their names, and with draws: its folder.
fn play(folder: &Path) -> PathBuf {
    let out = folder.join("run");
    let agents =
        ["match", "mcts(playout=static, c=0.7)", "alphabeta(depth=1)", "--games", "4", "--seed", "5"];
    succeeds(&[&agents[..], &["--iterations", "30,20", "--max-plies", "130", "--out", text(&out)]].concat());
    out
}

/// The rows of a table, by the names of its columns.
fn rows(file: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(file).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// A value of a game as a table has it.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn the_tables_have_every_game_and_every_decision() {
    let folder = TempDir::new().unwrap();
    let (run, out) = (play(folder.path()), folder.path().join("csv"));
    assert_eq!(succeeds(&["export", text(&run), "--format", "csv", "--out", text(&out)]), "");
    assert_eq!(files(&out).keys().collect::<Vec<_>>(), ["decisions.csv", "games.csv"]);
    let (table, decisions, games) =
        (rows(&out.join("games.csv")), rows(&out.join("decisions.csv")), games(&run));
    let lines = fs::read_to_string(run.join("games.jsonl")).unwrap();
    let timed: BTreeMap<u64, Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|game| (game["game"].as_u64().unwrap(), game))
        .collect();
    assert_eq!(table.len(), games.len());
    let mut next = decisions.iter();
    for (row, game) in table.iter().zip(&games) {
        for name in ["match", "game", "seed", "black", "winner", "reason"] {
            assert_eq!(row[name], cell(&game[name]), "{name}");
        }
        assert_eq!((&*row["a"], &*row["b"]), ("mcts(playout=static, c=0.7)", "alphabeta(depth=1)"));
        assert_eq!([&*row["limit"], &row["limit_a"], &row["limit_b"]], ["iterations", "30", "20"]);
        let points = match game["winner"].as_str() {
            None => ["0.5", "0.5"],
            Some("A") => ["1.0", if game["black"] == "A" { "1.0" } else { "0.0" }],
            Some(_) => ["0.0", if game["black"] == "B" { "1.0" } else { "0.0" }],
        };
        assert_eq!([&*row["points_a"], &row["points_black"]], points);
        let list = |name: &str| timed[&game["game"].as_u64().unwrap()][name].as_array().unwrap().clone();
        let opening: Vec<String> = list("opening").iter().map(cell).collect();
        assert_eq!(row["opening"], opening.join("; "));
        assert_eq!(row["plies"], (opening.len() + list("plays").len()).to_string());
        for (at, play) in list("plays").iter().enumerate() {
            let decision = next.next().expect("a row for each decision");
            let place = [&decision["game"], &decision["decision"], &decision["ply"]];
            assert_eq!(place, [&cell(&game["game"]), &at.to_string(), &(opening.len() + at).to_string()]);
            let black_moves = (opening.len() + at).is_multiple_of(2);
            assert_eq!(decision["agent"], if black_moves == (game["black"] == "A") { "A" } else { "B" });
            assert_eq!(decision["play"], cell(play));
            for (column, name) in [("iterations", "iterations"), ("nodes", "nodes"), ("reused", "reused")] {
                assert_eq!(decision[column], cell(&list(name)[at]), "{name}");
            }
            for (column, name) in [("seconds", "seconds"), ("value", "values")] {
                let number = decision[column].parse::<f64>().expect("a number");
                assert!((number - list(name)[at].as_f64().unwrap()).abs() < 1e-6, "{name}");
            }
            let candidates = list("candidates")[at].as_array().unwrap().len();
            let written = decision["candidates"].split("; ").filter(|one| !one.is_empty()).count();
            assert_eq!(written, candidates);
        }
    }
    assert!(next.next().is_none(), "and no other row");
}

#[test]
fn tables_are_replaced_whole_and_need_a_place() {
    let folder = TempDir::new().unwrap();
    let (run, out) = (play(folder.path()), folder.path().join("csv"));
    let arguments = ["export", text(&run), "--format", "csv", "--out", text(&out)];
    succeeds(&arguments);
    let before = files(&out);
    succeeds(&arguments);
    assert_eq!(files(&out), before, "and nothing else is left there");
    let message = refused_on_full_disk(&arguments, 2048);
    assert!(message.contains("can't write the"), "{message}");
    assert_eq!(files(&out), before);
    let before = files(&run);
    for name in ["games.jsonl", "run.json", "result.json"] {
        let own = run.join(name);
        refused(&["export", text(&run), "--out", text(&own)], "belongs to a run; write to another file");
        refused(&["report", text(&run), "--out", text(&own)], "belongs to a run");
    }
    assert_eq!(files(&run), before);
    refused(&["export", text(&run), "--format", "csv"], "--out <PATH>");
    refused(&["export", text(&run), "--format", "xml"], "pgn, csv");
    refused(
        &["export", text(&run), "--format", "csv", "--out", "/dev/null/x"],
        "can't create the folder /dev/null/x",
    );
}

/// Whether python3 is there, with these modules.
fn has_python(modules: &str) -> bool {
    let import = format!("import {modules}");
    let found = Command::new("python3").args(["-c", &import]).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped: there is no python3 with {modules}");
    }
    found
}

/// What a program in Python prints; it must succeed.
fn python(program: &str, arguments: &[&str]) -> String {
    let output =
        Command::new("python3").args(["-c", program]).args(arguments).output().expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn python_reads_the_same_tables() {
    let folder = TempDir::new().unwrap();
    let (run, out) = (play(folder.path()), folder.path().join("csv"));
    succeeds(&["export", text(&run), "--format", "csv", "--out", text(&out)]);
    for name in ["games.csv", "decisions.csv"] {
        let path = out.join(name);
        if has_python("csv") {
            let program = "import csv, json, sys\n\
                           print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='')))))";
            let read: Value = serde_json::from_str(&python(program, &[text(&path)])).expect("JSON");
            assert_eq!(read, json!(rows(&path)));
        }
        if has_python("pandas") {
            let program = "import pandas, sys\ntable = pandas.read_csv(sys.argv[1])\nprint(table.shape[0], \
                           table.match.dtype, table.game.dtype, *table.columns)";
            let columns = fs::read_to_string(&path).unwrap().lines().next().unwrap().replace(',', " ");
            let expected = format!("{} int64 int64 {columns}\n", rows(&path).len());
            assert_eq!(python(program, &[text(&path)]), expected);
        }
    }
}

/// The guide's program, as it stands there, on a sweep over budgets.
#[test]
fn the_guide_s_ten_lines_draw_a_learning_curve() {
    let guide = include_str!("../README.md");
    let (_, rest) = guide.split_once("```python\n").expect("a program in Python");
    let (program, _) = rest.split_once("```").expect("its end");
    assert!(program.lines().count() <= 10, "ten lines at most");
    let folder = TempDir::new().unwrap();
    let (file, run, out) =
        (folder.path().join("curve.toml"), folder.path().join("run"), folder.path().join("csv"));
    let sweep = "agent = \"mcts(playout=static)\"\nopponent = \"alphabeta(depth=1)\"\ngames = 4\n\
                 budgets = [{ iterations = 40 }, { iterations = 5 }]\nmax_plies = 150\n[grid]\nc = [0.6]\n";
    fs::write(&file, sweep).unwrap();
    succeeds(&["sweep", text(&file), "--out", text(&run)]);
    succeeds(&["export", text(&run), "--format", "csv", "--out", text(&out)]);
    if !has_python("csv, statistics") {
        return;
    }
    let printed = python(program, &[text(&out.join("games.csv"))]);
    let table = rows(&out.join("games.csv"));
    let lines: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.iter().map(|line| line[0]).collect::<Vec<_>>(), ["5", "40"], "{printed}");
    for line in lines {
        let points = table.iter().filter(|row| row["limit_a"] == line[0]);
        let points: Vec<f64> = points.map(|row| row["points_a"].parse().unwrap()).collect();
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        assert_eq!(line[1], format!("{mean:.3}"), "{printed}");
    }
}

/// A reader of PGN that others made takes the tags and the results. (It can't replay Halma.)
#[test]
fn python_chess_reads_the_exported_games() {
    if !has_python("chess.pgn") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let run = play(folder.path());
    let pgn = folder.path().join("games.pgn");
    succeeds(&["export", text(&run), "--out", text(&pgn)]);
    let program = "import chess.pgn, json, logging, sys\nlogging.disable()\nfile = open(sys.argv[1])\n\
                   print(json.dumps([[tags[name] for name in ('White', 'Black', 'Result', 'Round')] \
                   for tags in iter(lambda: chess.pgn.read_headers(file), None)]))";
    let read: Value = serde_json::from_str(&python(program, &[text(&pgn)])).expect("JSON");
    let names =
        ["mcts(playout=static, c=0.7), 30 iterations a move", "alphabeta(depth=1), 20 iterations a move"];
    let expected = games(&run).into_iter().map(|game| {
        let [white, black] = if game["black"] == "A" { names } else { [names[1], names[0]] };
        let result = match game["winner"].as_str() {
            None => "1/2-1/2",
            Some(_) if game["winner"] == game["black"] => "1-0",
            Some(_) => "0-1",
        };
        json!([white, black, result, format!("1.{}", game["game"].as_u64().unwrap() + 1)])
    });
    assert_eq!(read, expected.collect::<Value>());
}
