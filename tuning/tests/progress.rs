//! The notes and progress lines that runs print on standard error while they play.

use crate::support::Folder;
use anyhow::Result;
use halma::rules::Rules;
use halma_lab::play::matches::{Count, Settings, Terms};
use halma_lab::play::openings::Openings;
use halma_lab::play::time_control::TimeControl;
use halma_lab::runs::{Arguments, Builds, Conclusion, Match, PlannedRun, Schedule, Shard};
use serde::Serialize;

#[test]
fn a_run_that_goes_on_says_how_many_games_were_kept() {
    let tune = "agent = 'mcts'\nbudget = { iterations = 1 }\niterations = 3\npairs = 1\nmax_plies = 20\n[parameters.c]\n";
    let of_match = "match greedy random --iterations 1 --max-plies 20 --games 6";
    for line in [of_match, "tune tune.toml"] {
        let folder = Folder::with("tune.toml", tune);
        let kept = || {
            let notes = folder.notes(&format!("{line} --out run --jobs 1"));
            notes.lines().filter(|line| line.contains("kept")).map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(kept(), [] as [&str; 0]);
        folder.keep_lines("run/games.jsonl", 5);
        assert_eq!(kept(), ["note: 5 games in the folder are kept"], "{line}");
        assert_eq!(kept(), ["note: 6 games in the folder are kept"], "{line}");
    }
}

#[test]
fn lines_of_progress_show_the_time_left_the_interval_and_the_bounds() {
    let run = "match random random --iterations 1 --max-plies 20 --jobs 1 --games 8";
    let fixed = Folder::new().notes(run);
    let line = fixed.lines().find(|line| line.starts_with("4/8 games, ")).expect("a line after two pairs");
    assert!(line.contains(" left, random against random: ") && !line.contains("at most"), "{line}");
    assert!(line.contains("+0 =4 -0, Elo +0 (") && line.contains(" … "), "{line}");
    let last = fixed.lines().last().expect("a line");
    assert!(last.starts_with("8/8 games, random against random"), "{last}");
    let tested = Folder::new().notes(&format!("{run} --sprt -100 100"));
    let line = tested.lines().find(|line| line.starts_with("4/8 games, at most ")).expect("a line");
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
fn progress_is_weighed_by_the_limits_of_the_games() {
    let terms =
        Terms { seed: 1, openings: Openings::Start, max_plies: 20, rules: Rules::Addendum, tree_nodes: 0 };
    let of_two = |iterations| Match {
        name: String::new(),
        settings: Settings::new(["random"; 2], 1, TimeControl::Iterations(iterations), terms.clone()),
    };
    let matches = Matches { matches: [10, 90].map(of_two).to_vec() };
    let mut updates = Vec::new();
    let run = PlannedRun::new("match", matches, Shard::WHOLE).expect("a run");
    run.play(1, None, Builds::Same, &mut |progress| updates.push((progress.ended, progress.done)))
        .expect("the games are played");
    let expected = [0.0, 0.05, 0.1, 0.55, 1.0];
    assert_eq!(updates.len(), expected.len());
    for ((ended, done), (games, share)) in updates.into_iter().zip((0..).zip(expected)) {
        assert!(ended == games && (done - share).abs() < 1e-9, "{ended} games: {done}");
    }
}
