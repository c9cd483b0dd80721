//! Runs of every kind, small ones, and their reports.

use super::browser::Browser;
use super::{succeeds, text as name};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An agent with a long name, as experiments have them.
const LONG: &str = "mcts(select=uct, c=1, prior=progress, evaluation=fitted, playout=sampled-jump(cap=20))";

/// A sweep of four cells and two budgets.
pub const SWEEP: &str = r#"
title = "Exploration"
agent = "mcts"
opponent = "mcts(playout=static)"
games = 4
budgets = [{ iterations = 10 }, { iterations = 20 }]
seed = 1
max_plies = 300
[grid]
c = { from = 0.5, to = 2, steps = 2, scale = "log" }
final_visits = [0.7, 1]
"#;

/// A tuning of two parameters.
pub const TUNE: &str = r#"
title = "Exploration by games"
agent = "mcts"
budget = { iterations = 10 }
iterations = 3
pairs = 1
seed = 1
[parameters.c]
from = 0.1
to = 2
step = 0.1
[parameters.final_visits]
step = 0.1
"#;

/// A run in a folder of its own, and the page of its report.
pub struct ReportPage {
    pub folder: TempDir,
    pub page: PathBuf,
}

impl ReportPage {
    /// Of what `command` plays.
    pub fn of(command: &[&str]) -> ReportPage {
        let folder = TempDir::new().expect("a temporary folder");
        succeeds(&[command, &["--jobs", "1", "--out", name(folder.path())]].concat());
        ReportPage::again(folder)
    }

    /// Of what `command` plays from a file with `text`.
    pub fn of_file(command: &str, text: &str) -> ReportPage {
        let file = TempDir::new().expect("a temporary folder");
        let path = file.path().join("file.toml");
        fs::write(&path, text).expect("writable");
        ReportPage::of(&[command, name(&path)])
    }

    /// Of what lies in `folder` now.
    pub fn again(folder: TempDir) -> ReportPage {
        succeeds(&["report", name(folder.path())]);
        let page = folder.path().join("report.html");
        ReportPage { folder, page }
    }

    pub fn a_match() -> ReportPage {
        ReportPage::of(&["match", "mcts(playout=static)", LONG, "--games", "4", "--iterations", "20"])
    }

    pub fn tournament() -> ReportPage {
        ReportPage::of(&["tournament", "greedy", "random", LONG, "--games", "4", "--iterations", "10"])
    }

    pub fn sprt() -> ReportPage {
        let test = ["--sprt", "0", "50", "--games", "12", "--iterations", "5"];
        ReportPage::of(&[&["match", "greedy", "random"], &test[..]].concat())
    }

    /// A log of the referee has a report too.
    fn referee() -> ReportPage {
        let folder = TempDir::new().expect("a temporary folder");
        let (log, greedy) =
            (folder.path().join("log.jsonl"), format!("{} agent greedy", env!("CARGO_BIN_EXE_lab")));
        let players = ["referee", "--black", &greedy, "--white", &greedy, "--time", "100"];
        succeeds(&[&players[..], &["--max-plies", "9", "--games", "1", "--log", name(&log)]].concat());
        succeeds(&["report", name(&log)]);
        let page = folder.path().join("log.html");
        ReportPage { folder, page }
    }

    /// One report of each kind.
    pub fn all() -> Vec<(&'static str, ReportPage)> {
        vec![
            ("match", ReportPage::a_match()),
            ("sprt", ReportPage::sprt()),
            ("tournament", ReportPage::tournament()),
            ("sweep", ReportPage::of_file("sweep", SWEEP)),
            ("sweep of each against each", {
                let each = SWEEP.replace("opponent = \"mcts(playout=static)\"", "each_other = true");
                ReportPage::of_file("sweep", &each.replace("games = 4", "games = 2"))
            }),
            ("tune", ReportPage::of_file("tune", TUNE)),
            ("referee", ReportPage::referee()),
        ]
    }

    /// The page.
    pub fn text(&self) -> String {
        fs::read_to_string(&self.page).expect("a report")
    }

    /// What the run has found: `result.json`.
    pub fn result(&self) -> Value {
        let path = self.folder.path().join("result.json");
        serde_json::from_slice(&fs::read(path).expect("a result")).expect("JSON")
    }

    /// The page in a browser, at the address that ends in `address`.
    pub fn browser(&self, program: &Path, address: &str, size: (u32, u32), scheme: &str) -> Browser {
        let mut browser = Browser::open(program, &self.page);
        browser.visit(&self.page, address, size, scheme);
        browser
    }
}
