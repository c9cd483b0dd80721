//! A folder belongs to one run, whatever kinds there are: nothing there is overwritten by another.

use crate::support::{files, refused, succeeds, text};
use std::fs;
use tempfile::TempDir;

const KINDS: [&str; 4] = ["match", "tournament", "sweep", "tune"];

/// The shortest run of each kind, whose file, if it needs one, is put into `folder`.
fn run(kind: &str, folder: &TempDir) -> Vec<String> {
    let file = folder.path().join(format!("{kind}.toml"));
    let with_file = |contents: &str| {
        fs::write(&file, contents).unwrap();
        vec![text(&file)]
    };
    let agents = ["greedy", "random", "--games", "2", "--iterations", "1"];
    let arguments = match kind {
        "sweep" => with_file(
            "agent = 'mcts'\nopponent = 'greedy'\nbudgets = [{ iterations = 1 }]\ngames = 2\nmax_plies = 20\n\
             [grid]\nc = [1]\n",
        ),
        "tune" => with_file(
            "agent = 'mcts'\nbudget = { iterations = 1 }\niterations = 2\npairs = 2\nmax_plies = 20\n\
             [parameters.c]\n",
        ),
        _ => agents.to_vec(),
    };
    [&[kind], &arguments[..]].concat().into_iter().map(String::from).collect()
}

/// The arguments of a run of this kind into the folder `out`.
fn into<'a>(run: &'a [String], out: &'a str) -> Vec<&'a str> {
    run.iter().map(String::as_str).chain(["--out", out]).collect()
}

#[test]
fn a_run_of_one_kind_does_not_touch_that_of_another() {
    let folder = TempDir::new().unwrap();
    for there in KINDS {
        let out = folder.path().join(there);
        succeeds(&into(&run(there, &folder), text(&out)));
        let before = files(&out);
        for kind in KINDS.into_iter().filter(|&kind| kind != there) {
            let why =
                format!("{there} holds a run of 'lab {there}', not of 'lab {kind}'; use another folder");
            refused(&into(&run(kind, &folder), text(&out)), &why);
            assert_eq!(files(&out), before, "{kind} over {there}");
        }
        succeeds(&into(&run(there, &folder), text(&out)));
        assert_eq!(files(&out), before, "{there} again");
    }
}

#[test]
fn shards_of_different_kinds_are_not_merged() {
    let folder = TempDir::new().unwrap();
    let outs = ["match", "tournament"].map(|kind| {
        let out = folder.path().join(kind);
        succeeds(&into(&run(kind, &folder), text(&out)));
        out
    });
    let merged = folder.path().join("merged");
    let why = "these are not shards of one run: 'kind' is match in";
    refused(&["merge", text(&merged), text(&outs[0]), text(&outs[1])], why);
    assert!(!merged.exists());
}

#[test]
fn games_that_nobody_knows_are_left_alone() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let run = run("match", &folder);
    succeeds(&into(&run, text(&out)));
    fs::remove_file(out.join("run.json")).unwrap();
    let before = files(&out);
    refused(&into(&run, text(&out)), "has games or a result but no run.json");
    assert_eq!(files(&out), before);
    // A game of a match that no run has.
    let odd = folder.path().join("odd");
    succeeds(&into(&run, text(&odd)));
    let games = fs::read_to_string(odd.join("games.jsonl")).unwrap();
    fs::write(odd.join("games.jsonl"), games.replace("\"match\":1,", "\"match\":0,")).unwrap();
    refused(&into(&run, text(&odd)), "not a game of this run");
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("result.json"), "somebody's").unwrap();
    refused(&into(&run, text(&other)), "has games or a result but no run.json");
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
    fs::write(
        out.join("run.json"),
        r#"{"kind":"league","arguments":{},"engine":{"checksum":"","others":""}}"#,
    )
    .unwrap();
    refused(&["export", text(&out)], "unknown kind of run 'league'");
    let broken = r#"{"kind":"match","arguments":{"a":1},"engine":{"checksum":"","others":""}}"#;
    fs::write(out.join("run.json"), broken).unwrap();
    refused(&["export", text(&out)], "the arguments of this run of 'lab match' are broken");
}

#[test]
fn rounds_that_follow_from_games_can_not_be_divided() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let run = run("tune", &folder);
    let shard = [&into(&run, text(&out))[..], &["--shard", "1/1"]].concat();
    succeeds(&shard);
    let run = [&into(&run, text(&out))[..], &["--shard", "1/2"]].concat();
    refused(&run, "this run can't be sharded");
}
