//! Small runs of every kind and their reports.

use super::browser::Browser;
use super::{Folder, LAB};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// An agent with a long name, as in experiments.
const LONG: &str =
    "'mcts(select=uct, c=1, prior=progress, evaluation=fitted, race=off, playout=sampled-jump(cap=20))'";

/// A sweep of four cells and two budgets.
pub const SWEEP: &str = r#"
title = "Exploration"
agent = "mcts(race=off)"
opponent = "mcts(playout=static, race=off)"
games = 4
budgets = [{ iterations = 10 }, { iterations = 20 }]
seed = 1
max_plies = 300
[grid]
c = { from = 0.5, to = 2, steps = 2, scale = "log" }
final_visits = [0.7, 1]
"#;

/// [`SWEEP`], but with every setting playing every other.
pub fn sweep_of_each() -> String {
    SWEEP
        .replace("opponent = \"mcts(playout=static, race=off)\"", "each_other = true")
        .replace("games = 4", "games = 2")
}

/// A tuning run over two parameters.
pub const TUNE: &str = r#"
title = "Exploration by games"
agent = "mcts(race=off)"
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

/// A run in the folder `run`, and the page of its report.
pub struct ReportPage {
    pub folder: Folder,
    pub page: PathBuf,
}

impl ReportPage {
    /// The report of the run that `line` plays.
    pub fn of(line: &str) -> ReportPage {
        ReportPage::again(Folder::played(&format!("{line} --jobs 1")))
    }

    /// The report of the run that `command` plays from a file with this text.
    pub fn of_file(command: &str, text: &str) -> ReportPage {
        let line = format!("{command} file.toml --jobs 1");
        ReportPage::again(Folder::played_with(&line, "file.toml", text))
    }

    /// The report of the run as it is now.
    pub fn again(folder: Folder) -> ReportPage {
        folder.succeeds("report run");
        let page = folder.path("run/report.html");
        ReportPage { folder, page }
    }

    pub fn a_match() -> ReportPage {
        ReportPage::of(&format!("match 'mcts(playout=static, race=off)' {LONG} --games 4 --iterations 20"))
    }

    pub fn tournament() -> ReportPage {
        ReportPage::of(&format!("tournament greedy random {LONG} --games 4 --iterations 10"))
    }

    pub fn sprt() -> ReportPage {
        ReportPage::of("match greedy random --sprt 0 50 --games 12 --iterations 5")
    }

    /// The report of a referee's log.
    fn referee() -> ReportPage {
        let folder = Folder::new();
        let players = format!("--black '{LAB} agent greedy' --white '{LAB} agent greedy'");
        folder.succeeds(&format!("referee {players} --time 100 --max-plies 9 --games 1 --log log.jsonl"));
        folder.succeeds("report log.jsonl");
        let page = folder.path("log.html");
        ReportPage { folder, page }
    }

    /// One report of each kind.
    pub fn all() -> Vec<(&'static str, ReportPage)> {
        vec![
            ("match", ReportPage::a_match()),
            ("sprt", ReportPage::sprt()),
            ("tournament", ReportPage::tournament()),
            ("sweep", ReportPage::of_file("sweep", SWEEP)),
            ("sweep of each against each", ReportPage::of_file("sweep", &sweep_of_each())),
            ("tune", ReportPage::of_file("tune", TUNE)),
            ("referee", ReportPage::referee()),
        ]
    }

    pub fn text(&self) -> String {
        std::fs::read_to_string(&self.page).expect("a report")
    }

    /// The run's `result.json`.
    pub fn result(&self) -> Value {
        self.folder.json("run/result.json")
    }

    /// Opens the page in a browser, at an address that ends in `address`.
    pub fn browser(&self, program: &Path, address: &str, size: (u32, u32), scheme: &str) -> Browser {
        let mut browser = Browser::open_address(program, "about:blank");
        browser.visit(&self.page, address, size, scheme);
        browser
    }
}

/// The index of the game that a report shows, and the ply shown.
pub fn shown(browser: &mut Browser) -> (u64, u64) {
    let shown = browser.evaluate(
        "[Number(document.querySelector('.row.current').dataset.place), \
         Number(document.querySelector('#board svg').dataset.ply)]",
    );
    (shown[0].as_u64().expect("a game"), shown[1].as_u64().expect("a ply"))
}
