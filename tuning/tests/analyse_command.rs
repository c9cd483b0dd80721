//! What `lab analyse` says: who decided and why, two searches apart, each unit by its name, and no figure that
//! nobody has found.

use crate::support::succeeds;
use serde_json::Value;

/// The path of one of the course's sample inputs.
fn sample(number: u32) -> String {
    format!("{}/../tests/data/halma/{number}.input.txt", env!("CARGO_MANIFEST_DIR"))
}

fn text(number: u32, more: &[&str]) -> String {
    succeeds(&[&["analyse", &sample(number)], more].concat())
}

fn json(number: u32, more: &[&str]) -> Value {
    serde_json::from_str(&text(number, &[more, &["--json"]].concat())).expect("JSON")
}

/// The text behind a label.
fn after<'a>(text: &'a str, label: &str) -> &'a str {
    text.lines()
        .find_map(|line| line.strip_prefix(label))
        .unwrap_or_else(|| panic!("no {label} in {text}"))
        .trim()
}

/// In the README's first example the race player decides, and the tree is searched as well, since the time is
/// there. What one of them found is not shown as the other's.
#[test]
fn the_race_solver_and_the_tree_search_are_apart() {
    let answer = json(3, &["--cpu", "0.05"]);
    assert_eq!(answer["decided_by"], "race");
    let (race, search) = (&answer["race"], &answer["search"]);
    assert_eq!((&race["value"], &race["line"][0]), (&answer["value"], &answer["best"]));
    assert!(race["boards"].as_u64() > Some(0) && race["own"]["plays"] == 5.0);
    assert_eq!(race["opponent"]["certainty"], "estimated");
    let candidates = search["candidates"].as_array().expect("a list");
    assert_eq!(search["value"], candidates[0]["value"]);
    let visits: u64 = candidates.iter().map(|one| one["visits"].as_u64().expect("visits")).sum();
    let made = search["iterations"].as_u64().expect("iterations");
    // The first visit to the root goes to none of its children.
    assert!(visits == made || visits + 1 == made, "{visits} {made}");
    let played = candidates.iter().find(|one| one["play"] == answer["best"]).expect("the race's play");
    assert!(played["prior"].as_f64() < Some(0.9), "its prior is the tree's");

    let said = text(3, &["--cpu", "0.05"]);
    assert!(after(&said, "decided by").starts_with("race solver: plays needed: 5 ("), "{said}");
    assert!(after(&said, "decided by").contains("against about 13 (estimated)"), "{said}");
    assert!(after(&said, "race solver").contains(" boards, value +0."), "{said}");
    let (_, table) = said.split_once("The tree search, which did not decide:").expect("a heading");
    assert!(table.contains("rank  play"), "{said}");

    // Under a limit of iterations the race player alone decides; nothing is said of a search.
    let answer = json(3, &["--iterations", "400"]);
    assert_eq!((&answer["decided_by"], &answer["search"]), (&"race".into(), &Value::Null));
}

#[test]
fn priors_add_up_and_what_was_not_visited_has_no_value() {
    for iterations in ["1", "30", "2000"] {
        let answer = json(6, &["--iterations", iterations]);
        let search = &answer["search"];
        let candidates = search["candidates"].as_array().expect("a list");
        let priors: f64 = candidates.iter().map(|one| one["prior"].as_f64().expect("a prior")).sum();
        let all = priors + search["other_priors"].as_f64().expect("the rest");
        assert!((all - 1.0).abs() < 1e-4, "{all}");
        for one in candidates {
            let known = one["visits"].as_u64() > Some(0) || !one["proof"].is_null();
            assert_eq!(!one["value"].is_null(), known, "{one}");
            assert_eq!(one["value"].is_null(), one["expected_score"].is_null(), "{one}");
        }
    }
    let said = text(6, &["--iterations", "2", "--top", "1000"]);
    assert!(said.contains("–       –"), "unvisited plays have no value: {said}");
    let shares = said.split('%').filter_map(|part| part.rsplit(' ').next()?.parse::<f64>().ok());
    let rows = said.lines().filter(|line| line.ends_with('–') && line.contains('%')).count();
    assert!(rows == 8 && shares.count() >= rows, "{said}");
    let share_of_others = said.lines().find_map(|line| line.strip_prefix("not looked at: "));
    assert!(share_of_others.is_some_and(|line| line.contains("% of the priors")), "{said}");
}

#[test]
fn who_does_not_search_has_neither_prior_nor_value() {
    let answer = json(6, &["--agent", "greedy"]);
    assert_eq!(answer["decided_by"], "rule");
    for nothing in ["value", "expected_score", "proof", "race", "search"] {
        assert_eq!(answer[nothing], Value::Null, "{nothing}");
    }
    let said = text(6, &["--agent", "greedy"]);
    assert_eq!(after(&said, "decided by"), "the rule of greedy, without search");
    assert_eq!(after(&said, "value"), "–");
    assert!(!said.contains('%'), "{said}");
}

#[test]
fn each_search_counts_in_its_own_unit() {
    let tree = json(6, &["--iterations", "500"]);
    let search = &tree["search"];
    assert_eq!((&search["iterations"], &search["nodes"]), (&500.into(), &Value::Null));
    assert!(search["tree_nodes"].as_u64() > Some(0) && search["candidates"][0]["visits"].is_u64());
    for agent in ["alphabeta", "minimax"] {
        let answer = json(6, &["--agent", agent, "--iterations", "500"]);
        let search = &answer["search"];
        assert_eq!(search["iterations"], Value::Null, "{agent} makes no iterations");
        assert!(search["nodes"].as_u64() > Some(0) && search["candidates"][0]["nodes"].is_u64(), "{answer}");
        assert_eq!(
            (&search["candidates"][0]["prior"], &search["other_priors"]),
            (&Value::Null, &Value::Null)
        );
        let said = text(6, &["--agent", agent, "--iterations", "500"]);
        assert!(after(&said, "nodes").contains(" visited in "), "{said}");
        assert!(after(&said, "decided by").starts_with("search: the highest value at depth "), "{said}");
    }
}

/// A match of a tree search against alpha-beta: iterations, nodes and boards each have a figure of their own.
#[test]
fn the_figures_of_a_match_do_not_mix_units() {
    let run = ["match", "mcts(playout=static)", "alphabeta", "--games", "2", "--iterations", "50", "--json"];
    let result: Value = serde_json::from_str(&succeeds(&run)).expect("JSON");
    let [a, b] = [0, 1].map(|which| &result["agents"][which]);
    let number = |agent: &Value, name: &str| agent[name].as_u64().expect(name);
    let decisions = number(a, "decisions");
    assert_eq!(number(a, "nodes"), 0);
    assert!(
        number(a, "iterations") <= 50 * decisions && number(a, "iterations") > 0,
        "boards are none of them"
    );
    assert!(number(a, "boards") > 0, "both games end in a race");
    assert_eq!((number(b, "iterations"), number(b, "nodes") > 0), (0, true));
    assert_eq!(
        (b["iterations_per_second"].as_f64(), b["nodes_per_second"].as_f64() > Some(0.0)),
        (Some(0.0), true)
    );
    let said = succeeds(&run[..run.len() - 1]);
    let speeds: Vec<&str> = said.lines().rev().take(2).collect();
    assert!(speeds[1].contains(" iterations/s, ") && speeds[1].contains(" boards/s"), "{said}");
    assert!(!speeds[0].contains("iterations") && speeds[0].contains(" nodes/s"), "{said}");
    let greedy = succeeds(&["match", "greedy", "random", "--games", "2", "--iterations", "1"]);
    assert!(greedy.contains("A          no search, "), "{greedy}");
}
