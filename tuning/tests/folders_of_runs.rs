//! `fit`, `priors` and `segment` take any folder with runs below it, and each game of it once.

use crate::support::{play_small_match, refused, succeeds, text};
use std::path::Path;
use tempfile::TempDir;

fn fit(runs: &[&Path]) -> String {
    let runs: Vec<&str> = runs.iter().map(|run| text(run)).collect();
    succeeds(&[&["fit"], &runs[..]].concat())
}

#[test]
fn a_folder_with_runs_below_it_is_all_of_them() {
    let folder = TempDir::new().unwrap();
    let one = play_small_match(&folder, "deep/below/one", "2");
    let two = play_small_match(&folder, "two", "2");
    let root = folder.path();
    assert_eq!(fit(&[root]), fit(&[&one, &two]));
    assert_ne!(fit(&[root]), fit(&[&one]));

    let priors = |run: &Path| succeeds(&["priors", text(run), "--nodes", "50", "--per-game", "2"]);
    assert_eq!(priors(&root.join("deep")), priors(&one));
    let fixed = ["--from", "20", "--plies", "4", "--iterations", "5", "--evaluator-iterations", "50"];
    let segment = |run: &Path| succeeds(&[&["segment", "mcts", "greedy", text(run)], &fixed[..]].concat());
    assert_eq!(segment(&root.join("deep")), segment(&one));

    let empty = TempDir::new().unwrap();
    let none = format!("no run in {}: expected run.json and games.jsonl", empty.path().display());
    refused(&["fit", text(empty.path())], &none);
    refused(&["priors", text(empty.path())], &none);
    refused(&[&["segment", "mcts", "greedy", text(empty.path())], &fixed[..]].concat(), &none);
}

/// Else the same positions could be among those that weights are fitted to and those that test them.
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
    assert_eq!(fit(&[folder.path()]), fit(&[&place("0-merged")]));
    assert_eq!(fit(&[&place("0-merged"), &place("0-merged")]), fit(&[&place("0-merged")]));
}
