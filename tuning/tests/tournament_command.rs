//! `lab tournament` and `lab export` from outside.

use crate::support::{
    files, games_of_match, kill_after, lab, refused, succeeds, text, timeless, timeless_json,
};
use halma_lab::stats::elo_of_score;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

const AGENTS: [&str; 4] = ["tournament", "mcts(playout=static)", "greedy", "random"];
const GAMES: [&str; 4] = ["--games", "9", "--iterations", "30"];

#[test]
fn a_tournament_by_a_file_is_kept_in_a_folder_of_its_name() {
    let folder = TempDir::new().unwrap();
    let terms = "games = 2\nmax_plies = 20\nbudget = { iterations = 1 }\n";
    fs::write(folder.path().join("small.toml"), format!("agents = ['greedy', 'random']\n{terms}")).unwrap();
    let output = lab(&["tournament", "--file", "small.toml"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("runs/small/result.json").exists());
}

#[test]
fn a_round_robin_with_ratings_and_a_cross_table() {
    let run = [&AGENTS[..], &GAMES, &["--json"]].concat();
    let result: Value = serde_json::from_str(&succeeds(&run)).unwrap();
    let lines = result["standings"].as_array().unwrap();
    let (number, games) = (lines.len(), 20);
    assert_eq!(number, 3);
    let elo = |line: &Value| line["elo"].as_f64().unwrap();
    assert!(lines.iter().map(elo).sum::<f64>().abs() < 1e-9);
    assert!(lines.is_sorted_by(|one, other| elo(one) >= elo(other)));
    assert_eq!((&lines[2]["agent"], &lines[2]["lead"]), (&"random".into(), &Value::Null));
    let mut all = 0.0;
    for (place, line) in lines.iter().enumerate() {
        assert_eq!(line["games"], games);
        assert_eq!((&line["illegal_plays"], &line["overdrafts"]), (&0.into(), &0.into()));
        let row = result["cross_table"][place].as_array().unwrap();
        assert_eq!(row[place], Value::Null);
        let points: f64 = row.iter().filter_map(Value::as_f64).sum();
        assert_eq!(line["points"], points);
        all += points;
    }
    assert_eq!(all, 30.0, "three pairings of ten games");
    assert_eq!(result["pairings"].as_array().unwrap().len(), 3);
    assert_eq!(result["with_prior"], true, "random wins no game");

    let table = succeeds(&[&AGENTS[..], &GAMES].concat());
    for word in [
        "95 %",
        " … ",
        "Too few pairs: with 5 of some two agents",
        "1  ",
        "random",
        "a drawn game was added",
        "·",
    ] {
        assert!(table.contains(word), "{table}");
    }
}

#[test]
fn two_agents_differ_by_the_elo_of_their_match() {
    let run =
        ["tournament", "mcts(playout=static)", "mcts(c=4)", "--games", "40", "--iterations", "20", "--json"];
    let result: Value = serde_json::from_str(&succeeds(&run)).unwrap();
    let pairing = &result["pairings"][0];
    let score = pairing["score"].as_f64().unwrap();
    assert!(0.0 < score && score < 1.0 && result["with_prior"] == false);
    let first = result["standings"].as_array().unwrap().iter().find(|line| line["agent"] == pairing["a"]);
    assert!((2.0 * first.unwrap()["elo"].as_f64().unwrap() - elo_of_score(score)).abs() < 1e-6);
}

#[test]
fn killed_and_resumed_is_as_if_undisturbed() {
    let (calm, wild) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let run = |folder| [&AGENTS[..], &GAMES, &["--json", "--out", folder]].concat();
    let undisturbed = succeeds(&run(text(calm.path())));
    for games in [0, 1, 7, 13, 21, 28] {
        kill_after(&run(text(wild.path())), wild.path(), games);
    }
    assert_eq!(timeless_json(&succeeds(&run(text(wild.path())))), timeless_json(&undisturbed));
    let files = timeless(wild.path());
    assert_eq!(files, timeless(calm.path()));
    assert_eq!(files.keys().collect::<Vec<_>>(), ["games.jsonl", "result.json", "run.json"]);
    let jobs = [&run(text(wild.path()))[..], &["--jobs", "3"]].concat();
    assert_eq!(timeless_json(&succeeds(&jobs)), timeless_json(&undisturbed));
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let with = |agents: &[&str], arguments: &[&str], why: &str| {
        refused(&[&["tournament"], agents, &["--iterations", "1"], arguments].concat(), why);
    };
    refused(&AGENTS, "one of --cpu, --iterations and --game-time is needed");
    with(&["greedy"], &[], "a tournament has 2 to 100 agents, not 1");
    with(&["greedy", "random", "greedy"], &[], "the agent 'greedy' is there twice");
    with(&["greedy", "randm"], &[], "agent 2, 'randm': there is no agent");
    with(&["greedy", "random"], &["--games", "0"], "--games 0");
    with(&["greedy", "random"], &["--out", "/proc/nowhere"], "can't create the folder /proc/nowhere");
    with(&["greedy", "random"], &["--sprt", "0", "5"], "unexpected argument");
    let folder = TempDir::new().unwrap();
    let out = ["--games", "2", "--out", text(folder.path())];
    let before = [&["tournament", "greedy", "random", "--iterations", "1"][..], &out].concat();
    succeeds(&before);
    with(&["greedy", "mcts"], &out, "holds a run of 'lab tournament' with other arguments");
    with(
        &["greedy", "random"],
        &["--games", "2", "--seed", "2", "--out", text(folder.path())],
        "'seed' was 1 and is 2 now",
    );
    fs::write(folder.path().join("run.json"), "[").unwrap();
    with(&["greedy", "random"], &out, "run.json is broken");
}

/// The tags of a game by name.
fn tags(game: &str) -> BTreeMap<&str, &str> {
    game.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")).collect()
}

/// The strings of a list.
fn list(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_string()).collect()
}

/// The plays of an exported game, as `x,y x,y`; the numbers between them must count on.
fn plays(game: &str) -> Vec<String> {
    let (_, text) = game.split_once("\n\n").unwrap();
    let square = |text: &str| {
        let rank: u8 = text[1..].parse().unwrap();
        format!("{},{}", text.as_bytes()[0] - b'a', rank - 1)
    };
    let mut found = Vec::new();
    for word in text.split_whitespace() {
        if let Some(number) = word.strip_suffix('.') {
            assert_eq!(number.parse::<usize>().unwrap(), found.len() / 2 + 1);
        } else if let Some((from, to)) =
            word.split_once('-').filter(|_| word.starts_with(char::is_alphabetic))
        {
            found.push(format!("{} {}", square(from), square(to)));
        }
    }
    found
}

#[test]
fn exported_results_are_those_of_the_games() {
    let folder = TempDir::new().unwrap();
    let run = [&AGENTS[..], &GAMES, &["--json", "--out", text(folder.path())]].concat();
    let result: Value = serde_json::from_str(&succeeds(&run)).unwrap();
    let exported = succeeds(&["export", text(folder.path())]);
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
    for line in result["standings"].as_array().unwrap() {
        assert_eq!(line["points"], points[line["agent"].as_str().unwrap()]);
    }
    // One game, by hand: who moved first and who won. Rating programs take White for the first mover, which is
    // Black in Halma.
    let first = &games_of_match(folder.path(), 1)[1];
    assert_eq!(first["black"], "B");
    let tags = tags(games[1]);
    assert_eq!((tags["Round"], tags["White"], tags["Black"]), ("1.2", AGENTS[2], AGENTS[1]));
    let expected = match first["winner"].as_str() {
        Some("A") => "0-1",
        Some(_) => "1-0",
        None => "1/2-1/2",
    };
    assert_eq!(tags["Result"], expected);
    let header: Value = serde_json::from_slice(&fs::read(folder.path().join("run.json")).unwrap()).unwrap();
    assert_eq!(tags["Date"], header["began"].as_str().unwrap().replace('-', "."));
    assert!(tags["Date"].len() == 10 && tags["Date"] > "2025.01.01", "{}", tags["Date"]);
    assert_eq!(plays(games[1]), [list(&first["opening"]), list(&first["plays"])].concat());
    assert!(games[1].lines().all(|line| line.len() < 80));

    let file = folder.path().join("games.pgn");
    assert_eq!(succeeds(&["export", text(folder.path()), "--out", text(&file)]), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), exported);
}

#[test]
fn equal_agents_have_two_names_and_what_is_no_run_is_refused() {
    let folder = TempDir::new().unwrap();
    let out = text(folder.path());
    succeeds(&["match", "greedy", "greedy", "--games", "2", "--iterations", "1", "--out", out]);
    let exported = succeeds(&["export", out]);
    assert!(exported.contains("[White \"greedy A\"]\n[Black \"greedy B\"]"), "{exported}");
    assert_eq!(files(folder.path()).len(), 3, "export leaves nothing in the folder");
    refused(&["export", "/proc"], "/proc holds no run");
    refused(&["export", out, "--out", "/dev/null/x"], "can't write /dev/null/x");
}
