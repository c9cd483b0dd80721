//! `--shard` and `lab merge`: the parts of a run together are the run.

use crate::support::{
    kill_after, lab, refused, refused_on_full_disk, succeeds, text, timeless, timeless_json,
};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const MATCH: [&str; 7] = ["match", "mcts(playout=static)", "greedy", "--games", "14", "--iterations", "30"];
const TOURNAMENT: [&str; 8] =
    ["tournament", "mcts(playout=static)", "greedy", "random", "--games", "8", "--iterations", "30"];
const SWEEP: &str = "agent = 'mcts(playout=static)'\nopponent = 'greedy'\nbudgets = [{iterations = 10}]\n\
                     games = 8\nmax_plies = 300\n[grid]\nc = [0.5, 2]\n";

/// The folder of shard number `index`.
fn part(folder: &TempDir, index: u64) -> PathBuf {
    folder.path().join(format!("part{index}"))
}

/// Plays the run in `count` shards below `folder`.
fn play_shards(run: &[&str], folder: &TempDir, count: u64) -> Vec<PathBuf> {
    let play = |index| {
        let (out, shard) = (part(folder, index), format!("{index}/{count}"));
        succeeds(&[run, &["--out", text(&out), "--shard", &shard]].concat());
        out
    };
    (1..=count).map(play).collect()
}

/// The arguments that merge `parts` into `out`.
fn merging<'a>(out: &'a Path, parts: &'a [PathBuf]) -> Vec<&'a str> {
    ["merge", text(out)].into_iter().chain(parts.iter().map(|part| text(part))).collect()
}

/// Plays a run whole and in shards, the last one after a kill, merges them, and compares.
fn merged_is_whole(run: &[&str], count: u64) {
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    let printed = succeeds(&[run, &["--json", "--out", text(&whole)]].concat());
    let last = part(&folder, count);
    let shard = format!("{count}/{count}");
    kill_after(&[run, &["--out", text(&last), "--shard", &shard]].concat(), &last, 1);
    let mut parts = play_shards(run, &folder, count);
    parts.reverse();
    let merged = folder.path().join("merged");
    let arguments = [&merging(&merged, &parts)[..], &["--json"]].concat();
    assert_eq!(timeless_json(&succeeds(&arguments)), timeless_json(&printed));
    let files = timeless(&merged);
    assert_eq!(files, timeless(&whole));
    assert!(files.len() >= 3, "{:?}", files.keys());
    assert_eq!(
        timeless_json(&succeeds(&arguments)),
        timeless_json(&printed),
        "merging again changes nothing"
    );
    assert_eq!(timeless(&merged), files);
    // The games in order.
    let place = |line: Value| ["match", "game"].map(|name| line[name].as_u64().unwrap());
    let games = fs::read_to_string(merged.join("games.jsonl")).unwrap();
    let places: Vec<_> = games.lines().map(|line| place(timeless_json(line))).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn a_merged_match_is_the_unsharded_one() {
    merged_is_whole(&MATCH, 3);
    merged_is_whole(&MATCH, 1);
}

/// Each shard plays all its games, whatever the test would say of them; the merged run ends at the same pair as one
/// that stopped there.
#[test]
fn a_sequential_test_is_judged_when_its_shards_are_merged() {
    let folder = TempDir::new().unwrap();
    let run = ["match", "greedy", "random", "--iterations", "1", "--max-plies", "900", "--games", "60"];
    let run = [&run[..], &["--sprt", "-20", "20"]].concat();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    let printed = timeless_json(&succeeds(&[&run[..], &["--json", "--out", text(&whole)]].concat()));
    assert_eq!((&printed["sprt"]["verdict"], &printed["games"]), (&"h1".into(), &52.into()));
    let parts = play_shards(&run, &folder, 2);
    for part in &parts {
        assert_eq!(crate::support::lines_of_games(part), 30, "a shard does not stop early");
        let result = fs::read_to_string(part.join("result.json")).unwrap();
        assert_eq!(timeless_json(&result)["sprt"], Value::Null, "nor does it judge");
    }
    let arguments = [&merging(&merged, &parts)[..], &["--json"]].concat();
    assert_eq!(timeless_json(&succeeds(&arguments)), printed);
    // It goes on from there as any other run, which has nothing left to play.
    let again = succeeds(&[&run[..], &["--json", "--out", text(&merged)]].concat());
    assert_eq!(timeless_json(&again), printed);
    let shard = [&run[..], &["--out", text(&parts[0]), "--shard", "1/2"]].concat();
    let said = lab(&shard).output().unwrap().stderr;
    assert!(String::from_utf8_lossy(&said).contains("it plays all its 30 games, and 'lab merge' applies"));
}

#[test]
fn a_merged_tournament_is_the_unsharded_one() {
    merged_is_whole(&TOURNAMENT, 3);
}

#[test]
fn a_merged_sweep_is_the_unsharded_one() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("small.toml");
    fs::write(&file, SWEEP).unwrap();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    let run = ["sweep", text(&file)];
    succeeds(&[&run[..], &["--out", text(&whole)]].concat());
    let parts = play_shards(&run, &folder, 2);
    succeeds(&merging(&merged, &parts));
    assert_eq!(timeless(&merged), timeless(&whole));
    assert!(merged.join("sweep.csv").exists());
}

#[test]
fn what_is_not_all_of_one_run_is_not_merged() {
    let folder = TempDir::new().unwrap();
    let parts = play_shards(&MATCH, &folder, 3);
    let out = folder.path().join("merged");
    let merge = |parts: &[&PathBuf], why: &str| {
        let parts: Vec<PathBuf> = parts.iter().map(|&part| part.clone()).collect();
        refused(&merging(&out, &parts), why);
        assert!(!out.exists(), "nothing is left behind");
    };
    let [one, two, three] = &parts[..] else { panic!() };
    merge(&[one, three], "1 of 3 shards are missing: 2/3");
    merge(&[one, two, three, two], "shard 2/3 appears twice");
    let nowhere = folder.path().join("nowhere");
    merge(&[one, &nowhere], "nowhere holds no run");

    let other = |name: &str, arguments: &[&str]| {
        let out = folder.path().join(name);
        succeeds(&[&MATCH[..], arguments, &["--out", text(&out)]].concat());
        out
    };
    merge(&[one, &other("whole", &[])], "whole is shard 1/1, but");
    merge(&[one, two, &other("seed", &["--seed", "2", "--shard", "3/3"])], "'seed' is 1 in");
    merge(&[one, two, &other("four", &["--shard", "3/4"])], "four is shard 3/4, but");

    let header = three.join("run.json");
    let engine = fs::read_to_string(&header).unwrap();
    fs::write(&header, engine.replace("\"openings\": \"", "\"openings\": \"f")).unwrap();
    merge(&[one, two, three], "builds that play differently (the openings)");
    fs::write(&header, engine).unwrap();

    let games = three.join("games.jsonl");
    let all = fs::read_to_string(&games).unwrap();
    let first = all.lines().next().unwrap();
    fs::write(&games, &all[..all.len() - 10]).unwrap();
    merge(&[one, two, three], "part3 has 3 of 4 games (game ");
    fs::write(&games, format!("{all}{first}\n")).unwrap();
    merge(&[one, two, three], "appears twice");
    fs::write(&games, &all[10..]).unwrap();
    merge(&[one, two, three], "line 1 is broken");
    fs::copy(one.join("games.jsonl"), &games).unwrap();
    merge(&[one, two, three], "is not part of shard 3/3");
    // A line that a killed run has begun is no game, and does no harm.
    fs::write(&games, &all).unwrap();
    OpenOptions::new().append(true).open(&games).unwrap().write_all(&first.as_bytes()[..50]).unwrap();
    succeeds(&merging(&out, &parts));
}

#[test]
fn merging_replaces_no_game() {
    let folder = TempDir::new().unwrap();
    let parts = play_shards(&MATCH, &folder, 2);
    let out = folder.path().join("merged");
    succeeds(&merging(&out, &parts));
    let games = out.join("games.jsonl");
    let other = fs::read_to_string(&games).unwrap().replacen("\"values\":[", "\"values\":[0.5,", 1);
    fs::write(&games, &other).unwrap();
    refused(&merging(&out, &parts), "has its own game 0");
    assert_eq!(fs::read_to_string(&games).unwrap(), other);
    refused(&merging(&parts[0], &parts), "'shard' was \"1/2\"");
    refused(&merging(Path::new("/proc/nowhere"), &parts), "can't create the folder /proc/nowhere");
    let elsewhere = folder.path().join("elsewhere");
    succeeds(&[&MATCH[..], &["--seed", "5", "--out", text(&elsewhere)]].concat());
    refused(&merging(&elsewhere, &parts), "'seed' was 5 and is 1 now");
}

#[test]
fn a_full_disk_is_an_error_and_merging_can_be_tried_again() {
    let folder = TempDir::new().unwrap();
    let parts = play_shards(&MATCH, &folder, 2);
    let out = folder.path().join("merged");
    let arguments = merging(&out, &parts);
    // The games of one part fit, those of both do not.
    let one = fs::metadata(parts[0].join("games.jsonl")).unwrap().len();
    let message = refused_on_full_disk(&arguments, one);
    assert!(message.contains("can't write") && message.contains("File too large"), "{message}");
    assert!(!out.join("result.json").exists());
    succeeds(&arguments);
    assert_eq!(crate::support::lines_of_games(&out), 14);
}

#[test]
fn shards_that_make_no_sense_are_refused() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let with = |arguments: &[&str], why: &str| {
        refused(&[&MATCH[..], &["--out", text(&out)], arguments].concat(), why);
        assert!(!out.exists());
    };
    with(&["--shard", "0/2"], "expected I/N");
    with(&["--shard", "3/2"], "expected I/N");
    with(&["--shard", "2"], "expected I/N");
    with(&["--shard", "8/8"], "there are only 7 pairs of games");
    refused(&[&MATCH[..], &["--shard", "1/2"]].concat(), "--out <DIR>");

    let shard = |shard| [&MATCH[..], &["--out", text(&out), "--shard", shard]].concat();
    succeeds(&shard("1/2"));
    refused(&shard("2/2"), "holds another shard of this run");
    refused(&[&MATCH[..], &["--out", text(&out)]].concat(), "holds another shard of this run");
    assert!(lab(&shard("1/2")).output().unwrap().status.success());
}
