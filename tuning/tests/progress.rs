//! What runs say on standard error while they are at work.

use crate::support::{lab, text};
use std::fs;
use tempfile::TempDir;

/// What `lab` with `arguments` says there, line by line.
fn said(arguments: &[&str]) -> Vec<String> {
    let output = lab(arguments).output().expect("lab starts");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{said}");
    said.lines().map(str::to_string).collect()
}

#[test]
fn a_run_that_goes_on_says_how_many_games_were_kept() {
    let folder = TempDir::new().unwrap();
    let tune = folder.path().join("tune.toml");
    fs::write(
        &tune,
        "agent = 'mcts'\nbudget = { iterations = 1 }\niterations = 3\npairs = 1\nmax_plies = 20\n[parameters.c]\n",
    )
    .unwrap();
    let of_match = ["match", "greedy", "random", "--iterations", "1", "--max-plies", "20", "--games", "6"];
    for (name, run) in [("match", &of_match[..]), ("tune", &["tune", text(&tune)])] {
        let out = folder.path().join(name);
        let run = [run, &["--out", text(&out), "--jobs", "1"]].concat();
        let kept =
            |said: &[String]| said.iter().filter(|line| line.contains("kept")).cloned().collect::<Vec<_>>();
        assert_eq!(kept(&said(&run)), Vec::<String>::new());
        let games = out.join("games.jsonl");
        let lines = fs::read_to_string(&games).unwrap();
        fs::write(&games, lines.split_inclusive('\n').take(5).collect::<String>()).unwrap();
        assert_eq!(kept(&said(&run)), ["note: 5 games were there already and are kept"], "{name}");
        assert_eq!(kept(&said(&run)), ["note: 6 games were there already and are kept"], "{name}");
    }
}

#[test]
fn lines_of_progress_have_the_time_left_the_interval_and_the_bounds() {
    let run = ["match", "random", "random", "--iterations", "1", "--max-plies", "20", "--jobs", "1"];
    let fixed = said(&[&run[..], &["--games", "8"]].concat());
    let line = fixed.iter().find(|line| line.starts_with("4/8 games, ")).expect("a line after two pairs");
    assert!(line.contains(" left, random against random: ") && !line.contains("at most"), "{line}");
    assert!(line.contains("+0 =4 -0, Elo +0 (") && line.contains(" … "), "{line}");
    let last = fixed.last().expect("a line");
    assert!(last.starts_with("8/8 games, random against random"), "{last}");
    let tested = said(&[&run[..], &["--games", "8", "--sprt", "-100", "100"]].concat());
    let line = tested.iter().find(|line| line.starts_with("4/8 games, at most ")).expect("a line");
    assert!(line.contains(", LLR ") && line.ends_with("0.00 in -2.94 … +2.94"), "{line}");
}
