//! Parts of results besides the score: the error rates of the sequential test, the interval of normalized Elo, and the
//! value of moving first.

use crate::support::{Folder, list, number};
use serde_json::{Value, json};

/// Asserts that the result, the printed text and the report show the first mover's score in the games of `run`. Returns
/// that score.
fn check_first_mover(folder: &Folder, first_mover: &Value, printed: &str) -> f64 {
    let games = folder.games("run");
    let points = games.iter().map(|game| match &game["winner"] {
        Value::Null => 0.5,
        winner => f64::from(u8::from(*winner == game["black"])),
    });
    let expected = points.sum::<f64>() / games.len() as f64;
    assert!((number(&first_mover["score"]) - expected).abs() < 1e-12, "{first_mover} {expected}");
    let interval = &first_mover["score_interval"];
    // A sweep has no interval, because its matches have the same openings.
    if !interval.is_null() {
        let [from, to] = ["from", "to"].map(|end| number(&interval[end]));
        assert!(0.0 <= from && from <= expected && expected <= to && to <= 1.0, "{first_mover}");
    }
    let pairs: f64 = list(&first_mover["pairs"]).iter().map(number).sum();
    assert_eq!(2.0 * pairs, games.len() as f64);
    folder.succeeds("report run");
    for shown in [printed, &folder.read("run/report.html")] {
        let words = format!("{:.1} %", 100.0 * expected);
        let place = shown.find("irst mover").or(shown.find("first move ")).expect("the first mover");
        let after: String = shown[place..].chars().take(150).collect();
        assert!(after.contains(&words), "{words}: {after}");
    }
    expected
}

#[test]
fn every_result_shows_the_first_mover_s_score() {
    let sweep = "agent = \"mcts(race=off)\"\nopponent = \"greedy\"\ngames = 4\n\
                 budgets = [{ iterations = 5 }]\n[grid]\nc = [0.3, 1.0]\n";
    let tune = "agent = \"mcts(race=off)\"\nbudget = { iterations = 5 }\niterations = 2\npairs = 1e0\n\
                [parameters.c]\nfrom = 0.1\nto = 2\nstep = 0.1\n";
    let mut scores = Vec::new();
    for (line, file) in [
        // Both games of a pair are the same, because the greedy agent leaves nothing to chance.
        ("match greedy greedy --games 14 --iterations 1", ""),
        ("tournament greedy random shuffler --games 2 --iterations 1 --max-plies 150", ""),
        ("sweep file.toml", sweep),
        ("tune file.toml", tune),
    ] {
        let folder = Folder::played_with(line, "file.toml", file);
        let printed = folder.succeeds(&format!("{line} --out run"));
        let first_mover = &folder.json("run/result.json")["first_mover"];
        // A sweep has one such score for each budget.
        let is_sweep = first_mover.is_array();
        let first_mover = if is_sweep { &first_mover[0] } else { first_mover };
        scores.push(check_first_mover(&folder, first_mover, &printed));
        assert_eq!(first_mover["score_interval"].is_null(), is_sweep, "{line}");
    }
    assert!(
        scores.iter().any(|score| (score - 0.5).abs() > 0.01),
        "all scores are even, which proves nothing"
    );
}

#[test]
fn normalized_elo_has_its_interval_everywhere() {
    let agents = "'mcts(race=off)' 'mcts(race=off, c=3)'";
    let line = format!("match {agents} --games 16 --iterations 10 --max-plies 200");
    let folder = Folder::played(&line);
    let result = folder.json("run/result.json");
    let elo = number(&result["normalized_elo"]);
    let [from, to] = ["from", "to"].map(|end| number(&result["normalized_elo_interval"][end]));
    assert!(from < elo && elo < to);
    let printed = folder.succeeds(&format!("{line} --out run"));
    let words = format!("{elo:+.1} ({from:+.1} … {to:+.1})");
    assert!(printed.contains(&format!("normalized Elo {words}")), "{words}: {printed}");
    folder.succeeds("report run");
    assert!(folder.read("run/report.html").contains(&words.replace('-', "−")), "{words}");
}

const SPRT: &str = "match greedy random --iterations 1 --max-plies 900 --sprt -20 20";

#[test]
fn the_errors_of_the_sequential_test_can_be_chosen() {
    let usual = Folder::played(SPRT);
    // Default error rates are not recorded, so that a run begun by an older build, which had no such options, can still
    // be continued.
    let expected = json!({ "elo0": -20.0, "elo1": 20.0, "scale": "logistic" });
    assert_eq!(usual.json("run/run.json")["arguments"]["sprt"], expected);
    let usual = usual.json("run/result.json");
    let lax = Folder::new().result(&format!("{SPRT} --alpha 0.3 --beta 0.2"));
    assert_eq!(usual["sprt"]["alpha"], 0.05, "a result has the default as well");
    assert_eq!((&lax["sprt"]["alpha"], &lax["sprt"]["beta"]), (&json!(0.3), &json!(0.2)));
    // Wald 1945: ln(β/(1−α)) and ln((1−β)/α).
    let [low, high] = [0, 1].map(|end| number(&lax["sprt"]["bounds"][end]));
    assert!((low - (0.2f64 / 0.7).ln()).abs() < 1e-12 && (high - (0.8f64 / 0.3).ln()).abs() < 1e-12);
    assert!(lax["games"].as_u64() < usual["games"].as_u64(), "higher error rates need fewer games");

    let folder = Folder::new();
    let line = format!("{SPRT} --alpha 0.3 --out run");
    let printed = folder.succeeds(&line);
    let [low, high] = [(0.05f64 / 0.7).ln(), (0.95f64 / 0.3).ln()];
    assert!(printed.contains(&format!("in {low:.2} … {high:+.2}")), "{printed}");
    folder.succeeds("report run");
    let on_page = format!("at {high:+.2} the test accepts");
    assert!(folder.read("run/report.html").contains(&on_page), "the plot's bounds are the test's");
    assert_eq!(folder.succeeds(&line), printed, "the same command continues the same run");
    folder.refused(&format!("{SPRT} --alpha 0.2 --out run"), "'sprt' was {\"alpha\":0.3");
}

#[test]
fn bad_errors_are_refused() {
    Folder::new().refuses(
        "match greedy random --iterations 1",
        &[
            ("--sprt 0 5 --alpha 0", "--alpha 0: expected a probability between 0 and 0.5"),
            ("--sprt 0 5 --alpha 0.5", "--alpha 0.5: expected a probability between 0 and 0.5"),
            ("--sprt 0 5 --beta -0.1", "--beta -0.1: expected a probability between 0 and 0.5"),
            ("--sprt 0 5 --beta 1", "--beta 1: expected a probability between 0 and 0.5"),
            ("--sprt 0 5 --alpha nan", "--alpha NaN: expected a probability between 0 and 0.5"),
            ("--alpha 0.1", "--sprt"),
        ],
    );
}
