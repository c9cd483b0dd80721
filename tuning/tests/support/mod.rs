//! What the tests of `lab`'s runs share: running it, and runs without what depends on the machine's speed.

pub mod browser;
pub mod programs;
pub mod report;
pub mod server;

use halma::support::random::Random;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// `lab` with `arguments`.
pub fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lab"));
    command.args(arguments).env("RUST_BACKTRACE", "0");
    command
}

/// What `lab` with `arguments` prints; it must succeed.
pub fn succeeds(arguments: &[&str]) -> String {
    let output = lab(arguments).output().expect("lab starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("lab prints text")
}

/// `lab` with `arguments` must fail with a message that has `part` in it, and print nothing else.
pub fn refused(arguments: &[&str], part: &str) {
    let Output { status, stdout, stderr } = lab(arguments).output().expect("lab starts");
    let message = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(part), "{arguments:?}: {message}");
    assert!(stdout.is_empty(), "{arguments:?}");
}

/// `lab` with `arguments` must fail on a disk that has no room for files of more than `bytes`
/// (rounded up to the shell's blocks of 512), and say why: what it says.
pub fn refused_on_full_disk(arguments: &[&str], bytes: u64) -> String {
    let limit = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", bytes.div_ceil(512));
    let output = Command::new("sh")
        .args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_lab")])
        .args(arguments)
        .output()
        .expect("there is a shell");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    message
}

/// Plays a small match, mostly of decided games, below `folder` on `jobs` threads: its folder.
pub fn play_small_match(folder: &TempDir, name: &str, jobs: &str) -> PathBuf {
    let out = folder.path().join(name);
    let players = ["match", "mcts(playout=static)", "greedy", "--games", "20", "--iterations", "20"];
    succeeds(&[&players[..], &["--jobs", jobs, "--out", text(&out)]].concat());
    out
}

/// Starts `lab` with `arguments` and kills it as soon as there are `games` games below `folder`, if
/// it has not ended by then.
pub fn kill_after(arguments: &[&str], folder: &Path, games: usize) {
    let mut child = lab(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lab starts");
    while child.try_wait().unwrap().is_none() && lines_of_games(folder) < games {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Starts `lab` with `arguments` ten times and kills it each time when `size()` has grown by a random
/// number of bytes below `step`, and a random moment more has passed. Most times it must not have
/// come to its end.
pub fn kill_ten_times(arguments: &[&str], seed: u64, step: u64, size: impl Fn() -> u64) {
    let (mut random, mut killed) = (Random::new(seed), 0);
    for _ in 0..10 {
        let enough = size() + random.below(step as usize) as u64;
        let mut child =
            lab(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lab starts");
        let mut runs = || child.try_wait().expect("it can be asked").is_none();
        while runs() && size() < enough {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(random.below(6) as u64));
        killed += usize::from(runs());
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    assert!(killed > 4, "it was killed in the middle {killed} times only");
}

/// How many lines with games there are below `folder`.
pub fn lines_of_games(folder: &Path) -> usize {
    let files = files(folder).into_iter().filter(|(name, _)| name.ends_with("games.jsonl"));
    files.map(|(_, bytes)| bytes.iter().filter(|&&byte| byte == b'\n').count()).sum()
}

/// The games of a run without their seconds, by number.
pub fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).expect("there are games");
    assert!(text.ends_with('\n'));
    let mut games: Vec<Value> = text.lines().map(timeless_json).collect();
    games.sort_by_key(place);
    games
}

/// The games of one match of a run, as a run of that match alone has them.
pub fn games_of_match(folder: &Path, number: u64) -> Vec<Value> {
    let mut games = games(folder);
    games.retain(|game| game["match"] == number);
    games.iter_mut().for_each(|game| game["match"] = 1.into());
    games
}

/// The numbers of a game's match and of the game, or of an iteration of a tuning run.
fn place(line: &Value) -> [Option<u64>; 3] {
    ["match", "game", "iteration"].map(|name| line[name].as_u64())
}

/// All files below `folder`, by their path in it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(
                files(&entry.path()).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)),
            );
        } else {
            found.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
    found
}

/// All files below `folder`: games in the order of their numbers, and nothing that depends on the
/// machine or its speed.
pub fn timeless(folder: &Path) -> BTreeMap<String, String> {
    let text = |(name, bytes): (String, Vec<u8>)| {
        let text = String::from_utf8(bytes).expect("all files are text");
        let text = match name.rsplit_once('.').map(|(_, kind)| kind) {
            Some("jsonl") => {
                assert!(text.is_empty() || text.ends_with('\n'), "{name} has a broken line");
                let mut games: Vec<Value> = text.lines().map(timeless_json).collect();
                games.sort_by_key(place);
                games.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
            }
            Some("json") => timeless_json(&text).to_string(),
            _ => text,
        };
        (name, text)
    };
    files(folder).into_iter().map(text).collect()
}

/// The JSON in `text` without times, and without what says by which command, when and where it was played.
pub fn timeless_json(text: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                let is_time = |key: &str| {
                    let names = ["seconds", "began", "sessions", "provenance"];
                    names.contains(&key) || key.ends_with("_per_second")
                };
                map.retain(|key, _| !is_time(key));
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => (),
        }
    }
    let mut value = serde_json::from_str(text).expect("it is JSON");
    strip(&mut value);
    value
}

/// A path as text.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}
