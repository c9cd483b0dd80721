//! `lab analyse` says which search decided and why, keeps two searches and their units apart, and shows only figures
//! that a search found.

use crate::support::{Folder, list, number, sample, string};
use halma::homework::input::parse_input;
use halma::rules::Play;
use serde_json::Value;
use std::fs;

fn text(number: u32, more: &str) -> String {
    Folder::new().succeeds(&format!("analyse {} {more}", sample(number)))
}

fn json(number: u32, more: &str) -> Value {
    Folder::new().result(&format!("analyse {} {more}", sample(number)))
}

/// The text that follows `label` on its line.
fn after<'a>(text: &'a str, label: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(label));
    line.unwrap_or_else(|| panic!("no {label} in\n{text}")).trim()
}

#[test]
fn every_agent_analyses_every_sample() {
    for agent in ["mcts", "'mcts(select=uct, playout=static)'", "greedy", "random"] {
        for number in 1..=6 {
            let answer = json(number, &format!("--agent {agent} --iterations 500"));
            let input = fs::read(sample(number)).expect("a sample");
            let position = parse_input(&input).expect("a valid input.txt").position;
            let best: Play = string(&answer["best"]).parse().expect("a play");
            assert!(position.is_legal(best), "{agent}, sample {number}: {best}");
            assert_eq!(answer["principal_variation"][0], answer["best"]);
            assert_eq!(answer["legal_plays"], position.count_plays());
            assert_eq!(list(&answer["board"]).len(), 16);
        }
    }
}

#[test]
fn an_analysis_sees_wins() {
    let answer = json(1, "--iterations 100");
    assert_eq!((&answer["proof"], &answer["value"]), (&"win".into(), &1.0.into()));
}

#[test]
fn an_analysis_repeats_itself() {
    let analyse = || {
        let mut answer = json(6, "--iterations 3000 --seed 7");
        assert_eq!((&answer["search"]["iterations"], &answer["seed"]), (&3000.into(), &7.into()));
        answer["seconds"].take();
        answer["search"]["iterations_per_second"].take();
        answer
    };
    assert_eq!(analyse(), analyse());
}

#[test]
fn an_analysis_takes_one_cpu_second_by_default() {
    for (limit, range) in [("", 0.8..1.1), ("--cpu 0.1", 0.07..0.15)] {
        let answer = json(4, limit);
        assert!(range.contains(&number(&answer["seconds"])), "{limit:?}: {}", answer["seconds"]);
        assert_eq!(answer["search"]["stop"], "time");
    }
}

#[test]
fn the_text_shows_the_board_the_play_and_a_table() {
    let text = text(6, "--iterations 2000 --top 3");
    let best: Play = after(&text, "best play").parse().expect("a play");
    let row = |y: u8| text.lines().nth(usize::from(y) + 1).expect("a row of the board");
    assert!(row(best.from.y()).contains("(B)"), "{text}");
    assert!(row(best.to.y()).contains("[.]"), "{text}");
    assert!(text.contains("BLACK to move, addendum rules, legal plays: 78"), "{text}");
    assert!(after(&text, "iterations").starts_with("2000 in "), "{text}");
    assert_eq!(after(&text, "stopped by"), "iterations");
    let (_, table) = text.split_once("rank").expect("a table");
    let rows = table.lines().filter(|line| line.contains('%') && !line.contains("priors"));
    assert_eq!(rows.count(), 3, "{text}");
}

/// In the README's first example the race solver decides, and a tree is searched in the time left. The output must not
/// show the findings of one as those of the other.
#[test]
fn the_race_solver_and_the_tree_search_are_apart() {
    let answer = json(3, "--cpu 0.05");
    assert_eq!(answer["decided_by"], "race");
    let (race, search) = (&answer["race"], &answer["search"]);
    assert_eq!((&race["value"], &race["line"][0]), (&answer["value"], &answer["best"]));
    assert!(number(&race["boards"]) > 0.0 && race["own"]["plays"] == 5.0);
    assert_eq!(race["opponent"]["certainty"], "estimated");
    let candidates = list(&search["candidates"]);
    assert_eq!(search["value"], candidates[0]["value"]);
    let visits: f64 = candidates.iter().map(|candidate| number(&candidate["visits"])).sum();
    let iterations = number(&search["iterations"]);
    // The first visit to the root goes to none of its children.
    assert!(visits == iterations || visits + 1.0 == iterations, "{visits} {iterations}");
    let played = candidates.iter().find(|one| one["play"] == answer["best"]).expect("the race's play");
    assert!(number(&played["prior"]) < 0.9, "its prior is the tree's");

    let text = text(3, "--cpu 0.05");
    assert!(after(&text, "decided by").starts_with("race solver: plays needed: 5 ("), "{text}");
    assert!(after(&text, "decided by").contains("against about 13 (estimated)"), "{text}");
    assert!(after(&text, "race solver").contains(" boards, value +0."), "{text}");
    let (_, table) = text.split_once("The tree search, which did not decide:").expect("a heading");
    assert!(table.contains("rank  play"), "{text}");

    // With an iteration limit the race solver decides alone, and no search is reported.
    let answer = json(3, "--iterations 400");
    assert_eq!((&answer["decided_by"], &answer["search"]), (&"race".into(), &Value::Null));
}

#[test]
fn priors_add_up_and_unvisited_plays_have_no_value() {
    for iterations in [1, 30, 2000] {
        let search = &json(6, &format!("--iterations {iterations}"))["search"];
        let candidates = list(&search["candidates"]);
        let priors: f64 = candidates.iter().map(|candidate| number(&candidate["prior"])).sum();
        let all = priors + number(&search["other_priors"]);
        assert!((all - 1.0).abs() < 1e-4, "{all}");
        for candidate in candidates {
            let known = number(&candidate["visits"]) > 0.0 || !candidate["proof"].is_null();
            assert_eq!(!candidate["value"].is_null(), known, "{candidate}");
            assert_eq!(candidate["value"].is_null(), candidate["expected_score"].is_null(), "{candidate}");
        }
    }
    let text = text(6, "--iterations 2 --top 1000");
    assert!(text.contains("–       –"), "unvisited plays have no value: {text}");
    let shares = text.split('%').filter_map(|part| part.rsplit(' ').next()?.parse::<f64>().ok());
    let rows = text.lines().filter(|line| line.ends_with('–') && line.contains('%')).count();
    assert!(rows == 8 && shares.count() >= rows, "{text}");
    assert!(after(&text, "not searched: ").contains("% of the priors"), "{text}");
}

#[test]
fn an_agent_without_a_search_has_neither_prior_nor_value() {
    let answer = json(6, "--agent greedy");
    assert_eq!(answer["decided_by"], "rule");
    for name in ["value", "expected_score", "proof", "race", "search"] {
        assert_eq!(answer[name], Value::Null, "{name}");
    }
    let text = text(6, "--agent greedy");
    assert_eq!(after(&text, "decided by"), "a rule of greedy, without search");
    assert_eq!(after(&text, "value"), "–");
    assert!(!text.contains('%'), "{text}");
}

#[test]
fn each_search_counts_in_its_own_unit() {
    let search = &json(6, "--iterations 500")["search"];
    assert_eq!((&search["iterations"], &search["nodes"]), (&500.into(), &Value::Null));
    assert!(number(&search["tree_nodes"]) > 0.0 && search["candidates"][0]["visits"].is_u64());
    for agent in ["alphabeta", "alphabeta(depth=1)", "minimax"] {
        let arguments = format!("--agent '{agent}' --iterations 500");
        let search = &json(6, &arguments)["search"];
        assert_eq!(search["iterations"], Value::Null, "{agent} makes no iterations");
        let stop = if agent == "alphabeta" { "iterations" } else { "depth" };
        assert_eq!(search["stop"], stop, "{agent}");
        let best = &search["candidates"][0];
        assert!(number(&search["nodes"]) > 0.0 && best["nodes"].is_u64(), "{search}");
        assert_eq!((&best["prior"], &search["other_priors"]), (&Value::Null, &Value::Null));
        let text = text(6, &arguments);
        assert!(after(&text, "nodes").contains(" visited in "), "{text}");
        assert!(after(&text, "decided by").starts_with("search: best value at depth "), "{text}");
    }
}

/// In a match of a tree search against alpha-beta, iterations, nodes and boards are counted separately.
#[test]
fn the_figures_of_a_match_do_not_mix_units() {
    let folder = Folder::new();
    let line = "match 'mcts(playout=static)' alphabeta --games 2 --iterations 50";
    let result = folder.result(line);
    let (a, b) = (&result["agents"][0], &result["agents"][1]);
    assert_eq!(a["nodes"], 0);
    let iterations = number(&a["iterations"]);
    assert!(0.0 < iterations && iterations <= 50.0 * number(&a["decisions"]), "boards are not iterations");
    assert!(number(&a["boards"]) > 0.0, "both games end in a race");
    assert_eq!((&b["iterations"], &b["iterations_per_second"]), (&0.into(), &0.0.into()));
    assert!(number(&b["nodes"]) > 0.0 && number(&b["nodes_per_second"]) > 0.0);
    let text = folder.succeeds(line);
    let speeds: Vec<&str> = text.lines().rev().take(2).collect();
    assert!(speeds[1].contains(" iterations/s, ") && speeds[1].contains(" boards/s"), "{text}");
    assert!(!speeds[0].contains("iterations") && speeds[0].contains(" nodes/s"), "{text}");
    let greedy = folder.succeeds("match greedy random --games 2 --iterations 1");
    assert!(greedy.contains("A          no search, "), "{greedy}");
}

#[test]
fn the_picture_shows_the_board_with_the_search_s_arrows() {
    let folder = Folder::new();
    // The number of iterations is odd, so that no share of the visits lies halfway between two whole percentages.
    let analysis = folder.result(&format!("analyse {} --iterations 1999 --svg board.svg", sample(6)));
    let svg = folder.read("board.svg");
    for (y, row) in list(&analysis["board"]).iter().enumerate() {
        for (x, mark) in string(row).chars().enumerate() {
            let piece = |colour: &str| svg.contains(&format!("\"piece {colour}\" data-square=\"{x},{y}\""));
            assert_eq!((piece("black"), piece("white")), (mark == 'B', mark == 'W'), "{x},{y}");
        }
    }
    let visits: Vec<f64> =
        list(&analysis["search"]["candidates"]).iter().map(|play| number(&play["visits"])).collect();
    let share = 100.0 * visits[0] / visits.iter().sum::<f64>();
    assert!(svg.contains("class=\"arrow rank0\"") && svg.contains(&format!(">{share:.0} %<")), "{share}");
}
