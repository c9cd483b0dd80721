//! `lab report`: the page shows the contents of the files, for every kind of run and for unfinished runs, and bad files
//! are refused.

use crate::support::report::{ReportPage, SWEEP, TUNE, sweep_of_each};
use crate::support::{Folder, LAB, list, number, string};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// A match of eight games in the folder `run`.
fn eight_games() -> Folder {
    Folder::played("match 'mcts(race=off)' greedy --games 8 --iterations 30 --jobs 1")
}

/// Writes the report of `run`, and returns its page.
fn report(folder: &Folder, options: &str) -> String {
    folder.succeeds(&format!("report run {options}"));
    folder.read("run/report.html")
}

/// The JSON data that the page gives its scripts.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
    let (data, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(data).expect("the data are JSON")
}

/// The text between the first `from` and the next `to`.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

/// An Elo interval, formatted as on the page.
fn written(interval: &Value) -> String {
    let text = match (interval["from"].as_f64(), interval["to"].as_f64()) {
        (Some(from), Some(to)) => format!("{from:+.0} … {to:+.0}"),
        (Some(from), None) => format!("above {from:+.0}"),
        (None, Some(to)) => format!("below {to:+.0}"),
        (None, None) => panic!("the games say nothing: {interval}"),
    };
    text.replace('-', "−")
}

#[test]
fn the_page_has_the_figures_of_the_result() {
    let folder = eight_games();
    let page = report(&folder, "");
    let result = folder.json("run/result.json");
    let interval = written(&result["elo_interval"]);
    let elo = result["elo"].as_f64().map(|elo| format!("{elo:+.0}").replace('-', "−"));
    for text in [
        format!("<p class=\"big\">{}</p>", elo.unwrap_or_else(|| interval.clone())),
        format!("A won <b>{}</b>", result["wins"]),
        format!("drawn <b>{}</b>", result["draws"]),
        format!("B won <b>{}</b>", result["losses"]),
        format!("<dd>{:.1} %</dd>", 100.0 * number(&result["score"])),
        interval,
        format!("LOS</abbr></dt><dd>{:.1} %</dd>", 100.0 * number(&result["los"])),
        format!("<dd>{:.1}</dd>", number(&result["mean_plies"])),
        "<dd>8<small> of 8</small>".to_string(),
        "limit <b>30 iterations a move</b>".to_string(),
    ] {
        assert!(page.contains(&text), "{text}");
    }
    assert!(page.matches("<figure").count() >= 5, "plots");
}

#[test]
fn the_page_has_the_games_on_disk() {
    let folder = eight_games();
    let data = data(&report(&folder, ""));
    let games = list(&data["matches"][0]["games"]);
    let records = folder.timed_games("run");
    assert_eq!((games.len(), records.len()), (8, 8));
    for (game, record) in games.iter().zip(&records) {
        let of = |name: &Value| name.as_str().map(|name| u64::from(name == "B"));
        assert_eq!(game["black"].as_u64(), of(&record["black"]));
        assert_eq!(game["winner"].as_u64(), of(&record["winner"]));
        assert_eq!(game["reason"], record["reason"]);
        let shown = list(&game["replay"]["plays"]).iter().map(|chain| {
            let squares: Vec<&str> = string(chain).split(' ').collect();
            json!(format!("{} {}", squares[0], squares[squares.len() - 1]))
        });
        assert_eq!(shown.collect::<Vec<_>>(), [list(&record["opening"]), list(&record["plays"])].concat());
        assert_eq!(game["replay"]["seconds"], record["seconds"]);
    }
}

#[test]
fn searches_are_measured_in_their_own_units() {
    let report = ReportPage::of("match 'mcts(race=off)' 'alphabeta(depth=1)' --games 2 --iterations 30");
    let page = report.text();
    for (name, unit) in [("A", "iterations/s"), ("B", "nodes/s")] {
        let speed = between(&page, &format!("<dt>{name}: speed · ms per move</dt><dd>"), " · ");
        assert!(speed.contains(&format!(" {unit}")) && !speed.starts_with("0 "), "{speed}");
    }
    let plot = between(&page, "aria-label=\"Iterations.", "\"");
    assert!(plot.contains("A: ") && !plot.contains("B: "), "{plot}");
    let work = &data(&page)["matches"][0]["games"][0]["replay"]["work"];
    let units: Vec<&Value> = list(work).iter().map(|unit| &unit[0]).collect();
    assert_eq!(units[..2], ["iterations", "nodes"]);
}

#[test]
fn the_page_needs_nothing_from_outside() {
    // These are allowed: the SVG namespace, which is not fetched; references within the page; and embedded pictures.
    let own = ["http://www.w3.org/2000/svg", "url(#", "src=\"data:"];
    let page = report(&eight_games(), "");
    for address in ["http://", "https://", "src=", "@import", "url("] {
        let places =
            page.match_indices(address).map(|(at, _)| page[at..].chars().take(40).collect::<String>());
        let foreign: Vec<String> =
            places.filter(|place| !own.iter().any(|own| place.starts_with(own))).collect();
        assert_eq!(foreign, [] as [&str; 0]);
    }
}

#[test]
fn figures_have_intervals_instead_of_errors() {
    for (kind, report) in ReportPage::all() {
        assert!(!report.text().contains('±'), "{kind}: an interval is written by its ends");
    }
    // A has won all twenty games. Three of them, in different pairs, are turned into losses on time before the last
    // play.
    let folder = Folder::played("match greedy random --games 20 --iterations 5 --jobs 1");
    for lost in [0, 2, 4] {
        let games = folder.read("run/games.jsonl");
        let mark = format!("\"game\":{lost},");
        let line = games.lines().find(|line| line.contains(&mark)).expect("the game");
        let mut game: Value = serde_json::from_str(line).expect("JSON");
        for list in ["plays", "seconds", "values", "iterations", "nodes", "boards", "reused", "candidates"] {
            game[list].as_array_mut().and_then(Vec::pop).expect("the last decision");
        }
        (game["winner"], game["reason"]) = (json!("B"), json!("time-forfeit"));
        folder.replace("run/games.jsonl", line, &game.to_string());
    }
    // The same command counts the games again and plays none.
    folder.succeeds("match greedy random --games 20 --iterations 5 --jobs 1 --out run");
    let report = ReportPage::again(folder);
    let interval = written(&report.result()["elo_interval"]);
    let page = report.text();
    assert!(page.contains("A won <b>17</b>"), "seventeen of twenty");
    let elo = format!("<p class=\"big\">+301</p><p class=\"sub\">Elo of A over B; 95 %: <b>{interval}</b>");
    assert!(page.contains(&elo), "{elo}");
}

#[test]
fn a_tournament_shows_its_ratings_and_the_plots_in_its_folder() {
    let run = "tournament greedy random 'mcts(race=off)' --games 4 --iterations 20 --jobs 1";
    let folder = Folder::played(run);
    // A shard, as tuning/sweep.sh leaves it. In such a folder the shards' games are already in the merged run.
    folder.succeeds("match greedy random --games 2 --iterations 30 --out run/shards/1-of-2");
    folder.write("run/plot.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    let page = report(&folder, "");
    let result = folder.json("run/result.json");
    assert_eq!(list(&result["standings"]).len(), 3);
    for line in list(&result["standings"]) {
        let (elo, interval) = (number(&line["elo"]), &line["elo_interval"]);
        let [from, to] = ["from", "to"].map(|end| number(&interval[end]));
        let rating = format!("<b>{elo:+.0}</b> <small>{from:+.0} … {to:+.0}</small>").replace('-', "−");
        let rating = rating.replace("<b>−0<", "<b>+0<");
        let agent = string(&line["agent"]);
        let cell =
            format!("<code>{agent}</code></td><td class=\"n elo\" data-label=\"rating\">{rating}</td>");
        assert!(page.contains(&cell), "{cell}");
    }
    assert!(page.contains("<b>Too few pairs:</b> one match has only 2"));
    assert_eq!(list(&data(&page)["matches"]).len(), 3);
    assert!(page.contains("src=\"data:image/svg+xml,%3Csvg%20xmlns"));
}

#[test]
fn a_tournament_shows_its_cross_table_and_warns_of_bounds() {
    let report = ReportPage::tournament();
    let (page, result) = (report.text(), report.result());
    assert_eq!(result["with_prior"], true, "random takes nothing from the others");
    assert!(page.contains("Bounds rather than estimates:"));
    let cross = between(&page, "<table class=\"cross\">", "</table>");
    let lines: Vec<&str> = cross.split("<tr>").skip(2).collect();
    let standings = list(&result["standings"]);
    assert_eq!(lines.len(), standings.len());
    for ((line, standing), row) in lines.iter().zip(standings).zip(list(&result["cross_table"])) {
        assert!(line.contains(&format!("<code>{}</code>", string(&standing["agent"]))), "{line}");
        let cells = line.split("</td>").filter_map(|cell| cell.rsplit_once('>')).map(|(_, text)| text);
        let cells: Vec<&str> = cells.collect();
        let points = list(row).iter().map(|points| match points.as_f64() {
            None => "·".to_string(),
            Some(points) if points.fract() == 0.0 => format!("{points}"),
            Some(points) if points < 1.0 => "½".to_string(),
            Some(points) => format!("{}½", points.trunc()),
        });
        let points: Vec<String> = points.collect();
        assert_eq!(cells[cells.len() - 1 - points.len()..cells.len() - 1], points, "{line}");
    }
    let even = ReportPage::of("tournament 'mcts(race=off)' 'mcts(race=off, c=1)' --games 8 --iterations 4");
    assert_eq!(even.result()["with_prior"], false, "each took points from the other");
    assert!(!even.text().contains("Bounds rather than estimates:"), "a warning without a reason");
}

#[test]
fn a_sweep_shows_its_verdict() {
    for (text, each_other) in [(SWEEP, false), (&sweep_of_each(), true)] {
        let report = ReportPage::of_file("sweep", text);
        let (page, result) = (report.text(), report.result());
        let (_, verdict) = page.split_once("<h2>Verdict").expect("a verdict");
        assert_eq!(list(&result["verdicts"]).len(), 2, "one for each budget");
        for one in list(&result["verdicts"]) {
            assert!(verdict.contains(&format!("<code>{}</code>", string(&one["best"]))), "{one}");
            assert!(verdict.contains(&string(&one["verify"]).replace('\'', "&#39;")), "{one}");
            let is_alone = list(&one["contenders"]).len() == 1;
            let words = if is_alone { "the best, with 95 % confidence" } else { "the best may also be" };
            assert!(verdict.contains(words), "{one}");
        }
        assert_eq!(
            page.contains("<h3>Settings"),
            each_other,
            "a line for each setting if settings play each other"
        );
        assert_eq!(list(&result["rows"]).len(), 8);
        assert!(page.matches("class=\"drawing\"").count() > 3, "plots");
    }
}

#[test]
fn a_sequential_test_shows_its_curve() {
    let report = ReportPage::sprt();
    let (page, result) = (report.text(), report.result());
    let games = 2.0 * list(&result["pairs"]).iter().map(number).sum::<f64>();
    let ratio = format!(
        "ratio {:+.2} after {games} games; at +2.94 the test accepts +50 Elo",
        number(&result["sprt"]["llr"])
    );
    assert!(page.contains(&format!("Log-likelihood {}", ratio.replace('-', "−"))), "{ratio}");
    assert!(!ReportPage::a_match().text().contains("Log-likelihood ratio"), "no test, no curve");
    let normalized = "match greedy random --sprt 0 50 --elo-scale normalized --games 4 --iterations 5";
    assert!(
        ReportPage::of(normalized).text().contains("it accepts +50 normalized Elo, at the lower one +0 n")
    );
}

#[test]
fn a_tuning_run_has_a_page_of_its_own() {
    let report = ReportPage::of_file("tune", TUNE);
    let (page, result) = (report.text(), report.result());
    assert!(page.contains("<h2>Tuning <small>Exploration by games: 3 of 3 iterations, 2 games each"));
    for (at, parameter) in ["c", "final_visits"].iter().enumerate() {
        let [start, value] = ["start", "values"].map(|name| number(&result[name][at]));
        let line = between(&page, &format!("<code>{parameter}</code>"), "</tr>");
        assert!(line.contains(&format!(">{start}</td>")), "{line}");
        assert!(line.contains(&format!("<b>{value}</b>")), "{line}");
        assert!(page.contains(&format!("{parameter}: {start} → {value}")), "its plot");
    }
    let spec = string(&result["spec"]);
    assert!(page.contains(&format!("<code>{spec}</code>")), "{spec}");
    assert!(page.contains(&string(&result["verify"]).replace('\'', "&#39;")));
    assert_eq!(page.matches("<tr data-select").count(), 3, "a line for each iteration, and none for a match");
    assert!(!page.contains("Elo of A over B"), "two games have no Elo");

    report.folder.keep_lines("run/games.jsonl", 3);
    let page = ReportPage::again(report.folder).text();
    assert!(page.contains("1 of 3 iterations") && page.contains("3 of 6 games."), "as far as it has come");
    assert!(!page.contains("id=\"matches\""), "the unfinished step is not a match, either");
}

#[test]
fn hostile_names_stay_text() {
    let folder = eight_games();
    let hostile = "</script><script>alert(1)</script><!--";
    folder.replace("run/run.json", "\"greedy\"", &json!(hostile).to_string());
    let page = report(&folder, "");
    assert!(!page.contains("alert(1)</script>") && !page.contains("<!--"));
    assert!(page.contains("alert(1)"));
    assert_eq!(data(&page)["matches"][0]["names"][1], hostile);
}

/// How many games of a match are on the page, and how many of them can be replayed.
fn replays(contest: &Value) -> (usize, usize) {
    let games = list(&contest["games"]);
    (games.len(), games.iter().filter(|game| game["replay"].is_object()).count())
}

#[test]
fn the_number_of_games_to_replay_can_be_limited() {
    let folder = eight_games();
    let (all, few) = (report(&folder, ""), report(&folder, "--games 3"));
    assert_eq!(replays(&data(&all)["matches"][0]), (8, 8));
    assert_eq!(replays(&data(&few)["matches"][0]), (8, 3));
    assert!(few.contains("3 of 8 games can be replayed here") && !all.contains("can be replayed here"));
    assert!(few.len() < all.len());
}

#[test]
fn a_folder_of_matches_has_a_table_over_all() {
    let folder = Folder::new();
    let agents = ["greedy", "random", "mcts(race=off)"];
    for (number, agent) in agents.iter().enumerate() {
        let line = format!("match '{agent}' greedy --games 4 --iterations 30");
        folder.succeeds(&format!("{line} --out run/deeper/match-{number}"));
    }
    let page = report(&folder, "--games 4");
    let data = data(&page);
    assert_eq!(list(&data["matches"]).len(), 3);
    for (number, (contest, agent)) in list(&data["matches"]).iter().zip(agents).enumerate() {
        assert_eq!(contest["name"], format!("deeper/match-{number}"));
        assert_eq!(contest["names"], json!([agent, "greedy"]));
        assert_eq!(replays(contest).1, [2, 1, 1][number], "four replays for three matches");
        assert!(page.contains(&format!("<tr data-select=\"{number}\"")));
    }
}

#[test]
fn an_unfinished_run_is_reported_as_far_as_it_goes() {
    let folder = eight_games();
    folder.keep_lines("run/games.jsonl", 3);
    folder.write("run/games.jsonl", folder.read("run/games.jsonl") + "{\"game\":3,\"se");
    let page = report(&folder, "");
    assert!(page.contains("<dd>2<small> of 8</small>"), "one pair is whole");
    let number = |label| between(&page, &format!("{label} <b>"), "</b>").parse::<u64>().expect("a number");
    assert_eq!(["A won", "drawn", "B won"].map(number).iter().sum::<u64>(), 2, "the games of that pair");
    assert!(page.contains("<dd>unknown, as all pairs are alike</dd>"), "one pair has no spread");
    assert_eq!(list(&data(&page)["matches"][0]["games"]).len(), 3);
    folder.write("run/games.jsonl", "");
    assert!(report(&folder, "").contains("<dd>0<small> of 8</small>"));

    let ReportPage { folder, .. } = ReportPage::tournament();
    folder.keep_lines("run/games.jsonl", 6);
    folder.remove("run/result.json");
    let page = report(&folder, "");
    assert!(page.contains("<h2>Ratings") && page.contains("6 of 12 games."));
}

#[test]
fn a_watched_report_is_written_again_until_the_run_has_ended() {
    const REFRESH: &str = "<meta http-equiv=\"refresh\" content=\"1\">";
    let line = "match greedy random --iterations 1 --max-plies 20 --games 6";
    let folder = Folder::played(line);
    let refreshes = || folder.exists("run/report.html") && folder.read("run/report.html").contains(REFRESH);
    let watch = "report run --watch 1";
    assert!(folder.succeeds(watch).contains("games: 6,"), "a run that has ended is reported once");
    assert!(!refreshes());
    // Makes the run look as if it had been killed.
    folder.remove("run/result.json");
    folder.keep_lines("run/games.jsonl", 4);
    folder.succeeds("report run");
    assert!(!refreshes(), "nobody watches");
    let mut child = folder.lab(watch).stdout(Stdio::piped()).spawn().expect("lab starts");
    while !refreshes() {
        assert_eq!(child.try_wait().expect("its status"), None, "the run has not ended");
        thread::sleep(Duration::from_millis(10));
    }
    folder.succeeds(&format!("{line} --out run"));
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).expect("text");
    let [first, last] = ["games: 4,", "games: 6,"].map(|part| printed.find(part));
    assert!(first.is_some() && last > first, "{printed}");
    assert!(!refreshes(), "there is nothing more to load");
}

#[test]
fn a_log_of_the_referee_can_be_replayed() {
    let folder = Folder::new();
    let greedy = format!("{LAB} agent greedy");
    let options = "--first white --time 100 --max-plies 9 --games 2 --log log.jsonl";
    folder.succeeds(&format!("referee --black '{greedy}' --white '{greedy}' {options}"));
    assert!(folder.succeeds("report log.jsonl").contains("games: 2, to replay: 2"));
    let data = data(&folder.read("log.html"));
    let contest = &data["matches"][0];
    assert_eq!(contest["names"], json!([greedy, greedy]));
    let log = folder.read("log.jsonl");
    let first: Value = serde_json::from_str(log.lines().next().expect("a line")).expect("JSON");
    let replay = &contest["games"][0]["replay"];
    assert_eq!((&replay["first"], list(&replay["plays"]).len()), (&json!("WHITE"), 9));
    assert_eq!(replay["seconds"][3], first["seconds"][3]);
    // A disk without room for a third game leaves two.
    let third = format!("referee --black '{greedy}' --white '{greedy}' --max-plies 9 --log log.jsonl");
    let message = folder.refused_on_full_disk(&third, log.len() as u64 + 1);
    assert!(message.contains("can't write the log: File too large"), "{message}");
    assert_eq!(folder.read("log.jsonl"), log);
    folder.write("log.jsonl", format!("{log}{}", &log[..99]));
    assert!(folder.succeeds("report log.jsonl").contains("games: 2, to replay: 2"), "half a line is ignored");
    // The same programs with other times are another contest.
    folder.write("log.jsonl", &log);
    folder.succeeds(&third.replace("--max-plies", "--time 9 --max-plies"));
    folder.succeeds("report log.jsonl");
    let page = folder.read("log.html");
    assert!(
        ["100, White 100", "9, White 9"].iter().all(|times| page.contains(&format!("<b>Black {times}</b>")))
    );
    // A log does not say whether more games follow, so its report is written again and again.
    let mut child =
        folder.lab("report log.jsonl --watch 1").stdout(Stdio::piped()).spawn().expect("lab starts");
    let printed = BufReader::new(child.stdout.take().expect("a pipe")).lines().take(2).count();
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(printed, 2);
}

#[test]
fn runs_that_can_not_be_reported_are_refused() {
    let folder = eight_games();
    folder.refused("report no/such/folder", "can't read no/such/folder: No such file");
    folder.write("empty/a-file", "");
    folder.refused("report empty", "no run in empty: expected run.json");
    folder.write("run/run.json", "{");
    folder.refused("report run", "run.json is broken");
    folder.write("log.jsonl", "{}\n");
    folder.refused("report log.jsonl", "log.jsonl: line 1 is not a game of 'lab referee'");

    let ReportPage { folder, .. } = ReportPage::tournament();
    folder.replace("run/run.json", "\"agents\"", "\"agent\"");
    folder.refused("report run", "the arguments of this run of 'lab tournament' are broken");
}

#[test]
fn a_report_that_can_not_be_written_leaves_the_old_one() {
    let folder = eight_games();
    let nowhere = "can't write /proc/nowhere/report.html: No such file";
    folder.refused("report run --out /proc/nowhere/report.html", nowhere);
    let old = report(&folder, "");
    let message = folder.refused_on_full_disk("report run", 20 * 512);
    assert!(message.contains("report.html: File too large"), "{message}");
    assert_eq!(folder.read("run/report.html"), old);
    assert_eq!(folder.files("run").len(), 4);
}
