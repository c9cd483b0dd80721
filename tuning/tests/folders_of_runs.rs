//! `lab segment` and `train` read every run below a folder, and count each game once.

use crate::support::Folder;
use halma::rules::Position;
use halma_lab::learn::games::each;
use std::fs;

/// The positions drawn from the decided games in `runs`.
fn drawn(folder: &Folder, runs: &[&str]) -> Vec<Position> {
    let runs: Vec<_> = runs.iter().map(|run| folder.path(run)).collect();
    let mut found = Vec::new();
    each(&runs, |drawn| found.push(drawn.position)).expect("the runs can be read");
    found
}

#[test]
fn a_folder_stands_for_all_runs_below_it() {
    let folder = Folder::small_match();
    fs::create_dir_all(folder.path("all/deep/below")).expect("a new folder");
    fs::rename(folder.path("run"), folder.path("all/deep/below/one")).expect("a free name");
    folder.succeeds("match 'mcts(race=off)' greedy --games 4 --iterations 20 --seed 2 --out all/two");
    assert_eq!(drawn(&folder, &["all"]), drawn(&folder, &["all/deep/below/one", "all/two"]));
    assert_ne!(drawn(&folder, &["all"]), drawn(&folder, &["all/deep/below/one"]));

    let segment = |run: &str| {
        let fixed = "--from 20 --plies 4 --iterations 5 --evaluator-iterations 50";
        format!("segment mcts greedy {run} {fixed}")
    };
    let one = folder.succeeds(&segment("all/deep/below/one"));
    assert_eq!(folder.succeeds(&segment("all/deep")), one);

    fs::create_dir(folder.path("empty")).expect("a new folder");
    let none = "empty: expected run.json and games.jsonl";
    let error = each(&[folder.path("empty")], |_| ()).expect_err("there is no run").to_string();
    assert!(error.starts_with("no run in ") && error.contains(none), "{error}");
    folder.refused(&segment("empty"), none);
}

/// If a game counted twice, its positions could be in both the training set and the test set.
#[test]
fn a_game_that_is_there_twice_counts_once() {
    let folder = Folder::new();
    let line = "match 'mcts(race=off)' greedy --games 20 --iterations 20";
    for part in [1, 2] {
        folder.succeeds(&format!("{line} --shard {part}/2 --out all/{part}-of-2"));
    }
    folder.succeeds("merge all/0-merged all/1-of-2 all/2-of-2");
    let merged = drawn(&folder, &["all/0-merged"]);
    assert_eq!(drawn(&folder, &["all"]), merged);
    assert_eq!(drawn(&folder, &["all/0-merged", "all/0-merged"]), merged);
}
