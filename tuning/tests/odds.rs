//! Odds (separate limits for A and B) in every command that takes or shows them, and exponents in limits and numbers of
//! games.

use crate::support::{Folder, list, number};
use serde_json::{Value, json};

/// A short match of the engine against itself.
const MATCH: &str = "match 'mcts(race=off)' 'mcts(race=off)' --max-plies 40";

/// The most iterations in any search by A, and in any by B. Other searches may end early, with a proof.
fn max_iterations(games: &[Value]) -> [f64; 2] {
    let mut max = [0.0; 2];
    for game in games {
        let opening = list(&game["opening"]).len();
        for (at, count) in list(&game["iterations"]).iter().enumerate() {
            let black_moves = (opening + at).is_multiple_of(2);
            let which = usize::from(black_moves != (game["black"] == "A"));
            max[which] = number(count).max(max[which]);
        }
    }
    max
}

#[test]
fn each_agent_has_its_own_iterations_and_every_result_shows_both() {
    let folder = Folder::played(&format!("{MATCH} --iterations 90,30 --games 4"));
    let both = json!({ "iterations": [90, 30] });
    assert_eq!(folder.json("run/result.json")["limit"], both);
    assert_eq!(folder.json("run/run.json")["arguments"]["limit"], both);
    assert_eq!(max_iterations(&folder.games("run")), [90.0, 30.0]);

    let words = "A 90, B 30 iterations a move";
    let printed = folder.succeeds(&format!("{MATCH} --iterations 90,3e1 --games 4 --out run"));
    assert!(printed.contains(&format!("\nlimit      {words}\n")), "{printed}");
    folder.succeeds("report run");
    assert!(folder.read("run/report.html").contains(words));
    let pgn = folder.succeeds("export run");
    assert!(pgn.contains("[White \"mcts(race=off), 90 iterations a move\"]"), "{pgn}");
    assert!(pgn.contains("[Black \"mcts(race=off), 30 iterations a move\"]"), "{pgn}");

    // A different limit makes it a different run, and the message shows both limits.
    let changed = "'limit' was {\"iterations\":[90,30]} and is now {\"iterations\":[90,31]}";
    folder.refused(&format!("{MATCH} --iterations 90,31 --games 4 --out run"), changed);
}

/// If the limits are swapped, equal agents play the same games with colours swapped.
#[test]
fn exchanged_odds_are_exchanged_agents() {
    let plays = |limit: &str| {
        let line = format!("{MATCH} --iterations {limit} --games 2 --openings start");
        let games = Folder::played(&line).games("run");
        [games[0]["plays"].clone(), games[1]["plays"].clone()]
    };
    let ([first, second], [third, fourth]) = (plays("60,20"), plays("20,60"));
    assert_eq!((&first, &second), (&fourth, &third));
    assert_ne!(first, second, "more iterations lead to different plays");
}

#[test]
fn two_equal_numbers_are_one() {
    let [one, two] = ["30", "30,30"]
        .map(|limit| Folder::played(&format!("{MATCH} --iterations {limit} --games 4")).timeless("run"));
    assert_eq!(one, two);
    assert!(one["run.json"].contains(r#""limit":{"iterations":30}"#), "{}", one["run.json"]);
}

/// A has hardly any time for its game and loses on time; B has more than enough.
#[test]
fn each_agent_has_its_own_time() {
    let folder = Folder::new();
    let result = folder.result(&format!("{MATCH} --game-time 0.000001,100 --games 2"));
    assert_eq!((&result["losses"], &result["time_forfeits"]), (&json!(2), &json!(2)));
    let result = folder.result("match greedy random --games 2 --cpu 0.000001,100 --max-plies 12");
    assert_eq!(result["limit"], json!({ "cpu": [0.000_001, 100.0] }));
    assert_eq!(result["agents"][1]["overdrafts"], 0);
}

#[test]
fn bad_odds_are_refused() {
    let two = "one number for both agents, or two";
    Folder::new().refuses(
        "",
        &[
            ("match mcts mcts --iterations 1,2,3", two),
            ("match mcts mcts --iterations 1,", "expected a whole number"),
            ("match mcts mcts --iterations 1,0", "expected 1 or more"),
            ("match mcts mcts --cpu 0.1,-1", "expected a number of seconds above 0"),
            ("match mcts mcts --game-time 1,100 --cpu 1", "cannot be used with"),
            (
                "tournament mcts greedy --iterations 400,100",
                "--iterations 400,100: all agents of a tournament have the same limit",
            ),
            ("segment mcts greedy run --from 10 --plies 2 --iterations 1,2,3", two),
        ],
    );
}

#[test]
fn numbers_of_games_and_iterations_may_have_an_exponent() {
    let folder = Folder::new();
    let shown = |numbers: &str| {
        let printed = folder.succeeds(&format!("match greedy random --max-plies 2e1 {numbers}"));
        printed.lines().take(6).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(shown("--games 20 --iterations 10"), shown("--games 2e1 --iterations 1e1"));
    folder.refuses(
        "match greedy random --max-plies 2e1",
        &[
            ("--iterations 1.5e0", "--iterations <N>': expected a whole number"),
            ("--iterations 1e20", "--iterations <N>': the number is too large"),
            ("--iterations 1 --games 1e-1", "--games <N>': expected a whole number"),
        ],
    );
    let sweep = |[games, iterations, seed, max_plies, steps]: [&str; 5]| {
        let budgets = format!("games = {games}\nbudgets = [{{ iterations = {iterations} }}]");
        let agents =
            format!("agent = \"mcts\"\nmax_plies = {max_plies}\nseed = {seed}\nopponent = \"greedy\"");
        let grid = format!("[grid]\nc = {{ from = 0.5, to = 1, steps = {steps} }}");
        folder.write("sweep.toml", format!("{agents}\n{budgets}\n{grid}\n"));
    };
    for numbers in [["20", "10", "1000", "12", "2"], ["2e1", "1e1", "1e3", "1.2e1", "2e0"]] {
        sweep(numbers);
        folder.succeeds(&format!("sweep sweep.toml --out {}", numbers[0]));
    }
    assert_eq!(folder.timeless("20"), folder.timeless("2e1"));
    for (numbers, fault) in [
        (["20", "1.5", "1", "12", "2"], "expected a whole number, such as 20000 or 2e4"),
        (["20", "10", "1.5", "12", "2"], "sweep.toml:3:8: expected a whole number, such as 20000 or 2e4"),
        (["20", "10", "1", "0e1", "2"], "sweep.toml:2:13: expected 1 or more"),
        (["20", "10", "1", "1e10", "2"], "sweep.toml:2:13: the number is too large"),
        (["20", "10", "1", "12", "1.5"], "expected a whole number, such as 20000 or 2e4"),
    ] {
        sweep(numbers);
        folder.refused("sweep sweep.toml --out broken", fault);
    }
}
