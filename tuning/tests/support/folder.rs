//! A temporary folder in which `lab` runs, so that tests can use the command lines of a user.

use super::programs::allow;
use super::{LAB, timeless};
use halma::support::random::Random;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The contents of the files below a folder, by path relative to it.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A temporary folder, deleted when dropped. Commands run in it, and file names are relative to it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    /// A folder with one file.
    pub fn with(name: &str, contents: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write(name, contents);
        folder
    }

    /// A folder with the run that `lab LINE --out run` leaves in `run`. Each line is played once and its files are
    /// copied for every test that needs them.
    pub fn played(line: &str) -> Folder {
        Folder::played_with(line, "", "")
    }

    /// Like [`Folder::played`], with a file `name` that the command reads.
    pub fn played_with(line: &str, name: &str, contents: &str) -> Folder {
        type Played = Arc<OnceLock<Files>>;
        static PLAYED: Mutex<Option<HashMap<(String, String), Played>>> = Mutex::new(None);
        let played = {
            let mut all = PLAYED.lock().expect("no test panics with the lock");
            let all = all.get_or_insert_default();
            Arc::clone(all.entry((line.to_string(), contents.to_string())).or_default())
        };
        let files = played.get_or_init(|| {
            let folder = Folder::new();
            if !name.is_empty() {
                folder.write(name, contents);
            }
            folder.succeeds(&format!("{line} --out run"));
            folder.files(".")
        });
        let folder = Folder::new();
        for (name, contents) in files {
            folder.write(name, contents);
        }
        folder
    }

    /// A run of 20 games, most of them decided.
    pub fn small_match() -> Folder {
        Folder::played("match 'mcts(playout=static, race=off)' greedy --games 20 --iterations 20")
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Writes a file, and creates missing parent folders.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a new folder");
        fs::write(path, contents).expect("the file can be written");
    }

    /// Writes a program that every user may run.
    pub fn write_program(&self, name: &str, text: &str) {
        self.write(name, text);
        allow(&self.path(name), 0o755);
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Copies the files of one subfolder to another.
    pub fn copy(&self, from: &str, to: &str) {
        for (name, contents) in self.files(from) {
            self.write(&format!("{to}/{name}"), contents);
        }
    }

    /// Replaces `from`, which the file must contain, wherever it occurs.
    pub fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} does not contain {from}");
        self.write(name, text.replace(from, to));
    }

    /// Keeps only the first lines of a file, as if `lab` had been killed after writing them.
    pub fn keep_lines(&self, name: &str, lines: usize) {
        let text = self.read(name);
        self.write(name, text.split_inclusive('\n').take(lines).collect::<String>());
    }

    /// A command that runs `lab` with these arguments in the folder.
    pub fn lab(&self, line: &str) -> Command {
        let mut command = Command::new(LAB);
        let arguments = shell_words::split(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        command.args(arguments).current_dir(self.root()).env("RUST_BACKTRACE", "0");
        command
    }

    /// Like [`Folder::lab`], but under limits that a shell sets first.
    pub fn lab_under(&self, limits: &str, line: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limits}; exec {LAB} \"$@\""), "lab"]);
        command.args(self.lab(line).get_args()).current_dir(self.root());
        command
    }

    pub fn output(&self, line: &str) -> Output {
        self.lab(line).output().expect("lab starts")
    }

    /// Starts `lab` and discards its output.
    pub fn spawn(&self, line: &str) -> Child {
        self.lab(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lab starts")
    }

    /// Runs `lab`, which must succeed, and returns its standard output.
    pub fn succeeds(&self, line: &str) -> String {
        let Output { status, stdout, stderr } = self.output(line);
        assert!(status.success(), "lab {line}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("lab prints text")
    }

    /// Runs `lab`, which must succeed, and returns its standard error.
    pub fn notes(&self, line: &str) -> String {
        let Output { status, stderr, .. } = self.output(line);
        let notes = String::from_utf8_lossy(&stderr).into_owned();
        assert!(status.success(), "lab {line}: {notes}");
        notes
    }

    /// The JSON that `lab LINE --json` prints.
    pub fn result(&self, line: &str) -> Value {
        let line = format!("{line} --json");
        serde_json::from_str(&self.succeeds(&line)).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// The JSON that `lab LINE --json` prints, without times and provenance.
    pub fn timeless_result(&self, line: &str) -> Value {
        timeless(self.result(line))
    }

    /// Asserts that `lab` fails with exit status 2, leaves standard output empty, and prints an error that contains
    /// `part`.
    pub fn refused(&self, line: &str, part: &str) {
        let Output { status, stdout, stderr } = self.output(line);
        let message = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(2), "lab {line}: {message}");
        assert!(message.contains(part), "lab {line}: expected {part:?} in: {message}");
        assert!(stdout.is_empty(), "lab {line}: it printed something");
    }

    /// Asserts that each case is refused. A case is the rest of a line that begins with `start`, and a part of the
    /// message.
    pub fn refuses(&self, start: &str, cases: &[(&str, &str)]) {
        for (rest, part) in cases {
            self.refused(&format!("{start} {rest}"), part);
        }
    }

    /// Asserts that `lab` fails if no file can exceed `bytes`, rounded up to blocks of 512. Returns the message.
    pub fn refused_on_full_disk(&self, line: &str, bytes: u64) -> String {
        let limits = format!("trap '' XFSZ; ulimit -f {}", bytes.div_ceil(512));
        let output = self.lab_under(&limits, line).output().expect("there is a shell");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "lab {line}: {message}");
        message
    }

    /// Starts `lab` and kills it as soon as `out` contains `games` games, unless it has ended by then.
    pub fn kill_after(&self, line: &str, out: &str, games: usize) {
        let mut child = self.spawn(line);
        while child.try_wait().expect("its status").is_none() && self.lines_of_games(out) < games {
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }

    /// Starts `lab` ten times and kills it each time, a random moment after the games in `out` have grown by a random
    /// number of bytes below `step`. At least five of the kills must come before the run ends.
    pub fn kill_ten_times(&self, line: &str, out: &str, seed: u64, step: u64) {
        let (mut random, mut killed) = (Random::new(seed), 0);
        for _ in 0..10 {
            let enough = self.size_of_games(out) + random.below(step as usize) as u64;
            let mut child = self.spawn(line);
            let mut runs = || child.try_wait().expect("its status").is_none();
            while runs() && self.size_of_games(out) < enough {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(random.below(6) as u64));
            killed += usize::from(runs());
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
        }
        assert!(killed > 4, "only {killed} of 10 kills came before the end");
    }

    pub fn size_of_games(&self, run: &str) -> u64 {
        fs::metadata(self.path(run).join("games.jsonl")).map_or(0, |file| file.len())
    }

    /// The number of lines in all files `games.jsonl` below `name`.
    pub fn lines_of_games(&self, name: &str) -> usize {
        let files = self.files(name).into_iter().filter(|(name, _)| name.ends_with("games.jsonl"));
        files.map(|(_, bytes)| bytes.iter().filter(|&&byte| byte == b'\n').count()).sum()
    }

    /// The games of a run in order of their numbers, with times.
    pub fn timed_games(&self, run: &str) -> Vec<Value> {
        let text = self.read(&format!("{run}/games.jsonl"));
        assert!(text.is_empty() || text.ends_with('\n'), "{run}: a broken last line");
        let mut games: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        games.sort_by_key(number_of);
        games
    }

    /// The games of a run in order of their numbers, without times.
    pub fn games(&self, run: &str) -> Vec<Value> {
        self.timed_games(run).into_iter().map(timeless).collect()
    }

    /// The games of one match of a run, as a run of that match alone would contain them.
    pub fn games_of_match(&self, run: &str, number: u64) -> Vec<Value> {
        let mut games = self.games(run);
        games.retain(|game| game["match"] == number);
        games.iter_mut().for_each(|game| game["match"] = 1.into());
        games
    }

    /// The contents of all files below `name`, by path relative to it.
    pub fn files(&self, name: &str) -> Files {
        fn collect(folder: &Path, prefix: &str, found: &mut Files) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = format!("{prefix}{}", entry.file_name().into_string().expect("UTF-8"));
                if entry.path().is_dir() {
                    collect(&entry.path(), &format!("{name}/"), found);
                } else {
                    found.insert(name, fs::read(entry.path()).unwrap_or_default());
                }
            }
        }
        let mut found = Files::new();
        collect(&self.path(name), "", &mut found);
        found
    }

    /// The text of all files below `name`, with games in order and without times and provenance.
    pub fn timeless(&self, name: &str) -> BTreeMap<String, String> {
        let read = |text: &str| timeless(serde_json::from_str(text).expect("JSON"));
        let text = |(name, bytes): (String, Vec<u8>)| {
            let text = String::from_utf8(bytes).expect("all files are text");
            let text = match name.rsplit_once('.').map(|(_, kind)| kind) {
                Some("jsonl") => {
                    assert!(text.is_empty() || text.ends_with('\n'), "{name} has a broken line");
                    let mut games: Vec<Value> = text.lines().map(read).collect();
                    games.sort_by_key(number_of);
                    games.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
                }
                Some("json") => read(&text).to_string(),
                _ => text,
            };
            (name, text)
        };
        self.files(name).into_iter().map(text).collect()
    }
}

/// The numbers of a game and its match, or of an iteration of a tuning run.
fn number_of(line: &Value) -> [Option<u64>; 3] {
    ["match", "game", "iteration"].map(|name| line[name].as_u64())
}
