//! `lab sweep`: a sweep consists of matches, its result names the best settings, and mistakes in its file are refused.

use crate::support::{Folder, list, number, string};
use halma_lab::runs::experiment::Document;
use halma_lab::runs::sweep::Sweep;
use halma_lab::stats::{MeanScore, Trial};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::os::unix::process::CommandExt;
use std::path::Path;

/// Two parameters, two budgets, eight matches of four games.
pub const SMALL: &str = r#"
title = "A small sweep"
agent = "mcts(playout=static, race=off)"
opponent = "greedy"
games = 4
budgets = [{ iterations = 10 }, { iterations = 30, games = 3 }]
seed = 5
[grid]
c = [0.5, 2]
"prior.base" = { from = 1.1, to = 1.5, steps = 2 }
"#;

/// The grid of [`SMALL`].
const GRID: &str = "c = [0.5, 2]\n\"prior.base\" = { from = 1.1, to = 1.5, steps = 2 }";

/// A folder in which the sweep that this file describes has been played, in `run`.
fn played(sweep: &str) -> Folder {
    Folder::played_with("sweep file.toml", "file.toml", sweep)
}

/// The rows of the table, each keyed by column name.
fn table(folder: &Folder) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.path("run/sweep.csv")).expect("there is a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn each_cell_is_the_match_played_alone() {
    let folder = played(SMALL);
    let rows = table(&folder);
    assert_eq!(rows.len(), 8);
    let mut different = HashSet::new();
    for (match_number, row) in (1..).zip(&rows) {
        let (name, value) = row["budget"].split_once('=').expect("a limit");
        let spec = format!(
            "mcts(playout=static, race=off, c={}, prior=network(base={}))",
            row["c"], row["prior.base"]
        );
        let alone = format!("alone-{match_number}");
        let line = format!("match '{spec}' greedy --{name} {value} --games 4 --seed 5 --out {alone}");
        let result = folder.result(&line);
        for count in ["games", "wins", "draws", "losses"] {
            assert_eq!(row[count], result[count].to_string(), "{line}: {count}");
        }
        let interval = &result["elo_interval"];
        for (column, value) in [
            ("score", &result["score"]),
            ("elo", &result["elo"]),
            ("elo_low", &interval["from"]),
            ("elo_high", &interval["to"]),
            ("los", &result["los"]),
            ("plies", &result["mean_plies"]),
        ] {
            let found: f64 = row[column].parse().expect("a number");
            let is_close = value.as_f64().map_or(found.is_infinite(), |value| (found - value).abs() < 0.01);
            assert!(is_close, "{line}: {column} {found} {value}");
        }
        let games = folder.games(&alone);
        assert_eq!(folder.games_of_match("run", match_number), games);
        different.insert(games.iter().map(|game| game["plays"].to_string()).collect::<Vec<_>>());
    }
    assert!(different.len() > 4, "the settings play differently: {}", different.len());
}

/// All games are there, and the disk has room for the table, but not for the plots.
#[test]
fn a_disk_without_room_for_the_plots_is_an_error() {
    let folder = played(SMALL);
    let whole = folder.timeless("run");
    for name in ["sweep.csv", "score.svg", "heat.svg", "result.json"] {
        folder.remove(&format!("run/{name}"));
    }
    let room = whole["sweep.csv"].len() as u64;
    let message = folder.refused_on_full_disk("sweep file.toml --out run", room);
    assert!(message.contains("can't write") && message.contains("svg: File too large"), "{message}");
    let left = folder.files("run");
    assert_eq!(left.keys().collect::<Vec<_>>(), ["games.jsonl", "run.json", "sweep.csv"]);
    folder.succeeds("sweep file.toml --out run");
    assert_eq!(folder.timeless("run"), whole);
}

#[test]
fn settings_can_play_each_other() {
    let folder = played(
        "agent = 'mcts'\neach_other = true\nalso = ['greedy']\ngames = 2\nbudgets = [{ iterations = 10 }]\n\
         [grid]\nplayout = ['static', 'uniform']\n",
    );
    let rows = table(&folder);
    assert_eq!((rows.len(), folder.lines_of_games("run")), (3, 6));
    assert_eq!((rows[1]["playout"].as_str(), rows[2]["agent"].as_str()), ("uniform", "greedy"));
    // A setting's two pairs of games begin with the same opening, so they are one trial.
    for row in list(&folder.json("run/result.json")["rows"]) {
        let mean = MeanScore::of(&[Trial { score: number(&row["score"]), games: 1 }]);
        assert_eq!(row["score_interval"], json!(mean.interval), "{row}");
    }
    let points: f64 = rows.iter().map(|row| 4.0 * row["score"].parse::<f64>().expect("a score")).sum();
    assert!((points - 6.0).abs() < 1e-3, "{points} points in six games");
    assert!(rows.iter().all(|row| row["games"] == "4"));
    // Each search has 10 iterations. `greedy` has none, and neither has a decision of the race solver.
    assert!(rows[2]["iterations"] == "0.00" && rows[0]["iterations"] != "0.00");
    assert!(rows.iter().all(|row| row["opponent_iterations"] != "0.00"));
    assert!(folder.exists("run/matrix.svg") && !folder.exists("run/heat.svg"));
    // Settings without a numerical order are listed, best first.
    let plot = folder.read("run/score.svg");
    let mut placed: Vec<(usize, f64)> = Vec::new();
    for (name, row) in ["mcts(playout=static)", "mcts(playout=uniform)", "greedy"].into_iter().zip(&rows) {
        let place = plot.find(&format!("\n{name}\n")).unwrap_or_else(|| panic!("{name} is not in {plot}"));
        placed.push((place, row["score"].parse().expect("a score")));
    }
    placed.sort_unstable_by_key(|&(place, _)| place);
    assert!(placed.is_sorted_by(|one, next| one.1 >= next.1), "{placed:?}");
}

#[test]
fn the_result_says_what_is_decided() {
    let folder = played(
        "title = \"Odd\\u0007 title\"\nagent = 'alphabeta(race=off)'\nopponent = 'random'\ngames = 12\nbudgets = [{ iterations = 1 }]\n\
         max_plies = 250\n[grid]\ndepth = [1, 2]\n",
    );
    let verdict = &folder.json("run/result.json")["verdicts"][0];
    let scores: Vec<f64> = table(&folder).iter().map(|row| row["score"].parse().expect("a score")).collect();
    assert_eq!(verdict["best"], if scores[1] > scores[0] { "depth=2" } else { "depth=1" });
    assert_eq!(verdict["decided"], list(&verdict["contenders"]).len() == 1);
    let verify = string(&verdict["verify"]);
    assert!(
        verify.starts_with("lab match 'alphabeta(race=off, depth=") && verify.ends_with(" --max-plies 250")
    );
    let printed = folder.succeeds("sweep file.toml --out run");
    assert!(printed.starts_with("Odd  title"), "{printed}");
    assert!(
        folder.read("run/score.svg").contains("Odd\u{fffd} title"),
        "XML forbids most control characters"
    );
}

/// A sweep of one setting.
const SINGLE: &str = "agent = 'alphabeta'\nopponent = 'greedy'\nbudgets = [{ iterations = 1 }]\ngames = 4\n\
                      max_plies = 20\n[grid]\ndepth = [1]\n";

#[test]
fn a_custom_lab_uses_its_own_name() {
    let folder = Folder::with("file.toml", SINGLE);
    let own = |line: &str| folder.lab(line).arg0("labs/own-lab").output().expect("it starts");
    assert!(own("sweep file.toml --out run").status.success());
    let verify = &folder.json("run/result.json")["verdicts"][0]["verify"];
    assert!(string(verify).starts_with("own-lab match 'alphabeta(depth=1)' "), "{verify}");
    let errors = own("sweep nothing.toml --out other").stderr;
    assert!(errors.starts_with(b"own-lab: "), "{}", String::from_utf8_lossy(&errors));
}

#[test]
fn a_single_setting_is_the_best_of_nothing() {
    let itself = SINGLE.replace("'greedy'", "'alphabeta( depth=1 )'");
    for (sweep, verify) in [(SINGLE, true), (itself.as_str(), false)] {
        let folder = Folder::with("file.toml", sweep);
        let printed = folder.succeeds("sweep file.toml --out run");
        let verdict = &folder.json("run/result.json")["verdicts"][0];
        assert_eq!(verdict["compared"], 1);
        assert_eq!(verdict["verify"].is_string(), verify, "no agent is to be tested against itself");
        folder.succeeds("report run");
        for shown in [printed, folder.read("run/report.html")] {
            assert!(shown.contains("the only setting"), "{shown}");
            assert!(!shown.contains("confidence") && !shown.contains("best of"), "{shown}");
            assert_eq!(shown.contains("To confirm with fresh games, run:"), verify, "{shown}");
        }
    }
}

#[test]
fn mistakes_in_the_file_are_refused_by_line_and_column() {
    let folder = Folder::new();
    for (from, to, message) in [
        ("title", "titel", "2:1: unknown field `titel`"),
        ("[0.5, 2]", "[0.5, 2", "10:1: missing comma"),
        ("[0.5, 2]", "[0.5, -2]", "9:11: c=-2: expected a number from 0 to 100"),
        ("[0.5, 2]", "[0.5, 0.50]", "9:11: 0.5 appears twice"),
        ("[0.5, 2]", "['0.5', '5e-1']", "9:13: 0.5 and 5e-1 are the same"),
        (GRID, "prior = ['uniform', 'uniform()']", "9:21: uniform and uniform() are the same"),
        (
            "seed = 5",
            "also = ['mcts(prior=network(base=1.1), race=off, c=0.50, playout=static())']",
            "7:9: the agents 'mcts(playout=static, race=off, c=0.5, prior=network(base=1.1))' and \
             'mcts(prior=network(base=1.1), race=off, c=0.50, playout=static())' are the same",
        ),
        (
            "seed = 5",
            "also = ['greedy', 'greedy()']",
            "7:19: the agents 'greedy' and 'greedy()' are the same",
        ),
        ("seed = 5", "also = ['random', 'random']", "7:19: the agent 'random' appears twice"),
        ("[0.5, 2]", "[]", "9:1: no values"),
        ("c =", "cc =", "9:1: mcts has no parameter 'cc'; did you mean c? It has playout, "),
        ("c = [0.5, 2]", "c = [1]\ncap = [2]", "8:1: expected one or two parameters, found 3"),
        (
            "playout=static",
            "playout=best",
            "3:9: there is no playout policy 'best'; did you mean mast? Choose from ",
        ),
        ("playout=static", "c=1", "9:1: the agent already sets 'c'"),
        ("to = 1.5", "to = 1.0", "10:16: from 1.1 to 1: expected two numbers"),
        ("greedy", "gredy", "4:12: there is no agent 'gredy'"),
        ("opponent = \"greedy\"", "", "3:9: 'opponent' is missing"),
        ("seed = 5", "each_other = true", "4:12: use either 'opponent' or 'each_other', not both"),
        ("seed = 5", "seed = -5", "7:8: "),
        ("seed = 5", "openings = 'random:9-1'", "7:12: 'random:9-1': expected random:MIN-MAX"),
        ("seed = 5", "max_plies = 0", "7:13: "),
        ("seed = 5", "max_plies = 9", "1:1: max_plies=9: openings have up to 10 plies"),
        ("{ iterations = 10 }", "{ iterations = 0 }", "6:12: 0 iterations"),
        ("{ iterations = 10 }", "{ cpu = inf }", "6:12: expected seconds above 0"),
        ("{ iterations = 10 }", "{ iterations = 30 }", "6:33: this budget appears twice"),
        ("{ iterations = 10 }", "{ plies = 10 }", "6:14: unknown field `plies`"),
        ("games = 4", "games = 0", "6:12: 0 games"),
        ("games = 3", "games = 4_000_000_000_000", "1:1: games=4000000000000: at most"),
    ] {
        folder.write("sweep.toml", SMALL);
        folder.replace("sweep.toml", from, to);
        folder.refused("sweep sweep.toml --out out", &format!("sweep.toml:{message}"));
        assert!(!folder.exists("out"), "nothing was begun");
    }
}

#[test]
fn grids_are_checked_as_a_whole() {
    let values: Vec<String> = (1..=100).map(|value| value.to_string()).collect();
    let many = values.join(", ");
    for (grid, message) in [
        (format!("c = [{many}]\nfpu = [{many}]"), "expected at most 10000 matches, found 49995000"),
        (
            "playout = ['nst', 'lgrf']\n'playout.length' = [2, 3]".to_string(),
            "lgrf with 3: length=3: expected a whole number from 1 to 2",
        ),
        ("c = [1]".to_string(), "a single agent has nobody to play; add a value, or an agent under 'also'"),
    ] {
        let sweep =
            format!("agent = 'mcts'\neach_other = true\nbudgets = [{{ iterations = 1 }}]\n[grid]\n{grid}\n");
        Folder::with("sweep.toml", sweep).refused("sweep sweep.toml", &format!("sweep.toml:4:1: {message}"));
    }
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let folder = played(SMALL);
    folder.refuses(
        "sweep file.toml",
        &[
            (
                "--out run --seed 6",
                "holds a run of 'lab sweep' with other arguments; use another folder: 'seed' was 5 and is now 6",
            ),
            ("--out run --rules original", "'rules' was \"addendum\" and is now \"original\""),
            ("--out run --shard 1/2", "holds another shard of this run"),
            ("--out run --games 2", "'budgets' was"),
            ("--out /proc/nowhere", "can't create the folder /proc/nowhere"),
            ("--out new --shard 1/3", "there are only 2 pairs of games"),
        ],
    );
    folder.refused("sweep no-such.toml", "can't read no-such.toml");
}

#[test]
fn the_experiments_that_come_with_it_are_valid() {
    for (name, matches) in [
        ("exploration", 54),
        ("playouts", 30),
        ("playouts-uct", 32),
        ("playouts-to-the-end", 22),
        ("strangers", 20),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.toml"));
        let source = Document::read(&path).expect("it is there");
        let sweep = Sweep::parse(&source, Default::default()).expect("it is valid");
        assert_eq!(sweep.cells().len(), matches, "{name}");
    }
}
