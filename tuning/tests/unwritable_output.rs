//! `lab` when its output can't or must not be written: no command panics, an error keeps its exit status, and no
//! command overwrites a run or its own input.

use crate::support::{Folder, sample};
use crate::tune_command;
use halma::network::Network;
use halma::network::value::ValueNetwork;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Stdio;

/// A file on a disk that is always full.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("there is /dev/full").into()
}

/// A pipe without a reader.
fn closed() -> Stdio {
    std::io::pipe().expect("a pipe").1.into()
}

/// Every command that writes to a path that the user chooses, here OUT.
const WRITERS: [&str; 6] = [
    "export run --out OUT",
    "report run --out OUT",
    "report log.jsonl --out OUT",
    "analyse input.txt --iterations 1 --svg OUT",
    "network own.network --svg OUT",
    "referee --black false --white false --log OUT",
];

#[test]
fn no_command_overwrites_a_run_or_its_own_input() {
    // Together these runs leave every kind of file that a run can leave.
    let sweep = "opponent = 'greedy'\nagent = 'mcts(playout=static)'\ngames = 2\nmax_plies = 30\n\
                 budgets = [{ iterations = 1 }]\n[grid]\nc = [1, 2]\nfpu = [0, 1]\n";
    let folder = Folder::with("sweep.toml", sweep);
    folder.succeeds("sweep sweep.toml --out run");
    folder.write("tune.toml", tune_command::SMALL.replace("iterations = 8", "iterations = 1"));
    folder.succeeds("tune tune.toml --out tune");
    folder.succeeds("referee --black false --white false --log log.jsonl");
    fs::copy(sample(3), folder.path("input.txt")).expect("a sample");
    folder.write("own.network", ValueNetwork::BUILT_IN_FILE);
    for (to, from) in [("run", "link"), ("run/games.jsonl", "games.svg"), ("own.network", "network.svg")] {
        symlink(to, folder.path(from)).expect("a new link");
    }
    let mut runs: Vec<String> = folder.files(".").into_keys().filter(|name| name.contains('/')).collect();
    assert!(runs.len() >= 16, "{runs:?}");
    // Adds a link, and a file that the run has not written yet.
    runs.extend(["games.svg", "run/games.renumbered.jsonl"].map(str::to_string));
    let before = folder.files(".");
    // All writers share one check, so each tries one file, and one of them tries all.
    let one_file = WRITERS.iter().map(|writer| writer.replace("OUT", &runs[0]));
    for command in one_file.chain(runs.iter().map(|name| WRITERS[0].replace("OUT", name))) {
        folder.refused(&command, "belongs to a run; write to another file");
    }
    for (writer, input) in [
        ("report log.jsonl --out", "log.jsonl"),
        ("analyse input.txt --iterations 1 --svg", "input.txt"),
        ("analyse input.txt --agent 'mcts(evaluation=network(file=own.network))' --svg", "own.network"),
        ("network own.network --svg", "own.network"),
        ("network own.network --svg", "network.svg"),
    ] {
        folder.refused(&format!("{writer} {input}"), "is an input of this command; write to another file");
    }
    assert!(folder.files(".") == before, "no file has changed");
    // Other files in the folder of a run are replaced.
    for _ in 0..2 {
        folder.succeeds("analyse input.txt --iterations 1 --svg run/board.svg");
        folder.succeeds("export run --format csv --out run");
    }
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
    let goal =
        ["..............BB", ".............BBB", "............BBBB", "...........BBBBB", "...........BBBBB"];
    let empty = "................\n".repeat(11);
    folder.write("over.txt", format!("SINGLE\nBLACK\n1\n{empty}{}\n", goal.join("\n")));
    for line in [
        "--help",
        "match --help",
        "nonsense",
        "moves input.txt",
        "moves over.txt",
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
        // In `over.txt` the game is over, so nothing is printed.
        assert_eq!(output.status.success(), line == "moves over.txt", "{line}: {stderr}");
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
