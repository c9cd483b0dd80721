//! `lab segment` and `train` read every run below a folder, and each game once.

use crate::support::{play_small_match, refused, succeeds, text};
use halma::rules::Position;
use halma_lab::learn::games::each;
use std::path::Path;
use tempfile::TempDir;

/// The positions drawn from the decided games in `runs`.
fn positions(runs: &[&Path]) -> Vec<Position> {
    let mut found = Vec::new();
    each(runs, |drawn| found.push(drawn.position)).unwrap();
    found
}

#[test]
fn a_folder_with_runs_below_it_is_all_of_them() {
    let folder = TempDir::new().unwrap();
    let one = play_small_match(&folder, "deep/below/one", "2");
    let two = play_small_match(&folder, "two", "2");
    let root = folder.path();
    assert_eq!(positions(&[root]), positions(&[&one, &two]));
    assert_ne!(positions(&[root]), positions(&[&one]));

    let fixed = ["--from", "20", "--plies", "4", "--iterations", "5", "--evaluator-iterations", "50"];
    let segment = |run: &Path| succeeds(&[&["segment", "mcts", "greedy", text(run)], &fixed[..]].concat());
    assert_eq!(segment(&root.join("deep")), segment(&one));

    let empty = TempDir::new().unwrap();
    let none = format!("no run in {}: expected run.json and games.jsonl", empty.path().display());
    assert!(each(&[empty.path()], |_| ()).unwrap_err().to_string().starts_with(&none));
    refused(&[&["segment", "mcts", "greedy", text(empty.path())], &fixed[..]].concat(), &none);
}

/// Otherwise one position could be both learned from and tested on.
#[test]
fn a_game_that_is_there_twice_counts_once() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    let agents = ["match", "mcts(playout=static)", "greedy", "--games", "20", "--iterations", "20"];
    for shard in ["1/2", "2/2"] {
        let out = place(&shard.replace('/', "-of-"));
        succeeds(&[&agents[..], &["--shard", shard, "--out", text(&out)]].concat());
    }
    succeeds(&["merge", text(&place("0-merged")), text(&place("1-of-2")), text(&place("2-of-2"))]);
    assert_eq!(positions(&[folder.path()]), positions(&[&place("0-merged")]));
    assert_eq!(positions(&[&place("0-merged"), &place("0-merged")]), positions(&[&place("0-merged")]));
}
