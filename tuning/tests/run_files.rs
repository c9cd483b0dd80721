//! Reading the files of a run while they grow, when they are replaced, and when they are not regular files. No text
//! from a page becomes a path.

use crate::support::server::{Server, body_of};
use crate::support::{Folder, LAB};
use halma_lab::runs::RecordedRun;
use serde_json::json;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, symlink};
use std::path::Path;
use std::process::Command;

const GAMES: &str = "run/games.jsonl";

/// The numbers of the games of the first match, in order.
fn numbers(run: &RecordedRun) -> Vec<u64> {
    run.figures(0).expect("a match").map(|game| game.expect("a game").number).collect()
}

/// Writes `text` at `offset` in the file at `path`, without changing its length.
fn overwrite(path: &Path, offset: u64, text: &str) {
    let file = File::options().write(true).open(path).expect("the file");
    file.write_all_at(text.as_bytes(), offset).expect("it is written");
}

#[test]
fn only_appended_games_are_read_and_replaced_ones_again() {
    let folder = Folder::small_match();
    let (all, path) = (folder.read(GAMES), folder.path(GAMES));
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    folder.keep_lines(GAMES, 8);
    let mut run = RecordedRun::open(&folder.path("run")).expect("a run");
    let before = numbers(&run);
    assert_eq!(before.len(), 8);
    assert!(!run.update().expect("the same run"), "nothing has changed");

    // The first line is now invalid, but it is not read again.
    let append =
        |text: &str| fs::write(&path, fs::read_to_string(&path).expect("games") + text).expect("space");
    overwrite(&path, 0, "[");
    let half = lines[9].len() / 2;
    append(&format!("{}{}", lines[8], &lines[9][..half]));
    assert!(run.update().expect("a game more"));
    assert_eq!(numbers(&run).len(), 9, "a line that is still being written does not count");
    append(&lines[9][half..]);
    assert!(run.update().expect("the rest of a line"));
    assert_eq!(numbers(&run).len(), 10);
    run.count(0).expect("the games that were read before");

    // An error names the line, and is the same the next time.
    append("{}\n");
    for _ in 0..2 {
        let error = format!("{:#}", run.update().expect_err("no game"));
        assert!(error.contains("games.jsonl: line 11 is broken"), "{error}");
    }

    // All games are read again from a shorter file, another file of equal length, and the same file with other
    // contents.
    folder.write(GAMES, lines[..6].concat());
    assert!(run.update().expect("a shorter file"));
    assert_eq!(numbers(&run).len(), 6);
    folder.write("other", lines[..6].concat().replace("goal-filled", "goal-fillet"));
    fs::rename(folder.path("other"), &path).expect("the same folder");
    assert!(run.update().expect("the heads of the lines are as they were"));
    let error = format!("{:#}", run.count(0).expect_err("an unknown reason"));
    assert!(error.contains("is broken: reason: unknown variant `goal-fillet`"), "{error}");
    folder.write(GAMES, &all);
    assert!(run.update().expect("the whole run"));
    assert_eq!(numbers(&run).len(), 20);
}

#[test]
fn the_page_shows_a_run_as_it_grows_and_when_it_is_replaced() {
    let folder = Folder::small_match();
    let all = folder.read(GAMES);
    folder.keep_lines(GAMES, 4);
    let server = Server::start_in(folder, 0, "run");
    let games = || {
        let results = body_of(&server.get("/api/runs/0").1);
        let list = body_of(&server.get("/api/runs/0/0").1);
        let number = list["games"].as_array().map(Vec::len);
        assert_eq!(results["matches"][0]["games"].as_u64(), number.map(|number| number as u64), "{results}");
        number.unwrap_or(0)
    };
    assert_eq!(games(), 4);
    server.folder.write(GAMES, &all);
    assert_eq!(games(), 20);
    for game in [0, 19] {
        assert_eq!(server.get(&format!("/api/runs/0/0/{game}")).0, 200);
    }
    server.folder.keep_lines(GAMES, 2);
    assert_eq!(games(), 2);
    assert_eq!(server.get("/api/runs/0/0/19").0, 404);
}

/// Every match of a run has the run's notes, but the page lists each note once.
#[test]
fn the_notes_of_a_run_are_listed_once() {
    let line = "tournament greedy random 'mcts(race=off)' --games 2 --iterations 1 --max-plies 20";
    let folder = Folder::played(&format!("{line} --note one"));
    folder.succeeds(&format!("{line} --note two --out run"));
    let server = Server::start_in(folder, 0, "run");
    assert_eq!(body_of(&server.get("/api/runs/0").1)["notes"], json!(["one", "two"]));
}

#[test]
fn a_refereed_game_opens_with_rules_that_allow_all_its_plays() {
    for (options, rules) in
        [("", "addendum"), ("--white-rules original", "original"), ("--rules original", "original")]
    {
        let folder = Folder::new();
        let greedy = format!("{LAB} agent greedy");
        let game = "--time 100 --max-plies 2 --log log.jsonl";
        folder.succeeds(&format!("referee --black '{greedy}' --white '{greedy}' {game} {options}"));
        let server = Server::start_in(folder, 0, "log.jsonl");
        assert_eq!(body_of(&server.get("/api/runs/0/0").1)["rules"], rules, "{options}");
    }
}

#[test]
fn no_text_from_a_page_becomes_a_path() {
    let folder = Folder::small_match();
    folder.write("secret.json", "{}");
    let server = Server::start_in(folder, 0, "run");
    for (status, paths) in [
        (200, &["/api/runs/0", "/api/runs/0/0", "/api/runs/0/0/0"][..]),
        (
            404,
            &[
                "/api/runs/1",
                "/api/runs/0/9",
                "/api/runs/0/0/999999",
                "/api/runs/0/0/0/0",
                "/api/runs/-1",
                "/api/runs",
                "/api/runs/..%2fsecret.json",
                "/api/runs/../secret.json",
                "/api/runs/0/../../secret.json",
                "/page/../mod.rs",
                "/page/..%2fmod.rs",
                "/page//etc/passwd",
                "/etc/passwd",
                "/../../../etc/passwd",
                "/api/runs/99999999999999999999999",
            ],
        ),
    ] {
        for path in paths {
            assert_eq!(server.get(path).0, status, "{path}");
        }
    }
}

/// Calls `check` twice: while the file `name` is a pipe, and while it is a link to a device that never ends.
fn replace_by_others(folder: &Folder, name: &str, mut check: impl FnMut(&str)) {
    let (path, kept) = (folder.path(name), folder.path("kept"));
    fs::rename(&path, &kept).expect("a free name");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo starts").success());
    check("pipe");
    fs::remove_file(&path).expect("the pipe");
    symlink("/dev/zero", &path).expect("a free name");
    check("device");
    fs::remove_file(&path).expect("the link");
    fs::rename(&kept, &path).expect("a free name");
}

#[test]
fn only_regular_files_are_read_as_those_of_a_run() {
    let folder = Folder::small_match();
    folder.write("run/picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    let server = Server::start_in(folder, 0, "--searches 1 run");
    let folder = &server.folder;
    let resume = "match 'mcts(playout=static, race=off)' greedy --games 20 --iterations 20 --out run";
    for (name, commands) in [
        (
            "run/games.jsonl",
            &[
                "report run",
                "export run",
                resume,
                "merge out run",
                "segment mcts greedy run --from 20 --plies 4 --iterations 5",
            ][..],
        ),
        ("run/run.json", &["report run", "export run", resume, "merge out run"]),
        ("run/picture.svg", &["report run"]),
    ] {
        replace_by_others(folder, name, |kind| {
            for line in commands {
                folder.refused(line, "not a regular file");
            }
            let (status, answer) = server.get("/api/runs/0");
            let is_shown = name.ends_with("svg");
            assert_eq!(status, if is_shown { 200 } else { 400 }, "{name}: {kind}: {answer}");
            assert!(is_shown || answer.contains("not a regular file"), "{name}: {kind}: {answer}");
            let position = json!({ "rules": "addendum", "first": "BLACK", "rows": null, "plays": [] });
            let limit = json!({ "iterations": 1 });
            let request = json!({ "position": position, "agent": "mcts", "seed": 1, "limit": limit });
            let (status, answer) = server.post("/api/searches", &request);
            assert_eq!(status, 200, "{name}: {kind}: {answer}");
        });
    }
    assert_eq!(server.get("/api/runs/0").0, 200);
}

#[test]
fn files_without_an_end_are_not_read_into_memory() {
    let folder = Folder::small_match();
    let games = File::options().append(true).open(folder.path(GAMES)).expect("the games");
    games.set_len(1 << 40).expect("a file with a hole");
    let message = "games.jsonl: line 21 is broken: the line is longer than 256 MiB";
    folder.refuses("", &[("report run", message), ("export run", message)]);
    folder.write("header/games.jsonl", "");
    File::create(folder.path("header/run.json")).expect("a new file").set_len(1 << 40).expect("a hole");
    folder.refused("report header", "run.json: larger than 256 MiB");
}
