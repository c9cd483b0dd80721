//! Odds: A and B with limits of their own, in every command that gives them and every place that shows them; and
//! whole numbers with an exponent, where such limits and numbers of games are read.

use crate::support::{games, refused, succeeds, text, timeless};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A small match of the engine with itself.
fn play(limit: [&str; 2], games: &str, more: &[&str], out: &Path) -> Value {
    let fixed =
        ["match", "mcts(playout=static)", "mcts(playout=static)", "--games", games, "--max-plies", "40"];
    let out = ["--json", "--out", text(out)];
    serde_json::from_str(&succeeds(&[&fixed[..], &limit, more, &out].concat())).expect("it is JSON")
}

/// The iterations of A's tree searches and of B's, without those that a proof or a race cut short.
fn most_iterations(games: &[Value]) -> [u64; 2] {
    let mut most = [0; 2];
    for game in games {
        let plies_before = game["opening"].as_array().expect("a list").len();
        for (at, count) in game["iterations"].as_array().expect("a list").iter().enumerate() {
            let black_moves = (plies_before + at).is_multiple_of(2);
            let which = usize::from(black_moves != (game["black"] == "A"));
            most[which] = most[which].max(count.as_u64().expect("a number"));
        }
    }
    most
}

#[test]
fn each_agent_has_its_own_iterations_and_every_result_shows_both() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("odds");
    let result = play(["--iterations", "90,30"], "4", &[], &out);
    assert_eq!(result["limit"], json!({ "iterations": [90, 30] }));
    assert_eq!(most_iterations(&games(&out)), [90, 30]);
    let header: Value = serde_json::from_slice(&fs::read(out.join("run.json")).unwrap()).unwrap();
    assert_eq!(header["arguments"]["limit"], json!({ "iterations": [90, 30] }));

    let words = "A 90, B 30 iterations a move";
    let again =
        ["match", "mcts(playout=static)", "mcts(playout=static)", "--games", "4", "--max-plies", "40"];
    let printed = succeeds(&[&again[..], &["--iterations", "90,3e1", "--out", text(&out)]].concat());
    assert!(printed.contains(&format!("\nlimit      {words}\n")), "{printed}");
    succeeds(&["report", text(&out)]);
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains(words));
    let pgn = succeeds(&["export", text(&out)]);
    assert!(pgn.contains("[White \"mcts(playout=static), 90 iterations a move\"]"), "{pgn}");
    assert!(pgn.contains("[Black \"mcts(playout=static), 30 iterations a move\"]"), "{pgn}");

    // Another number for either is another run, and the message has both.
    let changed = "'limit' was {\"iterations\":[90,30]} and is {\"iterations\":[90,31]} now";
    refused(&[&again[..], &["--iterations", "90,31", "--out", text(&out)]].concat(), changed);
}

/// The same agents with the limits and the names exchanged play the same games, exchanged.
#[test]
fn odds_the_other_way_round_are_the_same_as_agents_the_other_way_round() {
    let folder = TempDir::new().unwrap();
    let both = ["60,20", "20,60"].map(|limit| {
        let out = folder.path().join(limit);
        play(["--iterations", limit], "2", &["--openings", "start"], &out);
        games(&out)
    });
    let plays = |games: &[Value], at: usize| games[at]["plays"].clone();
    assert_eq!([plays(&both[0], 0), plays(&both[0], 1)], [plays(&both[1], 1), plays(&both[1], 0)]);
    assert_ne!(plays(&both[0], 0), plays(&both[0], 1), "who has more iterations plays something else");
}

#[test]
fn two_equal_numbers_are_no_odds_but_the_run_it_always_was() {
    let folder = TempDir::new().unwrap();
    let [one, two] = ["30", "30,30"].map(|limit| {
        let out = folder.path().join(limit);
        play(["--iterations", limit], "4", &[], &out);
        timeless(&out)
    });
    assert_eq!(one, two);
    assert!(one["run.json"].contains(r#""limit":{"iterations":30}"#), "{}", one["run.json"]);
}

/// A has hardly any time for its game and loses by it; B has more than enough.
#[test]
fn each_agent_has_its_own_time() {
    let folder = TempDir::new().unwrap();
    let result = play(["--game-time", "0.000001,100"], "2", &[], &folder.path().join("game"));
    assert_eq!((&result["losses"], &result["time_forfeits"]), (&json!(2), &json!(2)));
    let cpu =
        ["match", "greedy", "random", "--games", "2", "--cpu", "0.000001,100", "--max-plies", "12", "--json"];
    let result: Value = serde_json::from_str(&succeeds(&cpu)).expect("it is JSON");
    assert_eq!(result["limit"], json!({ "cpu": [0.000_001, 100.0] }));
    assert_eq!(result["agents"][1]["overdrafts"], 0);
}

#[test]
fn a_run_with_odds_can_be_divided_and_merged() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    play(["--iterations", "40,10"], "4", &[], &place("whole"));
    for part in ["1", "2"] {
        play(["--iterations", "40,10"], "4", &["--shard", &format!("{part}/2")], &place(part));
    }
    succeeds(&["merge", text(&place("merged")), text(&place("1")), text(&place("2"))]);
    assert_eq!(timeless(&place("merged")), timeless(&place("whole")));
}

#[test]
fn odds_that_make_no_sense_are_refused() {
    let with = |arguments: &[&str], part| refused(&[&["match", "mcts", "mcts"], arguments].concat(), part);
    with(&["--iterations", "1,2,3"], "one number for both agents, or two");
    with(&["--iterations", "1,"], "expected a whole number");
    with(&["--iterations", "1,0"], "expected 1 or more");
    with(&["--cpu", "0.1,-1"], "expected a number of seconds above 0");
    with(&["--game-time", "1,100", "--cpu", "1"], "cannot be used with");
    let tournament = ["tournament", "mcts", "greedy", "--iterations", "400,100"];
    refused(&tournament, "--iterations 400,100: the agents of a tournament all have the same limit");
    let segment = ["segment", "mcts", "greedy", "run", "--from", "10", "--plies", "2"];
    refused(&[&segment[..], &["--iterations", "1,2,3"]].concat(), "one number for both agents, or two");
}

#[test]
fn an_exponent_is_read_wherever_a_number_of_games_or_iterations_is() {
    let folder = TempDir::new().unwrap();
    let agents = ["match", "greedy", "random", "--max-plies", "2e1"];
    let plain = succeeds(&[&agents[..], &["--games", "20", "--iterations", "10"]].concat());
    let short = succeeds(&[&agents[..], &["--games", "2e1", "--iterations", "1e1"]].concat());
    let untimed = |printed: &str| printed.lines().take(6).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(untimed(&plain), untimed(&short));
    let with = |arguments: &[&str], part| refused(&[&agents[..], arguments].concat(), part);
    with(&["--iterations", "1.5e0"], "--iterations <N>': expected a whole number");
    with(&["--iterations", "1e20"], "--iterations <N>': the number is too large");
    with(&["--iterations", "1", "--games", "1e-1"], "--games <N>': expected a whole number");

    let file = |name: &str, numbers: &str| {
        let file = folder.path().join(name);
        let text = format!(
            "agent = \"mcts\"\nmax_plies = 12\nopponent = \"greedy\"\n{numbers}\n[grid]\nc = [0.5]\n"
        );
        fs::write(&file, text).unwrap();
        file
    };
    let sweep = |file: &Path, out: &str| {
        let out = folder.path().join(out);
        succeeds(&["sweep", text(file), "--out", text(&out)]);
        timeless(&out)
    };
    let plain = sweep(&file("plain.toml", "games = 20\nbudgets = [{ iterations = 10 }]"), "plain");
    let short = sweep(&file("short.toml", "games = 2e1\nbudgets = [{ iterations = 1e1 }]"), "short");
    assert_eq!(plain, short);
    let broken = file("broken.toml", "games = 20\nbudgets = [{ iterations = 1.5 }]");
    let out = folder.path().join("broken");
    refused(&["sweep", text(&broken), "--out", text(&out)], "expected a whole number, such as 20000 or 2e4");
}
