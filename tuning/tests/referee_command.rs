//! `lab referee` and `lab grade`: small shell scripts that break the rules lose for a stated reason, and none of their
//! processes survives.

use crate::support::programs::{LEGAL, Script, apart, game_of, is_running, printed, wait_until};
use crate::support::{Folder, LAB, list, number, string};
use halma::game::Game;
use halma::homework::output::output_text;
use halma::rules::{Position, Rules, WHITE};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn a_program_that_breaks_the_rules_loses_and_the_log_says_why() {
    // The script, which runs after "zzz" has been written to standard error; the kind of its fault; and a part of the
    // fault's description.
    for (body, kind, fault) in [
        ("sleep 1000", "hangs", "real time"),
        ("kill -SEGV $$", "crashed", "signal 11"),
        ("LEGAL; exit 3", "crashed", "exit status 3"),
        // Signals from 34 on have no names.
        ("LEGAL; { sh -c 'kill -34 $$'; } 2>/dev/null; kill -35 $$", "crashed", "signal 35"),
        (":", "no-output", "no output.txt"),
        ("mkdir -p sub; cd sub; LEGAL", "no-output", "no output.txt"),
        ("echo best move is 4,1 > output.txt", "malformed", "line 1, column 1: expected E"),
        (": > output.txt", "malformed", "empty"),
        ("head -c 100000 /dev/zero > output.txt", "malformed", "bytes"),
        ("mkfifo output.txt", "malformed", "not a regular file"),
        ("ln -s /dev/zero output.txt", "malformed", "not a regular file"),
        ("echo E 4,1 9,9 > output.txt", "illegal-play", "not end on a square beside"),
        ("echo E 11,15 10,15 > output.txt", "illegal-play", "no piece on 11,15"),
        ("LEGAL; while :; do :; done", "out-of-time", "had 0.500000 s left"),
    ] {
        let log = game_of(&format!("echo zzz >&2; {}", body.replace("LEGAL", LEGAL)), "");
        let run = &log["runs"][0];
        assert_eq!((&run["fault"], &log["winner"]), (&kind.into(), &"B".into()), "{body}: {log}");
        assert!(string(&log["fault"]).contains(fault), "{body}: {log}");
        assert_eq!(list(&log["runs"]).len(), 1, "{body}");
        assert_eq!(run["stderr"], "zzz\n", "{body}");
    }
}

#[test]
fn time_is_charged_for_everything_that_a_program_starts() {
    // The program uses more than 0.3 s: in a child that it waits for, in one that it leaves behind, or in a new
    // session.
    let burn = "sh -c 'i=0; while [ $i -lt 10000000 ]; do i=$((i+1)); done'";
    for start in ["BURN", "BURN & sleep 10", "setsid BURN & sleep 10", "(setsid BURN &) ; sleep 10"] {
        let log = game_of(&format!("{LEGAL}; {}", start.replace("BURN", burn)), "--time 0.2");
        assert_eq!(log["reason"], "time-forfeit", "{start}: {log}");
        assert!(number(&log["runs"][0]["cpu"]) > 0.2, "{start}: {log}");
    }
    // A program is not charged for waiting.
    let log = game_of(&format!("{LEGAL}; sleep 0.4"), "--time 0.3 --max-plies 1");
    assert_eq!(log["reason"], "more-time-left", "{log}");
    assert!(number(&log["runs"][0]["cpu"]) < 0.1);
    // Enormous limits mean no limit.
    for option in ["--grace 1e308", "--time 1e308", "--wall-factor 1e308"] {
        let log = game_of(LEGAL, &format!("{option} --max-plies 1"));
        assert_eq!(log["reason"], "more-time-left", "{option}: {log}");
    }
}

#[test]
fn old_files_are_gone_and_calibration_comes_first() {
    // If files from the first game were left, the program would print them in the second.
    let body = format!("cat playdata.txt calibration.txt >&2 2>/dev/null; {LEGAL}; echo old > playdata.txt");
    let calibrate = Script::new("echo calibrated > calibration.txt");
    let options = format!("--games 2 --max-plies 1 --black-calibrate {}", calibrate.path());
    let log = game_of(&body, &options);
    assert_eq!((&log["game"], &log["runs"][0]["stderr"]), (&2.into(), &"calibrated\n".into()));
    // The output.txt of an earlier turn does not count as a new answer.
    let log = game_of(&format!("[ -e playdata.txt ] || {LEGAL}; echo old > playdata.txt"), "");
    assert_eq!((&log["runs"][2]["fault"], list(&log["runs"]).len()), (&"no-output".into(), 3));
}

#[test]
fn a_whole_game_is_played_and_its_log_can_be_replayed() {
    let folder = Folder::new();
    let players = format!("--black \"'{LAB}' agent greedy\" --white \"'{LAB}' agent random\"");
    let printed = folder.succeeds(&format!("referee {players} --first white --time 20 --log log.jsonl"));
    assert!(printed.contains("BLACK won 1"), "{printed}");
    let log = folder.json("log.jsonl");
    assert_eq!((&log["reason"], &log["white_first"]), (&"goal-filled".into(), &true.into()));
    let mut position = Position::initial(WHITE, Rules::Addendum);
    for (run, play) in list(&log["runs"]).iter().zip(list(&log["plays"])) {
        let play = string(play).parse().expect("a play");
        assert!(position.is_legal(play));
        let hops = output_text(&position, play).expect("a chain").lines().count() + 1;
        assert_eq!(list(&run["hops"]).len(), hops);
        position.play(play);
    }
    assert!(position.outcome().is_some());
}

/// The children of process `pid`.
fn children(pid: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

#[test]
fn a_killed_referee_leaves_no_child_behind() {
    const REFEREE: usize = 0;
    const SUPERVISOR: usize = 1;
    for (number, signal, which) in [
        (1, "-TERM", REFEREE),
        (2, "-INT", REFEREE),
        (3, "-KILL", REFEREE),
        (4, "-KILL", SUPERVISOR),
        (5, "-TERM", SUPERVISOR),
    ] {
        // No other process on this machine has this command line.
        let mark = format!("sleep 9{}{number}", std::process::id());
        // The script sleeps in its second run, so its supervisor has already served one, as in most of a real game.
        let sleep = format!("[ -e second ] && {{ setsid {mark} & {mark} & wait; }}; touch second; {LEGAL}");
        let script = Script::new(&sleep);
        let white = format!("\"'{LAB}' agent greedy\"");
        let mut referee = script.0.spawn(&format!("referee --black {} --white {white}", script.path()));
        wait_until("the program starts", || is_running(&mark));
        // The supervisor in use is the one that has a child.
        let supervisor = children(referee.id()).into_iter().find(|&pid| !children(pid).is_empty());
        let pids = [referee.id(), supervisor.expect("a supervisor")];
        let kill = Command::new("kill").args([signal, &pids[which].to_string()]).status();
        assert!(kill.expect("there is kill").success());
        // The program is blamed for its supervisor's death: it loses, and the referee goes on.
        assert_eq!(referee.wait().expect("a child").success(), which == SUPERVISOR);
        wait_until("nothing is left", || {
            !is_running(&mark) && !Path::new(&format!("/proc/{}", pids[SUPERVISOR])).exists()
        });
    }
}

#[test]
fn grading_takes_points_and_says_why() {
    let script = Script::new("echo I give up >&2; echo E 0,0 9,9 > output.txt");
    let output = apart(&format!("grade {} --move-time 1 --game-time 2 --depth 1", script.path()));
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("score 0/100") && text.contains("its play is illegal"), "{text}");
    assert!(text.contains("(I give up)") && text.contains("only 0.01 s"), "{text}");
    assert!(text.contains("and first, 0 plies: ") && text.contains("and second, 1 ply: "), "{text}");
}

#[test]
fn legal_plays_and_won_games_score_in_full() {
    for (agent, options, scored) in [
        ("greedy", "--moves 10 --games 0 --move-time 2 --game-time 60 --depth 1", "score 10/10"),
        (
            "mcts --iterations 400",
            "--moves 0 --games 2 --move-time 2 --game-time 60 --depth 1",
            "score 20/20",
        ),
        // The reference needs longer than this for three plies without pruning; the program needs next to nothing.
        ("greedy", "--moves 0 --games 1 --game-time 0.15 --depth 3", "the reference ran out of time"),
    ] {
        let text = Folder::new().succeeds(&format!("grade \"'{LAB}' agent {agent}\" {options}"));
        assert!(text.contains(scored), "{text}");
        assert!(text.contains("score 10/10") || text.contains("score 20/20"), "{text}");
    }
}

#[test]
fn bad_arguments_are_refused() {
    Folder::new().refuses(
        "referee --white true --black",
        &[
            ("./no-such-program", "there is no program ./no-such-program"),
            ("true --log /no/such/folder/log", "can't write /no/such/folder/log"),
            ("true --white-calibrate false", "false failed"),
            ("true --games 0", "expected 1 or more"),
            ("true --max-plies 0", "expected 1 or more"),
            ("true --time -1", "a number of seconds above 0"),
            ("true --seed -1", "expected a whole number"),
        ],
    );
}

#[test]
fn the_limits_in_the_readme_are_the_defaults() {
    let readme = include_str!("../README.md");
    for command in ["referee", "grade"] {
        let help = Folder::new().succeeds(&format!("{command} --help"));
        for flag in ["memory", "file-size", "processes"] {
            let about = help.split(&format!("--{flag} <")).nth(1).expect("a flag");
            let default = about.split("[default: ").nth(1).and_then(|rest| rest.split(']').next());
            let shown = format!("`--{flag} {}`", default.expect("a default"));
            assert!(readme.contains(&shown), "the README does not have {shown}");
        }
    }
}
