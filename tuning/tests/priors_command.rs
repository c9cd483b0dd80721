//! `lab priors` from outside: from games on disk to weights in a source file, and what it refuses.

use crate::support::{array, play_small_match, refused, succeeds, text};
use halma::prior::COUNT;
use halma_lab::fit::games::split;
use halma_lab::priors::quality::Quality;
use halma_lab::priors::regression::fit;
use halma_lab::priors::tables::hundredths;
use halma_lab::priors::{labels::label, questions};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The engine's own weights.
const SOURCE: &str = include_str!("../../src/prior/weights.rs");

/// What keeps a run short.
const QUICK: [&str; 4] = ["--nodes", "300", "--per-game", "6"];

/// Fits weights to the games in `run` and writes them into a copy of the source: what is printed, and
/// the copy.
fn priors(folder: &TempDir, run: &Path, more: &[&str]) -> (String, String) {
    let source = folder.path().join("weights.rs");
    fs::write(&source, SOURCE).unwrap();
    let arguments = [&["priors", text(run), "--write", text(&source)], &QUICK[..], more].concat();
    (succeeds(&arguments), fs::read_to_string(source).unwrap())
}

#[test]
fn weights_are_fitted_on_any_number_of_threads_and_written_whole() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "2");
    let (printed, source) = priors(&folder, &run, &["--jobs", "1"]);
    let (before, weights, after) = array::<i16>(&source, "[i16; COUNT] = [");
    let (same_before, rest) = SOURCE.split_once("[i16; COUNT] = [").expect("the array's begin");
    let same_after = rest.split_once("];").expect("its end").1;
    assert_eq!((before, after), (same_before, same_after), "only the numbers are replaced");
    assert_eq!(weights.len(), COUNT);
    assert!(weights.iter().any(|&weight| weight != 0));
    assert!(source.lines().all(|line| line.chars().count() < 110), "{source}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    let names: Vec<&str> = printed.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(names, ["positions", "present", "fitted"], "{printed}");

    assert_eq!(priors(&folder, &run, &["--jobs", "2"]), (printed, source.clone()));
    assert_ne!(priors(&folder, &run, &["--seed", "2"]).1, source);
}

#[test]
fn fitted_weights_foretell_plays_of_games_they_have_not_seen() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "2");
    let questions = questions::load(&[run], 25, 1).unwrap();
    let choices = label(&questions, 300, 2, &mut |_| ()).unwrap();
    assert_eq!(choices.len(), questions.len());
    let (train, test) = split(&choices, |choice| choice.pair).unwrap();
    let fitted = Quality::of(&hundredths(&fit(&train, 5, 1), &train), &test);
    let guess = Quality::of(&[0; COUNT], &test);
    assert!(fitted.log_loss < guess.log_loss - 0.3, "{fitted} after {guess}");
    for (fitted, guess) in fitted.among_first.iter().zip(guess.among_first) {
        assert!(*fitted > guess, "{fitted} after {guess}");
    }
}

#[test]
fn what_there_is_too_little_of_is_told() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "2");
    let priors_refused =
        |run: &Path, more: &[&str], part: &str| refused(&[&["priors", text(run)], more].concat(), part);
    priors_refused(Path::new("/no/such/folder"), &[], "can't read /no/such/folder");
    priors_refused(&run, &["--per-game", "0"], "too few positions to fit and to test");
    priors_refused(&run, &["--nodes", "0"], "--nodes");
    priors_refused(&run, &["--epochs", "0"], "--epochs");
    let other = folder.path().join("other.rs");
    // The evaluation's are not the priors'.
    fs::write(&other, include_str!("../../src/evaluation/weights.rs")).unwrap();
    priors_refused(&run, &["--write", text(&other)], "other.rs: this is not the engine's weights.rs");

    let draws = folder.path().join("draws");
    let short = ["match", "greedy", "greedy", "--games", "2", "--iterations", "1", "--max-plies", "9"];
    succeeds(&[&short[..], &["--openings", "start", "--out", text(&draws)]].concat());
    priors_refused(&draws, &[], "there is no decided game");
}
