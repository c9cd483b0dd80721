//! Attacks on the referee and on the grading, each by a small hostile program: it gains nothing by it, loses where it
//! broke something, and the run goes on to a verdict.
//!
//! As root the referee gives each program a user of its own, who may do less; `--same-user` is what others have. Both are
//! tried where both are possible.

use crate::support::programs::{LAB, LEGAL, game_of, game_with, lab, printed, program, script};
use nix::sys::signal::{SigHandler, Signal, signal};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;
use tempfile::tempdir;

/// Uses CPU time, some tenths of a second.
const BURN: &str = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";

/// Tells how much CPU time the shell has used, in hundredths of a second.
const TELL: &str = "cut -d' ' -f14-15 /proc/$$/stat >&2";

/// The CPU seconds that the children of the first run told of.
fn told(log: &Value) -> f64 {
    let ticks = log["runs"][0]["stderr"].as_str().expect("a text").split_whitespace();
    ticks.map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("Linux").uid() == 0
}

/// Whether to go on with a test that needs root. Says so where it does not run.
fn has_root(test: &str) -> bool {
    if !is_root() {
        println!("skipped: {test}: only root can run programs as other users");
    }
    is_root()
}

/// The ways in which time can be counted on this machine. Says so where one of them can't.
fn accountings() -> Vec<&'static str> {
    let try_it =
        ["referee", "--black", "true", "--white", "true", "--accounting", "cgroup", "--max-plies", "0"];
    let output = lab(&try_it);
    if output.status.success() {
        return vec!["sampling", "cgroup"];
    }
    assert!(printed(&output).contains("can't make a cgroup"), "{}", printed(&output));
    println!("skipped: counting by cgroup: {}", printed(&output).trim_end());
    vec!["sampling"]
}

fn is_lost_by_black(log: &Value) -> bool {
    log["winner"] == "B" && log["fault"].is_string()
}

/// The kind of fault of the last run.
fn fault(log: &Value) -> &str {
    let last = log["runs"].as_array().and_then(|runs| runs.last()).expect("a run");
    last["fault"].as_str().unwrap_or("none")
}

/// The CPU seconds charged for the first run.
fn charged(log: &Value) -> f64 {
    log["runs"][0]["cpu"].as_f64().expect("a number")
}

/// A hostile program: this very test program, started by the referee. Who ignores SIGCHLD has no children to wait for, and
/// the system forgets what they used.
#[test]
#[ignore = "a program for the referee"]
fn ignores_its_children() {
    if !Path::new("input.txt").exists() {
        return; // Somebody runs all tests that are ignored.
    }
    // SAFETY: to ignore a signal runs no code of ours at any time.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) }.expect("the signal can be ignored");
    let sh = |code: &str| Command::new("sh").args(["-c", code]).spawn().expect("a shell");
    let burn = format!("{BURN}; {TELL}");
    let children: Vec<Child> = [&burn, &burn, &burn].map(|code| sh(code)).into();
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
        let log = game_with(&black, &["--time", "0.3", "--grace", "60", "--accounting", accounting]);
        assert_eq!((fault(&log), is_lost_by_black(&log)), ("out-of-time", true), "{log}");
        assert_eq!(log["programs"][0]["accounting"], accounting);
        // The last moments of each may be missed.
        let (charged, told) = (charged(&log), told(&log));
        assert!((told - 0.15..told + 0.15).contains(&charged), "{accounting}: {charged} s for {told} s");
    }
}

#[test]
fn nobody_is_charged_twice() {
    for (accounting, children) in accountings().into_iter().flat_map(|name| [(name, 1), (name, 3)]) {
        let child = format!("sh -c '{BURN}; {}'; ", TELL.replace('\'', "\""));
        let body = format!("{LEGAL}; {}", child.repeat(children));
        let log = game_of(&body, &["--time", "60", "--max-plies", "1", "--accounting", accounting]);
        let (charged, told) = (charged(&log), told(&log));
        assert!((told - 0.05..told + 0.1).contains(&charged), "{accounting}: {charged} s for {told} s");
    }
}

#[test]
fn nobody_flees_by_a_chain_of_forks() {
    // Each process of a chain starts the next and ends, so that a list of processes, made one after the other, may have
    // none of it. They write to a file as long as it is there.
    let links = "link() { [ -e FILE ] || exit; echo x >> FILE || exit; link & exit; }; link & link & link & sleep 0.05";
    for accounting in accountings() {
        let folder = tempdir().expect("a folder");
        let alive = folder.path().join("alive");
        fs::write(&alive, "").expect("a new file");
        for (path, mode) in [(folder.path(), 0o755), (&alive, 0o666)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("an own file");
        }
        let body = format!("{LEGAL}; {}", links.replace("FILE", alive.to_str().expect("UTF-8")));
        let games = ["--games", "20", "--max-plies", "1", "--time", "20", "--accounting", accounting];
        let log = game_of(&body, &games);
        assert_eq!(log["reason"], "more-time-left", "{log}");
        let written = || fs::metadata(&alive).expect("a file").len();
        let before = written();
        sleep(Duration::from_millis(300));
        assert!(before > 0 && written() == before, "{accounting}: something lives on, or nothing ever did");
    }
}

#[test]
fn a_spoilt_folder_is_the_program_s_loss() {
    let victim = tempdir().expect("a folder");
    let (kept, link) = (victim.path().join("kept"), victim.path().join("link"));
    fs::write(&kept, "as it was").expect("a new file");
    symlink(&kept, &link).expect("a link");
    let kept_path = kept.to_str().expect("UTF-8");
    for spoil in [
        "rm input.txt; mkdir input.txt".to_string(),
        "rm input.txt; mkdir -p input.txt/a/b; chmod 0 input.txt/a".to_string(),
        "rm input.txt; mkfifo input.txt".to_string(),
        format!("rm input.txt; ln -s {kept_path} input.txt"),
    ] {
        // Both games end with a verdict.
        let log = game_of(&format!("{LEGAL}; {spoil}"), &["--games", "2"]);
        assert!(is_lost_by_black(&log), "{spoil}: {log}");
        assert_eq!((&log["game"], fault(&log)), (&2.into(), "folder"), "{spoil}: {log}");
        assert!(log["fault"].as_str().expect("a text").contains("input.txt"), "{spoil}: {log}");
    }
    // Where it writes the next input is no way to another file, nor is where it looks for what it removes.
    for spoil in ["ln -s", "ln"] {
        let spoil = format!("rm -f playdata.txt output.txt; {spoil} {kept_path} playdata.txt");
        game_of(&format!("{LEGAL}; {spoil}"), &["--games", "2"]);
        assert_eq!(fs::read_to_string(&kept).expect("a file"), "as it was");
    }
    for mode in users() {
        let log = game_of(&format!("{LEGAL}; rm -rf \"$PWD\""), mode);
        assert!(
            is_lost_by_black(&log) || log["runs"].as_array().is_some_and(|plies| plies.len() > 1),
            "{log}"
        );
    }
}

/// The arguments for all ways of choosing users that are possible here.
fn users() -> Vec<&'static [&'static str]> {
    if is_root() { vec![&[], &["--same-user"]] } else { vec![&[]] }
}

#[test]
fn who_kills_its_parents_loses() {
    for (attack, how) in [
        ("kill -KILL -$(cut -d' ' -f5 /proc/$PPID/stat)", "killed by SIGKILL"),
        ("kill -KILL $PPID", "killed by SIGKILL"),
        ("kill -TERM $PPID", "ended with exit status 130"),
    ] {
        // Once in the first game and once in the second.
        for body in [
            format!("{LEGAL}; {attack}; sleep 1000"),
            format!("{LEGAL}; [ -e second ] && {attack}; touch second"),
        ] {
            let same_user = ["--games", "2", "--same-user", "--time", "1"];
            let log = game_of(&body, &same_user);
            assert_eq!((&log["game"], fault(&log)), (&2.into(), "unsupervised"), "{body}: {log}");
            assert!(is_lost_by_black(&log), "{body}: {log}");
            assert!(log["fault"].as_str().expect("a text").contains(how), "{body}: {log}");
        }
    }
    // One that was stopped does not answer: the referee waits for some seconds more than the program may take.
    let stop = ["--same-user", "--time", "3", "--wall-factor", "1"];
    let log = game_of(&format!("{LEGAL}; kill -STOP $PPID"), &stop);
    assert_eq!((fault(&log), is_lost_by_black(&log)), ("unsupervised", true), "{log}");
    assert!(log["fault"].as_str().expect("a text").contains("stopped"), "{log}");
    if has_root("a user of its own can't signal the referee") {
        for attack in
            ["kill -KILL -$(cut -d' ' -f5 /proc/$PPID/stat)", "kill -KILL $PPID", "kill -STOP $PPID"]
        {
            let log = game_of(&format!("{attack} 2> /dev/null; {LEGAL}"), &["--max-plies", "1"]);
            assert_eq!(log["reason"], "more-time-left", "{attack}: {log}");
        }
    }
}

#[test]
fn ends_by_any_signal_are_told() {
    // The first of the signals that have no names.
    let log = game_of(&format!("{LEGAL}; sh -c 'kill -34 $$'; kill -35 $$"), &[]);
    assert_eq!((fault(&log), is_lost_by_black(&log)), ("crashed", true), "{log}");
    assert!(log["fault"].as_str().expect("a text").contains("signal 35"), "{log}");
}

#[test]
fn what_can_not_be_started_is_an_error_at_once() {
    let folder = tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("an own folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_string();
    let write = |name: &str, mode: u32, text: &str| {
        fs::write(path(name), text).expect("a new file");
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("an own file");
    };
    write("no-right", 0o644, "#!/bin/sh\n");
    write("no-interpreter", 0o755, "#!/no/such/interpreter\n");
    write("witness", 0o755, &format!("#!/bin/sh\necho x >> {}\n{LEGAL}\n", path("played")));
    write("played", 0o666, "");
    for (name, part) in [
        ("no-such-program", "there is no program no-such-program"),
        (&path("no-file"), "there is no program"),
        (&path("no-right"), "is not executable"),
        (folder.path().to_str().expect("UTF-8"), "there is no program"),
        (&path("no-interpreter"), "can't be started"),
    ] {
        let witness = path("witness");
        for (black, white) in [(name, witness.as_str()), (&witness, name)] {
            let output = lab(&["referee", "--black", black, "--white", white, "--games", "5", "--time", "5"]);
            let text = printed(&output);
            assert_eq!(output.status.code(), Some(2), "{name}: {text}");
            assert!(text.contains(part) && text.contains(name) && !text.contains("wins"), "{name}: {text}");
        }
        let output = lab(&["grade", name, "--moves", "2", "--games", "0"]);
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{name}: {text}");
        assert!(text.contains(part) && !text.contains("score"), "{name}: {text}");
    }
    // Only what can't be seen beforehand is found when it is its turn.
    assert_eq!(fs::read_to_string(path("played")).expect("a file"), "x\n");
    // What makes itself unusable later loses.
    let log = game_of(&format!("{LEGAL}; rm -f \"$0\""), &["--same-user"]);
    assert_eq!((fault(&log), is_lost_by_black(&log)), ("not-started", true), "{log}");
}

#[test]
fn files_processes_and_memory_are_limited() {
    for mode in users() {
        let game = |body: &str, arguments: &[&str]| {
            let arguments = [arguments, mode, &["--time", "20", "--max-plies", "1"]].concat();
            game_of(body, &arguments)
        };
        // No more than what is allowed is on the disk, and what writes more is killed.
        let write = |bytes: usize| format!("head -c {bytes} /dev/zero > big; wc -c < big >&2; {LEGAL}");
        for (bytes, written) in [(900_000, "900000\n"), (3_000_000, "1048576\n")] {
            let log = game(&write(bytes), &["--file-size", "1"]);
            assert!(log["runs"][0]["stderr"].as_str().expect("a text").ends_with(written), "{log}");
        }

        // The one that keeps the end of its input has that in memory.
        let hold =
            |bytes: usize| format!("(head -c {bytes} /dev/zero; sleep 2) | tail -c {bytes} > /dev/null");
        let log = game(&format!("({}) || exit 3; {LEGAL}", hold(20_000_000)), &["--memory", "100"]);
        assert_eq!(log["reason"], "more-time-left", "{log}");
        let log = game(&format!("({}) || exit 3; {LEGAL}", hold(200_000_000)), &["--memory", "100"]);
        assert!(["memory", "crashed"].contains(&fault(&log)), "{log}");
        // Four of them have too much together.
        let four = format!("{LEGAL}; for i in 1 2 3 4; do ({}) & done; wait", hold(40_000_000));
        let log = game(&four, &["--memory", "100", "--accounting", "sampling"]);
        assert_eq!((fault(&log), is_lost_by_black(&log)), ("memory", true), "{log}");

        let many = |count: u32| format!("{LEGAL}; for i in $(seq {count}); do sleep 1 & done; wait");
        let log = game(&many(10), &["--processes", "30"]);
        assert_eq!(log["reason"], "more-time-left", "{log}");
        let log = game(&many(60), &["--processes", "30"]);
        // With a user of its own it is the system that refuses, else the referee who sees it.
        assert!(["processes", "crashed"].contains(&fault(&log)), "{log}");
        assert!(is_lost_by_black(&log), "{log}");
    }
}

#[test]
fn standard_error_is_not_stored() {
    let body = "head -c 50000000 /dev/zero >&2; [ -f /proc/self/fd/2 ] || echo nowhere >&2";
    let log = game_of(&format!("{LEGAL}; {body}"), &["--max-plies", "1", "--time", "20"]);
    let kept = log["runs"][0]["stderr"].as_str().expect("a text");
    assert!(kept.ends_with("nowhere\n") && kept.chars().count() == 2000, "{}", kept.len());
}

#[test]
fn as_root_each_program_has_a_user_and_a_folder_of_its_own() {
    if !has_root("programs as users of their own") {
        return;
    }
    let folders = tempdir().expect("a folder");
    fs::set_permissions(folders.path(), fs::Permissions::from_mode(0o755)).expect("an own folder");
    let secret = folders.path().join("white/calibration.txt");
    let spy = script(&format!(
        "{LEGAL}; (id -u; id -G; cat {0} && echo read; echo x > {0} && echo written; touch ../x && echo made) >&2; \
         sleep 1000 & [ $(id -u) = 0 ] || kill -KILL -1",
        secret.display()
    ));
    let white = script("id -u >&2; echo E 11,15 10,15 > output.txt");
    let calibrate = script("umask 077; echo mine > calibration.txt");
    let log = folders.path().join("log");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_string();
    let output = lab(&[
        "referee",
        "--black",
        &program(&spy),
        "--white",
        &program(&white),
        "--white-calibrate",
        &program(&calibrate),
        "--folders",
        &text(folders.path()),
        "--log",
        &text(&log),
        "--first",
        "white",
        "--max-plies",
        "2",
    ]);
    assert!(output.status.success(), "{}", printed(&output));
    let log: Value = serde_json::from_str(&fs::read_to_string(log).expect("a log")).expect("JSON");
    let [black, white] = [0, 1].map(|side| log["programs"][side]["user"].as_u64().expect("a user"));
    assert!(black != 0 && white != 0 && black != white, "{log}");
    assert_eq!(log["runs"][0]["stderr"], format!("{white}\n"));
    let told = log["runs"][1]["stderr"].as_str().expect("a text");
    assert!(told.starts_with(&format!("{black}\n{black}\n")), "{told}");
    assert!(!["\nread", "\nwritten", "\nmade"].iter().any(|done| told.contains(done)), "{told}");
    // Everybody whom it could kill was its own.
    assert_eq!(log["reason"], "more-time-left", "{log}");
    assert_eq!(fs::read_to_string(&secret).expect("a file"), "mine\n");
}

#[test]
fn programs_that_their_user_can_not_reach() {
    if !has_root("programs out of reach") {
        return;
    }
    // A single program of machine code is copied; of others nobody knows what they need.
    let folder = script(LEGAL);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("an own folder");
    let copied = folder.path().join("copied");
    fs::copy(LAB, &copied).expect("a copy");
    let copied = format!("'{}' agent greedy", copied.display());
    let game = |black: &str, more: &[&str]| {
        lab(&[&["referee", "--black", black, "--white", &copied, "--max-plies", "1"], more].concat())
    };
    let output = game(&copied, &[]);
    assert!(output.status.success() && printed(&output).contains("as users"), "{}", printed(&output));
    // A calibration of the same name is another program.
    let other = tempdir().expect("a folder");
    let calibrate = other.path().join("copied");
    fs::copy("/bin/true", &calibrate).expect("a copy");
    let output = game(&copied, &["--black-calibrate", calibrate.to_str().expect("UTF-8")]);
    assert!(output.status.success(), "{}", printed(&output));
    assert!(printed(&output).contains("more-time-left"), "{}", printed(&output));
    let output = game(&program(&folder), &[]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains(&program(&folder)) && text.contains("chmod o+rx") && text.contains("--same-user"),
        "{text}"
    );
    let output = game(&program(&folder), &["--same-user"]);
    assert!(output.status.success(), "{}", printed(&output));
}

#[test]
fn a_reference_without_time_loses_its_points() {
    // Three plies without pruning take it longer than this; the program needs next to nothing.
    let program = format!("'{LAB}' agent greedy");
    let times = ["--moves", "0", "--games", "1", "--game-time", "0.15", "--depth", "3"];
    let output = lab(&[&["grade", program.as_str()], &times[..]].concat());
    let text = printed(&output);
    assert!(output.status.success() && text.contains("score 10/10"), "{text}");
    assert!(text.contains("the reference ran out of time"), "{text}");
}
