//! Programs in the place of agents: `program(COMMAND)` in matches, tournaments, sweeps and segments. Their plays and
//! times are checked as in `lab referee`.

use crate::support::programs::{Script, agent, allow, is_running, wait_until};
use crate::support::{Folder, LAB, list, string};
use halma::agent::time::Mode;
use halma::game::Game;
use halma::homework::input::{Input, parse_input};
use halma::network::value::ValueNetwork;
use halma::network::{Network, NetworkFile};
use halma_lab::runs::Schedule;
use halma_lab::runs::experiment::Document;
use halma_lab::runs::tournament::Tournament;
use serde_json::{Value, json};
use shell_words::quote;
use std::fs;
use std::process::Command;

/// The setting that runs a program as the user who runs the test.
const SAME: &str = ", user=same";

/// A script that ends after 0.4 CPU seconds without making a play.
const LATE: &str = "while :; do\n\
                    i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done\n\
                    times > times.txt; read user system < times.txt\n\
                    case $user in 0m0.[0-3]*) ;; *) exit;; esac\n\
                    done";

/// Plays a match of one pair in which the script `body`, as A, loses to the greedy agent. Returns the game in which the
/// script is Black, and the result.
fn lost_by(body: &str, settings: &str, limit: &str) -> (Value, Value) {
    let (script, folder) = (Script::new(body), Folder::new());
    let fixed = "--games 2 --openings start --max-plies 12 --out run";
    let result = folder.result(&format!("match {} greedy {fixed} {limit}", script.entrant(settings)));
    let mut games = folder.games("run");
    assert_eq!((&games[0]["winner"], games.len()), (&json!("B"), 2), "{games:?}");
    folder.succeeds("report run");
    (games.swap_remove(0), result)
}

/// A script that plays like the greedy agent and copies each input to `notes`, under a name that begins with the number
/// of the turn in the game.
fn noting(folder: &Folder) -> Script {
    let notes = folder.path("notes");
    fs::create_dir(&notes).expect("a new folder");
    allow(&notes, 0o777);
    Script::new(&format!(
        "echo >> turns.txt\ncp input.txt \"{}/$(wc -l < turns.txt | tr -d ' ')-$$\"\nexec '{LAB}' agent greedy",
        notes.display()
    ))
}

/// The inputs in `notes`, each with the number of its turn.
fn noted(folder: &Folder) -> Vec<(usize, Input)> {
    let note = |(name, bytes): (String, Vec<u8>)| {
        let turn = name.split('-').next().and_then(|turn| turn.parse().ok()).expect("a number");
        (turn, parse_input(&bytes).expect("a valid input.txt"))
    };
    folder.files("notes").into_iter().map(note).collect()
}

#[test]
fn both_games_of_a_pair_begin_after_the_opening_and_a_program_keeps_its_files_for_one_game() {
    let folder = Folder::new();
    let a = noting(&folder);
    let limits = "--game-time 50,2 --games 2 --max-plies 20 --jobs 2 --out run";
    folder.succeeds(&format!("match {} {} {limits}", a.entrant(SAME), quote(&agent("greedy"))));
    let noted = noted(&folder);
    for game in folder.games("run") {
        let opening = list(&game["opening"]).len();
        let mut turn = 0;
        for (ply, position) in crate::support::positions(&game).iter().enumerate().skip(opening) {
            let is_a = ply.is_multiple_of(2) == (game["black"] == "A");
            if is_a && ply < opening + list(&game["plays"]).len() {
                turn += 1;
                let here = |(number, input): &&(usize, Input)| {
                    *number == turn && input.position.key() == position.key()
                };
                let (_, input) = noted.iter().find(here).expect("the input of this turn");
                assert_eq!(input.mode, Mode::Game);
                assert!(if turn == 1 { input.seconds == 50.0 } else { input.seconds < 50.0 });
            }
        }
        assert!(turn > 4 && opening > 0);
    }
    // With a limit for each move, the mode is SINGLE.
    let folder = Folder::new();
    let a = noting(&folder);
    folder.succeeds(&format!("match {} greedy --cpu 3,0.1 --games 2 --max-plies 14", a.entrant(SAME)));
    let inputs: Vec<_> =
        self::noted(&folder).into_iter().map(|(_, input)| (input.mode, input.seconds)).collect();
    assert!(!inputs.is_empty() && inputs.iter().all(|input| *input == (Mode::Single, 3.0)), "{inputs:?}");
}

#[test]
fn a_program_s_fault_loses_its_game_and_is_recorded() {
    for (body, limit, reason, fault, count) in [
        (
            "echo E 4,1 9,9 > output.txt; echo a hint >&2",
            "--game-time 5",
            "illegal-play",
            "its play is illegal: the step does not end on a square beside its origin (a hint)",
            "illegal_plays",
        ),
        ("exit 3", "--game-time 5", "program-fault", "it crashed: exit status 3", "program_faults"),
        // Control characters in its standard error are removed.
        (
            "printf '\\033[2J' >&2; exit 1",
            "--game-time 5",
            "program-fault",
            "it crashed: exit status 1 ( [2J)",
            "program_faults",
        ),
    ] {
        let (game, result) = lost_by(body, "", limit);
        assert_eq!((&game["reason"], &game["fault"]), (&json!(reason), &json!(fault)), "{body}");
        let lost = json!({"game": 0, "loser": "A", "reason": reason, "detail": fault});
        assert_eq!((&result["forfeits"][0], &result["agents"][0][count]), (&lost, &json!(2)), "{body}");
    }
    let broken = Script::new("exit 3");
    let printed = Folder::new()
        .succeeds(&format!("match {} greedy --games 2 --game-time 5 --openings start", broken.entrant("")));
    assert!(printed.contains("\nA          no play made, 0 illegal plays"), "{printed}");
    let (game, result) = lost_by(LATE, "", "--cpu 0.05");
    assert_eq!((&game["reason"], &game["overdrafts"]), (&json!("time-forfeit"), &json!([1, 0])));
    assert_eq!((&result["agents"][0]["time_forfeits"], &result["time_forfeits"]), (&json!(2), &json!(2)));
}

/// Only the original rules allow the second play, which stays inside the camp although another piece could leave it.
#[test]
fn each_program_is_judged_by_the_rules_that_its_spec_names() {
    let body = "echo >> playdata.txt\n\
                case $(wc -l < playdata.txt | tr -d ' ') in\n\
                1) echo E 4,1 5,1 > output.txt;;\n\
                2) echo E 3,1 4,1 > output.txt;;\n\
                esac";
    let (game, _) = lost_by(body, "", "--game-time 5");
    assert_eq!((&game["reason"], list(&game["plays"]).len()), (&json!("illegal-play"), 2));
    let (game, _) = lost_by(body, ", rules=original", "--game-time 5");
    assert_eq!(game["plays"][2], "3,1 4,1");
    assert_eq!((&game["reason"], list(&game["plays"]).len()), (&json!("program-fault"), 4));
}

/// A script that plays like the greedy agent and runs `change` once, in its tenth turn.
fn changing(folder: &Folder, change: &str) -> Script {
    let turns = folder.path("turns");
    fs::write(&turns, "").expect("a new file");
    Script::new(&format!(
        "echo >> '{0}'\n[ $(wc -l < '{0}' | tr -d ' ') = 10 ] && {change}\nexec '{LAB}' agent greedy",
        turns.display()
    ))
}

#[test]
fn a_file_that_changes_during_a_run_stops_it() {
    let folder = Folder::new();
    let network = |name: &str, value| {
        let mut network = ValueNetwork::zeros();
        network.feature_biases[0] = value;
        folder.write(name, NetworkFile { provenance: String::new(), network }.to_bytes());
    };
    network("own.network", 1);
    network("new.network", 2);
    let paths = ["new.network", "own.network"].map(|name| folder.path(name).display().to_string());
    let agent = "'mcts(evaluation=network(file=own.network))'";
    let limits = "--cpu 9,0.01 --max-plies 12 --openings start --jobs 1";
    for (change, other, part, different) in [
        ("echo '# new' >> \"$0\"".to_string(), "greedy", "/program changed while 'program(", "('program("),
        (
            format!("cp {}", paths.join(" ")),
            agent,
            "own.network changed while 'mcts(evaluation=network(",
            "(the file own.network)",
        ),
    ] {
        let script = changing(&folder, &change);
        let old = [fs::read(script.path()), fs::read(&paths[1])].map(|file| file.expect("a file"));
        let run = format!("match {} {other} {limits} --games 4 --out run", script.entrant(SAME));
        folder.refused(&run, part);
        // The tenth turn is in the second game.
        assert_eq!(folder.lines_of_games("run"), 1, "{part}");
        folder.refused(&run, "holds games of a build that plays differently");
        folder.refused(&run, different);
        folder.copy("run", "mixed");
        folder.succeeds(&format!("{} --mixed-builds", run.replace("--out run", "--out mixed")));
        let mixed = folder.json("mixed/run.json");
        assert_eq!(mixed["mixed"][0]["games_before"], 1, "{mixed}");
        assert_ne!(mixed["engine"], mixed["mixed"][0]["engine"]);
        for (path, contents) in [script.path(), paths[1].clone()].iter().zip(old) {
            fs::write(path, contents).expect("our own file");
        }
        folder.succeeds(&run);
        assert_eq!(folder.lines_of_games("run"), 4);
        fs::remove_dir_all(folder.path("run")).expect("our own folder");
        fs::remove_dir_all(folder.path("mixed")).expect("our own folder");
    }
    // Restarting the run does not help if a program writes to a file among its arguments.
    folder.write("log", "");
    let writing = Script::new(&format!("echo >> \"$1\"\nexec '{LAB}' agent greedy"));
    let with_log = writing.entrant(&format!(" {}{SAME}", folder.path("log").display()));
    folder.refused(
        &format!("match {with_log} greedy {limits} --games 2"),
        "do not name it among its arguments",
    );
}

#[test]
fn the_referee_and_grading_say_that_a_program_changed() {
    let folder = Folder::new();
    let change = "echo '# new' >> \"$0\"";
    for line in [
        "referee --white \"LAB agent greedy\" --games 4 --max-plies 12 --time 20 --same-user --black",
        "grade --moves 12 --games 0 --move-time 9 --same-user",
    ] {
        let script = changing(&folder, change);
        let output = folder.output(&format!("{} {}", line.replace("LAB", LAB), script.path()));
        let message = String::from_utf8_lossy(&output.stderr);
        // A program may change itself, so the referee goes on to the end. On a slow machine, the move of 0.01 s may be
        // lost.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{message}");
        assert_eq!(message.matches("/program changed while").count(), 1, "{message}");
    }
}

#[test]
fn programs_play_in_tournaments() {
    let (folder, failing) = (Folder::new(), Script::new("exit 7"));
    let agents = format!("{} {} random", quote(&agent("greedy")), failing.entrant(""));
    let line = format!("tournament {agents} --games 2 --cpu 20 --max-plies 12 --out run");
    let printed = folder.succeeds(&line);
    assert!(printed.contains("1-2, game 0: program fault: it crashed: exit status 7"), "{printed}");
    folder.succeeds("report run");
    folder.succeeds("export run --format csv --out run");
    assert!(folder.read("run/games.csv").contains("exit status 7"));
}

#[test]
fn programs_play_in_sweeps() {
    let sweep = |opponent: &str, also: &str, budget: &str| {
        format!(
            "agent = \"mcts(playout=static)\"\nopponent = \"{opponent}\"\nalso = [\"{also}\"]\ngames = 2\nmax_plies = 12\n\
             budgets = [{{ {budget} }}]\n[grid]\nc = [0.5]\n"
        )
    };
    let folder = Folder::with("sweep.toml", sweep(&agent("greedy"), &agent("random"), "cpu = 0.01"));
    folder.succeeds("sweep sweep.toml --out run");
    folder.write("sweep.toml", sweep(&agent("greedy"), "random", "iterations = 5"));
    folder.refused("sweep sweep.toml --out run", "can't count iterations");
    folder.write("sweep.toml", sweep("program(/no/such/file)", "random", "cpu = 0.01"));
    folder.refused("sweep sweep.toml --out run", "sweep.toml:2:12: there is no program /no/such/file");
}

#[test]
fn programs_play_in_segments() {
    let (folder, failing) = (Folder::small_match(), Script::new("exit 7"));
    let fixed = "--evaluator-iterations 100 --from 30 --plies 4 --positions 2 --jobs 2 --evaluator mcts";
    let segment = |a: &str, limit: &str| format!("segment {a} random run {fixed} {limit}");
    let greedy = quote(&agent("greedy")).into_owned();
    let printed = folder.succeeds(&segment(&greedy, "--cpu 20,0.1"));
    assert!(printed.contains("advantage "), "{printed}");
    let line = segment(&greedy, "--iterations 5");
    folder.refused(&line, "a program can't count iterations");
    let line = segment(&failing.entrant(""), "--cpu 1");
    folder.refused(&line, "failed, so the agents can't be compared: it crashed: exit status 7");
}

#[test]
fn shards_are_merged_without_their_programs() {
    let (script, folder) = (Script::new(&format!("exec '{LAB}' agent greedy")), Folder::new());
    let line = format!("match {} random --games 4 --game-time 5 --max-plies 12", script.entrant(SAME));
    let whole = folder.result(&format!("{line} --out whole"));
    for index in [1, 2] {
        folder.succeeds(&format!("{line} --shard {index}/2 --out {index}"));
    }
    drop(script);
    let merged = folder.result("merge merged 1 2");
    assert_eq!([&merged["games"], &merged["score"]], [&whole["games"], &whole["score"]]);
}

#[test]
fn programs_that_can_not_play_are_refused() {
    let folder = Folder::new();
    folder.refuses(
        "match greedy",
        &[
            ("program(sh) --iterations 400", "'program(sh)' is a program and can't count iterations"),
            ("program(/no/such/file) --cpu 1", "there is no program /no/such/file"),
        ],
    );
    let twice = [agent("greedy"), format!("program({LAB} agent greedy --iterations 8)")];
    folder.refused(&format!("tournament {} --cpu 1", shell_words::join(twice)), "are the same");
}

/// The example for course staff, with scripts as the submissions.
#[test]
fn a_panel_names_the_games_lost_by_illegal_plays_time_and_crashes() {
    let folder = Folder::new();
    allow(folder.root(), 0o755);
    for number in 1..=20 {
        let body = match number {
            1 => format!("exec '{LAB}' agent random"),
            2 => "echo E 0,0 9,9 > output.txt".to_string(),
            3 => LATE.to_string(),
            _ => "exit 1".to_string(),
        };
        folder.write_program(&format!("submissions/{number:02}/homework"), &format!("#!/bin/sh\n{body}\n"));
    }
    let submissions = format!("program({}/submissions/", folder.root().display());
    let panel = include_str!("../panel.toml").replace("program(submissions/", &submissions);
    let whole = Tournament::parse(&Document::new("panel.toml", panel.as_str()), None).expect("it is right");
    assert_eq!(whole.round(&[]).expect("a round").len(), 23 * 22 / 2);

    // Only the first four submissions and the engine with the least time remain, in short games.
    let is_left = |line: &&str| {
        let is_other = (5..=20).any(|number| line.contains(&format!("submissions/{number:02}")));
        !is_other && !line.contains("game_time = 6 ") && line.trim() != "\"mcts\","
    };
    let short = panel.lines().filter(is_left).collect::<Vec<_>>().join("\n");
    let short =
        short.replace("game_time = 60", "game_time = 0.3").replace("max_plies = 400", "max_plies = 30");
    let short =
        short.replace("game_time = 0.6", "game_time = 0.1").replace("homework)", "homework, user=same)");
    folder.write("panel.toml", short);
    let printed = folder.succeeds("tournament --file panel.toml --jobs 2 --out panel");
    let result = folder.json("panel/result.json");
    let line = |part: &str| {
        let mut lines = list(&result["standings"]).iter();
        lines.find(|line| string(&line["agent"]).contains(part)).expect("an agent")
    };
    let figures = |part: &str| {
        ["illegal_plays", "time_forfeits", "program_faults"]
            .map(|name| line(part)[name].as_u64().expect("a count"))
    };
    let [illegal, late, broken] = ["02", "03", "04"].map(|number| figures(&format!("submissions/{number}")));
    assert!(illegal[0] >= 4 && illegal[1..] == [0, 0], "{illegal:?}");
    assert!(late[1] >= 4 && [late[0], late[2]] == [0, 0], "{late:?}");
    assert!(broken[2] >= 4 && broken[..2] == [0, 0], "{broken:?}");
    assert_eq!(figures("submissions/01"), [0; 3]);
    assert_eq!(line("mcts")["agent"], "mcts, 0.1 CPU s a side and game");
    let lost = list(&result["lost"]);
    assert_eq!(lost.len() as u64, illegal[0] + late[1] + broken[2]);
    assert!(printed.contains("lost by forfeit:"), "{printed}");
    assert!(printed.contains("game 0: program fault: it crashed"), "{printed}");
    folder.succeeds("report panel");
    let page = folder.read("panel/report.html");
    for one in lost {
        let link =
            format!("#match={}&amp;game={}\">", one["match"].as_u64().expect("a number") - 1, one["game"]);
        assert!(page.contains(&link), "{link}");
    }
}

#[test]
fn a_tournament_s_file_is_checked_line_by_line() {
    let two_limits = "'greedy', { agent = 'mcts', cpu = 1, iterations = 9 }";
    for (agents, budget, part) in [
        ("'greedy'", "cpu = 1", "x.toml:3:10: expected 2 to 100 agents, found 1"),
        ("'greedy', 'greedy'", "cpu = 1", "x.toml:3:21: the agent 'greedy' appears twice"),
        ("'greedy', { agent = 'greedy', cpu = 1 }", "cpu = 1", "appears twice"),
        (
            "'greedy', { agent = 'mcts', iterations = 9 }",
            "cpu = 1",
            "x.toml:3:21: this limit must be of the same kind",
        ),
        (two_limits, "cpu = 1", "expected one of iterations, cpu"),
        ("'greedy', { agent = 'mcts', time = 1 }", "cpu = 1", "expected an agent's spec or a table"),
        (
            "'greedy', 'program(sh)'",
            "iterations = 9",
            "x.toml:3:21: agent 2, 'program(sh)': iterations=9: 'program(sh)' is a program",
        ),
        ("'greedy', 'program(/nowhere)'", "cpu = 1", "x.toml:3:21: there is no program /nowhere"),
        ("'greedy', 'random'", "cpu = 1, games = 4", "'games' belongs at the top level"),
        ("'greedy', 'random'", "cpu = -1", "expected seconds above 0"),
    ] {
        let text = format!("budget = {{ {budget} }}\ngames = 2\nagents = [{agents}]\n");
        let error = Tournament::parse(&Document::new("x.toml", text), None).expect_err(agents);
        assert!(error.to_string().contains(part), "{agents}: {error}");
    }
}

#[test]
fn a_killed_match_leaves_no_program_behind() {
    let sleeper = Script::new("sleep 712345 & sleep 712345");
    let spec = sleeper.entrant("");
    for signal in ["-TERM", "-KILL"] {
        let mut child = sleeper.0.spawn(&format!("match {spec} {spec} --cpu 100 --games 4 --jobs 2"));
        wait_until("the programs start", || is_running("sleep 712345"));
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("there is kill").success());
        assert!(!child.wait().expect("it ends").success());
        wait_until("no program is left", || !is_running("sleep 712345"));
    }
}
