//! What results say besides the score: the errors of the sequential test, the interval of normalized Elo, what it
//! is worth to move first.

use crate::support::{games, refused, succeeds, text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeeds(&[arguments, &["--json"]].concat())).expect("it is JSON")
}

fn page_of(run: &Path) -> String {
    succeeds(&["report", text(run)]);
    fs::read_to_string(run.join("report.html")).expect("a page")
}

/// Points per game of the side that made the first play, from the games themselves.
fn first_mover_score(games: &[Value]) -> f64 {
    let points = games.iter().map(|game| match &game["winner"] {
        Value::Null => 0.5,
        winner => f64::from(u8::from(*winner == game["black"])),
    });
    points.sum::<f64>() / games.len() as f64
}

/// Checks that `result` has the first mover's score of these games, and that it is in all `texts`.
fn check_first_mover(result: &Value, games: &[Value], texts: &[&str]) {
    let expected = first_mover_score(games);
    assert!((result["score"].as_f64().expect("a number") - expected).abs() < 1e-12, "{result} {expected}");
    let interval = &result["score_interval"];
    // That of a sweep would be wrong, for its matches have the same openings.
    if !interval.is_null() {
        let [from, to] = ["from", "to"].map(|end| interval[end].as_f64().expect("a number"));
        assert!(0.0 <= from && from <= expected && expected <= to && to <= 1.0, "{result}");
    }
    let pairs = result["pairs"].as_array().expect("five counts");
    assert_eq!(2 * pairs.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), games.len() as u64);
    for shown in texts {
        let words = format!("{:.1} %", 100.0 * expected);
        let place = shown.find("irst mover").or(shown.find("first move ")).expect("the first mover");
        let after: String = shown[place..].chars().take(150).collect();
        assert!(after.contains(&words), "{words}: {after}");
    }
}

#[test]
fn every_result_says_what_it_was_worth_to_move_first() {
    let folder = TempDir::new().unwrap();
    let place = |name: &str| -> PathBuf { folder.path().join(name) };
    let out = place("match");
    // Greedy leaves nothing to chance, so both games of a pair are one: seven pairs have a winner among the sides.
    let arguments = ["match", "greedy", "greedy", "--games", "14", "--iterations", "1", "--out", text(&out)];
    let printed = succeeds(&arguments);
    check_first_mover(&json_of(&arguments)["first_mover"], &games(&out), &[&printed, &page_of(&out)]);
    assert!((first_mover_score(&games(&out)) - 0.5).abs() > 0.01, "else the test could not tell");

    let out = place("tournament");
    let agents = ["tournament", "greedy", "random", "shuffler", "--games", "2", "--iterations", "1"];
    let arguments = [&agents[..], &["--max-plies", "150", "--out", text(&out)]].concat();
    let printed = succeeds(&arguments);
    check_first_mover(&json_of(&arguments)["first_mover"], &games(&out), &[&printed, &page_of(&out)]);

    let file = place("sweep.toml");
    let sweep = "agent = \"mcts(playout=static)\"\nopponent = \"greedy\"\ngames = 4\n\
                 budgets = [{ iterations = 5 }]\n[grid]\nc = [0.3, 1.0]\n";
    fs::write(&file, sweep).unwrap();
    let out = place("sweep");
    let arguments = ["sweep", text(&file), "--out", text(&out)];
    let printed = succeeds(&arguments);
    let first_mover = json_of(&arguments)["first_mover"][0].take();
    check_first_mover(&first_mover, &games(&out), &[&printed, &page_of(&out)]);
    assert!(first_mover["score_interval"].is_null());

    let file = place("tune.toml");
    let tune = "agent = \"mcts(playout=static)\"\nbudget = { iterations = 5 }\niterations = 2\npairs = 1e0\n\
                [parameters.c]\nfrom = 0.1\nto = 2\nstep = 0.1\n";
    fs::write(&file, tune).unwrap();
    let out = place("tune");
    let arguments = ["tune", text(&file), "--out", text(&out)];
    let printed = succeeds(&arguments);
    check_first_mover(&json_of(&arguments)["first_mover"], &games(&out), &[&printed, &page_of(&out)]);
}

#[test]
fn normalized_elo_has_its_interval_everywhere() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let agents = ["match", "mcts(playout=static)", "mcts(playout=static, c=3)", "--games", "16"];
    let arguments =
        [&agents[..], &["--iterations", "10", "--max-plies", "200", "--out", text(&out)]].concat();
    let result = json_of(&arguments);
    let elo = result["normalized_elo"].as_f64().expect("there is a spread");
    let [from, to] =
        ["from", "to"].map(|end| result["normalized_elo_interval"][end].as_f64().expect("a number"));
    assert!(from < elo && elo < to);
    let printed = succeeds(&arguments);
    let words = format!("normalized Elo {elo:+.1} ({from:+.1} … {to:+.1})");
    assert!(printed.contains(&words), "{words}: {printed}");
    let on_page = format!("{elo:+.0}, 95 %: {from:+.0} … {to:+.0}").replace('-', "−");
    assert!(page_of(&out).contains(&on_page), "{on_page}");
}

#[test]
fn the_errors_of_the_sequential_test_can_be_chosen() {
    let folder = TempDir::new().unwrap();
    let agents =
        ["match", "greedy", "random", "--iterations", "1", "--max-plies", "900", "--sprt", "-20", "20"];
    let with = |more: &[&str]| json_of(&[&agents[..], more].concat());
    let (usual, lax) = (with(&[]), with(&["--alpha", "0.3", "--beta", "0.2"]));
    let bounds = |result: &Value| [0, 1].map(|end| result["sprt"]["bounds"][end].as_f64().expect("a number"));
    assert_eq!(usual["sprt"]["alpha"], json!(0.05), "a result says so too if it is the usual one");
    assert_eq!((&lax["sprt"]["alpha"], &lax["sprt"]["beta"]), (&json!(0.3), &json!(0.2)));
    // Wald 1945: ln(β/(1−α)) and ln((1−β)/α).
    let [low, high] = bounds(&lax);
    assert!((low - (0.2f64 / 0.7).ln()).abs() < 1e-12 && (high - (0.8f64 / 0.3).ln()).abs() < 1e-12);
    assert!(lax["games"].as_u64() < usual["games"].as_u64(), "who accepts more errors needs fewer games");

    let out = folder.path().join("run");
    let arguments = [&agents[..], &["--alpha", "0.3", "--out", text(&out)]].concat();
    let printed = succeeds(&arguments);
    let [low, high] = [(0.05f64 / 0.7).ln(), (0.95f64 / 0.3).ln()];
    assert!(printed.contains(&format!("in {low:.2} … {high:+.2}")), "{printed}");
    let page = page_of(&out);
    assert!(page.contains(&format!("at {high:+.2} the test accepts")), "the plot's bounds are the test's");
    assert!(succeeds(&arguments) == printed, "given again it is the same run");
    let other = [&agents[..], &["--alpha", "0.2", "--out", text(&out)]].concat();
    refused(&other, "'sprt' was {\"alpha\":0.3");
    // Usual errors are not written, so that runs of builds that knew no others go on.
    let out = folder.path().join("usual");
    with(&["--out", text(&out)]);
    let header: Value = serde_json::from_slice(&fs::read(out.join("run.json")).unwrap()).unwrap();
    assert_eq!(header["arguments"]["sprt"], json!({ "elo0": -20.0, "elo1": 20.0, "scale": "logistic" }));
}

#[test]
fn errors_that_are_none_are_refused() {
    let fixed = ["match", "greedy", "random", "--iterations", "1"];
    for (name, error) in [("alpha", "0"), ("alpha", "0.5"), ("beta", "-0.1"), ("beta", "1"), ("alpha", "nan")]
    {
        let option = format!("--{name}");
        let arguments = [&fixed[..], &["--sprt", "0", "5", &option, error]].concat();
        let shown = if error == "nan" { "NaN" } else { error };
        refused(&arguments, &format!("--{name} {shown}: expected a probability between 0 and 0.5"));
    }
    refused(&[&fixed[..], &["--alpha", "0.1"]].concat(), "--sprt");
}
