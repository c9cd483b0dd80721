//! Attacks on the folders of runs, in plain words: whatever is done to them, a run is one run, and figures are
//! of the games that were asked for.

use crate::support::{games, lab, lines_of_games, refused, succeeds, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const MATCH: [&str; 8] =
    ["match", "mcts(playout=static)", "greedy", "--games", "4", "--iterations", "10", "--out"];

fn run_json(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap()
}

/// Makes the header in `folder` that of a build in which the code of `agent` was another.
fn change_code_of(agent: &str, folder: &Path) {
    let mut header = run_json(folder);
    let checksum = &mut header["engine"]["agents"][agent];
    assert!(checksum.is_string(), "{agent} has a fingerprint");
    *checksum = "0123456789abcdef".into();
    fs::write(folder.join("run.json"), header.to_string()).unwrap();
}

/// Takes the last game away, as if the run had been killed before it ended.
fn lose_a_game(folder: &Path) {
    let path = folder.join("games.jsonl");
    let games = fs::read_to_string(&path).unwrap();
    let end = games.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&path, &games[..end]).unwrap();
}

/// What `lab` says on standard error; it must succeed.
fn notes(arguments: &[&str]) -> String {
    let output = lab(arguments).output().expect("lab starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

/// Half of a match is played; then the code of one agent is changed, and the other half is asked for.
#[test]
fn a_build_whose_agents_play_differently_does_not_go_on() {
    let folder = TempDir::new().unwrap();
    let run = [&MATCH[..], &[text(folder.path())]].concat();
    succeeds(&run);
    let before = run_json(folder.path());
    let agents = before["engine"]["agents"].as_object().unwrap();
    assert_eq!(agents.keys().collect::<Vec<_>>(), ["greedy", "mcts(playout=static)"], "those who play");
    lose_a_game(folder.path());
    for agent in ["greedy", "mcts(playout=static)"] {
        change_code_of(agent, folder.path());
        refused(&run, &format!("a build that plays differently ('{agent}')"));
        refused(&run, "or pass --mixed-builds");
        fs::write(folder.path().join("run.json"), before.to_string()).unwrap();
    }
    assert_eq!(games(folder.path()).len(), 3, "nothing was played");
}

#[test]
fn who_insists_gets_a_run_that_says_so() {
    let folder = TempDir::new().unwrap();
    let run = [&MATCH[..], &[text(folder.path())]].concat();
    let whole = succeeds(&run);
    lose_a_game(folder.path());
    let now = run_json(folder.path())["engine"].clone();
    change_code_of("greedy", folder.path());
    let games_line = |printed: &str| printed.lines().nth(2).map(str::to_string);
    assert_eq!(games_line(&succeeds(&[&run[..], &["--mixed-builds"]].concat())), games_line(&whole));
    let header = run_json(folder.path());
    assert_eq!(header["engine"]["agents"]["greedy"], "0123456789abcdef", "who began it");
    assert_eq!(header["mixed"], serde_json::json!([{ "games_before": 3, "engine": now }]));
    // The build that went on may go on again; it is no other one.
    succeeds(&run);
    assert_eq!(run_json(folder.path()), header);
}

#[test]
fn shards_of_builds_that_play_differently_are_not_merged() {
    let folder = TempDir::new().unwrap();
    let parts: [PathBuf; 2] = [1, 2].map(|part| {
        let out = folder.path().join(format!("part-{part}"));
        succeeds(&[&MATCH[..], &[text(&out), "--shard", &format!("{part}/2")]].concat());
        out
    });
    change_code_of("mcts(playout=static)", &parts[0]);
    let out = folder.path().join("merged");
    let merge = ["merge", text(&out), text(&parts[0]), text(&parts[1])];
    refused(&merge, "were played by builds that play differently ('mcts(playout=static)')");
    assert!(!out.exists());
    succeeds(&[&merge[..], &["--mixed-builds"]].concat());
    let header = run_json(&out);
    assert_eq!(header["engine"], run_json(&parts[0])["engine"]);
    assert_eq!(header["mixed"][0]["engine"], run_json(&parts[1])["engine"]);
    assert_eq!(header["mixed"].as_array().map(Vec::len), Some(1));
}

/// What a match says that is easily asked for by mistake.
#[test]
fn matches_that_say_less_than_they_seem_to_are_noted() {
    let said = |agents: [&str; 2], more: &[&str]| {
        let arguments =
            [&["match", agents[0], agents[1], "--iterations", "5", "--max-plies", "20"], more].concat();
        notes(&arguments)
    };
    let short = ["--games", "2", "--openings", "random:2-4"];
    let same = "note: 'mcts' and 'mcts()' are the same agent spelled differently";
    assert!(said(["mcts", "mcts()"], &short).contains(same));
    let spelled = said(["mcts(instability=1.00, playout=static)", "mcts"], &short);
    assert!(spelled.contains("are the same agent"), "{spelled}");
    let unused = said(["mcts(select=uct)", "mcts(select=uct, c_growth=1)"], &short);
    assert!(unused.contains("they differ only in longer searches, or not at all"), "{unused}");
    let odds = ["--games", "2", "--openings", "random:2-4", "--iterations", "5,2"];
    let notes_of_odds = notes(&[&["match", "mcts", "mcts", "--max-plies", "20"], &odds[..]].concat());
    assert!(!notes_of_odds.contains("note"), "with odds there is something to find: {notes_of_odds}");
    let itself = said(["mcts", "mcts"], &short);
    assert!(itself.contains("note: 'mcts' plays against itself: neither side is stronger"), "{itself}");
    assert!(!said(["mcts", "mcts(c=0.7)"], &short).contains("note"), "nothing is odd about these");

    let folder = TempDir::new().unwrap();
    let list = folder.path().join("openings.txt");
    fs::write(&list, "2,0 4,2; 13,15 11,13\n0,4 1,5\n").unwrap();
    let openings = |games| said(["greedy", "random"], &["--openings", text(&list), "--games", games]);
    assert!(openings("6").contains("note: openings repeat: there are 2 for 3 pairs of games"));
    assert!(!openings("4").contains("note"));
    let start = said(["greedy", "random"], &["--openings", "start", "--games", "4"]);
    assert!(start.contains("there are 1 for 2 pairs"), "{start}");
}

#[test]
fn matches_that_say_nothing_are_refused() {
    let with = |arguments: &[&str], why: &str| {
        refused(&[&["match", "greedy", "random", "--iterations", "1"], arguments].concat(), why);
    };
    with(&["--max-plies", "10"], "--max-plies 10: openings have up to 10 plies");
    with(&["--games", "9999999999999999999"], "--games 10000000000000000000: at most 1000000000000");
    refused(
        &["tournament", "mcts", "greedy", "mcts()", "--iterations", "1"],
        "the agents 'mcts' and 'mcts()' are the same",
    );
    // A parameter that the chosen policy does not have is an error, in a spec and in a sweep.
    let none = "static has no parameter 'cap'; it has none";
    refused(&["match", "mcts(playout=static(cap=4))", "mcts", "--iterations", "1"], none);
    refused(&["match", "mcts(cap=4)", "mcts", "--iterations", "1"], "mcts has no parameter 'cap'");
    let folder = TempDir::new().unwrap();
    let sweep = folder.path().join("sweep.toml");
    fs::write(
        &sweep,
        "agent = 'mcts(playout=static)'\nopponent = 'mcts'\nbudgets = [{ iterations = 1 }]\n[grid]\n\
         'playout.cap' = [1, 2]\n",
    )
    .unwrap();
    refused(&["sweep", text(&sweep)], none);
}

/// A billion games are begun like any others: no list of them is kept.
#[test]
fn a_match_of_a_billion_games_fits_into_memory() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let arguments =
        ["match", "greedy", "random", "--iterations", "1", "--max-plies", "20", "--games", "1000000000"];
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_lab")])
        .args([&arguments[..], &["--jobs", "1", "--out", text(&out)]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("there is a shell");
    while child.try_wait().unwrap().is_none() && lines_of_games(&out) < 20 {
        thread::sleep(Duration::from_millis(5));
    }
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(ended, None, "it goes on until it is killed");
    assert!(lines_of_games(&out) >= 20);
}
