//! `lab` where its output can't be written: no command panics, and an error keeps its exit status.

use crate::support::{Folder, sample};
use std::fs::{self, File};
use std::process::Stdio;

/// A file on a disk that is always full.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("there is /dev/full").into()
}

/// A pipe without a reader.
fn closed() -> Stdio {
    std::io::pipe().expect("a pipe").1.into()
}

#[test]
fn an_error_without_a_reader_keeps_its_exit_status() {
    let folder = Folder::new();
    for line in ["moves absent.txt", "match mcts nobody", "report absent"] {
        for stderr in [full(), closed()] {
            let status = folder.lab(line).stdout(Stdio::null()).stderr(stderr).status().expect("lab starts");
            assert_eq!(status.code(), Some(2), "{line}");
        }
    }
}

#[test]
fn notes_without_a_reader_do_not_stop_lab_agent() {
    let folder = Folder::with("calibration.txt", "garbage");
    fs::copy(sample(3), folder.path("input.txt")).expect("a sample");
    for stderr in [full(), closed()] {
        let status = folder.lab("agent greedy").stderr(stderr).status().expect("lab starts");
        assert_eq!(status.code(), Some(0));
        folder.remove("output.txt");
    }
}

#[test]
fn no_command_panics_where_nothing_can_be_printed() {
    let folder = Folder::new();
    fs::copy(sample(3), folder.path("input.txt")).expect("a sample");
    for line in [
        "--help",
        "match --help",
        "nonsense",
        "moves input.txt",
        "perft input.txt --depth 1",
        "analyse input.txt --iterations 10",
        "match greedy random --games 4 --iterations 1 --max-plies 40",
        "tournament greedy random --games 2 --iterations 1 --max-plies 40",
        "referee --black 'lab agent greedy' --white false --time 1",
        "grade false --moves 1 --games 0",
    ] {
        for output in [full, closed] {
            let mut lab = folder.lab(line);
            lab.stdin(Stdio::null()).stdout(output()).stderr(output());
            let code = lab.status().expect("lab starts").code();
            assert!(matches!(code, Some(0..=2)), "{line}: {code:?}");
        }
        // Standard output can't be written, but the error can be read.
        let output = folder.lab(line).stdin(Stdio::null()).stdout(full()).output().expect("lab starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_not_a_signal() {
    let folder = Folder::new();
    let line = "match greedy random --games 20 --iterations 1 --max-plies 100 --jobs 1 --out run";
    let output = folder.lab_under("ulimit -c 0; ulimit -f 8", line).output().expect("there is a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("can't write ") && stderr.contains("games.jsonl"), "{stderr}");
}
