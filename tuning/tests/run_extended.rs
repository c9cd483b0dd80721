//! If a run's command is given again with more games, the run keeps the games it has and ends with the result of the
//! longer run.

use crate::support::Folder;
use serde_json::json;

const MATCH: &str = "match 'mcts(race=off)' greedy --iterations 20 --max-plies 60 --games";
const TUNE: &str = "agent = 'mcts(race=off)'\nbudget = { iterations = 10 }\niterations = 2\npairs = 1\nseed = 3\nmax_plies = 60\n\
                    [parameters.c]\nstep = 0.5\n";

/// A sweep over these values of `c`, with these other agents and budgets.
fn sweep(c: &str, also: &str, budgets: &str) -> String {
    format!(
        "title = 'Small'\nagent = 'mcts(race=off)'\nopponent = 'greedy'\nalso = [{also}]\nbudgets = [{budgets}]\n\
         games = 2\nmax_plies = 60\n[grid]\nc = [{c}]\n"
    )
}

/// The lines of games.jsonl, sorted and without the match number.
fn lines(folder: &Folder, run: &str) -> Vec<String> {
    let games = folder.read(&format!("{run}/games.jsonl"));
    let line = |line: &str| line.split_once(",\"game\"").expect("a game").1.to_string();
    let mut lines: Vec<String> = games.lines().map(line).collect();
    lines.sort();
    lines
}

/// Plays `short` and then `long` into `extended`, and `long` into `whole`: both must be the same run, and the games of
/// `short` must still be there.
fn extends(folder: &Folder, short: &str, long: &str) {
    folder.succeeds(&format!("{short} --out extended"));
    let before = lines(folder, "extended");
    let [extended, whole] =
        ["extended", "whole"].map(|out| folder.timeless_result(&format!("{long} --out {out}")));
    assert_eq!(extended, whole, "{long}");
    assert_eq!(folder.timeless("extended"), folder.timeless("whole"), "{long}");
    let after = lines(folder, "extended");
    assert!(after.len() > before.len(), "{long} has more games");
    assert!(before.iter().all(|line| after.contains(line)), "{long}: a game was played again");
}

#[test]
fn a_match_goes_on_with_more_games() {
    let folder = Folder::new();
    extends(&folder, &format!("{MATCH} 4"), &format!("{MATCH} 10"));
    assert_eq!(folder.lines_of_games("extended"), 10);
    let left = folder.files("extended");
    folder.refuses(
        MATCH,
        &[
            (
                "8 --out extended",
                "'pairs' was 5 and is now 4. (A run can be extended, but neither shortened nor changed.)",
            ),
            ("12 --out extended --seed 2", "use another folder: 'seed' was 1 and is now 2"),
        ],
    );
    assert_eq!(folder.files("extended"), left);
}

#[test]
fn a_sequential_test_goes_on_until_it_decides() {
    let folder = Folder::new();
    let run = "match greedy random --iterations 1 --max-plies 900 --jobs 1 --sprt -20 20";
    let play = |games, out| folder.timeless_result(&format!("{run} --games {games} --out {out}"));
    assert_eq!(play(6, "extended")["sprt"]["verdict"], "undecided");
    let before = lines(&folder, "extended");
    let result = play(5000, "extended");
    assert_eq!(result["sprt"]["verdict"], "h1");
    assert_eq!(play(5000, "whole"), result);
    let after = lines(&folder, "extended");
    assert!(before.iter().all(|line| after.contains(line)), "no game was played again");
    // Games that were under way when the test was decided are on disk, but do not count.
    let counted = result["games"].as_u64().expect("a number") as usize;
    assert_eq!(folder.games("extended")[..counted], folder.games("whole")[..counted]);
    assert!(after.len() < 5000, "{}", after.len());
    // Once the test is decided, no more games are played.
    play(6000, "extended");
    assert_eq!(folder.lines_of_games("extended"), after.len());
}

#[test]
fn a_tournament_goes_on_with_more_games_and_agents() {
    let folder = Folder::new();
    let run = "tournament --iterations 10 --max-plies 120 'mcts(race=off)' greedy";
    extends(&folder, &format!("{run} random --games 2"), &format!("{run} random homebody --games 4"));
    folder.refused(
        &format!("{run} homebody random --games 4 --out extended"),
        "with other arguments; use another folder: 'agents' was",
    );
}

#[test]
fn a_sweep_goes_on_with_more_games_values_agents_and_budgets() {
    let (budget, budgets) = ("{ iterations = 10 }", "{ iterations = 5 }, { iterations = 10 }");
    for (name, c, also, budgets, games) in [
        ("games", "1, 2", "", budget, 4),
        ("values", "0.5, 1, 1.5, 2", "", budget, 2),
        ("agents", "1, 2", "'random'", budget, 2),
        ("budgets", "1, 2", "", budgets, 2),
        ("all", "0.5, 1, 1.5, 2", "'random'", budgets, 4),
    ] {
        let folder = Folder::with("short.toml", sweep("1, 2", "", budget));
        folder.write("long.toml", sweep(c, also, budgets));
        extends(&folder, "sweep short.toml", &format!("sweep long.toml --games {games}"));
        assert!(!folder.exists("extended/games.renumbered.jsonl"), "{name}");
    }
}

#[test]
fn a_changed_sweep_is_not_an_extension() {
    let small = sweep("1, 2", "'random'", "{ iterations = 10 }");
    let folder = Folder::played_with("sweep sweep.toml", "sweep.toml", &small);
    let left = folder.files("run");
    for (from, to) in [
        ("[1, 2]", "[1, 3]"),
        ("[1, 2]", "[1]"),
        ("iterations = 10", "iterations = 11"),
        ("'random'", "'homebody'"),
        ("opponent = 'greedy'", "opponent = 'random'"),
        ("c = [1, 2]", "c = [1, 2]\nfpu = [0, 1]"),
    ] {
        folder.write("sweep.toml", &small);
        folder.replace("sweep.toml", from, to);
        folder.refused("sweep sweep.toml --out run", "neither shortened nor changed");
        assert_eq!(folder.files("run"), left, "{from} {to}");
    }
}

#[test]
fn tuning_goes_on_with_more_steps() {
    let folder = Folder::with("tune.toml", TUNE);
    extends(&folder, "tune tune.toml", "tune tune.toml --steps 5");
    assert_eq!(folder.read("extended/tune.jsonl").lines().count(), 5);
    // The file's number of iterations also sets how fast the steps shrink.
    folder.replace("tune.toml", "iterations = 2", "iterations = 8");
    let why = "the run began with 'iterations = 2': leave that in the file and extend it with --steps 8";
    folder.refuses("tune tune.toml --out extended", &[("", why), ("--steps 0", "--steps")]);
}

/// Every shard is extended, and then they are merged again.
#[test]
fn shards_are_extended_and_merged_again() {
    let folder = Folder::new();
    for (c, games) in [("1, 2", 4), ("0.5, 1, 2", 10)] {
        folder.write("sweep.toml", sweep(c, "", "{ iterations = 10 }"));
        let run = format!("sweep sweep.toml --games {games}");
        folder.succeeds(&format!("{run} --out one --shard 1/2"));
        folder.succeeds(&format!("{run} --out two --shard 2/2"));
        folder.refused(&format!("{run} --out one --shard 2/2"), "another shard of this run");
        folder.succeeds("merge merged one two");
        folder.succeeds(&format!("{run} --out whole"));
        assert_eq!(folder.timeless("merged"), folder.timeless("whole"));
    }
    assert_eq!(folder.lines_of_games("merged"), 30);
}

/// The longer run is killed at its first new game. By then the result of the shorter run is gone.
#[test]
fn a_killed_extension_goes_on() {
    let folder = Folder::played(&format!("{MATCH} 4 --jobs 1"));
    let longer = |out: &str| format!("{MATCH} 40 --jobs 1 --out {out}");
    folder.kill_after(&longer("run"), "run", 5);
    assert!((5..40).contains(&folder.lines_of_games("run")));
    assert!(!folder.exists("run/result.json"), "it has not ended");
    folder.succeeds(&longer("run"));
    folder.succeeds(&longer("whole"));
    assert_eq!(folder.timeless("run"), folder.timeless("whole"));
}

/// Whenever a run is killed while it renumbers its games, the same command can continue it. So can the old command, as
/// long as the header is still that of the shorter run.
#[test]
fn renumbering_games_survives_kills() {
    let folder = Folder::new();
    let play = |c: &str, out: &str| {
        folder.write("sweep.toml", sweep(c, "", "{ iterations = 10 }"));
        folder.succeeds(&format!("sweep sweep.toml --out {out} --jobs 1"));
    };
    play("1", "short");
    play("0.5, 1", "long");
    let old_games = folder.read("short/games.jsonl");
    let new_games = old_games.replace("{\"match\":1,", "{\"match\":2,");
    assert_ne!(old_games, new_games);
    let mut marked = folder.json("long/run.json");
    marked["renumbering"] = json!(true);
    let (marked, old_header) = (marked.to_string(), folder.read("short/run.json"));
    for (number, header, games, renumbered) in [
        (1, &old_header, &old_games, Some(&new_games[..100])),
        (2, &old_header, &old_games, Some(&new_games[..])),
        (3, &marked, &old_games, Some(&new_games[..])),
        (4, &marked, &new_games, None),
    ] {
        let out = format!("killed-{number}");
        folder.write(&format!("{out}/run.json"), header);
        folder.write(&format!("{out}/games.jsonl"), games);
        if let Some(lines) = renumbered {
            folder.write(&format!("{out}/games.renumbered.jsonl"), lines);
        }
        if header == &marked {
            let why = "is being extended; if lab was stopped meanwhile, run the same command again";
            folder.refused(&format!("report {out}"), why);
        } else {
            play("1", &out);
            assert_eq!(folder.timeless(&out), folder.timeless("short"), "{out}");
        }
        play("0.5, 1", &out);
        assert_eq!(folder.timeless(&out), folder.timeless("long"), "{out}");
    }
}

#[test]
fn a_disk_without_room_for_the_new_numbers_leaves_the_shorter_run() {
    let folder =
        Folder::played_with("sweep sweep.toml", "sweep.toml", &sweep("1", "", "{ iterations = 10 }"));
    let left = folder.timeless("run");
    folder.write("longer.toml", sweep("0.5, 1", "", "{ iterations = 10 }"));
    let room = folder.size_of_games("run") * 3 / 4;
    let message = folder.refused_on_full_disk("sweep longer.toml --out run", room);
    assert!(message.contains("can't write") && message.contains("games.renumbered.jsonl"), "{message}");
    folder.succeeds("sweep sweep.toml --out run");
    assert_eq!(folder.timeless("run"), left);
}

#[test]
fn a_build_that_plays_differently_does_not_extend() {
    let folder =
        Folder::played_with("sweep sweep.toml", "sweep.toml", &sweep("1", "", "{ iterations = 10 }"));
    let mut changed = folder.json("run/run.json");
    changed["engine"]["agents"]["greedy"] = json!("0123456789abcdef");
    folder.write("run/run.json", changed.to_string());
    folder.write("sweep.toml", sweep("0.5, 1", "", "{ iterations = 10 }"));
    folder.refused("sweep sweep.toml --out run", "a build that plays differently ('greedy')");
    assert_eq!(folder.lines_of_games("run"), 2);
    folder.succeeds("sweep sweep.toml --out run --mixed-builds");
    let header = folder.json("run/run.json");
    assert_eq!(header["engine"], changed["engine"]);
    assert_eq!(header["mixed"][0]["games_before"], 2);
    assert_eq!(header["mixed"][0]["engine"]["agents"].as_object().map(|agents| agents.len()), Some(3));
}
