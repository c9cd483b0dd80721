//! A folder belongs to one run: no other run, no run of another kind and no other build overwrites its games or adds to
//! them.

use crate::support::{Folder, list};
use serde_json::{Value, json};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

const KINDS: [&str; 4] = ["match", "tournament", "sweep", "tune"];

/// A folder with the files that the shortest runs need.
fn with_files() -> Folder {
    let sweep = "agent = 'mcts'\nopponent = 'greedy'\nbudgets = [{ iterations = 1 }]\ngames = 2\nmax_plies = 20\n\
                 [grid]\nc = [1]\n";
    let tune = "agent = 'mcts'\nbudget = { iterations = 1 }\niterations = 2\npairs = 2\nmax_plies = 20\n\
                [parameters.c]\n";
    let folder = Folder::with("sweep.toml", sweep);
    folder.write("tune.toml", tune);
    folder
}

/// The shortest run of each kind.
fn run(kind: &str, out: &str) -> String {
    match kind {
        "sweep" | "tune" => format!("{kind} {kind}.toml --out {out}"),
        _ => format!("{kind} greedy random --games 2 --iterations 1 --out {out}"),
    }
}

#[test]
fn a_run_of_one_kind_does_not_touch_a_run_of_another() {
    let folder = with_files();
    for there in KINDS {
        folder.succeeds(&run(there, there));
        let before = folder.files(there);
        for kind in KINDS.into_iter().filter(|&kind| kind != there) {
            let why =
                format!("{there} holds a run of 'lab {there}', not of 'lab {kind}'; use another folder");
            folder.refused(&run(kind, there), &why);
            assert_eq!(folder.files(there), before, "{kind} over {there}");
        }
        folder.succeeds(&run(there, there));
        assert_eq!(folder.files(there), before, "{there} again");
    }
    let why = "these are not shards of one run: 'kind' is match in";
    folder.refused("merge merged match tournament", why);
    assert!(!folder.exists("merged"));
}

#[test]
fn games_without_a_valid_header_are_left_alone() {
    let folder = Folder::played("match greedy random --games 2 --iterations 1");
    let again = run("match", "run");
    let header = |kind: &str, arguments: &str| {
        format!(r#"{{"kind":"{kind}","arguments":{{{arguments}}},"engine":{{"checksum":"","others":""}}}}"#)
    };
    let games = folder.read("run/games.jsonl");
    for (from, to) in [("\"match\":1,", "\"match\":0,"), ("\"seed\":", "\"seed\":1")] {
        folder.write("run/games.jsonl", games.replacen(from, to, 1));
        folder.refused(&again, "line 1: not a game of this run");
    }
    folder.remove("run/run.json");
    let before = folder.files("run");
    folder.refused(&again, "has games or a result but no run.json");
    assert_eq!(folder.files("run"), before);
    folder.write("other/result.json", "somebody's");
    folder.refused(&run("match", "other"), "has games or a result but no run.json");
    assert_eq!(folder.files("other").len(), 1);
    folder.write("run/run.json", header("league", ""));
    folder.refused("export run", "unknown kind of run 'league'");
    folder.write("run/run.json", header("match", r#""a":1"#));
    folder.refused("export run", "the arguments of this run of 'lab match' are broken");
}

/// A field of the third game, an invalid value for it, and the part of the message that says why.
const EDITS: [(&str, &str, &str); 25] = [
    ("seed", "removed", "missing field `seed`"),
    ("winner", r#""C""#, "winner: unknown variant `C`"),
    ("seconds", "[]", "seconds has 0 entries; expected one for each of the"),
    ("iterations", "[1]", "iterations has 1 entries; expected one for each of the"),
    ("plays[4]", r#""7,7""#, "plays[4]: '7,7': "),
    ("values[3]", "55", "values[3] is 55; expected a number from -1 to +1"),
    ("values[3]", "-1.01", "values[3] is -1.01; expected"),
    ("values[3]", "1e999", "values[3]: number out of range"),
    ("values[3]", r#""won""#, "values[3]: invalid type: string \"won\""),
    ("seconds[0]", "-0.5", "seconds[0] is -0.5; expected a number of seconds from 0"),
    ("iterations[1]", "18446744073709551615", "iterations[1] is 18446744073709551615; expected at most 1e12"),
    ("nodes[1]", "18446744073709551615", "nodes[1] is 18446744073709551615; expected"),
    ("boards[2]", "1e3", "boards[2]: invalid type: floating point"),
    ("candidates[5]", r#"[["7,7 8,8",3,1.5]]"#, "candidates[5] has the value 1.5; expected"),
    ("opening[0]", r#""7,7 8,8""#, "opening[0] is 7,7 8,8, which is not legal"),
    ("plays[0]", r#""7,7 8,8""#, "plays[0] is 7,7 8,8, which is not legal"),
    ("winner", "null", "winner is null; expected \"A\" with the reason \"goal-filled\""),
    ("winner", r#""B""#, "winner is \"B\"; expected \"A\" with"),
    ("reason", r#""ply-limit""#, "reason is \"ply-limit\", but after the last play it is \"goal-filled\""),
    ("reason", r#""time-forfeit""#, "reason is \"time-forfeit\", but after the last play it is"),
    ("reason", r#""no-legal-play""#, "reason is \"no-legal-play\", but after the last play it is"),
    ("reason", r#""lost""#, "reason: unknown variant `lost`"),
    ("overdrafts[1]", "5000", "overdrafts[1] is 5000; expected at most one for each decision"),
    ("illegal_play", r#""7,7 8,8""#, "illegal_play is set, but reason is \"goal-filled\""),
    ("runs", r#"[{"cpu":-1,"wall":1,"hops":[]}]"#, "runs[0].cpu is -1; expected a number of seconds"),
];

/// `line` with the value of `field` replaced by `value`, or without the field if `value` is `removed`. `field` may also
/// be an item of a list: `values[3]`.
fn edited(line: &str, field: &str, value: &str) -> String {
    const PLACEHOLDER: &str = "THE VALUE";
    let mut game: Value = serde_json::from_str(line).expect("JSON");
    let (name, at) = field.split_once('[').map_or((field, None), |(name, at)| (name, at.strip_suffix(']')));
    let new = Value::from(PLACEHOLDER);
    match at {
        None if value == "removed" => drop(game.as_object_mut().expect("an object").remove(name)),
        None => game[name] = new,
        Some(at) => game[name][at.parse::<usize>().expect("a place")] = new,
    }
    game.to_string().replace(&format!("\"{PLACEHOLDER}\""), value) + "\n"
}

#[test]
fn edited_games_are_refused_by_every_command() {
    let line = "match 'mcts(playout=static, race=off)' random --games 4 --iterations 20";
    let folder = Folder::played(line);
    for shard in ["1", "2"] {
        folder.succeeds(&format!("{line} --shard {shard}/2 --out {shard}"));
    }
    let games = folder.read("run/games.jsonl");
    let third = games.split_inclusive('\n').nth(2).expect("a third game");
    let (mut fields, readers) =
        (EDITS.to_vec(), ["export run --out pgn", "export run --format csv --out csv", "report run"]);
    fields.push(("match", "1", "")); // An unchanged game is accepted.
    for (field, value, why) in fields {
        folder.write("run/games.jsonl", games.replace(third, &edited(third, field, value)));
        if why.is_empty() {
            readers.iter().for_each(|reader| drop(folder.succeeds(reader)));
        } else {
            folder.refused(readers[0], &format!("run/games.jsonl: line 3 is broken: {why}"));
        }
    }
    // All commands read games in the same way, so a single case is enough for the other ones.
    let (field, value, why) = EDITS[5];
    folder.write("run/games.jsonl", games.replace(third, &edited(third, field, value)));
    let before = folder.files("run");
    let longer = line.replace("--games 4", "--games 6 --out run");
    for reader in readers.into_iter().chain([&*longer]) {
        folder.refused(reader, &format!("games.jsonl: line 3 is broken: {why}"));
    }
    assert_eq!(folder.files("run")["games.jsonl"], before["games.jsonl"]);
    let part = folder.read("1/games.jsonl");
    let first = part.split_inclusive('\n').next().expect("a game");
    folder.write("1/games.jsonl", part.replace(first, &edited(first, field, value)));
    folder.refused("merge merged 1 2", &format!("1/games.jsonl: line 1 is broken: {why}"));
    assert!(!folder.exists("merged"), "nothing is written");
}

#[test]
fn two_processes_do_not_share_a_folder() {
    let folder = Folder::new();
    let line = "match 'mcts(playout=static, race=off)' greedy --cpu 1 --out run";
    let mut child = folder.spawn(line);
    while !folder.exists("run/run.json") {
        thread::sleep(Duration::from_millis(5));
    }
    folder.refused(line, "another run is playing");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

const MATCH: &str = "match 'mcts(playout=static, race=off)' greedy --games 4 --iterations 10";
const AGAIN: &str = "match 'mcts(playout=static, race=off)' greedy --games 4 --iterations 10 --out run";

/// A match whose last game is missing, as if the run had been killed before it ended.
fn killed_match() -> Folder {
    let folder = Folder::played(MATCH);
    folder.keep_lines("run/games.jsonl", 3);
    folder
}

/// Changes the header of `run` as if a build in which `agent` plays differently had begun it.
fn change_code_of(agent: &str, folder: &Folder, run: &str) {
    let name = format!("{run}/run.json");
    let mut header = folder.json(&name);
    let checksum = &mut header["engine"]["agents"][agent];
    assert!(checksum.is_string(), "{agent} has a fingerprint");
    *checksum = "0123456789abcdef".into();
    folder.write(&name, header.to_string());
}

#[test]
fn a_build_that_plays_differently_does_not_go_on() {
    let folder = killed_match();
    let before = folder.json("run/run.json");
    let agents: Vec<&String> = before["engine"]["agents"].as_object().expect("agents").keys().collect();
    assert_eq!(agents, ["greedy", "mcts(playout=static, race=off)"], "only agents that play");
    for agent in agents {
        change_code_of(agent, &folder, "run");
        folder.refused(AGAIN, &format!("a build that plays differently ('{agent}')"));
        folder.refused(AGAIN, "--mixed-builds");
        folder.write("run/run.json", before.to_string());
    }
    assert_eq!(folder.lines_of_games("run"), 3, "nothing was played");
}

#[test]
fn with_mixed_builds_it_goes_on_and_the_header_says_so() {
    let folder = killed_match();
    let now = folder.json("run/run.json")["engine"].clone();
    change_code_of("greedy", &folder, "run");
    // The kill has left part of a line.
    folder.write("run/games.jsonl", folder.read("run/games.jsonl") + "{\"match\":1");
    let games_line = |printed: &str| printed.lines().nth(2).map(str::to_string);
    let whole = Folder::new().succeeds(MATCH);
    assert_eq!(games_line(&folder.succeeds(&format!("{AGAIN} --mixed-builds"))), games_line(&whole));
    let header = folder.json("run/run.json");
    assert_eq!(header["engine"]["agents"]["greedy"], "0123456789abcdef", "the build that began it");
    assert_eq!(header["mixed"], json!([{ "games_before": 3, "engine": now }]));
    // The header names the build that continued the run, so that build may continue it again.
    folder.succeeds(AGAIN);
    assert_eq!(folder.json("run/run.json"), header);
}

#[test]
fn shards_of_builds_that_play_differently_are_not_merged() {
    let folder = Folder::new();
    for part in [1, 2] {
        folder.succeeds(&format!("{MATCH} --out part-{part} --shard {part}/2"));
    }
    change_code_of("mcts(playout=static, race=off)", &folder, "part-1");
    let merge = "merge merged part-1 part-2";
    folder.refused(merge, "builds that play differently ('mcts(playout=static, race=off)')");
    assert!(!folder.exists("merged"));
    folder.succeeds(&format!("{merge} --mixed-builds"));
    let header = folder.json("merged/run.json");
    let engine = |part: &str| folder.json(&format!("{part}/run.json"))["engine"].clone();
    assert_eq!(header["engine"], engine("part-1"));
    let mixed: Vec<&Value> =
        header["mixed"].as_array().expect("a list").iter().map(|one| &one["engine"]).collect();
    assert_eq!(mixed, [&engine("part-2")]);
    folder.succeeds(&format!("{merge} --mixed-builds"));
    assert_eq!(folder.json("merged/run.json"), header, "merging twice is merging once");
}

/// Merging plays nothing, so it does not matter how the agents of the merging build play.
#[test]
fn shards_of_other_builds_are_merged_by_any_build() {
    let folder = Folder::new();
    let play = |games: &str| {
        for part in [1, 2] {
            let line = MATCH.replace("--games 4", games);
            folder.succeeds(&format!("{line} --out part-{part} --shard {part}/2 --mixed-builds"));
        }
    };
    let engine = |run: &str| folder.json(&format!("{run}/run.json"))["engine"].clone();
    play("--games 4");
    let now = engine("part-1");
    change_code_of("greedy", &folder, "part-1");
    change_code_of("greedy", &folder, "part-2");
    folder.succeeds("merge merged part-1 part-2");
    let header = folder.json("merged/run.json");
    assert_eq!((&header["engine"], &header["mixed"]), (&engine("part-1"), &Value::Null));
    // One shard goes on with this build and the other one does not; then both are extended.
    folder.succeeds(&format!("{MATCH} --out part-1 --shard 1/2 --mixed-builds"));
    folder.succeeds("merge merged part-1 part-2 --mixed-builds");
    for games in ["--games 4", "--games 8"] {
        play(games);
        for parts in ["part-1 part-2", "part-2 part-1"] {
            folder.succeeds(&format!("merge merged {parts}"));
            let header = folder.json("merged/run.json");
            assert_eq!((&header["engine"], list(&header["mixed"]).len()), (&engine("part-1"), 1));
            assert_eq!(header["mixed"][0]["engine"], now);
        }
    }
    assert_eq!(folder.lines_of_games("merged"), 8);
    // A merge that is refused leaves the builds of the games in its folder as they are.
    folder.succeeds(&format!("{MATCH} --out other"));
    folder.replace("other/games.jsonl", "\"values\":[", "\"values\":[0.5,");
    change_code_of("greedy", &folder, "other");
    change_code_of("mcts(playout=static, race=off)", &folder, "other");
    let before = engine("other");
    folder.refused("merge other part-1 part-2", "other holds a different game");
    assert_eq!(engine("other"), before);
}

#[test]
fn misleading_matches_are_noted() {
    let folder = Folder::with("openings.txt", "2,0 4,2; 13,15 11,13\n0,4 1,5\n");
    let pair = "--iterations 5 --max-plies 20 --games 2 --openings random:2-4";
    let notes = |rest: &str| folder.notes(&format!("match {rest}"));
    for (agents, note) in [
        ("mcts mcts()", "warning: 'mcts' and 'mcts()' are the same agent spelled differently"),
        ("'mcts(instability=1.00, playout=static)' mcts", "are the same agent"),
        (
            "'mcts(select=uct)' 'mcts(select=uct, c_growth=1)'",
            "they differ only in longer searches, or not at all",
        ),
        ("mcts mcts", "warning: 'mcts' plays against itself: neither side is stronger"),
    ] {
        let notes = notes(&format!("{agents} {pair}"));
        assert!(notes.contains(note), "{agents}: {notes}");
    }
    let list = "greedy random --iterations 5 --max-plies 20 --openings";
    for (openings, note) in [
        (
            "openings.txt --games 6",
            "warning: openings repeat: 3 pairs of games have only 2 distinct openings",
        ),
        ("start --games 4", "2 pairs of games have only 1 distinct opening"),
    ] {
        let notes = notes(&format!("{list} {openings}"));
        assert!(notes.contains(note), "{openings}: {notes}");
    }
    // There is no warning if an agent plays itself with odds, or plays another agent.
    let odds = "mcts mcts --max-plies 20 --games 2 --openings random:2-4 --iterations 5,2";
    for sound in [odds, &format!("mcts 'mcts(c=0.7)' {pair}"), &format!("{list} openings.txt --games 4")] {
        let notes = notes(sound);
        assert!(!notes.contains("warning"), "{sound}: {notes}");
    }
    // Only the openings of the first budget are counted.
    let sweep = "agent = 'alphabeta'\nopponent = 'greedy'\nopenings = 'balanced:4-10'\nmax_plies = 20\n\
                 budgets = [{ iterations = 1, games = 40 }, { iterations = 2, games = 44 }]\n[grid]\ndepth = [1, 2]\n";
    folder.write("sweep.toml", sweep);
    let notes = folder.notes("sweep sweep.toml --shard 1/20 --out part");
    assert!(!notes.contains("openings repeat"), "{notes}");
}

#[test]
fn pointless_matches_are_refused() {
    let sweep = "agent = 'mcts(playout=static, race=off)'\nopponent = 'mcts'\nbudgets = [{ iterations = 1 }]\n[grid]\n\
                 'playout.cap' = [1, 2]\n";
    // A parameter that the chosen policy does not have is an error, in a spec and in a sweep.
    let none = "static has no parameter 'cap'; it has none";
    Folder::with("sweep.toml", sweep).refuses(
        "",
        &[
            (
                "match greedy random --iterations 1 --max-plies 10",
                "--max-plies 10: openings have up to 10 plies",
            ),
            (
                "match greedy random --iterations 1 --games 9999999999999999999",
                "--games 10000000000000000000: at most 1000000000000",
            ),
            ("tournament mcts greedy mcts() --iterations 1", "the agents 'mcts' and 'mcts()' are the same"),
            ("match mcts(playout=static(cap=4)) mcts --iterations 1", none),
            ("match mcts(cap=4) mcts --iterations 1", "mcts has no parameter 'cap'"),
            ("sweep sweep.toml", none),
        ],
    );
}

/// A match of a billion games starts like any other, because no list of its games is kept.
#[test]
fn a_match_of_a_billion_games_fits_into_memory() {
    let folder = Folder::new();
    let line = "match greedy random --iterations 1 --max-plies 20 --games 1000000000 --jobs 1 --out run";
    let mut lab = folder.lab_under("ulimit -v 2000000", line);
    let mut child = lab.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("there is a shell");
    while child.try_wait().expect("its status").is_none() && folder.lines_of_games("run") < 20 {
        thread::sleep(Duration::from_millis(5));
    }
    let ended = child.try_wait().expect("its status");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(ended, None, "it goes on until it is killed");
    assert!(folder.lines_of_games("run") >= 20);
}
