//! Every kind of run leaves the same files for any number of threads, in shards, and after kills, incomplete lines and
//! full disks.

use crate::support::programs::agent;
use crate::support::{Folder, timeless};
use crate::{sweep_command, tune_command};
use halma_lab::play::matches::{Settings, Terms};
use halma_lab::play::time_control::TimeControl;
use halma_lab::runs::{Builds, PlannedRun, Shard};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A run that the tests play in several ways.
struct Run {
    line: String,
    /// The contents of `file.toml`.
    file: String,
    /// The number of shards; 1 if each round depends on the games before it.
    shards: usize,
    /// The seed that decides when it is killed; `None` if it is too short to be killed.
    seed: Option<u64>,
}

impl Run {
    /// Plays the run undisturbed, in `run` of a new folder.
    fn played(&self) -> Folder {
        Folder::played_with(&self.line, "file.toml", &self.file)
    }

    /// Plays or continues the run in `out`, and returns its result.
    fn result(&self, folder: &Folder, out: &str, options: &str) -> Value {
        folder.timeless_result(&format!("{} {options} --out {out}", self.line))
    }

    /// Continues the run in `out`, and asserts that all its files are those of `run`.
    fn assert_whole(&self, folder: &Folder, out: &str, options: &str) {
        let result = self.result(folder, out, options);
        assert_eq!(result, timeless(folder.json("run/result.json")), "{} {options}", self.line);
        assert_eq!(folder.timeless(out), folder.timeless("run"), "{} {options}", self.line);
    }
}

fn runs() -> [Run; 6] {
    let run = |line: &str, file: &str, shards, seed| {
        // Games played to the end would take three times as long. Only the first match has races, which take half its
        // time.
        let file = file.replacen("\n[", "\nmax_plies = 60\n[", 1);
        Run { line: line.to_string(), file, shards, seed }
    };
    let odds = "match 'mcts(race=off)' 'mcts(race=off)' --games 4 --iterations 40,10 --max-plies 40";
    [
        run("match mcts greedy --games 15 --iterations 40 --max-plies 60 --seed 7", "", 3, Some(3)),
        run("match random greedy --games 15 --iterations 40 --seed 7", "", 1, None),
        run(odds, "", 2, None),
        run(
            "tournament 'mcts(race=off)' greedy random --games 9 --iterations 30 --max-plies 60",
            "",
            3,
            Some(7),
        ),
        run("sweep file.toml", sweep_command::SMALL, 2, Some(11)),
        run("tune file.toml", tune_command::SMALL, 1, Some(5)),
    ]
}

/// A match of programs.
fn of_programs() -> Run {
    let agents = shell_words::join([agent("mcts(race=off)"), agent("mcts(c=1)")]);
    let line = format!("match {agents} --cpu 100 --games 16 --max-plies 12");
    Run { line, file: String::new(), shards: 2, seed: Some(1) }
}

#[test]
fn the_number_of_jobs_does_not_matter() {
    for run in runs() {
        let folder = run.played();
        run.assert_whole(&folder, "one", "--jobs 1");
        run.assert_whole(&folder, "three", "--jobs 3");
        run.assert_whole(&folder, "one", "");
    }
}

/// The last shard is killed once, and the shards are merged in reverse order.
#[test]
fn merged_shards_are_the_unsharded_run() {
    for run in runs().into_iter().chain([of_programs()]) {
        let (folder, count) = (run.played(), run.shards);
        let mut merge = "merge merged".to_string();
        for index in (1..=count).rev() {
            let shard = format!("{} --shard {index}/{count} --out {index}", run.line);
            if index == count {
                folder.kill_after(&shard, &index.to_string(), 1);
            }
            folder.succeeds(&shard);
            merge = format!("{merge} {index}");
        }
        for time in ["first", "second"] {
            let result = folder.timeless_result(&merge);
            assert_eq!(result, timeless(folder.json("run/result.json")), "{merge}: {time} time");
            assert_eq!(folder.timeless("merged"), folder.timeless("run"), "{merge}: {time} time");
        }
        let games = folder.read("merged/games.jsonl");
        let places = games.lines().map(|line| {
            let game: Value = serde_json::from_str(line).expect("JSON");
            ["match", "game"].map(|name| game[name].as_u64())
        });
        assert!(places.is_sorted(), "{}: the games are merged in order", run.line);
    }
}

/// Each run is killed ten times, each time after it has written a random amount of game data.
#[test]
fn killed_and_resumed_is_as_if_undisturbed() {
    for run in runs().into_iter().chain([of_programs()]) {
        let Some(seed) = run.seed else { continue };
        let folder = run.played();
        let line = format!("{} --out wild", run.line);
        folder.kill_ten_times(&line, "wild", seed, folder.size_of_games("run") / 6);
        run.assert_whole(&folder, "wild", "");
    }
}

#[test]
fn a_broken_last_line_is_played_again() {
    for (number, run) in runs().into_iter().enumerate() {
        let folder = run.played();
        folder.copy("run", "cut");
        let whole = folder.read("run/games.jsonl");
        // Alternate runs are cut at different places.
        let early = [[0, whole.len() / 2], [1, whole.len() * 5 / 7]][number % 2];
        for bytes in early.into_iter().chain([whole.len() - 1, whole.len()]) {
            folder.write("cut/games.jsonl", &whole[..bytes]);
            run.assert_whole(&folder, "cut", "");
        }
    }
}

/// The disk has room for half of the games.
#[test]
fn a_full_disk_is_an_error_that_loses_no_game() {
    for run in runs() {
        let folder = run.played();
        let line = format!("{} --jobs 1 --out full", run.line);
        let message = folder.refused_on_full_disk(&line, folder.size_of_games("run") / 2);
        assert!(
            message.contains("can't write") && message.contains("games.jsonl: File too large"),
            "{message}"
        );
        let (kept, all) = (folder.lines_of_games("full"), folder.lines_of_games("run"));
        assert!(0 < kept && kept < all, "{line}: {kept} of {all} games");
        assert!(!folder.exists("full/result.json") && !folder.exists("full/sweep.csv"), "{line}");
        run.assert_whole(&folder, "full", "");
    }
}

#[test]
fn a_run_stopped_from_outside_goes_on_later() {
    let folder = Folder::played("match greedy random --games 6 --iterations 1 --max-plies 20");
    let terms = Terms { max_plies: 20, ..Terms::default() };
    let play = |pairs, is_stopped| {
        let limit = TimeControl::Iterations(1);
        let settings = Settings::new(["greedy", "random"], pairs, limit, terms.clone());
        let run = PlannedRun::new("match", settings, Shard::WHOLE)?;
        let run = run.stopped_by(Arc::new(AtomicBool::new(is_stopped)));
        run.play(1, Some(&folder.path("stopped")), Builds::Same, &mut |_| ())
    };
    play(1, false).expect("one pair");
    assert_eq!(play(3, true).expect_err("stopped").to_string(), "the run was stopped");
    assert_eq!(folder.read("stopped/games.jsonl").lines().count(), 2);
    assert!(!folder.exists("stopped/result.json"));
    play(3, false).expect("the games that were left");
    assert_eq!(folder.timeless("stopped")["games.jsonl"], folder.timeless("run")["games.jsonl"]);
    play(3, true).expect("nothing was left to stop");
}
