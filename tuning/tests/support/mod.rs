//! What the tests of `lab`'s runs share: running it, and runs without what depends on the machine's speed.

#![allow(dead_code, reason = "each test file uses some of it")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

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

/// How many lines with games there are below `folder`.
pub fn lines_of_games(folder: &Path) -> usize {
    let files = files(folder).into_iter().filter(|(name, _)| name.ends_with("games.jsonl"));
    files.map(|(_, bytes)| bytes.iter().filter(|&&byte| byte == b'\n').count()).sum()
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
/// machine's speed.
pub fn timeless(folder: &Path) -> BTreeMap<String, String> {
    let text = |(name, bytes): (String, Vec<u8>)| {
        let text = String::from_utf8(bytes).expect("all files are text");
        let text = match name.rsplit_once('.').map(|(_, kind)| kind) {
            Some("jsonl") => {
                assert!(text.is_empty() || text.ends_with('\n'), "{name} has a broken line");
                let mut games: Vec<Value> = text.lines().map(timeless_json).collect();
                games.sort_by_key(|game| game["game"].as_u64());
                games.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
            }
            Some("json") => timeless_json(&text).to_string(),
            _ => text,
        };
        (name, text)
    };
    files(folder).into_iter().map(text).collect()
}

/// The JSON in `text` without times.
pub fn timeless_json(text: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|key, _| !["seconds", "iterations_per_second"].contains(&key.as_str()));
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
