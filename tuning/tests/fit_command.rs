//! `lab fit` from outside: from games on disk to weights in a source file, and what it refuses.

use crate::support::{array, play_small_match, refused, succeeds, text};
use halma::evaluation::weights::{COUNT, WEIGHTS};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The engine's own weights.
const SOURCE: &str = include_str!("../../src/evaluation/weights.rs");

/// Fits weights to the games in `run` and writes them into a copy of the source: what is printed, and
/// the copy.
fn fit(folder: &TempDir, run: &Path, more: &[&str]) -> (String, String) {
    let source = folder.path().join("weights.rs");
    fs::write(&source, SOURCE).unwrap();
    let printed = succeeds(&[&["fit", text(run), "--write", text(&source)], more].concat());
    (printed, fs::read_to_string(source).unwrap())
}

/// The text before the numbers, the numbers, and the text after them.
fn parts(source: &str) -> (&str, Vec<f32>, &str) {
    array(source, "[f32; COUNT] = [")
}

/// The log loss in the line that begins with `name`.
fn log_loss(printed: &str, name: &str) -> f64 {
    let line = printed.lines().find(|line| line.starts_with(name)).expect("a line");
    line.split(&[' ', ','][..]).find_map(|word| word.parse().ok()).expect("a number")
}

#[test]
fn weights_are_fitted_to_games_and_written_whole() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "one", "1");
    let (printed, source) = fit(&folder, &run, &[]);
    let (before, weights, after) = parts(&source);
    let (same_before, engine, same_after) = parts(SOURCE);
    assert_eq!((before, after), (same_before, same_after), "only the numbers are replaced");
    assert_eq!(engine, WEIGHTS);
    assert_eq!(weights.len(), COUNT);
    assert_ne!(weights, engine);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    let fitted = log_loss(&printed, "fitted");
    assert!(fitted < std::f64::consts::LN_2, "no better than a guess:\n{printed}");

    // Whoever ended first, and another seed.
    assert_eq!(fit(&folder, &play_small_match(&folder, "two", "2"), &[]), (printed.clone(), source.clone()));
    assert_ne!(fit(&folder, &run, &["--seed", "2"]).1, source);
    // What holds them strongly leaves next to nothing of them, and that is a guess.
    let (printed, source) = fit(&folder, &run, &["--ridge", "1e13"]);
    assert!(parts(&source).1.iter().all(|weight| weight.abs() < 1e-3), "{source}");
    assert!((log_loss(&printed, "fitted") - std::f64::consts::LN_2).abs() < 1e-3, "{printed}");
}

#[test]
fn which_pairs_are_kept_apart_does_not_hang_on_the_order_of_runs() {
    let folder = TempDir::new().unwrap();
    let [one, two] = ["1", "2"].map(|seed| folder.path().join(seed));
    for (out, games) in [(&one, "6"), (&two, "4")] {
        let limits = ["--games", games, "--iterations", "20", "--seed", games, "--out", text(out)];
        succeeds(&[&["match", "mcts(playout=static)", "greedy"][..], &limits].concat());
    }
    // How many positions there are to fit and to test is in the first line.
    let first_line = |runs: [&Path; 2]| {
        let printed = succeeds(&["fit", text(runs[0]), text(runs[1]), "--per-game", "1000"]);
        printed.lines().next().unwrap().to_string()
    };
    assert_eq!(first_line([&one, &two]), first_line([&two, &one]));
}

#[test]
fn all_matches_of_a_run_count() {
    let folder = TempDir::new().unwrap();
    let agents = ["mcts(playout=static)", "greedy", "mcts(playout=static, c=2)"];
    let samples = |agents: &[&str]| {
        let out = folder.path().join(agents.len().to_string());
        let limits = ["--games", "8", "--iterations", "20", "--out", text(&out)];
        succeeds(&[&["tournament"], agents, &limits].concat());
        let printed = succeeds(&["fit", text(&out)]);
        let number = |word: &str| word.parse::<usize>().ok();
        printed.lines().next().unwrap().split_whitespace().filter_map(number).sum::<usize>()
    };
    let (two, three) = (samples(&agents[..2]), samples(&agents));
    assert!(two > 100 && three > 2 * two, "{two} positions of one match, {three} of three");
}

#[test]
fn what_is_broken_is_told_by_file_and_line() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "2");
    let fit_refused = |more: &[&str], part: &str| refused(&[&["fit", text(&run)], more].concat(), part);
    refused(&["fit", "/no/such/folder"], "can't read /no/such/folder");
    fit_refused(&["--blend", "1.5"], "expected a number from 0 to 1");
    fit_refused(&["--ridge", "nan"], "expected a number, 0 or more");
    fit_refused(&["--per-game", "0"], "too few positions to fit and to test");
    let other = folder.path().join("other.rs");
    let write = ["--write", text(&other)];
    fit_refused(&write, "other.rs");
    fs::write(&other, "fn main() {}\n").unwrap();
    fit_refused(&write, "other.rs: this is not the engine's weights.rs");
    assert_eq!(fs::read_to_string(&other).unwrap(), "fn main() {}\n");

    let path = run.join("games.jsonl");
    let games = fs::read_to_string(&path).unwrap();
    let second = games.find('\n').unwrap() + 1;
    fs::write(&path, format!("{}?{}", &games[..second], &games[second..])).unwrap();
    fit_refused(&[], "games.jsonl: line 2 is broken");
    // The first play decided on becomes one that nobody can make.
    let (before, after) = games.split_once("\"plays\":[\"").expect("plays");
    let after = after.split_once('"').expect("a play").1;
    fs::write(&path, format!("{before}\"plays\":[\"8,8 0,0\"{after}")).unwrap();
    fit_refused(&[], "games.jsonl: game ");
    // What a killed run has left of a line is no game.
    fs::write(&path, &games[..games.len() - 9]).unwrap();
    succeeds(&["fit", text(&run)]);
}
