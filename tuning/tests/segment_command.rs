//! `lab segment` from outside: who plays on better from positions of games, and what is refused.

use crate::support::{play_small_match, refused, succeeds, text};
use std::path::Path;
use tempfile::TempDir;

/// Plays `plies` plies from the positions after ply `from` in `run`.
fn segment(a: &str, b: &str, run: &Path, from: &str, plies: &str, more: &[&str]) -> String {
    let fixed = ["--evaluator-iterations", "2000", "--positions", "12"];
    let arguments =
        [&["segment", a, b, text(run), "--from", from, "--plies", plies][..], &fixed, more].concat();
    succeeds(&arguments)
}

/// The advantages that are printed, each with the lower end of its interval.
fn advantages(printed: &str) -> Vec<(f64, f64)> {
    let lines = printed.lines().filter(|line| line.starts_with("advantage"));
    let number = |word: Option<&str>| {
        word.and_then(|word| word.trim_start_matches('(').parse().ok()).expect("a number")
    };
    lines
        .map(|line| {
            let mut words = line.split_whitespace().skip(1);
            (number(words.next()), number(words.next()))
        })
        .collect()
}

#[test]
fn the_better_agent_gets_more_out_of_it_and_equal_ones_nothing() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "8");
    let fifty = ["--iterations", "50"];
    let printed = segment("mcts", "random", &run, "30", "20", &fifty);
    let found = advantages(&printed);
    assert_eq!(found.len(), 2, "two evaluators unless told otherwise: {printed}");
    assert!(found.iter().all(|&(_, least)| least > 0.0), "{printed}");
    assert!(advantages(&segment("random", "mcts", &run, "30", "20", &fifty))[0].0 < 0.0);

    // So does the same agent with more iterations, whichever of the two it is.
    for (counts, sign) in [("600,20", 1.0), ("20,600", -1.0)] {
        let found = advantages(&segment("mcts", "mcts", &run, "30", "20", &["--iterations", counts]));
        assert!(found.iter().all(|&(mean, _)| sign * mean > 0.0), "{found:?}");
    }

    // Nothing is left to chance in alpha-beta: with the seats exchanged it is the same game.
    let alone = ["--iterations", "500", "--evaluator", "mcts"];
    assert_eq!(advantages(&segment("alphabeta", "alphabeta", &run, "30", "8", &alone)), [(0.0, 0.0)]);
}

#[test]
fn the_number_of_threads_makes_no_difference_and_the_seed_does() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "8");
    let with = |more: &[&str]| {
        let more = [&["--iterations", "30", "--positions", "3"][..], more].concat();
        let fixed =
            ["segment", "mcts(playout=static)", "greedy", text(&run), "--from", "24", "--plies", "10"];
        succeeds(&[&fixed[..], &["--evaluator-iterations", "500"], &more].concat())
    };
    let one = with(&["--jobs", "1"]);
    assert_eq!(one, with(&["--jobs", "2"]));
    assert_ne!(one, with(&["--seed", "2"]));
}

#[test]
fn what_cannot_be_played_is_told() {
    let folder = TempDir::new().unwrap();
    let run = play_small_match(&folder, "run", "2");
    let refused_with = |a: &str, more: &[&str], part: &str| {
        let fixed = ["segment", a, "greedy", text(&run), "--plies", "2"];
        refused(&[&fixed[..], more].concat(), part);
    };
    let usual = ["--from", "30", "--iterations", "10"];
    refused_with("best", &usual, "there is no agent 'best'");
    refused_with(
        "mcts",
        &["--from", "4000", "--iterations", "10"],
        "no game in these folders has a position",
    );
    refused_with("mcts", &["--from", "30"], "--iterations");
    refused_with("mcts", &["--from", "30", "--iterations", "1,2,3"], "one number for both agents, or two");
    refused_with("mcts", &[&usual[..], &["--evaluator", "jury"]].concat(), "there is no agent 'jury'");
    refused_with("mcts", &[&usual[..], &["--positions", "0"]].concat(), "--positions");
    refused(
        &["segment", "mcts", "mcts", "/no/such", "--from", "3", "--plies", "1", "--iterations", "1"],
        "can't read /no/such",
    );
}
