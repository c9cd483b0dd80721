//! The programs, run in folders of their own, with their CPU time measured as a referee measures it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use tempfile::TempDir;

/// The program that plays.
pub const HOMEWORK: &str = env!("CARGO_BIN_EXE_homework");
/// The program that measures the machine.
pub const CALIBRATE: &str = env!("CARGO_BIN_EXE_calibrate");

/// A temporary folder in which a program runs.
pub struct Folder(TempDir);

impl Folder {
    /// An empty folder.
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    /// A folder with this `input.txt`.
    pub fn with_input(input: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write("input.txt", input);
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of `name` in this folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.file(name), contents).expect("a test's file");
    }

    /// The contents of `name`; `None` if it cannot be read.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.file(name)).ok()
    }

    /// The contents of `name`, which must be text.
    pub fn text(&self, name: &str) -> String {
        let bytes = self.read(name).unwrap_or_else(|| panic!("{name} is missing"));
        String::from_utf8(bytes).unwrap_or_else(|_| panic!("{name} is not text"))
    }

    /// Makes a directory called `name`.
    pub fn make_directory(&self, name: &str) {
        fs::create_dir(self.file(name)).expect("a new directory");
    }

    /// Makes a pipe called `name`.
    pub fn make_pipe(&self, name: &str) {
        assert!(Command::new("mkfifo").arg(self.file(name)).status().expect("mkfifo starts").success());
    }

    /// Makes a link to `target` called `name`.
    pub fn link(&self, target: &str, name: &str) {
        symlink(target, self.file(name)).expect("a new link");
    }

    /// The sorted names of the entries, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder exists");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// The entries, with the contents of regular files.
    pub fn contents(&self) -> BTreeMap<String, Option<Vec<u8>>> {
        let is_file = |name: &str| fs::symlink_metadata(self.file(name)).is_ok_and(|entry| entry.is_file());
        let contents = |name: &String| is_file(name).then(|| self.read(name)).flatten();
        self.names().into_iter().map(|name| (name.clone(), contents(&name))).collect()
    }

    /// Runs the program `homework` here.
    pub fn homework(&self) -> Run {
        self.run(&mut Command::new(HOMEWORK))
    }

    /// Runs `setup` here in a shell, which `program` then replaces.
    pub fn run_after(&self, setup: &str, program: &str) -> Run {
        self.run(Command::new("sh").args(["-c", &format!("{setup}\nexec \"$0\" \"$@\""), program]))
    }

    /// Runs `command` here until it ends.
    pub fn run(&self, command: &mut Command) -> Run {
        let command = command.current_dir(self.path()).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // The output fits into a pipe, so the program does not wait for its reader.
        let stderr = all(child.stderr.take());
        let stdout = all(child.stdout.take());
        let (status, usage) = wait(child);
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
        Run {
            code: status.code(),
            stdout,
            stderr,
            cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        }
    }
}

/// The result of running a program.
#[derive(Clone, Debug)]
pub struct Run {
    /// The exit status; `None` if a signal ended the program.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// The user and system time of this process.
    pub cpu_seconds: f64,
}

fn all(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    pipe.expect("a pipe").read_to_end(&mut bytes).expect("readable output");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for `child`; returns its status and resource usage.
fn wait(child: Child) -> (ExitStatus, libc::rusage) {
    let process = libc::pid_t::try_from(child.id()).expect("a process id");
    let mut status = 0;
    // SAFETY: the C structure holds only numbers, for which zero bytes are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live variables of the types that the call writes. Nothing else waits for the
    // child, so its id is still its own.
    let ended = unsafe { libc::wait4(process, &mut status, 0, &mut usage) };
    assert_eq!(ended, process, "{}", std::io::Error::last_os_error());
    (ExitStatus::from_raw(status), usage)
}
