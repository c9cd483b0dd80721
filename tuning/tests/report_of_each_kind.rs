//! What the report says of each kind of run.

use crate::support::report::{ReportPage, SWEEP, TUNE};
use crate::support::{lab, succeeds, text as name};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

#[test]
fn no_figure_has_an_error_that_its_interval_contradicts() {
    for (kind, report) in ReportPage::all() {
        let page = report.text();
        assert!(!page.contains('±'), "{kind}: an interval is written by its ends");
    }
    // Of seventeen games won and three lost, one in each of three pairs.
    let folder = TempDir::new().expect("a temporary folder");
    let limits = ["--games", "20", "--iterations", "5", "--jobs", "1", "--out", name(folder.path())];
    let play = || succeeds(&[&["match", "greedy", "random"], &limits[..]].concat());
    play();
    let path = folder.path().join("games.jsonl");
    let mut games = fs::read_to_string(&path).expect("games");
    for lost in [0, 2, 4] {
        let number = format!("\"game\":{lost},");
        let line = games.lines().find(|line| line.contains(&number)).expect("the game").to_string();
        games = games.replace(&line, &line.replace("\"winner\":\"A\"", "\"winner\":\"B\""));
    }
    fs::write(&path, games).expect("writable");
    // What has been played is only counted again.
    play();
    let report = ReportPage::again(folder);
    let interval = &report.result()["elo_interval"];
    let [from, to] = ["from", "to"].map(|end| interval[end].as_f64().map(|elo| format!("{elo:+.0}")));
    let interval = match (from, to) {
        (Some(from), Some(to)) => format!("{from} … {to}"),
        (Some(from), None) => format!("above {from}"),
        other => panic!("seventeen of twenty have a lower bound: {other:?}"),
    };
    let page = report.text();
    assert!(page.contains("A won <b>17</b>"), "seventeen of twenty");
    let told = format!("<p class=\"big\">+301</p><p class=\"sub\">Elo of A over B; 95 %: <b>{interval}</b>");
    assert!(page.contains(&told), "{told}");
}

#[test]
fn a_tournament_shows_its_cross_table_and_warns_of_bounds() {
    let report = ReportPage::tournament();
    let (page, result) = (report.text(), report.result());
    assert_eq!(result["with_prior"], true, "random takes nothing from the others");
    assert!(page.contains("Bounds rather than estimates:"));
    let cross = page.split_once("<table class=\"cross\">").expect("a cross table").1;
    let cross = cross.split_once("</table>").expect("its end").0;
    let lines: Vec<&str> = cross.split("<tr>").skip(2).collect();
    let standings = result["standings"].as_array().expect("a list");
    assert_eq!(lines.len(), standings.len());
    for ((line, standing), row) in
        lines.iter().zip(standings).zip(result["cross_table"].as_array().expect("rows"))
    {
        assert!(
            line.contains(&format!("<code>{}</code>", standing["agent"].as_str().expect("a spec"))),
            "{line}"
        );
        let cells: Vec<&str> =
            line.split("</td>").filter_map(|cell| cell.rsplit_once('>')).map(|cell| cell.1).collect();
        let cells = &cells[..cells.len() - 1];
        let points = row.as_array().expect("cells").iter().map(|points| match points.as_f64() {
            None => "·".to_string(),
            Some(points) if points.fract() == 0.0 => format!("{points}"),
            Some(points) if points < 1.0 => "½".to_string(),
            Some(points) => format!("{}½", points.trunc()),
        });
        assert!(
            cells.ends_with(&points.collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>()),
            "{cells:?}"
        );
    }
    let even = ReportPage::of(&["tournament", "mcts", "mcts(c=1)", "--games", "8", "--iterations", "4"]);
    assert_eq!(even.result()["with_prior"], false, "both took points from each other");
    assert!(!even.text().contains("Bounds rather than estimates:"), "a warning without a reason");
}

#[test]
fn a_tournament_under_way_has_its_ratings_so_far() {
    let ReportPage { folder, .. } = ReportPage::tournament();
    let path = folder.path().join("games.jsonl");
    let games = fs::read_to_string(&path).expect("games");
    fs::write(&path, games.lines().take(6).map(|line| format!("{line}\n")).collect::<String>())
        .expect("writable");
    fs::remove_file(folder.path().join("result.json")).expect("it is there");
    let page = ReportPage::again(folder).text();
    assert!(page.contains("<h2>Ratings") && page.contains("6 of 12 games."));
}

#[test]
fn a_sweep_shows_its_verdict() {
    for text in [SWEEP.to_string(), SWEEP.replace("opponent = \"mcts(playout=static)\"", "each_other = true")]
    {
        let report = ReportPage::of_file("sweep", &text);
        let page = report.text();
        let verdict = page.split_once("<h2>Verdict").expect("a verdict").1;
        let verdicts = report.result()["verdicts"].as_array().expect("a list").clone();
        assert_eq!(verdicts.len(), 2, "one for each budget");
        for one in &verdicts {
            let named = |key: &str| one[key].as_str().expect("a text").to_string();
            assert!(verdict.contains(&format!("<code>{}</code>", named("best"))), "{one}");
            assert!(verdict.contains(&named("verify").replace('\'', "&#39;")), "{one}");
            let contenders = one["contenders"].as_array().expect("a list");
            let word =
                if contenders.len() == 1 { "the best, with 95 % confidence" } else { "the best may also be" };
            assert!(verdict.contains(word), "{one}");
        }
        let rows = report.result()["rows"].as_array().expect("a list").len();
        let each_other = text.contains("each_other");
        assert_eq!(page.contains("<h3>Settings"), each_other, "a line for each setting where it met several");
        assert!(rows == 8 && page.matches("class=\"drawing\"").count() > 3, "plots");
    }
}

#[test]
fn a_sequential_test_shows_its_curve() {
    let report = ReportPage::sprt();
    let page = report.text();
    let llr = report.result()["sprt"]["llr"].as_f64().expect("a number");
    let pairs: u64 =
        report.result()["pairs"].as_array().expect("counts").iter().filter_map(Value::as_u64).sum();
    let told = format!(
        "Log-likelihood ratio {llr:+.2} after {} games; at +2.94 the test accepts +50 Elo",
        2 * pairs
    );
    assert!(page.contains(&told.replace('-', "−").replace("Log−", "Log-")), "{told}");
    let without = ReportPage::a_match().text();
    assert!(!without.contains("Log-likelihood ratio"), "no test, no curve");
}

#[test]
fn a_tuning_run_has_a_page_of_its_own() {
    let report = ReportPage::of_file("tune", TUNE);
    let (page, result) = (report.text(), report.result());
    assert!(page.contains("<h2>Tuning <small>Exploration by games: 3 of 3 iterations, 2 games each"));
    for (at, parameter) in ["c", "final_visits"].iter().enumerate() {
        let (start, value) = (&result["start"][at], &result["values"][at]);
        let line = page.split_once(&format!("<code>{parameter}</code>")).expect("a line").1;
        let line = line.split_once("</tr>").expect("its end").0;
        let number = |value: &Value| value.as_f64().expect("a number").to_string();
        assert!(line.contains(&format!(">{}</td>", number(start))), "{line}");
        assert!(line.contains(&format!("<b>{}</b>", number(value))), "{line}");
        assert!(page.contains(&format!("{parameter}: {} → {}", number(start), number(value))), "its plot");
    }
    let spec = result["spec"].as_str().expect("a spec");
    assert!(page.contains(&format!("<code>{spec}</code>")), "{spec}");
    assert!(page.contains(&result["verify"].as_str().expect("a command").replace('\'', "&#39;")));
    assert_eq!(page.matches("<tr data-select").count(), 3, "a line for each iteration, and none for a match");
    assert!(!page.contains("Elo of A over B"), "two games have no Elo");

    let games = report.folder.path().join("games.jsonl");
    let played = fs::read_to_string(&games).expect("games");
    fs::write(&games, played.lines().take(3).map(|line| format!("{line}\n")).collect::<String>())
        .expect("writable");
    let page = ReportPage::again(report.folder).text();
    assert!(page.contains("1 of 3 iterations") && page.contains("3 of 6 games."), "as far as it has come");
}

#[test]
fn a_run_with_broken_arguments_is_refused_in_words() {
    let ReportPage { folder, .. } = ReportPage::tournament();
    let path = folder.path().join("run.json");
    let header = fs::read_to_string(&path).expect("a header");
    fs::write(&path, header.replace("\"agents\"", "\"agent\"")).expect("writable");
    let output = lab(&["report", name(folder.path())]).output().expect("lab starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("the arguments of a run of 'lab tournament' are broken"), "{message}");
}
