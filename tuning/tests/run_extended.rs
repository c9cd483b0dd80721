//! Runs that are asked for again and longer: the games that are there are kept, and nothing tells the result from that
//! of the longer run.

use crate::support::{
    files, games, kill_after, lines_of_games, refused, refused_on_full_disk, succeeds, text, timeless,
    timeless_json,
};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SPEC: &str = "mcts(playout=static)";
const MATCH: [&str; 5] = ["match", SPEC, "greedy", "--iterations", "20"];
const TOURNAMENT: [&str; 3] = ["tournament", SPEC, "greedy"];
const TUNE: &str = "agent = 'mcts(playout=static)'\nbudget = { iterations = 10 }\niterations = 2\npairs = 1\nseed = 3\n\
                    [parameters.c]\nstep = 0.5\n";

/// A sweep over these values, other agents and budgets.
fn sweep(c: &str, also: &str, budgets: &str) -> String {
    format!(
        "title = 'Small'\nagent = '{SPEC}'\nopponent = 'greedy'\nalso = [{also}]\nbudgets = [{budgets}]\n\
         games = 2\nmax_plies = 120\n[grid]\nc = [{c}]\n"
    )
}

/// The lines of the games, to the byte, but for the numbers of their matches.
fn lines(folder: &Path) -> Vec<String> {
    let games = fs::read_to_string(folder.join("games.jsonl")).expect("there are games");
    let mut lines: Vec<String> =
        games.lines().map(|line| line.split_once(",\"game\"").expect("a game").1.to_string()).collect();
    lines.sort();
    lines
}

/// Plays `short` and then `long` into one folder, and `long` into another: both must be the same run, and the games
/// of `short` must still be there.
fn extends(folder: &Path, short: &[&str], long: &[&str]) -> PathBuf {
    let (extended, whole) = (folder.join("extended"), folder.join("whole"));
    succeeds(&[short, &["--out", text(&extended)]].concat());
    let before = lines(&extended);
    let printed = succeeds(&[long, &["--json", "--out", text(&extended)]].concat());
    let at_once = succeeds(&[long, &["--json", "--out", text(&whole)]].concat());
    assert_eq!(timeless_json(&printed), timeless_json(&at_once), "{long:?}");
    assert_eq!(timeless(&extended), timeless(&whole), "{long:?}");
    let after = lines(&extended);
    assert!(after.len() > before.len(), "{long:?} has more games");
    assert!(before.iter().all(|line| after.contains(line)), "{long:?}: a game was played again");
    extended
}

#[test]
fn a_match_goes_on_with_more_games() {
    let folder = TempDir::new().unwrap();
    let with = |games| [&MATCH[..], &["--games", games]].concat();
    let out = extends(folder.path(), &with("4"), &with("10"));
    // With one thread the file of the games has them in order, too.
    assert_eq!(lines_of_games(&out), 10);
    let run = |games| [&with(games)[..], &["--out", text(&out)]].concat();
    let left = files(&out);
    refused(
        &run("8"),
        "'pairs' was 5 and is 4 now. (A run can be extended, but neither shortened nor changed.)",
    );
    let other = [&run("12")[..], &["--seed", "2"]].concat();
    refused(&other, "with other arguments; use another folder");
    assert_eq!(files(&out), left);
}

#[test]
fn a_sequential_test_goes_on_until_it_decides() {
    let folder = TempDir::new().unwrap();
    let with = |games| {
        let agents = ["match", "greedy", "random", "--iterations", "1", "--max-plies", "900"];
        [&agents[..], &["--jobs", "1", "--sprt", "-20", "20", "--games", games]].concat()
    };
    let [out, whole] = ["extended", "whole"].map(|name| folder.path().join(name));
    let play = |games, out: &Path| {
        let printed = succeeds(&[&with(games)[..], &["--json", "--out", text(out)]].concat());
        timeless_json(&printed)
    };
    assert_eq!(play("6", &out)["sprt"]["verdict"], "undecided");
    let before = lines(&out);
    let result = play("5000", &out);
    assert_eq!(result["sprt"]["verdict"], "h1");
    assert_eq!(play("5000", &whole), result);
    assert!(before.iter().all(|line| lines(&out).contains(line)), "no game was played again");
    // Games that were under way when the test decided are on disk, but do not count.
    let counted = usize::try_from(result["games"].as_u64().unwrap()).unwrap();
    assert_eq!(games(&out)[..counted], games(&whole)[..counted]);
    let games = lines_of_games(&out);
    assert!(games < 5000, "{games}");
    // Decided is decided: more games are not asked for.
    succeeds(&[&with("6000")[..], &["--out", text(&out)]].concat());
    assert_eq!(lines_of_games(&out), games);
}

#[test]
fn a_tournament_goes_on_with_more_games_and_agents() {
    let folder = TempDir::new().unwrap();
    let with = |more: &[&'static str], games| {
        let limits = ["--iterations", "10", "--max-plies", "120", "--games", games];
        [&TOURNAMENT[..], more, &limits].concat()
    };
    let out = extends(folder.path(), &with(&["random"], "2"), &with(&["random", "homebody"], "4"));
    refused(
        &[&with(&["homebody", "random"], "4")[..], &["--out", text(&out)]].concat(),
        "with other arguments; use another folder: 'agents' was",
    );
}

#[test]
fn a_sweep_goes_on_with_more_games_values_agents_and_budgets() {
    let budgets = "{ iterations = 5 }, { iterations = 10 }";
    for (name, c, also, budgets, games) in [
        ("games", "1, 2", "", "{ iterations = 10 }", "4"),
        ("values", "0.5, 1, 1.5, 2", "", "{ iterations = 10 }", "2"),
        ("agents", "1, 2", "'random'", "{ iterations = 10 }", "2"),
        ("budgets", "1, 2", "", budgets, "2"),
        ("all", "0.5, 1, 1.5, 2", "'random'", budgets, "4"),
    ] {
        let folder = TempDir::new().unwrap();
        let files = ["short", "long"].map(|name| folder.path().join(format!("{name}.toml")));
        fs::write(&files[0], sweep("1, 2", "", "{ iterations = 10 }")).unwrap();
        fs::write(&files[1], sweep(c, also, budgets)).unwrap();
        let out = extends(
            folder.path(),
            &["sweep", text(&files[0])],
            &["sweep", text(&files[1]), "--games", games],
        );
        assert!(!out.join("games.renumbered.jsonl").exists(), "{name}");
    }
}

#[test]
fn a_sweep_that_is_not_the_same_is_no_extension() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("sweep.toml"), folder.path().join("out"));
    let run = ["sweep", text(&file), "--out", text(&out)];
    let small = sweep("1, 2", "'random'", "{ iterations = 10 }");
    fs::write(&file, &small).unwrap();
    succeeds(&run);
    let left = files(&out);
    for (from, to) in [
        ("[1, 2]", "[1, 3]"),
        ("[1, 2]", "[1]"),
        ("iterations = 10", "iterations = 11"),
        ("'random'", "'homebody'"),
        ("opponent = 'greedy'", "opponent = 'random'"),
        ("c = [1, 2]", "c = [1, 2]\nfpu = [0, 1]"),
    ] {
        assert!(small.contains(from), "{from}");
        fs::write(&file, small.replacen(from, to, 1)).unwrap();
        refused(&run, "neither shortened nor changed");
        assert_eq!(files(&out), left, "{from} {to}");
    }
}

#[test]
fn tuning_goes_on_with_more_steps() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("tune.toml");
    fs::write(&file, TUNE).unwrap();
    let out = extends(folder.path(), &["tune", text(&file)], &["tune", text(&file), "--steps", "5"]);
    assert_eq!(fs::read_to_string(out.join("tune.jsonl")).unwrap().lines().count(), 5);
    // The file's number of iterations also says how the gains fall.
    fs::write(&file, TUNE.replace("iterations = 2", "iterations = 8")).unwrap();
    refused(
        &["tune", text(&file), "--out", text(&out)],
        "leave 'iterations = 2' in the file, and ask for more by --steps 8",
    );
    refused(&["tune", text(&file), "--out", text(&out), "--steps", "0"], "--steps");
}

/// Every shard is extended, and then what they were merged into.
#[test]
fn shards_are_extended_and_merged_again() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("sweep.toml");
    let [one, two, merged, whole] = ["one", "two", "merged", "whole"].map(|name| folder.path().join(name));
    for (c, games) in [("1, 2", "4"), ("0.5, 1, 2", "10")] {
        fs::write(&file, sweep(c, "", "{ iterations = 10 }")).unwrap();
        let run = ["sweep", text(&file), "--games", games];
        for (out, shard) in [(&one, "1/2"), (&two, "2/2")] {
            succeeds(&[&run[..], &["--out", text(out), "--shard", shard]].concat());
        }
        refused(&[&run[..], &["--out", text(&one), "--shard", "2/2"]].concat(), "another shard of this run");
        succeeds(&["merge", text(&merged), text(&one), text(&two)]);
        succeeds(&[&run[..], &["--out", text(&whole)]].concat());
        assert_eq!(timeless(&merged), timeless(&whole));
    }
    assert_eq!(lines_of_games(&merged), 30);
}

/// The longer run is killed at its first new game. Its result is not that of the shorter one.
#[test]
fn an_extension_that_is_killed_goes_on() {
    let folder = TempDir::new().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    let run = |out, games| [&MATCH[..], &["--games", games, "--jobs", "1", "--out", out]].concat();
    succeeds(&run(text(&killed), "4"));
    kill_after(&run(text(&killed), "40"), &killed, 5);
    assert!((5..40).contains(&lines_of_games(&killed)));
    assert!(!killed.join("result.json").exists(), "it has not ended");
    succeeds(&run(text(&killed), "40"));
    succeeds(&run(text(&whole), "40"));
    assert_eq!(timeless(&killed), timeless(&whole));
}

/// Whenever a run is killed that gives its games new numbers, the same command goes on, and so does the old one if
/// the header is still that of the shorter run.
#[test]
fn games_get_their_new_numbers_though_it_is_killed() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let file = path("sweep.toml");
    let play = |c: &str, out: &Path| {
        fs::write(&file, sweep(c, "", "{ iterations = 10 }")).unwrap();
        succeeds(&["sweep", text(&file), "--out", text(out), "--jobs", "1"]);
    };
    let (short, long) = (path("short"), path("long"));
    play("1", &short);
    play("0.5, 1", &long);
    let read = |folder: &Path, name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let old_games = read(&short, "games.jsonl");
    let new_games = old_games.replace("{\"match\":1,", "{\"match\":2,");
    assert_ne!(old_games, new_games);
    let mut marked: Value = serde_json::from_str(&read(&long, "run.json")).unwrap();
    marked["renumbering"] = json!(true);
    let marked = marked.to_string();
    let old_header = read(&short, "run.json");
    for (step, header, games, renumbered) in [
        (1, &old_header, &old_games, Some(&new_games[..100])),
        (1, &old_header, &old_games, Some(&new_games[..])),
        (2, &marked, &old_games, Some(&new_games[..])),
        (3, &marked, &new_games, None),
    ] {
        let out = path("killed");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("run.json"), header).unwrap();
        fs::write(out.join("games.jsonl"), games).unwrap();
        if let Some(lines) = renumbered {
            fs::write(out.join("games.renumbered.jsonl"), lines).unwrap();
        }
        if step > 1 {
            refused(
                &["report", text(&out)],
                "was being extended when lab was stopped; run that command again",
            );
        } else {
            play("1", &out);
            assert_eq!(timeless(&out), timeless(&short), "step {step}");
        }
        play("0.5, 1", &out);
        assert_eq!(timeless(&out), timeless(&long), "step {step}");
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn a_disk_without_room_for_the_new_numbers_leaves_the_shorter_run() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("sweep.toml"), folder.path().join("out"));
    let run = ["sweep", text(&file), "--out", text(&out)];
    fs::write(&file, sweep("1", "", "{ iterations = 10 }")).unwrap();
    succeeds(&run);
    let left = timeless(&out);
    let room = fs::metadata(out.join("games.jsonl")).unwrap().len() * 3 / 4;
    let longer = folder.path().join("longer.toml");
    fs::write(&longer, sweep("0.5, 1", "", "{ iterations = 10 }")).unwrap();
    let message = refused_on_full_disk(&["sweep", text(&longer), "--out", text(&out)], room);
    assert!(message.contains("can't write") && message.contains("games.renumbered.jsonl"), "{message}");
    succeeds(&run);
    assert_eq!(timeless(&out), left);
}

#[test]
fn a_build_that_plays_differently_does_not_extend() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("sweep.toml"), folder.path().join("out"));
    let run = ["sweep", text(&file), "--out", text(&out)];
    fs::write(&file, sweep("1", "", "{ iterations = 10 }")).unwrap();
    succeeds(&run);
    let header = out.join("run.json");
    let mut changed: Value = serde_json::from_slice(&fs::read(&header).unwrap()).unwrap();
    changed["engine"]["agents"]["greedy"] = json!("0123456789abcdef");
    fs::write(&header, changed.to_string()).unwrap();
    fs::write(&file, sweep("0.5, 1", "", "{ iterations = 10 }")).unwrap();
    refused(&run, "a build that plays differently ('greedy')");
    assert_eq!(lines_of_games(&out), 2);
    succeeds(&[&run[..], &["--mixed-builds"]].concat());
    let header: Value = serde_json::from_slice(&fs::read(&header).unwrap()).unwrap();
    assert_eq!(header["engine"], changed["engine"]);
    assert_eq!(header["mixed"][0]["games_before"], 2);
    assert_eq!(header["mixed"][0]["engine"]["agents"].as_object().map(|agents| agents.len()), Some(3));
}
