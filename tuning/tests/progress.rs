//! What runs say on standard error while they are at work.

use crate::support::{lab, text};
use anyhow::Result;
use halma::rules::Rules;
use halma_lab::play::matches::{Count, Settings, Terms};
use halma_lab::play::openings::Openings;
use halma_lab::play::time_control::TimeControl;
use halma_lab::runs::{Arguments, Builds, Conclusion, Match, PlannedRun, Schedule, Shard};
use serde::Serialize;
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

/// A run of these matches.
#[derive(Serialize)]
struct Matches {
    #[serde(skip)]
    matches: Vec<Match>,
}

impl Schedule for Matches {
    fn round(&self, _: &[Count]) -> Result<Vec<Match>> {
        Ok(self.matches.clone())
    }

    fn conclude(&self, counts: &[Count]) -> Result<Conclusion> {
        Conclusion::of(&counts[0].summary(&self.matches[0].settings))
    }

    fn extends(&self, _: &Arguments) -> Result<Option<Box<dyn Schedule>>> {
        Ok(None)
    }
}

#[test]
fn what_is_done_is_weighed_by_the_limits_of_the_games() {
    let terms =
        Terms { seed: 1, openings: Openings::Start, max_plies: 20, rules: Rules::Addendum, tree_nodes: 0 };
    let of_two = |iterations| Match {
        name: String::new(),
        settings: Settings::new(["random"; 2], 1, TimeControl::Iterations(iterations), terms.clone()),
    };
    let matches = Matches { matches: [10, 90].map(of_two).to_vec() };
    let mut told = Vec::new();
    let run = PlannedRun::new("match", matches, Shard::WHOLE).expect("a run");
    run.play(1, None, Builds::Same, &mut |progress| told.push((progress.ended, progress.done)))
        .expect("the games are played");
    let expected = [0.0, 0.05, 0.1, 0.55, 1.0];
    assert_eq!(told.len(), expected.len());
    for ((ended, done), (games, share)) in told.into_iter().zip((0..).zip(expected)) {
        assert!(ended == games && (done - share).abs() < 1e-9, "{ended} games: {done}");
    }
}
