//! The programs from outside: run in a folder of their own, their CPU time taken as a referee takes it.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use tempfile::TempDir;

/// The program that plays.
pub const HOMEWORK: &str = env!("CARGO_BIN_EXE_homework");
/// The program that measures the machine.
pub const CALIBRATE: &str = env!("CARGO_BIN_EXE_calibrate");

/// A folder in which a program runs; it is removed in the end.
pub struct Folder(TempDir);

impl Folder {
    /// An empty folder.
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for the test"))
    }

    /// A folder with nothing but this `input.txt`.
    pub fn with_input(input: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write("input.txt", input);
        folder
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Where its file `name` is or would be.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Makes `contents` the contents of `name`.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.file(name), contents).expect("a test's file");
    }

    /// What is in `name`; `None` if there is no such file.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.file(name)).ok()
    }

    /// What is in `name`, which must be there and be text.
    pub fn text(&self, name: &str) -> String {
        let bytes = self.read(name).unwrap_or_else(|| panic!("there is no {name}"));
        String::from_utf8(bytes).unwrap_or_else(|_| panic!("{name} is no text"))
    }

    /// Everything in it, hidden files as well, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder is there");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }

    /// Runs the program `homework` here.
    pub fn homework(&self) -> Run {
        self.run(&mut Command::new(HOMEWORK))
    }

    /// Runs the program `homework` here as on a disk that is nearly full: each file that it writes may have
    /// `blocks` of 512 bytes.
    pub fn homework_with_room_for(&self, blocks: u32) -> Run {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\"");
        self.run(Command::new("sh").args(["-c", &script, HOMEWORK]))
    }

    /// Runs `command` here to its end.
    pub fn run(&self, command: &mut Command) -> Run {
        let command = command.current_dir(self.path()).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // What the programs print fits into a pipe, so none waits while the other is read.
        let stderr = all(child.stderr.take());
        let stdout = all(child.stdout.take());
        let (status, usage) = wait(child);
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
        Run {
            code: status.code(),
            stdout,
            stderr,
            cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            peak_bytes: usage.ru_maxrss as u64 * 1024,
        }
    }
}

/// How a program ran.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its exit status; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
    /// User and system time of this one process, from its start to its end.
    pub cpu_seconds: f64,
    /// The most memory that was resident, or what this test program had when it started the other:
    /// the system counts from before the start.
    pub peak_bytes: u64,
}

fn all(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    pipe.expect("a pipe").read_to_end(&mut bytes).expect("what it prints");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for `child` and for no other, and takes what it has used.
fn wait(child: Child) -> (ExitStatus, libc::rusage) {
    let process = libc::pid_t::try_from(child.id()).expect("a process id");
    let mut status = 0;
    // SAFETY: the C structure holds numbers only, for which zero bytes are a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live variables of the types that the call fills in. Nothing else waits
    // for the child, so its id still stands for it.
    let ended = unsafe { libc::wait4(process, &mut status, 0, &mut usage) };
    assert_eq!(ended, process, "{}", std::io::Error::last_os_error());
    (ExitStatus::from_raw(status), usage)
}
