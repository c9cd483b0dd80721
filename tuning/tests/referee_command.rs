//! `lab referee` and `lab grade` from outside: programs that cheat, written as small shell scripts,
//! lose and are told why; and nothing is left of them.

use halma::game::Game;
use halma::homework::output::output_text;
use halma::rules::{BLACK, Position, Rules};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::tempdir;

use crate::support::programs::{LAB, LEGAL, game_of, is_running, lab, printed, program, script, wait_until};

#[test]
fn whoever_cheats_loses_and_is_told_why() {
    for (body, fault, detail) in [
        ("echo zzz >&2; sleep 1000", "hangs", "real time"),
        ("echo zzz >&2; kill -SEGV $$", "crashed", "signal 11"),
        (&format!("{LEGAL}; echo zzz >&2; exit 3"), "crashed", "exit status 3"),
        ("echo zzz >&2", "no-output", "no output.txt"),
        (
            "echo zzz >&2; mkdir -p sub; cd sub; printf 'E 4,1 5,1\\n' > output.txt",
            "no-output",
            "no output.txt",
        ),
        ("echo zzz >&2; echo best move is 4,1 > output.txt", "malformed", "line 1, column 1: expected E"),
        ("echo zzz >&2; : > output.txt", "malformed", "empty"),
        ("echo zzz >&2; head -c 100000 /dev/zero > output.txt", "malformed", "bytes"),
        ("echo zzz >&2; mkfifo output.txt", "malformed", "not a regular file"),
        ("echo zzz >&2; ln -s /dev/zero output.txt", "malformed", "not a regular file"),
        ("echo zzz >&2; echo E 4,1 9,9 > output.txt", "illegal-play", "not end on a square beside"),
        ("echo zzz >&2; echo E 11,15 10,15 > output.txt", "illegal-play", "no piece on 11,15"),
        (&format!("{LEGAL}; echo zzz >&2; while :; do :; done"), "out-of-time", "had 0.500000 s left"),
    ] {
        let log = game_of(body, &[]);
        assert_eq!(log["runs"][0]["fault"], fault, "{body}: {log}");
        assert!(log["fault"].as_str().expect("a text").contains(detail), "{body}: {}", log["fault"]);
        assert_eq!((&log["winner"], log["runs"].as_array().map(Vec::len)), (&"B".into(), Some(1)));
        assert_eq!(log["runs"][0]["stderr"], "zzz\n", "{body}");
    }
}

#[test]
fn time_is_charged_for_all_that_a_program_starts() {
    // Burns 0.3 s and more in a child it waits for, in one it does not, or in a session of its own.
    let burn = "i=0; while [ $i -lt 10000000 ]; do i=$((i+1)); done";
    for body in [
        format!("{LEGAL}; sh -c '{burn}'"),
        format!("{LEGAL}; sh -c '{burn}' & sleep 10"),
        format!("{LEGAL}; setsid sh -c '{burn}' & sleep 10"),
        format!("{LEGAL}; (setsid sh -c '{burn}' &) ; sleep 10"),
    ] {
        let log = game_of(&body, &["--time", "0.2"]);
        assert_eq!(log["reason"], "time-forfeit", "{body}: {log}");
        assert!(log["runs"][0]["cpu"].as_f64().expect("a number") > 0.2);
    }
    // One that only waits is not charged for it.
    let log = game_of(&format!("{LEGAL}; sleep 0.4"), &["--time", "0.3", "--max-plies", "1"]);
    assert_eq!(log["reason"], "more-time-left", "{log}");
    assert!(log["runs"][0]["cpu"].as_f64().expect("a number") < 0.1);
}

#[test]
fn old_files_are_gone_and_calibration_comes_first() {
    // The second game and the second ply would find what the first left behind.
    let body = format!("cat playdata.txt calibration.txt >&2 2>/dev/null; {LEGAL}; echo old > playdata.txt");
    let calibrate = script("echo calibrated > calibration.txt");
    let calibrate = program(&calibrate);
    let arguments = ["--games", "2", "--max-plies", "1", "--black-calibrate", &calibrate];
    let log = game_of(&body, &arguments);
    assert_eq!(log["game"], 2);
    assert_eq!(log["runs"][0]["stderr"], "calibrated\n");
    // An output.txt that is not written again does not count again.
    let log = game_of(&format!("[ -e playdata.txt ] || {LEGAL}; echo old > playdata.txt"), &[]);
    assert_eq!(
        (&log["runs"][2]["fault"], log["runs"].as_array().map(Vec::len)),
        (&"no-output".into(), Some(3))
    );
}

#[test]
fn a_whole_game_is_played_and_logged() {
    let folder = tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let (black, white) = (format!("'{LAB}' agent greedy"), format!("'{LAB}' agent random"));
    let output = lab(&[
        "referee",
        "--black",
        &black,
        "--white",
        &white,
        "--first",
        "white",
        "--time",
        "20",
        "--log",
        log.to_str().expect("UTF-8"),
    ]);
    assert!(printed(&output).contains("BLACK won 1"), "{}", printed(&output));
    let log: Value = serde_json::from_str(&fs::read_to_string(log).expect("a log")).expect("JSON");
    assert_eq!((&log["reason"], &log["white_first"]), (&"goal-filled".into(), &true.into()));
    // The log can be replayed, hop by hop.
    let mut position = Position::initial(halma::rules::WHITE, Rules::Addendum);
    let runs = log["runs"].as_array().expect("runs");
    for (run, play) in runs.iter().zip(log["plays"].as_array().expect("plays")) {
        let play = play.as_str().expect("a play").parse().expect("a play");
        assert!(position.is_legal(play));
        let hops = output_text(&position, play).expect("a chain").lines().count() + 1;
        assert_eq!(run["hops"].as_array().map(Vec::len), Some(hops));
        position.play(play);
    }
    assert!(position.outcome().is_some());
}

/// The children of process `pid`.
fn children(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

fn kill(signal: &str, pid: u32) {
    let status = Command::new("kill").args([signal, &pid.to_string()]).status().expect("kill");
    assert!(status.success());
}

#[test]
fn a_killed_referee_leaves_no_child_behind() {
    for (number, signal, which) in
        [(1, "-TERM", 0), (2, "-INT", 0), (3, "-KILL", 0), (4, "-KILL", 1), (5, "-TERM", 1)]
    {
        // No other test that runs on this machine has the same.
        let mark = format!("sleep 9{}{number}", std::process::id());
        // In its second run: the first leaves the supervisor as it is in most of a game.
        let folder =
            script(&format!("[ -e second ] && {{ setsid {mark} & {mark} & wait; }}; touch second; {LEGAL}"));
        let (black, white) = (program(&folder), format!("'{LAB}' agent greedy"));
        let mut referee: Child = Command::new(LAB)
            .args(["referee", "--black", &black, "--white", &white])
            .stdout(Stdio::null())
            .spawn()
            .expect("lab can be started");
        wait_until("the program starts", || is_running(&mark));
        // The referee and the one of its supervisors that has something to do.
        let supervisors = children(referee.id());
        let supervisor = supervisors.into_iter().find(|&pid| !children(pid).is_empty());
        let pids = [referee.id(), supervisor.expect("a supervisor")];
        kill(signal, pids[which]);
        // Who kills the supervisor is taken for the program: it loses, and the referee goes on.
        assert_eq!(referee.wait().expect("a child").success(), which == 1);
        wait_until("nothing is left", || {
            !is_running(&mark) && !Path::new(&format!("/proc/{}", pids[1])).exists()
        });
    }
}

#[test]
fn grading_takes_points_and_says_why() {
    let folder = script("echo I give up >&2; echo E 0,0 9,9 > output.txt");
    let black = program(&folder);
    let output = lab(&["grade", &black, "--move-time", "1", "--game-time", "2", "--depth", "1"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("score 0/100") && text.contains("its play is illegal"), "{text}");
    assert!(text.contains("(I give up)") && text.contains("only 0.01 s"), "{text}");
}

#[test]
fn a_full_score_is_a_success() {
    let legal = format!("'{LAB}' agent greedy");
    let strong = format!("'{LAB}' agent mcts --iterations 400");
    for (program, moves, games, score) in [(&legal, "10", "0", "10/10"), (&strong, "0", "2", "20/20")] {
        let counts = ["grade", program, "--moves", moves, "--games", games];
        let times = ["--move-time", "2", "--game-time", "60", "--depth", "1"];
        let output = lab(&[counts.as_slice(), &times].concat());
        let text = printed(&output);
        assert!(output.status.success() && text.contains(&format!("score {score}")), "{text}");
    }
}

#[test]
fn what_can_not_be_done_is_refused() {
    let none = ["referee", "--black", "./no-such-program", "--white", "true"];
    let output = lab(&none);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("there is no program ./no-such-program"), "{}", printed(&output));
    let log = ["referee", "--black", "true", "--white", "true", "--log", "/no/such/folder/log"];
    assert!(printed(&lab(&log)).contains("can't write /no/such/folder/log"));
    let calibrate = ["referee", "--black", "true", "--white", "true", "--white-calibrate", "false"];
    assert!(printed(&lab(&calibrate)).contains("false failed"));
}

#[test]
fn the_limits_in_the_readme_are_the_defaults() {
    let readme = include_str!("../README.md");
    for command in ["referee", "grade"] {
        let help = printed(&lab(&[command, "--help"]));
        for flag in ["memory", "file-size", "processes"] {
            let about = help.split(&format!("--{flag} <")).nth(1).expect("a flag");
            let default =
                about.split("[default: ").nth(1).and_then(|rest| rest.split(']').next()).expect("a default");
            assert!(readme.contains(&format!("`--{flag} {default}`")), "{flag} is {default}");
        }
    }
}

/// The play in the scripts is what it is taken for.
#[test]
fn the_scripts_first_play_is_legal() {
    let start = Position::initial(BLACK, Rules::Addendum);
    assert!(start.is_legal("4,1 5,1".parse().expect("a play")));
}
