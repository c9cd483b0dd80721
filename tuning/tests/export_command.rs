//! `lab export`: the games as PGN, and as tables that other programs read.

use crate::support::{Folder, list, number, string};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

const TOURNAMENT: &str = "tournament 'mcts(race=off)' greedy random --games 9 --iterations 30";

/// The tags of a game, keyed by name.
fn tags(game: &str) -> BTreeMap<&str, &str> {
    game.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")).collect()
}

/// The plays of an exported game, as `x,y x,y`; the numbers between them must be consecutive.
fn exported_plays(game: &str) -> Vec<String> {
    let (_, text) = game.split_once("\n\n").expect("an empty line after the tags");
    let square = |text: &str| {
        let rank: u8 = text[1..].parse().expect("a rank");
        format!("{},{}", text.as_bytes()[0] - b'a', rank - 1)
    };
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        let is_play = word.starts_with(char::is_alphabetic);
        if let Some(number) = word.strip_suffix('.') {
            assert_eq!(number.parse(), Ok(found.len() / 2 + 1));
        } else if let Some((from, to)) = word.split_once('-').filter(|_| is_play) {
            found.push(format!("{} {}", square(from), square(to)));
        }
    }
    found
}

/// The PGN result of a game. White moves first in PGN, Black in Halma.
fn pgn_result(game: &Value) -> &'static str {
    match game["winner"].as_str() {
        None => "1/2-1/2",
        Some(winner) if game["black"] == winner => "1-0",
        Some(_) => "0-1",
    }
}

#[test]
fn exported_games_have_their_results_and_plays() {
    let folder = Folder::played(TOURNAMENT);
    let result = folder.json("run/result.json");
    let exported = folder.succeeds("export run");
    let mut points: BTreeMap<&str, f64> = BTreeMap::new();
    let games: Vec<&str> = exported.split("[Event ").skip(1).collect();
    for game in &games {
        let tags = tags(game);
        let of_white = match tags["Result"] {
            "1-0" => 1.0,
            "0-1" => 0.0,
            "1/2-1/2" => 0.5,
            other => panic!("{other}"),
        };
        assert_ne!(tags["White"], tags["Black"]);
        *points.entry(tags["White"]).or_default() += of_white;
        *points.entry(tags["Black"]).or_default() += 1.0 - of_white;
        assert!(game.trim_end().ends_with(tags["Result"]), "the result ends the game");
    }
    assert_eq!(games.len(), 30);
    for line in list(&result["standings"]) {
        assert_eq!(line["points"], points[string(&line["agent"])]);
    }
    // One game in detail: who moved first and who won.
    let second = &folder.games_of_match("run", 1)[1];
    assert_eq!(second["black"], "B");
    let tags = tags(games[1]);
    assert_eq!((tags["Round"], tags["White"], tags["Black"]), ("1.2", "greedy", "mcts(race=off)"));
    assert_eq!(tags["Result"], pgn_result(second));
    let header = folder.json("run/run.json");
    assert_eq!(tags["Date"], string(&header["began"]).replace('-', "."));
    assert!(tags["Date"].len() == 10 && tags["Date"] > "2025.01.01", "{}", tags["Date"]);
    let plays = [list(&second["opening"]), list(&second["plays"])].concat();
    assert_eq!(json!(exported_plays(games[1])), json!(plays));
    assert!(games[1].lines().all(|line| line.len() < 80));

    assert_eq!(folder.succeeds("export run --out games.pgn"), "");
    assert_eq!(folder.read("games.pgn"), exported);
}

#[test]
fn equal_agents_are_exported_under_two_names() {
    let folder = Folder::played("match greedy greedy --games 2 --iterations 1");
    let exported = folder.succeeds("export run");
    assert!(exported.contains("[White \"greedy\"]\n[Black \"greedy B\"]"), "{exported}");
    assert_eq!(folder.files("run").len(), 3, "export leaves nothing in the folder");
}

/// Rating programs identify a player by its name, so the same agent with another limit has another name.
#[test]
fn an_agent_has_one_name_at_each_limit() {
    let sweep = "agent = \"mcts(race=off)\"\nopponent = \"mcts(race=off, c=0.6)\"\ngames = 2\nmax_plies = 12\n\
                 budgets = [{ iterations = 4 }, { iterations = 8 }]\n[grid]\nc = [0.3, 0.6]\n";
    let folder = Folder::played_with("sweep file.toml", "file.toml", sweep);
    let exported = folder.succeeds("export run");
    let names =
        exported.split("[Event ").skip(1).flat_map(|game| ["White", "Black"].map(|side| tags(game)[side]));
    let expected = [4, 8].map(|limit| {
        [("0.3", ""), ("0.6", ""), ("0.6", " B")]
            .map(|(c, end)| format!("mcts(race=off, c={c}), {limit} iterations a move{end}"))
    });
    assert_eq!(names.collect::<BTreeSet<_>>(), expected.as_flattened().iter().map(String::as_str).collect());
}

#[test]
fn control_characters_in_names_do_not_break_lines() {
    let folder = Folder::played("match greedy greedy --games 2 --iterations 1");
    let header = folder.json("run/run.json").to_string();
    folder.write("run/run.json", header.replace("\"greedy\"", r#""gre\u0007\n[edy""#));
    let exported = folder.succeeds("export run");
    assert!(exported.contains("[White \"gre  [edy\"]\n[Black \"gre  [edy B\"]\n"), "{exported}");
}

/// A match with odds and draws, whose agents have commas and spaces in their names.
fn odd_match() -> Folder {
    let agents = "'mcts(race=off, c=0.7)' 'alphabeta(depth=1)'";
    Folder::played(&format!("match {agents} --games 4 --seed 5 --iterations 30,20 --max-plies 130"))
}

/// The rows of a table, each keyed by column name.
fn rows(file: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(file).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// A value of a game, formatted as in the tables.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn the_tables_contain_every_game_and_every_decision() {
    let folder = odd_match();
    assert_eq!(folder.succeeds("export run --format csv --out csv"), "");
    assert_eq!(folder.files("csv").keys().collect::<Vec<_>>(), ["decisions.csv", "games.csv"]);
    let [table, decisions] = ["games.csv", "decisions.csv"].map(|name| rows(&folder.path("csv").join(name)));
    let games = folder.timed_games("run");
    assert_eq!(table.len(), games.len());
    let mut next = decisions.iter();
    for (row, game) in table.iter().zip(&games) {
        for name in ["match", "game", "seed", "black", "winner", "reason"] {
            assert_eq!(row[name], cell(&game[name]), "{name}");
        }
        assert_eq!((&*row["a"], &*row["b"]), ("mcts(race=off, c=0.7)", "alphabeta(depth=1)"));
        assert_eq!([&*row["limit"], &row["limit_a"], &row["limit_b"]], ["iterations", "30", "20"]);
        let points = |side: &str| match game["winner"].as_str() {
            None => "0.5",
            Some(winner) if winner == side => "1.0",
            Some(_) => "0.0",
        };
        let expected = [points("A"), points(string(&game["black"]))];
        assert_eq!([&*row["points_a"], &row["points_black"]], expected);
        let opening: Vec<String> = list(&game["opening"]).iter().map(cell).collect();
        assert_eq!(row["opening"], opening.join("; "));
        let plays = list(&game["plays"]);
        assert_eq!(row["plies"], (opening.len() + plays.len()).to_string());
        for (at, play) in plays.iter().enumerate() {
            let decision = next.next().expect("a row for each decision");
            let place = [&decision["game"], &decision["decision"], &decision["ply"]];
            assert_eq!(place, [&cell(&game["game"]), &at.to_string(), &(opening.len() + at).to_string()]);
            let black_moves = (opening.len() + at).is_multiple_of(2);
            assert_eq!(decision["agent"], if black_moves == (game["black"] == "A") { "A" } else { "B" });
            assert_eq!(decision["play"], cell(play));
            for name in ["iterations", "nodes", "reused"] {
                assert_eq!(decision[name], cell(&game[name][at]), "{name}");
            }
            for (column, name) in [("seconds", "seconds"), ("value", "values")] {
                // If there is only one legal play, nothing is searched and the play has no value.
                let found = if decision[column].is_empty() { "0" } else { &decision[column] };
                let found: f64 = found.parse().expect("a number");
                assert!((found - number(&game[name][at])).abs() < 1e-6, "{name}");
            }
            let written = decision["candidates"].split("; ").filter(|candidate| !candidate.is_empty());
            assert_eq!(written.count(), list(&game["candidates"][at]).len());
        }
    }
    assert!(next.next().is_none(), "there is no other row");

    let header = |name: &str| folder.read(name).lines().next().map(|line| format!("{line}\n"));
    let headers = ["csv/games.csv", "csv/decisions.csv"].map(header);
    folder.write("run/games.jsonl", "");
    folder.succeeds("export run --format csv --out csv");
    assert_eq!(
        ["csv/games.csv", "csv/decisions.csv"].map(|name| Some(folder.read(name))),
        headers,
        "no game"
    );
}

#[test]
fn a_decision_without_a_search_has_no_value() {
    let folder = Folder::played("match mcts greedy --games 2 --iterations 5 --max-plies 40");
    folder.succeeds("export run --format csv --out csv");
    let decisions = rows(&folder.path("csv/decisions.csv"));
    for decision in decisions {
        let is_searched = ["iterations", "boards"].iter().any(|&unit| decision[unit] != "0");
        assert_eq!(decision["value"].is_empty(), !is_searched, "{decision:?}");
    }
}

#[test]
fn tables_are_replaced_whole_and_never_replace_the_run() {
    let folder = odd_match();
    folder.succeeds("export run --format csv --out csv");
    let (tables, run) = (folder.files("csv"), folder.files("run"));
    folder.succeeds("export run --format csv --out csv");
    assert_eq!(folder.files("csv"), tables, "no other file is left there");
    let message = folder.refused_on_full_disk("export run --format csv --out csv", 2048);
    assert!(message.contains("can't write the"), "{message}");
    assert_eq!(folder.files("csv"), tables);
    folder.refuses(
        "export",
        &[
            ("run --format csv", "--out <PATH>"),
            ("run --format xml", "pgn, csv"),
            ("run --format csv --out /dev/null/x", "can't create the folder /dev/null/x"),
            ("run --out /dev/null/x", "can't write /dev/null/x"),
            ("/proc", "/proc holds no run"),
        ],
    );
    assert_eq!(folder.files("run"), run);
}

/// Whether python3 is installed with these modules. If it is not, prints that the test is skipped.
fn has_python(modules: &str) -> bool {
    let import = format!("import {modules}");
    let status = Command::new("python3").args(["-c", &import]).stderr(Stdio::null()).status();
    let found = status.is_ok_and(|status| status.success());
    if !found {
        eprintln!("skipped: there is no python3 with {modules}");
    }
    found
}

/// Runs a Python program, which must succeed, on `file`, and returns its output.
fn python(program: &str, file: &Path) -> String {
    let output = Command::new("python3").args(["-c", program]).arg(file).output().expect("python3 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn python_reads_the_same_tables() {
    let folder = odd_match();
    folder.succeeds("export run --format csv --out csv");
    for name in ["csv/games.csv", "csv/decisions.csv"] {
        let path = folder.path(name);
        if has_python("csv") {
            let program = "import csv, json, sys\n\
                           print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='')))))";
            let read: Value = serde_json::from_str(&python(program, &path)).expect("JSON");
            assert_eq!(read, json!(rows(&path)));
        }
        if has_python("pandas") {
            let program = "import pandas, sys\ntable = pandas.read_csv(sys.argv[1])\nprint(table.shape[0], \
                           table.match.dtype, table.game.dtype, *table.columns)";
            let columns = folder.read(name).lines().next().expect("a header").replace(',', " ");
            let expected = format!("{} int64 int64 {columns}\n", rows(&path).len());
            assert_eq!(python(program, &path), expected);
        }
    }
}

/// Runs the guide's program, unchanged, on a sweep over budgets.
#[test]
fn the_guide_s_ten_lines_draw_a_learning_curve() {
    let guide = include_str!("../README.md");
    let (_, rest) = guide.split_once("```python\n").expect("a program in Python");
    let (program, _) = rest.split_once("```").expect("its end");
    assert!(program.lines().count() <= 10, "ten lines at most");
    let sweep = "agent = \"mcts(race=off)\"\nopponent = \"alphabeta(depth=1)\"\ngames = 4\n\
                 budgets = [{ iterations = 40 }, { iterations = 5 }]\nmax_plies = 150\n[grid]\nc = [0.6]\n";
    let folder = Folder::with("curve.toml", sweep);
    folder.succeeds("sweep curve.toml --out run");
    folder.succeeds("export run --format csv --out csv");
    if !has_python("csv, statistics") {
        return;
    }
    let table = folder.path("csv/games.csv");
    let printed = python(program, &table);
    let lines: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.iter().map(|line| line[0]).collect::<Vec<_>>(), ["5", "40"], "{printed}");
    for line in lines {
        let points: Vec<f64> = rows(&table)
            .iter()
            .filter(|row| row["limit_a"] == line[0])
            .map(|row| row["points_a"].parse().expect("a number"))
            .collect();
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        assert_eq!(line[1], format!("{mean:.3}"), "{printed}");
    }
}

/// Another project's PGN reader reads the tags and results, although it can't replay Halma.
#[test]
fn python_chess_reads_the_exported_games() {
    if !has_python("chess.pgn") {
        return;
    }
    let folder = odd_match();
    folder.succeeds("export run --out games.pgn");
    let program = "import chess.pgn, json, logging, sys\nlogging.disable()\nfile = open(sys.argv[1])\n\
                   print(json.dumps([[tags[name] for name in ('White', 'Black', 'Result', 'Round')] \
                   for tags in iter(lambda: chess.pgn.read_headers(file), None)]))";
    let read: Value = serde_json::from_str(&python(program, &folder.path("games.pgn"))).expect("JSON");
    let names = ["mcts(race=off, c=0.7), 30 iterations a move", "alphabeta(depth=1), 20 iterations a move"];
    let expected = folder.games("run").into_iter().map(|game| {
        let [white, black] = if game["black"] == "A" { names } else { [names[1], names[0]] };
        json!([white, black, pgn_result(&game), format!("1.{}", number(&game["game"]) + 1.0)])
    });
    assert_eq!(read, expected.collect::<Value>());
}
