//! Attacks on the referee and on grading by small hostile programs. None of them gains anything, a program that breaks
//! something loses, and each game ends with a verdict.
//!
//! When root runs the referee, each program gets a user of its own, with fewer rights. Other users can only run
//! programs as themselves, as `--same-user` does. When root runs the tests, they try both.

use crate::support::programs::{LEGAL, Script, allow, apart, game_of, game_with, printed};
use crate::support::{Folder, LAB, list, number, string};
use nix::sys::signal::{SigHandler, Signal, signal};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// A shell loop that uses one or two tenths of a second of CPU time.
const BURN: &str = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

/// A shell command that prints the CPU time that its shell has used, in hundredths of a second.
const REPORT: &str = "cut -d\" \" -f14-15 /proc/$$/stat >&2";

/// The CPU seconds that the processes of the first run reported by [`REPORT`].
fn reported(log: &Value) -> f64 {
    let ticks = string(&log["runs"][0]["stderr"]).split_whitespace();
    ticks.map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

/// The CPU seconds charged for the first run.
fn charged(log: &Value) -> f64 {
    number(&log["runs"][0]["cpu"])
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("Linux").uid() == 0
}

/// Whether `test`, which needs root, can run. If it can't, prints that it is skipped.
fn has_root(test: &str) -> bool {
    if !is_root() {
        println!("skipped: {test}: only root can run programs as other users");
    }
    is_root()
}

/// The options for the users of programs that can be tried here: without root, only the default.
fn users() -> Vec<&'static str> {
    if is_root() { vec!["", "--same-user"] } else { vec![""] }
}

/// The methods of counting CPU time that work on this machine. Prints which one is skipped, if any.
fn accountings() -> Vec<&'static str> {
    let output = apart("referee --black true --white true --accounting cgroup --max-plies 1");
    if output.status.success() {
        return vec!["sampling", "cgroup"];
    }
    assert!(printed(&output).contains("can't make a cgroup"), "{}", printed(&output));
    println!("skipped: counting by cgroup: {}", printed(&output).trim_end());
    vec!["sampling"]
}

/// The kind of fault in the last run, or `none`.
fn fault(log: &Value) -> &str {
    let last = list(&log["runs"]).last().expect("a run");
    last["fault"].as_str().unwrap_or("none")
}

/// Asserts that Black, which is A, lost by a fault of this kind, described by a text that contains `detail`.
#[track_caller]
fn assert_black_loses(log: &Value, kind: &str, detail: &str, attack: &str) {
    assert_eq!((fault(log), &log["winner"]), (kind, &"B".into()), "{attack}: {log}");
    assert!(string(&log["fault"]).contains(detail), "{attack}: {log}");
}

/// A hostile program: the referee starts this test program with this test. A process that ignores SIGCHLD has no
/// children to wait for, and the system forgets how much time they used.
#[test]
#[ignore = "a program for the referee"]
fn ignores_its_children() {
    if !Path::new("input.txt").exists() {
        return; // Started with all ignored tests, not by the referee.
    }
    // SAFETY: ignoring a signal never runs code of ours.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) }.expect("the signal can be ignored");
    let burn = format!("{BURN}; {REPORT}");
    let children = [(); 3].map(|()| Command::new("sh").args(["-c", &burn]).spawn().expect("a shell"));
    for child in children {
        while Path::new(&format!("/proc/{}", child.id())).exists() {
            sleep(Duration::from_millis(5));
        }
    }
    fs::write("output.txt", "E 4,1 5,1\n").expect("a new file");
}

#[test]
fn children_that_nobody_waits_for_are_charged() {
    let this = std::env::current_exe().expect("this test program");
    let black =
        format!("'{}' --ignored --exact --nocapture referee_attacks::ignores_its_children", this.display());
    for accounting in accountings() {
        let log = game_with(&black, &format!("--time 0.15 --grace 60 --accounting {accounting}"));
        assert_black_loses(&log, "out-of-time", "", accounting);
        assert_eq!(log["programs"][0]["accounting"], accounting);
        // The referee may miss the last moments of each process.
        let (charged, reported) = (charged(&log), reported(&log));
        assert!(
            (reported - 0.15..reported + 0.15).contains(&charged),
            "{accounting}: {charged} s for {reported} s"
        );
    }
}

#[test]
fn no_child_is_charged_twice() {
    for (accounting, children) in accountings().into_iter().flat_map(|name| [(name, 1), (name, 3)]) {
        let body = format!("{LEGAL}; {}", format!("sh -c '{BURN}; {REPORT}'; ").repeat(children));
        let log = game_of(&body, &format!("--time 60 --max-plies 1 --accounting {accounting}"));
        let (charged, reported) = (charged(&log), reported(&log));
        assert!(
            (reported - 0.05..reported + 0.1).contains(&charged),
            "{accounting}: {charged} s for {reported} s"
        );
    }
}

#[test]
fn a_chain_of_forks_does_not_escape() {
    // Each process of a chain starts the next one and ends. A list of processes, which takes time to make, may
    // therefore contain none of the chain. The processes write to a file as long as it exists.
    let links = "link() { [ -e FILE ] || exit; echo x >> FILE || exit; link & exit; }; link & link & link & sleep 0.05";
    for accounting in accountings() {
        let folder = Folder::with("alive", "");
        let alive = folder.path("alive");
        allow(folder.root(), 0o755);
        allow(&alive, 0o666);
        let body = format!("{LEGAL}; {}", links.replace("FILE", alive.to_str().expect("UTF-8")));
        let options = format!("--games 20 --max-plies 1 --time 20 --accounting {accounting}");
        let log = game_of(&body, &options);
        assert_eq!(log["reason"], "more-time-left", "{log}");
        let written = || fs::metadata(&alive).expect("a file").len();
        let before = written();
        sleep(Duration::from_millis(300));
        assert!(before > 0 && written() == before, "{accounting}: a process lives on, or none ever ran");
    }
}

#[test]
fn a_program_can_read_its_input_whatever_the_umask() {
    let script = Script::new(&format!("cat input.txt >&2 && {LEGAL}"));
    let folder = Folder::new();
    let line = format!("referee --black {} --white true --max-plies 1 --log log.jsonl", script.path());
    let output = folder.lab_under("umask 077", &line).output().expect("there is a shell");
    assert!(output.status.success(), "{}", printed(&output));
    let log: Value = serde_json::from_str(&folder.read("log.jsonl")).expect("JSON");
    assert_eq!(fault(&log), "none", "{log}");
    assert!(string(&log["runs"][0]["stderr"]).starts_with("GAME\nBLACK\n"), "{log}");
}

#[test]
fn a_program_that_spoils_its_folder_loses() {
    let victim = Folder::with("kept", "unchanged");
    let kept = victim.path("kept");
    symlink(&kept, victim.path("link")).expect("a link");
    let kept = kept.display();
    for spoil in [
        "rm input.txt; mkdir input.txt",
        "rm input.txt; mkdir -p input.txt/a/b; chmod 0 input.txt/a",
        "rm input.txt; mkfifo input.txt",
        &format!("rm input.txt; ln -s {kept} input.txt"),
    ] {
        // Both games end with a verdict.
        let log = game_of(&format!("{LEGAL}; {spoil}"), "--games 2");
        assert_black_loses(&log, "folder", "input.txt", spoil);
        assert_eq!(log["game"], 2, "{spoil}: {log}");
    }
    // The referee follows no link, neither to write the next input nor to remove files.
    for link in ["ln -s", "ln"] {
        let spoil = format!("rm -f playdata.txt output.txt; {link} {kept} playdata.txt");
        game_of(&format!("{LEGAL}; {spoil}"), "--games 2");
        assert_eq!(victim.read("kept"), "unchanged");
    }
    for user in users() {
        let log = game_of(&format!("{LEGAL}; rm -rf \"$PWD\""), user);
        assert!(log["winner"] == "B" || list(&log["runs"]).len() > 1, "{log}");
    }
}

#[test]
fn a_program_that_kills_its_parents_loses() {
    let group = "kill -KILL -$(cut -d' ' -f5 /proc/$PPID/stat)";
    for (attack, detail) in [
        (group, "killed by SIGKILL"),
        ("kill -KILL $PPID", "killed by SIGKILL"),
        ("kill -TERM $PPID", "ended with exit status 130"),
    ] {
        // The program attacks in the first game or in the second.
        for body in [
            format!("{LEGAL}; {attack}; sleep 1000"),
            format!("{LEGAL}; [ -e second ] && {attack}; touch second"),
        ] {
            let log = game_of(&body, "--games 2 --same-user --time 1");
            assert_black_loses(&log, "unsupervised", detail, &body);
            assert_eq!(log["game"], 2, "{body}: {log}");
        }
    }
    // A stopped supervisor does not answer: the referee waits a few seconds longer than the program may take.
    let stop = format!("{LEGAL}; kill -STOP $PPID");
    let log = game_of(&stop, "--same-user --time 3 --wall-factor 1");
    assert_black_loses(&log, "unsupervised", "stopped", &stop);
    if has_root("a user of its own can't signal the referee") {
        for attack in [group, "kill -KILL $PPID", "kill -STOP $PPID"] {
            let log = game_of(&format!("{attack} 2> /dev/null; {LEGAL}"), "--max-plies 1");
            assert_eq!(log["reason"], "more-time-left", "{attack}: {log}");
        }
    }
}

#[test]
fn a_program_that_can_not_be_started_is_an_error_at_once() {
    let folder = Folder::new();
    allow(folder.root(), 0o755);
    let path = |name: &str| folder.path(name).to_str().expect("UTF-8").to_string();
    let write = |name: &str, mode: u32, text: &str| {
        folder.write(name, text);
        allow(&folder.path(name), mode);
    };
    write("no-right", 0o644, "#!/bin/sh\n");
    write("no-interpreter", 0o755, "#!/no/such/interpreter\n");
    write("witness", 0o755, &format!("#!/bin/sh\necho x >> {}\n{LEGAL}\n", path("played")));
    write("played", 0o666, "");
    let witness = path("witness");
    for (name, part) in [
        ("no-such-program", "there is no program no-such-program"),
        (&path("no-file"), "there is no program"),
        (&path("no-right"), "is not executable"),
        (folder.root().to_str().expect("UTF-8"), "there is no program"),
        (&path("no-interpreter"), "can't be started"),
    ] {
        for line in [
            format!("referee --black {name} --white {witness} --games 5 --time 5"),
            format!("referee --black {witness} --white {name} --games 5 --time 5"),
            format!("grade {name} --moves 2 --games 0"),
        ] {
            let output = apart(&line);
            let text = printed(&output);
            assert_eq!(output.status.code(), Some(2), "{line}: {text}");
            assert!(text.contains(part) && text.contains(name), "{line}: {text}");
            assert!(!text.contains("wins") && !text.contains("score"), "{line}: {text}");
        }
    }
    // Only the missing interpreter goes unnoticed until the program's turn.
    assert_eq!(folder.read("played"), "x\n");
    // A program that makes itself unusable later loses.
    let log = game_of(&format!("{LEGAL}; rm -f \"$0\""), "--same-user");
    assert_black_loses(&log, "not-started", "", "rm $0");
}

#[test]
fn files_processes_and_memory_are_limited() {
    let write = |bytes| format!("head -c {bytes} /dev/zero > big; wc -c < big >&2; {LEGAL}");
    // `tail` keeps the end of its input in memory.
    let hold = |bytes| format!("(head -c {bytes} /dev/zero; sleep 2) | tail -c {bytes} > /dev/null");
    let hold_or_fail = |bytes| format!("({}) || exit 3; {LEGAL}", hold(bytes));
    let hold_four_times = format!("{LEGAL}; for i in 1 2 3 4; do ({}) & done; wait", hold(40_000_000));
    let start = |count| format!("{LEGAL}; for i in $(seq {count}); do sleep 1 & done; wait");
    for user in users() {
        // The program's script, the game's options, and the possible faults.
        for (body, options, faults) in [
            (hold_or_fail(20_000_000), "--memory 100", &["none"][..]),
            (hold_or_fail(200_000_000), "--memory 100", &["memory", "crashed"]),
            (hold_four_times.clone(), "--memory 100 --accounting sampling", &["memory"]),
            (start(10), "--processes 30", &["none"]),
            // If the program has its own user, the system refuses more processes; otherwise the referee counts them.
            (start(60), "--processes 30", &["processes", "crashed"]),
        ] {
            let log = game_of(&body, &format!("{options} {user} --time 20 --max-plies 1"));
            assert!(faults.contains(&fault(&log)), "{body}: {log}");
            let has_fault = faults != ["none"];
            assert_eq!(log["reason"] == "more-time-left", !has_fault, "{body}: {log}");
            assert!(!has_fault || log["winner"] == "B", "{body}: {log}");
        }
        // A file may not grow beyond the limit: the process that writes more is killed.
        for (bytes, written) in [(900_000, "900000\n"), (3_000_000, "1048576\n")] {
            let log = game_of(&write(bytes), &format!("--file-size 1 {user} --time 20 --max-plies 1"));
            assert!(string(&log["runs"][0]["stderr"]).ends_with(written), "{log}");
        }
    }
}

#[test]
fn only_the_end_of_standard_error_is_kept() {
    let body = "head -c 50000000 /dev/zero >&2; [ -f /proc/self/fd/2 ] || echo nowhere >&2";
    let log = game_of(&format!("{LEGAL}; {body}"), "--max-plies 1 --time 20");
    let kept = string(&log["runs"][0]["stderr"]);
    assert!(kept.ends_with("nowhere\n") && kept.chars().count() == 2000, "{}", kept.len());
}

#[test]
fn as_root_each_program_has_a_user_and_a_folder_of_its_own() {
    if !has_root("programs as users of their own") {
        return;
    }
    let folder = Folder::new();
    allow(folder.root(), 0o755);
    let secret = folder.path("white/calibration.txt");
    let spy = Script::new(&format!(
        "{LEGAL}; (id -u; id -G; cat {0} && echo read; echo x > {0} && echo written; touch ../x && echo made) >&2; \
         sleep 1000 & [ $(id -u) = 0 ] || kill -KILL -1",
        secret.display()
    ));
    let white = Script::new("id -u >&2; echo E 11,15 10,15 > output.txt");
    let calibrate = Script::new("umask 077; echo mine > calibration.txt");
    let output = apart(&format!(
        "referee --black {} --white {} --white-calibrate {} --folders {root} --log {root}/log --first white --max-plies 2",
        spy.path(),
        white.path(),
        calibrate.path(),
        root = folder.root().display(),
    ));
    assert!(output.status.success(), "{}", printed(&output));
    let log = folder.json("log");
    let [black, white] = [0, 1].map(|side| log["programs"][side]["user"].as_u64().expect("a user"));
    assert!(black != 0 && white != 0 && black != white, "{black} {white}");
    assert_eq!(log["runs"][0]["stderr"], format!("{white}\n"));
    let reported = string(&log["runs"][1]["stderr"]);
    assert!(reported.starts_with(&format!("{black}\n{black}\n")), "{reported}");
    assert!(!["\nread", "\nwritten", "\nmade"].iter().any(|done| reported.contains(done)), "{reported}");
    // The only processes that it could kill were its own.
    assert_eq!(log["reason"], "more-time-left", "{log}");
    assert_eq!(folder.read("white/calibration.txt"), "mine\n");
}

#[test]
fn programs_out_of_reach_of_their_user_are_copied_or_refused() {
    if !has_root("programs out of reach") {
        return;
    }
    // A native executable is copied, but other programs may need further files.
    let script = Script::new(LEGAL);
    let copied = script.0.path("copied");
    fs::copy(LAB, &copied).expect("a copy");
    allow(script.0.root(), 0o700);
    let copied = format!("\"'{}' agent greedy\"", copied.display());
    let game = |black: &str, more: &str| {
        apart(&format!("referee --black {black} --white {copied} --max-plies 1 {more}"))
    };
    let output = game(&copied, "");
    assert!(output.status.success() && printed(&output).contains("as users"), "{}", printed(&output));
    // A calibration program with the same name is still a different program.
    let other = Folder::new();
    fs::copy("/bin/true", other.path("copied")).expect("a copy");
    let output = game(&copied, &format!("--black-calibrate {}", other.path("copied").display()));
    assert!(output.status.success(), "{}", printed(&output));
    assert!(printed(&output).contains("more-time-left"), "{}", printed(&output));
    let output = game(&script.path(), "");
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for part in [&script.path(), "chmod o+rx", "--same-user"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let output = game(&script.path(), "--same-user");
    assert!(output.status.success(), "{}", printed(&output));
}
