//! What `lab` does where its output can't be written: no command may panic, and an error stays an error.

use crate::support::{lab, text};
use std::fs::{self, File};
use std::process::{Command, Stdio};
use tempfile::tempdir;

/// A file on a disk that is always full.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("there is /dev/full").into()
}

/// A pipe without a reader.
fn closed() -> Stdio {
    std::io::pipe().expect("a pipe").1.into()
}

/// An `input.txt` of the course's.
const INPUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/halma/3.input.txt");

#[test]
fn an_error_that_nobody_can_read_has_its_status() {
    for arguments in [&["moves", "absent.txt"][..], &["match", "mcts", "nobody"], &["report", "absent"]] {
        for stderr in [full(), closed()] {
            let status = lab(arguments).stdout(Stdio::null()).stderr(stderr).status().expect("lab starts");
            assert_eq!(status.code(), Some(2), "{arguments:?}");
        }
    }
}

#[test]
fn notes_of_lab_agent_that_nobody_can_read_change_nothing() {
    let folder = tempdir().expect("a folder");
    fs::copy(INPUT, folder.path().join("input.txt")).expect("the course's input");
    fs::write(folder.path().join("calibration.txt"), "garbage").expect("a useless file");
    for stderr in [full(), closed()] {
        let mut command = lab(&["agent", "greedy"]);
        let status = command.current_dir(folder.path()).stderr(stderr).status().expect("lab starts");
        assert_eq!(status.code(), Some(0));
        fs::remove_file(folder.path().join("output.txt")).expect("an answer");
    }
}

#[test]
fn no_command_panics_where_nothing_can_be_printed() {
    let folder = tempdir().expect("a folder");
    let commands: [&[&str]; 10] = [
        &["--help"],
        &["match", "--help"],
        &["nonsense"],
        &["moves", INPUT],
        &["perft", INPUT, "--depth", "1"],
        &["analyse", INPUT, "--iterations", "10"],
        &["match", "greedy", "random", "--games", "4", "--iterations", "1", "--max-plies", "40"],
        &["tournament", "greedy", "random", "--games", "2", "--iterations", "1", "--max-plies", "40"],
        &["referee", "--black", "lab agent greedy", "--white", "false", "--time", "1"],
        &["grade", "false", "--moves", "1", "--games", "0"],
    ];
    for arguments in commands {
        for output in [full, closed] {
            let mut command = lab(arguments);
            command.current_dir(folder.path()).stdin(Stdio::null()).stdout(output()).stderr(output());
            let code = command.status().expect("lab starts").code();
            assert!(matches!(code, Some(0..=2)), "{arguments:?}: {code:?}");
        }
        // What is printed can't be written, and the error can be read.
        let output = lab(arguments).current_dir(folder.path()).stdin(Stdio::null()).stdout(full()).output();
        let stderr = String::from_utf8_lossy(&output.expect("lab starts").stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_no_signal() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("run");
    let arguments = [
        "match",
        "greedy",
        "random",
        "--games",
        "20",
        "--iterations",
        "1",
        "--max-plies",
        "100",
        "--jobs",
        "1",
        "--out",
    ];
    let script = "ulimit -c 0; ulimit -f 8; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_lab")]).args(arguments).arg(text(&out));
    let output = command.output().expect("there is a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("can't write ") && stderr.contains("games.jsonl"), "{stderr}");
}
