//! `--shard` and `lab merge`: the shards of one run can be merged, and nothing else can.

use crate::support::Folder;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::Write;

const MATCH: &str = "match 'mcts(race=off)' greedy --games 14 --iterations 30";

/// Plays the run in shards, in the folders `1`, `2` and so on.
fn play_shards(folder: &Folder, run: &str, count: usize) {
    for index in 1..=count {
        folder.succeeds(&format!("{run} --shard {index}/{count} --out {index}"));
    }
}

/// A folder with [`MATCH`] in two shards.
fn two_shards() -> Folder {
    let folder = Folder::new();
    for index in ["1", "2"] {
        let shard = Folder::played(&format!("{MATCH} --shard {index}/2"));
        fs::rename(shard.path("run"), folder.path(index)).expect("a free name");
    }
    folder
}

/// Each shard plays all its games, and the merged run ends with the same pair as the unsharded run.
#[test]
fn a_sequential_test_is_judged_when_its_shards_are_merged() {
    let folder = Folder::new();
    let run = "match greedy random --iterations 1 --max-plies 900 --games 60 --sprt -20 20";
    let whole = folder.timeless_result(&format!("{run} --out whole"));
    assert_eq!((&whole["sprt"]["verdict"], &whole["games"]), (&"h1".into(), &52.into()));
    play_shards(&folder, run, 2);
    for part in ["1", "2"] {
        assert_eq!(folder.lines_of_games(part), 30, "a shard does not stop early");
        assert_eq!(folder.json(&format!("{part}/result.json"))["sprt"], Value::Null, "nor does it judge");
    }
    assert_eq!(folder.timeless_result("merge merged 1 2"), whole);
    // A run in one piece has ended when its test is decided.
    assert_eq!(folder.timeless_result("merge alone whole"), whole);
    // The merged run can be continued like any other run, and has nothing left to play.
    assert_eq!(folder.timeless_result(&format!("{run} --out merged")), whole);
    let notes = folder.notes(&format!("{run} --shard 1/2 --out 1"));
    assert!(notes.contains("it plays all its 30 games, and 'lab merge' applies"), "{notes}");
}

#[test]
fn only_all_shards_of_one_run_are_merged() {
    let folder = Folder::new();
    play_shards(&folder, MATCH, 3);
    for (name, arguments) in [("whole", ""), ("seed", "--seed 2 --shard 3/3"), ("four", "--shard 3/4")] {
        folder.succeeds(&format!("{MATCH} {arguments} --out {name}"));
    }
    folder.refuses(
        "merge merged",
        &[
            ("1 3", "shards are missing: 2/3"),
            ("1 2 3 2", "shard 2/3 appears twice"),
            ("1 nowhere", "nowhere holds no run"),
            ("1 whole", "whole is shard 1/1, but"),
            ("1 2 seed", "'seed' is 1 in"),
            ("1 2 four", "four is shard 3/4, but"),
        ],
    );

    let games = folder.read("3/games.jsonl");
    let first = games.lines().next().expect("a game");
    for (games, why) in [
        (games[..games.len() - 10].to_string(), "3 has 3 of 4 games (game "),
        (format!("{games}{first}\n"), "appears twice"),
        (games[10..].to_string(), "line 1 is broken"),
        (folder.read("1/games.jsonl"), "is not part of shard 3/3"),
    ] {
        folder.write("3/games.jsonl", games);
        folder.refused("merge merged 1 2 3", why);
    }
    folder.write("3/games.jsonl", &games);
    let header = folder.read("3/run.json");
    folder.replace("3/run.json", "\"openings\": \"", "\"openings\": \"f");
    folder.refused("merge merged 1 2 3", "builds that play differently (the openings)");
    folder.write("3/run.json", header);
    assert!(!folder.exists("merged"), "nothing is left behind");

    // The unfinished last line of a killed run is ignored.
    let mut file = OpenOptions::new().append(true).open(folder.path("3/games.jsonl")).expect("a file");
    file.write_all(&first.as_bytes()[..50]).expect("it can be written");
    folder.succeeds("merge merged 1 2 3");
}

#[test]
fn a_gauntlet_without_opponents_is_not_merged() {
    let folder =
        Folder::played("tournament greedy random --gauntlet 1 --iterations 1 --games 2 --max-plies 20");
    folder.replace("run/run.json", "\"gauntlet\": 1", "\"gauntlet\": 2");
    folder.write("run/games.jsonl", "");
    folder.refused("merge merged run", "there are no matches to play");
}

#[test]
fn merging_replaces_no_game() {
    let folder = two_shards();
    folder.succeeds("merge merged 1 2");
    folder.replace("merged/games.jsonl", "\"values\":[", "\"values\":[0.5,");
    let other = folder.read("merged/games.jsonl");
    folder.refused("merge merged 1 2", "holds a different game 0");
    assert_eq!(folder.read("merged/games.jsonl"), other);
    folder.succeeds(&format!("{MATCH} --seed 5 --out elsewhere"));
    folder.refuses(
        "merge",
        &[
            ("1 1 2", "'shard' was \"1/2\""),
            ("/proc/nowhere 1 2", "can't create the folder /proc/nowhere"),
            ("elsewhere 1 2", "'seed' was 5 and is now 1"),
        ],
    );
}

#[test]
fn a_full_disk_is_an_error_and_merging_can_be_tried_again() {
    let folder = two_shards();
    // The disk has room for the games of one shard, but not for those of both.
    let message = folder.refused_on_full_disk("merge merged 1 2", folder.size_of_games("1"));
    assert!(message.contains("can't write") && message.contains("File too large"), "{message}");
    assert!(!folder.exists("merged/result.json"));
    folder.succeeds("merge merged 1 2");
    assert_eq!(folder.lines_of_games("merged"), 14);
}

#[test]
fn bad_shards_are_refused() {
    let folder = Folder::new();
    let with_out = format!("{MATCH} --out out");
    folder.refuses(
        &with_out,
        &[
            ("--shard 0/2", "expected I/N"),
            ("--shard 3/2", "expected I/N"),
            ("--shard 2", "expected I/N"),
            ("--shard 8/8", "there are only 7 pairs of games"),
        ],
    );
    assert!(!folder.exists("out"));
    folder.refused(&format!("{MATCH} --shard 1/2"), "--out <DIR>");
    folder.succeeds(&format!("{with_out} --shard 1/2"));
    let other = "holds another shard of this run";
    folder.refuses(&with_out, &[("--shard 2/2", other), ("", other)]);
    folder.succeeds(&format!("{with_out} --shard 1/2"));
}
