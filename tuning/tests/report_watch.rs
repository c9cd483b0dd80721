//! `lab report --watch`: the report of a run under way.

use crate::support::{lab, succeeds, text};
use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const REFRESH: &str = "<meta http-equiv=\"refresh\" content=\"1\">";

#[test]
fn the_report_is_written_again_until_the_run_has_ended() {
    let folder = TempDir::new().unwrap();
    let run = ["match", "greedy", "random", "--iterations", "1", "--max-plies", "20", "--games", "6"];
    let run = [&run[..], &["--out", text(folder.path())]].concat();
    succeeds(&run);
    let page = || fs::read_to_string(folder.path().join("report.html")).unwrap_or_default();
    let watch = ["report", text(folder.path()), "--watch", "1"];
    assert!(succeeds(&watch).contains("games: 6,"), "what has ended is written once");
    assert!(!page().contains(REFRESH));
    // As if it had been killed.
    fs::remove_file(folder.path().join("result.json")).unwrap();
    let games = folder.path().join("games.jsonl");
    let lines = fs::read_to_string(&games).unwrap();
    fs::write(&games, lines.split_inclusive('\n').take(4).collect::<String>()).unwrap();
    succeeds(&["report", text(folder.path())]);
    assert!(!page().contains(REFRESH), "nobody watches");
    let mut child = lab(&watch).stdout(Stdio::piped()).spawn().expect("lab starts");
    while !page().contains(REFRESH) {
        assert_eq!(child.try_wait().unwrap(), None, "the run has not ended");
        thread::sleep(Duration::from_millis(10));
    }
    succeeds(&run);
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    let [first, last] = ["games: 4,", "games: 6,"].map(|part| printed.find(part));
    assert!(first.is_some() && last > first, "{printed}");
    assert!(!page().contains(REFRESH), "there is nothing more to load");
}
