//! Small shell scripts as programs for the referee, and the games that they play.

use super::{Folder, LAB};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Output;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The shell command that writes a legal first play for Black.
pub const LEGAL: &str = "printf 'E 4,1 5,1\\n' > output.txt";

/// Sets the permissions of `path`. When root runs the referee, it runs programs as other users.
pub fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("the rights of our own file");
}

/// A shell script in a folder of its own.
pub struct Script(pub Folder);

impl Script {
    pub fn new(body: &str) -> Script {
        let script = Script(Folder::new());
        script.rewrite(body);
        script
    }

    pub fn rewrite(&self, body: &str) {
        self.0.write_program("program", &format!("#!/bin/sh\n{body}\n"));
        allow(self.0.root(), 0o755);
    }

    pub fn path(&self) -> String {
        self.0.path("program").to_str().expect("UTF-8").to_string()
    }

    /// The script as an entrant with these settings, such as `, user=same`, quoted for a command line.
    pub fn entrant(&self, settings: &str) -> String {
        shell_words::quote(&format!("program({}{settings})", self.path())).into_owned()
    }
}

/// The agent `spec` as a program that plays the same wherever it runs.
pub fn agent(spec: &str) -> String {
    format!("program('{LAB}' agent '{spec}' --iterations 8)")
}

/// Runs `lab` in a process group of its own, because some programs attack their parent's.
pub fn apart(line: &str) -> Output {
    Folder::new().lab(line).process_group(0).output().expect("lab starts")
}

/// Standard output and standard error.
pub fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The log of a game with the script `body` as Black, as [`game_with`] plays it.
pub fn game_of(body: &str, options: &str) -> Value {
    // The machine may be busy, so the limit on wall time is generous, except for a program that sleeps.
    let sleeps = body.contains("sleep 1000") && !options.contains("--wall-factor");
    let script = Script::new(body);
    game_with(&script.path(), &format!("{options} {}", if sleeps { "--wall-factor 3" } else { "" }))
}

/// The log of the last game of `black` against the greedy agent, with half a second per game by default.
pub fn game_with(black: &str, options: &str) -> Value {
    let folder = Folder::new();
    let log = folder.path("log.jsonl");
    let mut line = format!(
        "referee --black {} --white \"'{LAB}' agent greedy\" --log {} {options}",
        shell_words::quote(black),
        log.display()
    );
    for option in ["--grace 0.2", "--wall-factor 40", "--time 0.5"] {
        let (name, _) = option.split_once(' ').expect("an option with a value");
        if !options.contains(name) {
            line = format!("{line} {option}");
        }
    }
    let output = apart(&line);
    assert!(output.status.success(), "{}", printed(&output));
    let log = folder.read("log.jsonl");
    assert!(log.ends_with('\n'));
    serde_json::from_str(log.lines().last().expect("a line")).expect("JSON")
}

/// Whether a process whose command line contains `mark` is alive.
pub fn is_running(mark: &str) -> bool {
    let entries = fs::read_dir("/proc").expect("Linux").flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).replace('\0', " ").contains(mark))
}

/// Waits up to 20 seconds for `condition` to hold.
pub fn wait_until(event: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "{event}: still waiting after 20 s");
        sleep(Duration::from_millis(20));
    }
}
