//! `lab match` from outside: the same result however it is run, and nothing lost when it is not
//! allowed to finish.

use crate::support::{games, kill_ten_times, lab, refused_on_full_disk, text};
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Play, Position, Rules};
use halma_lab::learn::games::each;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const SEARCHERS: [&str; 2] = ["mcts(playout=static)", "greedy"];

fn lab_match(arguments: &[&str]) -> Command {
    lab(&[&["match"], arguments].concat())
}

fn output(arguments: &[&str]) -> Output {
    lab_match(arguments).output().expect("lab starts")
}

/// The result without what depends on the machine's speed.
fn result(arguments: &[&str]) -> Value {
    let output = output(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut result: Value = serde_json::from_slice(&output.stdout).expect("the result is JSON");
    result["provenance"].take();
    for agent in result["agents"].as_array_mut().expect("two agents") {
        agent["seconds"].take();
        for unit in ["iterations", "nodes", "boards"] {
            agent[format!("{unit}_per_second")].take();
        }
    }
    result
}

/// A small match between `agents`, into `folder`.
fn small<'a>(agents: [&'a str; 2], folder: &'a Path) -> Vec<&'a str> {
    vec![agents[0], agents[1], "--games", "15", "--iterations", "40", "--seed", "7", "--out", text(folder)]
}

#[test]
fn the_number_of_jobs_does_not_matter() {
    for agents in [SEARCHERS, ["random", "greedy"]] {
        let folders = [TempDir::new().unwrap(), TempDir::new().unwrap()];
        let [one, two] = [0, 1]
            .map(|i| result(&[&small(agents, folders[i].path())[..], &["--jobs", ["1", "2"][i]]].concat()));
        assert_eq!(one, two);
        assert_eq!(one["games"], 16, "games are rounded up to pairs");
        assert_eq!(games(folders[0].path()), games(folders[1].path()));
    }
}

#[test]
fn nodes_of_trees_are_written_down_where_that_is_asked_for() {
    let [plain, noted] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let agents = ["mcts", "mcts(c=0.7)"];
    let expected = result(&small(agents, plain.path()));
    let found = result(&[&small(agents, noted.path())[..], &["--tree-nodes", "12"]].concat());
    assert_eq!(found, expected, "the games are the same");
    for (plain, noted) in games(plain.path()).iter().zip(games(noted.path())) {
        let (plays, trees) = (noted["plays"].as_array().unwrap(), noted["trees"].as_array().unwrap());
        assert_eq!(plain["plays"], noted["plays"]);
        assert!(plain.get("trees").is_none() && trees.len() == plays.len());
        assert!(trees.iter().all(|tree| tree.as_array().unwrap().len() <= 12));
        for ((tree, next), answer) in trees.iter().zip(&trees[1..]).zip(&plays[1..]) {
            if next.as_array().unwrap().is_empty() {
                continue;
            }
            let mut begins = tree.as_array().unwrap().iter().filter(|node| node[0] == 1);
            assert!(begins.all(|node| node[1] != *answer), "the opponent's search knows more of it");
        }
        assert!(trees.iter().any(|tree| tree[0][2].as_u64() > Some(1)), "visits");
    }
    let trees = &games(noted.path())[0]["trees"];
    let first = trees.as_array().unwrap().iter().position(|tree| tree[0][0] == 1).unwrap();
    let broken = fs::read_to_string(noted.path().join("games.jsonl")).unwrap().replace("[[1,", "[[3,");
    fs::write(noted.path().join("games.jsonl"), broken).unwrap();
    let error = format!("{:#}", each(&[noted.path()], |_| ()).unwrap_err());
    let expected =
        format!("game 0: decision {first}: a node of its tree is at depth 3, one of at most 1 was expected");
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn a_broken_last_line_is_played_again() {
    let folder = TempDir::new().unwrap();
    let arguments = small(SEARCHERS, folder.path());
    let undisturbed = (result(&arguments), games(folder.path()));
    let path = folder.path().join("games.jsonl");
    let whole = fs::read(&path).unwrap();
    for bytes in [0, 1, whole.len() / 2, whole.len() * 5 / 7, whole.len() - 1, whole.len()] {
        fs::write(&path, &whole[..bytes]).unwrap();
        assert_eq!((result(&arguments), games(folder.path())), undisturbed, "{bytes} bytes");
    }
}

/// Ten times it is killed when a random part of some games has been written.
#[test]
fn killed_and_resumed_is_as_if_undisturbed() {
    let (calm, wild) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let undisturbed = result(&small(SEARCHERS, calm.path()));
    let arguments = small(SEARCHERS, wild.path());
    let size =
        |folder: &TempDir| fs::metadata(folder.path().join("games.jsonl")).map_or(0, |file| file.len());
    let run = [&["match"], &arguments[..]].concat();
    kill_ten_times(&run, 3, size(&calm) / 6, || size(&wild));
    assert_eq!(result(&arguments), undisturbed);
    assert_eq!(games(wild.path()), games(calm.path()));
}

#[test]
fn the_sequential_test_ends_the_match_at_the_same_pair() {
    let run = |jobs| {
        let agents = ["greedy", "random", "--iterations", "1", "--max-plies", "900"];
        result(&[&agents[..], &["--sprt", "-20", "20", "--games", "500", "--jobs", jobs]].concat())
    };
    let one = run("1");
    assert_eq!(one["sprt"]["verdict"], "h1");
    assert!(one["games"].as_u64() < Some(200), "{}", one["games"]);
    assert_eq!(run("2"), one);
    assert_eq!(run("5"), one);
}

#[test]
fn games_on_disk_can_be_replayed_and_pairs_share_their_opening() {
    let folder = TempDir::new().unwrap();
    result(&small(SEARCHERS, folder.path()));
    let games = games(folder.path());
    assert_eq!(games.len(), 16);
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!((&pair[0]["black"], &pair[1]["black"]), (&"A".into(), &"B".into()));
    }
    for game in &games {
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let list = |name: &str| game[name].as_array().unwrap().clone();
        for play in list("opening").iter().chain(&list("plays")) {
            assert_eq!(position.outcome(), None);
            let play: Play = play.as_str().unwrap().parse().unwrap();
            assert!(position.is_legal(play), "{play}");
            position.play(play);
        }
        match position.outcome() {
            Some(Outcome::Win(winner)) => {
                assert_eq!(game["reason"], "goal-filled");
                assert_eq!(game["winner"] == game["black"], winner == BLACK);
            }
            _ => assert_eq!((&game["reason"], &game["winner"]), (&"ply-limit".into(), &Value::Null)),
        }
        for name in ["values", "iterations", "reused"] {
            assert_eq!(list(name).len(), list("plays").len());
        }
    }
    let different = |name: &str| games.iter().step_by(2).any(|game| game[name] != games[0][name]);
    assert!(different("opening") && different("seed"));
}

#[test]
fn openings_from_a_file_are_played_in_turn() {
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("openings.txt");
    fs::write(&list, "# two openings\n2,0 4,2; 13,15 11,13\n\n0,4 1,5 # one play\n").unwrap();
    let out = folder.path().join("out");
    result(&[&small(["greedy", "random"], &out)[..], &["--openings", text(&list)]].concat());
    let games = games(&out);
    assert_eq!(games[0]["opening"], serde_json::json!(["2,0 4,2", "13,15 11,13"]));
    assert_eq!(games[3]["opening"], serde_json::json!(["0,4 1,5"]));
    assert_eq!(games[4]["opening"], games[0]["opening"]);
    fs::write(&list, "2,0 4,2\n0,0 1,1\n").unwrap();
    refused(&["greedy", "random", "--iterations", "1", "--openings", text(&list)], "opening 2: 0,0 1,1");
}

/// Runs `lab match` with `arguments`, which must fail with a message that has `part` in it.
fn refused(arguments: &[&str], part: &str) {
    crate::support::refused(&[&["match"], arguments].concat(), part);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let with = |arguments: &[&'static str], part| {
        refused(&[&["greedy", "random", "--iterations", "1"], arguments].concat(), part);
    };
    refused(&["greedy", "random"], "one of --cpu, --iterations and --game-time is needed");
    with(&["--cpu", "1"], "cannot be used with");
    with(&["--games", "0"], "--games 0");
    with(&["--jobs", "0"], "--jobs");
    with(&["--sprt", "0"], "--sprt");
    with(&["--sprt", "5", "0"], "the lower one first");
    with(&["--sprt", "0", "nan"], "the lower one first");
    with(&["--openings", "random:9-1"], "random:LEAST-MOST");
    with(&["--openings", "balanced:9-1"], "balanced:LEAST-MOST");
    with(&["--openings", "no such file"], "the openings in no such file");
    with(&["--out", "/proc/nowhere"], "can't create the folder /proc/nowhere");
    refused(&["greedy", "randm", "--iterations", "1"], "second agent, 'randm': there is no agent");
    refused(&["mcts(c=x)", "random", "--iterations", "1"], "first agent, 'mcts(c=x)': c=x");
    refused(&["greedy", "random", "--iterations", "0"], "--iterations <N>': expected 1 or more");
    refused(&["greedy", "random", "--cpu", "0"], "expected a number of seconds above 0");
    refused(&["greedy", "random", "--cpu", "inf"], "expected a number of seconds above 0");
}

#[test]
fn a_folder_belongs_to_one_match_and_one_run() {
    let folder = TempDir::new().unwrap();
    let arguments = small(["greedy", "random"], folder.path());
    let first = result(&arguments);
    let other = [&arguments[..], &["--max-plies", "300"]].concat();
    refused(&other, "holds a run of 'lab match' with other arguments; use another folder");
    refused(&other, "'max_plies' was 400 and is 300 now");
    assert_eq!(result(&[&arguments[..], &["--jobs", "1"]].concat()), first, "jobs are no such argument");

    let path = folder.path().join("games.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replacen("\"seed\":", "\"seed\":1", 1)).unwrap();
    refused(&arguments, "line 1: not a game of this run");
    fs::write(&path, whole.replacen("\"seed\":", "\"seat\":", 1)).unwrap();
    refused(&arguments, "line 1 is broken");
    fs::write(folder.path().join("run.json"), "{").unwrap();
    refused(&arguments, "run.json is broken");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = TempDir::new().unwrap();
    let arguments = [&SEARCHERS[..], &["--cpu", "1", "--out", text(folder.path())]].concat();
    let mut child =
        lab_match(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lab starts");
    while !folder.path().join("run.json").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    refused(&arguments, "another run is playing");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A disk with room for two games and a half.
#[test]
fn a_full_disk_is_an_error_that_loses_no_game() {
    let (calm, full) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let undisturbed = result(&[&small(SEARCHERS, calm.path())[..], &["--jobs", "1"]].concat());
    let all = fs::read_to_string(calm.path().join("games.jsonl")).unwrap();
    let lengths: Vec<usize> = all.lines().map(str::len).collect();
    let room = lengths[0] + lengths[1] + lengths[2] / 2;
    let arguments = small(SEARCHERS, full.path());
    let message = refused_on_full_disk(&[&["match", "--jobs", "1"], &arguments[..]].concat(), room as u64);
    assert!(message.contains("can't write") && message.contains("games.jsonl: File too large"), "{message}");
    let kept = fs::read_to_string(full.path().join("games.jsonl")).unwrap();
    assert_eq!(kept.lines().count(), 3, "two games and the beginning of one");
    assert_eq!(result(&arguments), undisturbed);
    assert_eq!(games(full.path()), games(calm.path()));
}
