//! `lab tournament`: a round robin with ratings and a cross table.

use crate::support::{Folder, list, number};
use halma_lab::stats::elo_of_score;
use serde_json::Value;

const TOURNAMENT: &str = "tournament 'mcts(race=off)' greedy random --games 9 --iterations 30";

#[test]
fn a_tournament_by_a_file_is_kept_in_a_folder_of_its_name() {
    let terms = "games = 2\nmax_plies = 20\nbudget = { iterations = 1 }\n";
    let folder = Folder::with("small.toml", format!("agents = ['greedy', 'random']\n{terms}"));
    folder.succeeds("tournament --file small.toml");
    assert!(folder.exists("runs/small/result.json"));
}

#[test]
fn a_round_robin_with_ratings_and_a_cross_table() {
    let folder = Folder::played(TOURNAMENT);
    let names: Vec<String> = folder.files("run").into_keys().collect();
    assert_eq!(names, ["games.jsonl", "result.json", "run.json"]);
    let result = folder.json("run/result.json");
    let standings = list(&result["standings"]);
    assert_eq!(standings.len(), 3);
    let elo: Vec<f64> = standings.iter().map(|line| number(&line["elo"])).collect();
    assert!(elo.iter().sum::<f64>().abs() < 1e-9 && elo.is_sorted_by(|one, other| one >= other), "{elo:?}");
    assert_eq!((&standings[2]["agent"], &standings[2]["lead"]), (&"random".into(), &Value::Null));
    for (place, line) in standings.iter().enumerate() {
        for (name, count) in [("games", 20), ("illegal_plays", 0), ("overdrafts", 0)] {
            assert_eq!(line[name], count, "{name}");
        }
        let row = list(&result["cross_table"][place]);
        assert_eq!(row[place], Value::Null);
        assert_eq!(line["points"], row.iter().filter_map(Value::as_f64).sum::<f64>());
    }
    let points: f64 = standings.iter().map(|line| number(&line["points"])).sum();
    assert_eq!(points, 30.0, "three pairings of ten games");
    assert_eq!(list(&result["pairings"]).len(), 3);
    assert_eq!(result["with_prior"], true, "random wins no game");

    let table = folder.succeeds(&format!("{TOURNAMENT} --out run"));
    let few = "Too few pairs: a match has only 5";
    for part in ["95 %", " … ", few, "1  ", "random", "a drawn game was added", "·"] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn two_agents_differ_by_the_elo_of_their_match() {
    let line = "tournament 'mcts(race=off)' 'mcts(c=4)' --games 40 --iterations 20";
    let result = Folder::new().result(line);
    let pairing = &result["pairings"][0];
    let score = number(&pairing["score"]);
    assert!(0.0 < score && score < 1.0 && result["with_prior"] == false);
    let first = list(&result["standings"]).iter().find(|line| line["agent"] == pairing["a"]);
    let elo = number(&first.expect("the first agent")["elo"]);
    assert!((2.0 * elo - elo_of_score(score)).abs() < 1e-6);
}

/// A gauntlet, sharded or not, plays the same games as its matches do in the round robin, and can be extended to the
/// whole round robin.
#[test]
fn a_gauntlet_is_part_of_the_round_robin() {
    let line = "tournament greedy random homebody 'mcts(race=off)' --games 4 --iterations 5 --max-plies 40";
    let folder = Folder::played(line);
    let gauntlet = folder.timeless_result(&format!("{line} --gauntlet 2 --out part"));
    let matches = [(1, 2), (2, 3), (3, 4), (4, 5)];
    for (number, whole) in matches {
        assert_eq!(folder.games_of_match("part", number), folder.games_of_match("run", whole), "{number}");
    }
    assert_eq!(folder.lines_of_games("part"), 16);
    let standings = list(&gauntlet["standings"]);
    for (row, line) in standings.iter().enumerate() {
        let is_first = |line: &Value| line["agent"] == "greedy" || line["agent"] == "random";
        for (column, other) in standings.iter().enumerate() {
            let met = is_first(line) != is_first(other);
            assert_eq!(gauntlet["cross_table"][row][column].is_number(), met, "{line} {other}");
        }
        assert_eq!(line["games"], 8);
    }
    for shard in ["1/2", "2/2"] {
        folder.succeeds(&format!("{line} --gauntlet 2 --shard {shard} --out {}", &shard[..1]));
    }
    assert_eq!(folder.timeless_result("merge merged 1 2"), gauntlet);
    let report = folder.succeeds("report merged");
    assert!(report.contains("matches: 4, games: 16"), "{report}");
    folder.write(
        "gauntlet.toml",
        format!(
            "agents = {:?}\ngames = 4\nmax_plies = 40\nbudget = {{ iterations = 5 }}\ngauntlet = 2\n",
            ["greedy", "random", "homebody", "mcts(race=off)"]
        ),
    );
    assert_eq!(folder.timeless_result("tournament --file gauntlet.toml --out part"), gauntlet);
    folder.refused(&format!("{line} --gauntlet 1 --out part"), "'gauntlet' was 2 and is now 1");
    folder.succeeds(&format!("{line} --out part"));
    assert_eq!(folder.games("part"), folder.games("run"));
    let fault = "the run was a full round robin and can't become a gauntlet";
    folder.refused(&format!("{line} --gauntlet 2 --out part"), fault);
}

#[test]
fn bad_arguments_are_refused() {
    let folder = Folder::played("tournament greedy random --iterations 1 --games 2");
    folder.refused(
        TOURNAMENT.split(" --").next().expect("agents"),
        "no limit given: use --cpu, --iterations or --game-time",
    );
    folder.refuses(
        "tournament --iterations 1",
        &[
            ("greedy", "expected 2 to 100 agents, found 1"),
            ("greedy random greedy", "the agent 'greedy' appears twice"),
            ("greedy randm", "agent 2, 'randm': there is no agent"),
            ("greedy random --games 0", "--games 0"),
            ("greedy random --out /proc/nowhere", "can't create the folder /proc/nowhere"),
            ("greedy random --sprt 0 5", "unexpected argument"),
            ("greedy random --gauntlet 0", "--gauntlet 0: with 2 agents, only 1 is possible"),
            ("greedy random mcts --gauntlet 0", "--gauntlet 0: expected a number from 1 to 2, because"),
            ("greedy random mcts --gauntlet 3", "the first agents play the others and there are 3 in all"),
            ("greedy random --gauntlet 1.5", "expected a whole number"),
            ("--file no.toml --gauntlet 1", "cannot be used with"),
            ("greedy mcts --games 2 --out run", "holds a run of 'lab tournament' with other arguments"),
            ("greedy random --games 2 --seed 2 --out run", "'seed' was 1 and is now 2"),
        ],
    );
    folder.write("run/run.json", "[");
    folder.refused("tournament greedy random --iterations 1 --games 2 --out run", "run.json is broken");
}
