//! `lab report` from outside: the page says what the files say, and bad files are told.

use crate::support::{lab, refused_on_full_disk, succeeds, text as name};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What `lab report` says when it refuses.
fn refusal(arguments: &[&str]) -> String {
    let output = lab(&[&["report"], arguments].concat()).output().expect("lab starts");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Plays a small match into `folder`.
fn play(agents: [&str; 2], games: &str, folder: &Path) {
    let out = ["--games", games, "--iterations", "30", "--out", name(folder), "--jobs", "1"];
    succeeds(&[&["match", agents[0], agents[1]], &out[..]].concat());
}

/// A folder with a match of eight games.
fn small_match() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    play(["mcts(playout=static)", "greedy"], "8", folder.path());
    folder
}

/// Writes the report beside the folder's files, and reads it.
fn report(folder: &Path, arguments: &[&str]) -> String {
    succeeds(&[&["report", name(folder)], arguments].concat());
    fs::read_to_string(folder.join("report.html")).expect("a report")
}

/// What the page's scripts are given.
fn data(page: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let from = page.find(start).expect("data") + start.len();
    let to = from + page[from..].find("</script>").expect("an end");
    serde_json::from_str(&page[from..to]).expect("the data are JSON")
}

fn json_of(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

#[test]
fn the_page_says_what_the_result_says() {
    let folder = small_match();
    let page = report(folder.path(), &[]);
    let result = json_of(folder.path().join("result.json"));
    let number = |key: &str| result[key].as_f64().expect("a number");
    let interval = match (result["elo_interval"]["from"].as_f64(), result["elo_interval"]["to"].as_f64()) {
        (Some(from), Some(to)) => format!("{from:+.0} … {to:+.0}"),
        (Some(from), None) => format!("above {from:+.0}"),
        (None, Some(to)) => format!("below {to:+.0}"),
        (None, None) => panic!("eight games say something"),
    };
    let elo = result["elo"].as_f64().map_or(interval.clone(), |elo| format!("{elo:+.0}"));
    let expected = [
        format!("<p class=\"big\">{}</p>", elo.replace('-', "−")),
        format!("A won <b>{}</b>", result["wins"]),
        format!("drawn <b>{}</b>", result["draws"]),
        format!("B won <b>{}</b>", result["losses"]),
        format!("<dd>{:.1} %</dd>", 100.0 * number("score")),
        interval.replace('-', "−"),
        format!("LOS</abbr></dt><dd>{:.1} %</dd>", 100.0 * number("los")),
        format!("<dd>{:.1}</dd>", number("mean_plies")),
        "<dd>8<small> of 8</small>".to_string(),
        "limit <b>30 iterations a move</b>".to_string(),
    ];
    for text in expected {
        assert!(page.contains(&text), "{text}");
    }
    assert!(page.matches("<figure").count() >= 5, "plots");
}

#[test]
fn the_games_are_those_on_disk() {
    let folder = small_match();
    let page = report(folder.path(), &[]);
    let data = data(&page);
    let lines = fs::read_to_string(folder.path().join("games.jsonl")).expect("games");
    let games = data["matches"][0]["games"].as_array().expect("a list");
    assert_eq!(games.len(), 8);
    for line in lines.lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let game = &games[record["game"].as_u64().expect("a number") as usize];
        let of = |name: &Value| name.as_str().map(|name| u64::from(name == "B"));
        assert_eq!(game["black"].as_u64(), of(&record["black"]));
        assert_eq!(game["winner"].as_u64(), of(&record["winner"]));
        assert_eq!(game["reason"], record["reason"]);
        let both = [&record["opening"], &record["plays"]].map(|list| list.as_array().expect("a list"));
        let plays = game["replay"]["plays"].as_array().expect("a list");
        assert_eq!(plays.len(), both.map(Vec::len).iter().sum::<usize>());
        for (shown, play) in plays.iter().zip(both.into_iter().flatten()) {
            let squares: Vec<&str> = shown.as_str().expect("a text").split(' ').collect();
            assert_eq!(*play, format!("{} {}", squares[0], squares[squares.len() - 1]));
        }
        assert_eq!(game["replay"]["seconds"], record["seconds"]);
    }
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let folder = small_match();
    let page = report(folder.path(), &[]);
    for address in ["http://", "https://", "src=", "@import", "url("] {
        let places = page.match_indices(address).map(|(at, _)| &page[at..(at + 40).min(page.len())]);
        let foreign: Vec<&str> = places.filter(|place| !harmless(place)).collect();
        assert_eq!(foreign, [] as [&str; 0]);
    }
}

/// The name of SVG, which nobody fetches; colours defined in the page itself; pictures in it.
fn harmless(place: &str) -> bool {
    ["http://www.w3.org/2000/svg", "url(#", "src=\"data:"].iter().any(|own| place.starts_with(own))
}

#[test]
fn a_tournament_has_its_ratings_and_a_run_s_own_plots_are_shown() {
    let folder = TempDir::new().expect("a temporary folder");
    let agents = ["greedy", "random", "mcts(playout=static)"];
    let limits = ["--games", "4", "--iterations", "20", "--out", name(folder.path()), "--jobs", "1"];
    succeeds(&[&["tournament"], &agents[..], &limits].concat());
    // As tuning/sweep.sh leaves them: the shards' games are in the merged run already.
    play([agents[0], agents[1]], "2", &folder.path().join("shards/1-of-2"));
    fs::write(folder.path().join("plot.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>").expect("writable");
    let page = report(folder.path(), &[]);
    let result = json_of(folder.path().join("result.json"));
    let standings = result["standings"].as_array().expect("a list");
    assert_eq!(standings.len(), 3);
    for one in standings {
        let number = |key: &str| one[key].as_f64().expect("a number");
        let elo = number("elo");
        let [from, to] = ["from", "to"].map(|end| one["elo_interval"][end].as_f64().expect("a number"));
        let rating = format!("<b>{elo:+.0}</b> <small>{from:+.0} … {to:+.0}</small>").replace('-', "−");
        let rating = rating.replace("<b>−0<", "<b>+0<");
        let agent = one["agent"].as_str().expect("a text");
        let cell =
            format!("<code>{agent}</code></td><td class=\"n elo\" data-label=\"rating\">{rating}</td>");
        assert!(page.contains(&cell), "{cell}");
    }
    assert!(page.contains("<b>Too few pairs:</b> with 2 of some two agents"));
    assert_eq!(data(&page)["matches"].as_array().map(Vec::len), Some(3));
    assert!(page.contains("src=\"data:image/svg+xml,%3Csvg%20xmlns"));
}

#[test]
fn hostile_names_stay_text() {
    let folder = small_match();
    let path = folder.path().join("run.json");
    let hostile = "</script><script>alert(1)</script><!--";
    let settings = fs::read_to_string(&path).expect("settings");
    fs::write(&path, settings.replace("\"greedy\"", &json!(hostile).to_string())).expect("writable");
    let page = report(folder.path(), &[]);
    assert!(!page.contains("alert(1)</script>") && !page.contains("<!--"));
    assert!(page.contains("alert(1)"));
    assert_eq!(data(&page)["matches"][0]["names"][1], hostile);
}

#[test]
fn only_so_many_games_can_be_replayed_if_asked_for() {
    let folder = small_match();
    let replays = |page: &str| {
        let data = data(page);
        let games = data["matches"][0]["games"].as_array().expect("a list");
        (games.len(), games.iter().filter(|game| game["replay"].is_object()).count())
    };
    let all = report(folder.path(), &[]);
    let few = report(folder.path(), &["--games", "3"]);
    assert_eq!((replays(&all), replays(&few)), ((8, 8), (8, 3)));
    assert!(few.contains("3 of 8 games can be replayed here") && !all.contains("can be replayed here"));
    assert!(few.len() < all.len());
}

#[test]
fn a_folder_of_matches_has_a_table_over_all() {
    let folder = TempDir::new().expect("a temporary folder");
    let agents = ["greedy", "random", "mcts(playout=static)"];
    for (number, agent) in agents.iter().enumerate() {
        play([agent, "greedy"], "4", &folder.path().join(format!("deeper/match-{number}")));
    }
    let page = report(folder.path(), &["--games", "4"]);
    let data = data(&page);
    let matches = data["matches"].as_array().expect("a list");
    assert_eq!(matches.len(), 3);
    for (number, (one, agent)) in matches.iter().zip(agents).enumerate() {
        assert_eq!(one["name"], format!("deeper/match-{number}"));
        assert_eq!(one["names"], json!([agent, "greedy"]));
        let replays =
            one["games"].as_array().expect("games").iter().filter(|game| game["replay"].is_object());
        assert_eq!(replays.count(), [2, 1, 1][number], "four replays for three matches");
        assert!(page.contains(&format!("<tr data-select=\"{number}\"")));
    }
}

#[test]
fn a_run_that_goes_on_is_reported_as_far_as_it_is() {
    let folder = small_match();
    let path = folder.path().join("games.jsonl");
    let lines = fs::read_to_string(&path).expect("games");
    let three: Vec<&str> = lines.lines().take(3).collect();
    fs::write(&path, format!("{}\n{}", three.join("\n"), "{\"game\":3,\"se")).expect("writable");
    let page = report(folder.path(), &[]);
    assert!(page.contains("<dd>2<small> of 8</small>"), "one pair is whole");
    assert_eq!(data(&page)["matches"][0]["games"].as_array().map(Vec::len), Some(3));
    fs::write(&path, "").expect("writable");
    assert!(report(folder.path(), &[]).contains("<dd>0<small> of 8</small>"));
}

#[test]
fn a_log_of_the_referee_can_be_replayed() {
    let folder = TempDir::new().expect("a temporary folder");
    let log = folder.path().join("log.jsonl");
    let greedy = format!("{} agent greedy", env!("CARGO_BIN_EXE_lab"));
    succeeds(&[
        "referee",
        "--black",
        &greedy,
        "--white",
        &greedy,
        "--first",
        "white",
        "--time",
        "100",
        "--max-plies",
        "9",
        "--games",
        "2",
        "--log",
        name(&log),
    ]);
    assert!(succeeds(&["report", name(&log)]).contains("games: 2, to replay: 2"));
    let data = data(&fs::read_to_string(folder.path().join("log.html")).expect("a report"));
    let contest = &data["matches"][0];
    assert_eq!(contest["names"], json!([greedy, greedy]));
    let first: Value =
        serde_json::from_str(fs::read_to_string(&log).expect("a log").lines().next().expect("a line"))
            .expect("JSON");
    let replay = &contest["games"][0]["replay"];
    assert_eq!((&replay["first"], replay["plays"].as_array().map(Vec::len)), (&json!("WHITE"), Some(9)));
    assert_eq!(replay["seconds"][3], first["seconds"][3]);
}

#[test]
fn what_can_not_be_reported_is_told() {
    assert!(refusal(&["no/such/folder"]).contains("can't read no/such/folder: No such file"));
    let empty = TempDir::new().expect("a temporary folder");
    let message = refusal(&[name(empty.path())]);
    assert!(message.contains("no run in") && message.contains("expected run.json"), "{message}");

    let folder = small_match();
    let refused = |what: &str| {
        let message = refusal(&[name(folder.path())]);
        assert!(message.contains(what), "{message}");
    };
    let games = folder.path().join("games.jsonl");
    let good = fs::read_to_string(&games).expect("games");
    let with_third_line = |change: &dyn Fn(&str) -> String| {
        let lines = good.lines().enumerate();
        let lines = lines.map(|(at, line)| if at == 2 { change(line) } else { line.to_string() } + "\n");
        fs::write(&games, lines.collect::<String>()).expect("writable");
    };
    with_third_line(&|line| line.replace("\"seed\"", "\"seat\""));
    refused("games.jsonl: line 3 is broken: missing field `seed`");
    with_third_line(&|line| line[..line.len() / 2].to_string());
    refused("games.jsonl: line 3 is broken");
    with_third_line(&|line| line.replace("\"seconds\":[", "\"seconds\":[1.0,"));
    refused("games.jsonl: line 3 is broken: its lists differ in length");
    with_third_line(&|line| line.replace("\"iterations\":[", "\"iterations\":[],\"others\":["));
    refused("games.jsonl: line 3 is broken: its lists differ in length");
    with_third_line(&|line| line.replace("\"opening\":[", "\"opening\":[\"7,7 8,8\","));
    refused("games.jsonl: game 2: ply 1, 7,7 8,8, is not legal there");
    fs::write(&games, &good).expect("writable");
    fs::write(folder.path().join("run.json"), "{").expect("writable");
    refused("run.json is broken");
    fs::remove_file(&games).expect("writable");
    let log = folder.path().join("log.jsonl");
    fs::write(&log, "{}\n").expect("writable");
    assert!(refusal(&[name(&log)]).contains("log.jsonl: line 1 is not a game of 'lab referee'"));
}

#[test]
fn a_report_that_can_not_be_written_is_told_and_leaves_the_old_one() {
    let folder = small_match();
    let message = refusal(&[name(folder.path()), "--out", "/proc/nowhere/report.html"]);
    assert!(message.contains("can't write /proc/nowhere/report.html: No such file"), "{message}");
    let old = report(folder.path(), &[]);
    let message = refused_on_full_disk(&["report", name(folder.path())], 20 * 512);
    assert!(message.contains("report.html: File too large"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("report.html")).expect("a report"), old);
    assert!(fs::read_dir(folder.path()).expect("a folder").count() == 4);
}

#[test]
fn a_board_is_drawn_with_the_search_s_arrows() {
    let folder = TempDir::new().expect("a temporary folder");
    let picture = folder.path().join("board.svg");
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/halma/6.input.txt");
    // An odd number, so that no share is half a percent.
    let analyse = ["analyse", input, "--iterations", "1999", "--json", "--svg", name(&picture)];
    let analysis: Value = serde_json::from_str(&succeeds(&analyse)).expect("JSON");
    let svg = fs::read_to_string(&picture).expect("a picture");
    for (y, row) in analysis["board"].as_array().expect("rows").iter().enumerate() {
        for (x, mark) in row.as_str().expect("a row").chars().enumerate() {
            let piece = |colour: &str| svg.contains(&format!("\"piece {colour}\" data-square=\"{x},{y}\""));
            assert_eq!((piece("black"), piece("white")), (mark == 'B', mark == 'W'), "{x},{y}");
        }
    }
    let plays = analysis["search"]["candidates"].as_array().expect("a list");
    let visits = |play: &Value| play["visits"].as_f64().expect("a number");
    let share = 100.0 * visits(&plays[0]) / plays.iter().map(visits).sum::<f64>();
    assert!(svg.contains("class=\"arrow rank0\"") && svg.contains(&format!(">{share:.0} %<")), "{share}");
    crate::support::refused(
        &["analyse", input, "--iterations", "1", "--svg", "/proc/nowhere.svg"],
        "can't write /proc/nowhere.svg",
    );
}
