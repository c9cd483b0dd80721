//! Programs wherever agents are named: `program(COMMAND)` in matches, tournaments, sweeps and segments, judged and timed
//! as by the referee.

use crate::support::programs::{LAB, is_running, program, script, wait_until};
use crate::support::{
    files, games, kill_ten_times, lab, lines_of_games, play_small_match, refused, succeeds, text, timeless,
};
use halma::agent::time::Mode;
use halma::game::Game;
use halma::homework::input::{Input, parse_input};
use halma::rules::{BLACK, Position, Rules};
use halma_lab::runs::Schedule;
use halma_lab::runs::experiment::Document;
use halma_lab::runs::tournament::Tournament;
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A script that ends when it has used 0.4 seconds, and makes no play.
const LATE: &str = "while :; do\n\
                    i=0; while [ $i -lt 10000 ]; do i=$((i + 1)); done\n\
                    times > times.txt; read user system < times.txt\n\
                    case $user in 0m0.[0-3]*) ;; *) exit;; esac\n\
                    done";

/// This laboratory's agent `spec` as a program that plays the same wherever it plays.
fn agent(spec: &str) -> String {
    format!("program('{LAB}' agent '{spec}' --iterations 8)")
}

/// The only game of a match over one pair in which the script `body`, as A and Black, loses to `greedy`: the game and the
/// match's result.
fn lost_by(body: &str, settings: &str, limit: &[&str]) -> (Value, Value) {
    let (script, out) = (script(body), TempDir::new().unwrap());
    let a = format!("program({}{settings})", program(&script));
    let fixed = ["match", &a, "greedy", "--games", "2", "--openings", "start", "--max-plies", "12", "--json"];
    let printed = succeeds(&[&fixed[..], limit, &["--out", text(out.path())]].concat());
    let games = games(out.path());
    assert_eq!((&games[0]["winner"], games.len()), (&json!("B"), 2), "{games:?}");
    succeeds(&["report", text(out.path())]);
    (games[0].clone(), serde_json::from_str(&printed).unwrap())
}

/// A script that notes its inputs in `notes`, with how often it has been asked in this game, and plays like `greedy`.
fn noting(notes: &Path) -> TempDir {
    fs::create_dir(notes).unwrap();
    fs::set_permissions(notes, Permissions::from_mode(0o777)).unwrap();
    script(&format!(
        "echo >> asked.txt\ncp input.txt \"{}/$(wc -l < asked.txt | tr -d ' ')-$$\"\nexec '{LAB}' agent greedy",
        notes.display()
    ))
}

/// The inputs that a script has noted, each with how often it had been asked.
fn noted(notes: &Path) -> Vec<(usize, Input)> {
    let note = |(name, bytes): (String, Vec<u8>)| {
        let asked = name.split('-').next().and_then(|asked| asked.parse().ok()).expect("a number");
        (asked, parse_input(&bytes).expect("an input"))
    };
    files(notes).into_iter().map(note).collect()
}

#[test]
fn both_games_of_a_pair_begin_after_the_opening_and_what_a_program_keeps_stays_for_a_game() {
    let folder = TempDir::new().unwrap();
    let (notes, out) = (folder.path().join("notes"), folder.path().join("match"));
    let script = noting(&notes);
    let a = format!("program({}, user=same)", program(&script));
    let limit = ["--game-time", "50,2", "--games", "2", "--max-plies", "20", "--jobs", "2"];
    succeeds(&[&["match", &a, &agent("greedy")], &limit[..], &["--out", text(&out)]].concat());
    let noted = noted(&notes);
    for game in games(&out) {
        let plays = |name: &str| -> Vec<String> { serde_json::from_value(game[name].clone()).unwrap() };
        let mut position = Position::initial(BLACK, Rules::Addendum);
        let mut asked = 0;
        for (ply, play) in plays("opening").iter().chain(&plays("plays")).enumerate() {
            let is_a = ply.is_multiple_of(2) == (game["black"] == "A");
            if ply >= plays("opening").len() && is_a {
                asked += 1;
                let here = |(count, input): &&(usize, Input)| {
                    *count == asked && input.position.key() == position.key()
                };
                let (_, input) = noted.iter().find(here).expect("it was asked in this position");
                assert_eq!(input.mode, Mode::Game);
                assert!(if asked == 1 { input.seconds == 50.0 } else { input.seconds < 50.0 });
            }
            position.play(play.parse().unwrap());
        }
        assert!(asked > 4 && !plays("opening").is_empty());
    }
    // With seconds a move each is a single one.
    fs::remove_dir_all(&notes).unwrap();
    let script = noting(&notes);
    let a = format!("program({}, user=same)", program(&script));
    succeeds(&["match", &a, "greedy", "--cpu", "3,0.1", "--games", "2", "--max-plies", "14"]);
    let inputs: Vec<_> =
        self::noted(&notes).into_iter().map(|(_, input)| (input.mode, input.seconds)).collect();
    assert!(!inputs.is_empty() && inputs.iter().all(|one| *one == (Mode::Single, 3.0)), "{inputs:?}");
}

#[test]
fn what_a_program_does_wrong_loses_its_game_and_is_told() {
    let time = ["--game-time", "5"];
    let (game, result) = lost_by("echo E 4,1 9,9 > output.txt; echo a hint >&2", "", &time);
    assert_eq!(game["reason"], "illegal-play");
    let fault = "its play is illegal: the step does not end on a square beside its origin (a hint)";
    assert_eq!(game["fault"], fault);
    let lost = json!({"game": 0, "loser": "A", "reason": "illegal-play", "detail": fault});
    assert_eq!((&result["forfeits"][0], &result["agents"][0]["illegal_plays"]), (&lost, &json!(2)));

    let (game, result) = lost_by("exit 3", "", &time);
    assert_eq!(
        (&game["reason"], &game["fault"]),
        (&json!("program-fault"), &json!("it crashed: exit status 3"))
    );
    assert_eq!(result["agents"][0]["program_faults"], 2);

    let (game, result) = lost_by(LATE, "", &["--cpu", "0.05"]);
    assert_eq!((&game["reason"], &game["overdrafts"]), (&json!("time-forfeit"), &json!([1, 0])));
    assert_eq!((&result["agents"][0]["time_forfeits"], &result["time_forfeits"]), (&json!(2), &json!(2)));

    // What it prints can't be taken for a command by a terminal.
    let (game, _) = lost_by("printf '\\033[2J' >&2; exit 1", "", &time);
    assert_eq!(game["fault"], "it crashed: exit status 1 ( [2J)");
}

/// Inside the camp though another piece could leave it: allowed by the original rules only.
#[test]
fn each_program_is_judged_by_the_rules_that_its_spec_names() {
    let body = "echo >> playdata.txt\n\
                case $(wc -l < playdata.txt | tr -d ' ') in\n\
                1) echo E 4,1 5,1 > output.txt;;\n\
                2) echo E 3,1 4,1 > output.txt;;\n\
                esac";
    let (game, _) = lost_by(body, "", &["--game-time", "5"]);
    assert_eq!((&game["reason"], game["plays"].as_array().unwrap().len()), (&json!("illegal-play"), 2));
    let (game, _) = lost_by(body, ", rules=original", &["--game-time", "5"]);
    assert_eq!(game["plays"][2], "3,1 4,1");
    assert_eq!((&game["reason"], game["plays"].as_array().unwrap().len()), (&json!("program-fault"), 4));
}

#[test]
fn a_match_of_programs_survives_kills_and_is_the_same_in_shards() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    let agents = [agent("mcts(playout=static)"), agent("mcts(c=1)")];
    let games = ["--cpu", "100", "--games", "24", "--max-plies", "12", "--jobs", "2"];
    let small = [&["match", &agents[0], &agents[1]][..], &games].concat();
    let [whole, killed, merged] = ["whole", "killed", "merged"].map(place);
    succeeds(&[&small[..], &["--out", text(&whole)]].concat());
    let again = [&small[..], &["--out", text(&killed)]].concat();
    let size = || fs::metadata(killed.join("games.jsonl")).map_or(0, |games| games.len());
    kill_ten_times(&again, 1, fs::metadata(whole.join("games.jsonl")).unwrap().len() / 24, size);
    succeeds(&again);
    assert_eq!(timeless(&killed), timeless(&whole));

    let parts = ["1", "2"].map(place);
    for (part, shard) in parts.iter().zip(["1/2", "2/2"]) {
        succeeds(&[&small[..], &["--shard", shard, "--out", text(part)]].concat());
    }
    succeeds(&["merge", text(&merged), text(&parts[0]), text(&parts[1])]);
    assert_eq!(timeless(&merged), timeless(&whole));
}

#[test]
fn a_run_goes_on_with_the_same_files_only() {
    let (script, out) = (script(&format!("exec '{LAB}' agent greedy")), TempDir::new().unwrap());
    let a = format!("program({}, user=same)", program(&script));
    let run =
        ["match", &a, "greedy", "--cpu", "9", "--max-plies", "12", "--out", text(out.path()), "--games"];
    succeeds(&[&run[..], &["2"]].concat());
    succeeds(&[&run[..], &["4"]].concat());
    fs::write(script.path().join("program"), format!("#!/bin/sh\n# new\nexec '{LAB}' agent greedy\n"))
        .unwrap();
    refused(&[&run[..], &["6"]].concat(), "a build that plays differently ('program(");
    succeeds(&[&run[..], &["6", "--mixed-builds"]].concat());
    assert_eq!(lines_of_games(out.path()), 6);
}

#[test]
fn programs_play_in_tournaments_sweeps_and_segments() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name);
    let failing = script("exit 7");
    let fails = format!("program({})", program(&failing));
    let small = ["--games", "2", "--cpu", "20", "--max-plies", "12"];
    let out = place("tournament");
    let printed = succeeds(
        &[&["tournament", &agent("greedy"), &fails, "random"], &small[..], &["--out", text(&out)]].concat(),
    );
    assert!(printed.contains("1-2, game 0: program fault: it crashed: exit status 7"), "{printed}");
    succeeds(&["report", text(&out)]);
    succeeds(&["export", text(&out), "--format", "csv", "--out", text(&out)]);
    assert!(fs::read_to_string(out.join("games.csv")).unwrap().contains("exit status 7"));

    let file = place("sweep.toml");
    let sweep = |opponent: &str, also: &str, budget: &str| {
        let text = format!(
            "agent = \"mcts(playout=static)\"\nopponent = \"{opponent}\"\nalso = [\"{also}\"]\ngames = 2\nmax_plies = 12\n\
             budgets = [{{ {budget} }}]\n[grid]\nc = [0.5]\n"
        );
        fs::write(&file, text).unwrap();
    };
    let out = place("sweep");
    let run = ["sweep", text(&file), "--out", text(&out)];
    sweep(&agent("greedy"), &agent("random"), "cpu = 0.01");
    succeeds(&run);
    sweep(&agent("greedy"), "random", "iterations = 5");
    refused(&run, "can't count iterations");
    sweep("program(/no/such/file)", "random", "cpu = 0.01");
    refused(&run, "sweep.toml:2:12: there is no program /no/such/file");

    let games = play_small_match(&folder, "games", "2");
    let segment = ["--from", "30", "--plies", "4", "--positions", "2", "--jobs", "2", "--evaluator", "mcts"];
    let greedy = agent("greedy");
    let run = |a, limit: [&'static str; 2]| -> Vec<&str> {
        [&["segment", a, "random", text(&games), "--evaluator-iterations", "100"], &limit[..], &segment]
            .concat()
    };
    let printed = succeeds(&run(&greedy, ["--cpu", "20,0.1"]));
    assert!(printed.contains("advantage "), "{printed}");
    refused(&run(&greedy, ["--iterations", "5"]), "a program can't count iterations");
    refused(
        &run(&fails, ["--cpu", "1"]),
        "fails, so the segment can't be compared: it crashed: exit status 7",
    );
}

#[test]
fn programs_that_can_t_play_are_refused() {
    let with = |a: &str, limit: &[&str], part| refused(&[&["match", a, "greedy"], limit].concat(), part);
    with("program(sh)", &["--iterations", "400"], "'program(sh)' is a program and can't count iterations");
    with("program(/no/such/file)", &["--cpu", "1"], "there is no program /no/such/file");
    with(
        "program(sh, lenient)",
        &["--cpu", "1"],
        "'lenient': a program has the settings rules (addendum or original)",
    );
    with("program()", &["--cpu", "1"], "a program is written program(COMMAND)");
    // Only what says that it takes programs starts them.
    let board = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/data/halma/3.input.txt");
    refused(&["analyse", text(&board), "--agent", "program(sh)"], "a program can't be analysed");
    let same = [&agent("greedy"), &format!("program({LAB} agent greedy --iterations 8)")];
    refused(&["tournament", same[0], same[1], "--cpu", "1"], "are the same");
}

/// The example for a course's staff as it is, with scripts as its submissions.
#[test]
fn a_panel_tells_who_played_illegally_ran_out_of_time_or_crashed_and_in_which_game() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    for number in 1..=20 {
        let body = match number {
            1 => format!("exec '{LAB}' agent random"),
            2 => "echo E 0,0 9,9 > output.txt".to_string(),
            3 => LATE.to_string(),
            _ => "exit 1".to_string(),
        };
        let script = path(&format!("submissions/{number:02}/homework"));
        fs::create_dir_all(script.parent().unwrap()).unwrap();
        fs::write(&script, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    }
    let panel = include_str!("../panel.toml");
    let here =
        panel.replace("program(submissions/", &format!("program({}/submissions/", folder.path().display()));
    let whole = Tournament::parse(&Document::new("panel.toml", here.as_str()), None).expect("it is right");
    assert_eq!(whole.round(&[]).unwrap().len(), 23 * 22 / 2);

    // The first four, and the engine with the least time, in a short form.
    let short = here.lines().filter(|line| {
        !(5..=20).any(|number| line.contains(&format!("submissions/{number:02}")))
            && !line.contains("game_time = 6 ")
    });
    let short: Vec<&str> = short.filter(|line| line.trim() != "\"mcts\",").collect();
    let short = short
        .join("\n")
        .replace("game_time = 60", "game_time = 0.3")
        .replace("max_plies = 400", "max_plies = 30");
    let (file, out) = (path("panel.toml"), path("panel"));
    fs::write(
        &file,
        short.replace("game_time = 0.6", "game_time = 0.1").replace("homework)", "homework, user=same)"),
    )
    .unwrap();
    let run = ["tournament", "--file", text(&file), "--jobs", "2", "--out", text(&out)];
    let printed = succeeds(&run);
    let result: Value = serde_json::from_str(&fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    let line = |part: &str| {
        let lines = result["standings"].as_array().unwrap();
        lines.iter().find(|line| line["agent"].as_str().unwrap().contains(part)).expect("an agent").clone()
    };
    let figures = |part: &str| {
        ["illegal_plays", "time_forfeits", "program_faults"].map(|name| line(part)[name].as_u64().unwrap())
    };
    let [illegal, late, broken] = ["02", "03", "04"].map(|number| figures(&format!("submissions/{number}")));
    assert!(illegal[0] >= 4 && illegal[1..] == [0, 0], "{illegal:?}");
    assert!(late[1] >= 4 && [late[0], late[2]] == [0, 0], "{late:?}");
    assert!(broken[2] >= 4 && broken[..2] == [0, 0], "{broken:?}");
    assert_eq!(
        (figures("submissions/01"), line("mcts")["agent"].as_str()),
        ([0; 3], Some("mcts, 0.1 CPU s a side and game"))
    );
    let lost = result["lost"].as_array().unwrap();
    assert_eq!(lost.len() as u64, illegal[0] + late[1] + broken[2]);
    assert!(
        printed.contains("lost otherwise than on the board:")
            && printed.contains("game 0: program fault: it crashed")
    );
    succeeds(&["report", text(&out)]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    for one in lost {
        let link = format!("#match={}&amp;game={}\">", one["match"].as_u64().unwrap() - 1, one["game"]);
        assert!(page.contains(&link), "{link}");
    }
}

#[test]
fn a_file_of_a_tournament_is_checked_line_by_line() {
    let refused = |agents: &str, budget: &str, part: &str| {
        let text = format!("budget = {{ {budget} }}\ngames = 2\nagents = [{agents}]\n");
        let error = Tournament::parse(&Document::new("x.toml", text), None).expect_err(agents);
        assert!(error.to_string().contains(part), "{error}");
    };
    refused("'greedy'", "cpu = 1", "x.toml:3:10: a tournament has 2 to 100 agents, not 1");
    refused("'greedy', 'greedy'", "cpu = 1", "x.toml:3:21: the agent 'greedy' is there twice");
    refused("'greedy', { agent = 'greedy', cpu = 1 }", "cpu = 1", "is there twice");
    refused(
        "'greedy', { agent = 'mcts', iterations = 9 }",
        "cpu = 1",
        "x.toml:3:21: its limit must be of the same kind",
    );
    refused(
        "'greedy', { agent = 'mcts', cpu = 1, iterations = 9 }",
        "cpu = 1",
        "expected one of iterations, cpu",
    );
    refused("'greedy', { agent = 'mcts', time = 1 }", "cpu = 1", "expected an agent's spec or a table");
    refused("'greedy', 'program(sh)'", "iterations = 9", "can't count iterations");
    refused("'greedy', 'program(/nowhere)'", "cpu = 1", "x.toml:3:21: there is no program /nowhere");
    refused("'greedy', 'random'", "cpu = 1, games = 4", "'games' stands for itself");
    refused("'greedy', 'random'", "cpu = -1", "expected seconds above 0");
}

#[test]
fn a_killed_match_leaves_no_program_behind() {
    let sleeper = script("sleep 712345 & sleep 712345");
    let spec = format!("program({})", program(&sleeper));
    for signal in ["-TERM", "-KILL"] {
        let run = ["match", &spec, &spec, "--cpu", "100", "--games", "4", "--jobs", "2"];
        let mut child = lab(&run).stderr(Stdio::null()).spawn().expect("lab starts");
        wait_until("the programs start", || is_running("sleep 712345"));
        let kill = format!("kill {signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("there is a shell").success());
        assert!(!child.wait().expect("it ends").success());
        wait_until("a program is left", || !is_running("sleep 712345"));
    }
}
