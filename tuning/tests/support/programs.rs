//! Programs for the referee's tests, as small shell scripts, and what the referee makes of them.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// The program under test.
pub const LAB: &str = env!("CARGO_BIN_EXE_lab");

/// Black's first play in the scripts: a legal one.
pub const LEGAL: &str = "printf 'E 4,1 5,1\\n' > output.txt";

/// A folder with an executable shell script `program` of this body.
pub fn script(body: &str) -> TempDir {
    let folder = tempdir().expect("a temporary folder");
    let path = folder.path().join("program");
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a new file");
    // As root the referee runs it as another user.
    for path in [folder.path(), &path] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("an own file");
    }
    folder
}

/// The path of the script in `folder`.
pub fn program(folder: &TempDir) -> String {
    folder.path().join("program").to_str().expect("UTF-8").to_string()
}

/// `lab` with `arguments`, in a process group of its own: some of the programs attack their parent's.
pub fn lab(arguments: &[&str]) -> Output {
    Command::new(LAB).args(arguments).process_group(0).output().expect("lab can be started")
}

/// What it printed, on both ways.
pub fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The log of a game of the script as Black, as [`game_with`] plays it.
pub fn game_of(body: &str, arguments: &[&str]) -> Value {
    // Patient by the clock on the wall, as the machine may be busy, but for one that sleeps.
    let sleeps = body.contains("sleep 1000") && !arguments.contains(&"--wall-factor");
    let wall_factor: &[&str] = if sleeps { &["--wall-factor", "3"] } else { &[] };
    let folder = script(body);
    game_with(&program(&folder), &[arguments, wall_factor].concat())
}

/// The log of a game of `black` with half a second, against a greedy agent. It must end with a line for each game.
pub fn game_with(black: &str, arguments: &[&str]) -> Value {
    let folder = tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let white = format!("'{LAB}' agent greedy");
    let mut all = vec!["referee", "--black", black, "--white", &white, "--log", log.to_str().expect("UTF-8")];
    for (flag, value) in [("--grace", "0.2"), ("--wall-factor", "40"), ("--time", "0.5")] {
        if !arguments.contains(&flag) {
            all.extend([flag, value]);
        }
    }
    all.extend(arguments);
    let output = lab(&all);
    assert!(output.status.success(), "{}", printed(&output));
    let log = fs::read_to_string(log).expect("a log");
    assert!(log.ends_with('\n'));
    serde_json::from_str(log.lines().last().expect("a line")).expect("JSON")
}

/// Whether a process with this command line is alive.
pub fn is_running(mark: &str) -> bool {
    let entries = fs::read_dir("/proc").expect("Linux").flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).replace('\0', " ").contains(mark))
}

/// Waits, but not for ever, until `condition` holds.
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        sleep(Duration::from_millis(20));
    }
}
