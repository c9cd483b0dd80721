//! The report in a real browser: its board shows what the rules say, whatever key is pressed.
//!
//! Where there is no browser the tests say "skipped"; with `HALMA_BROWSER=required` they fail.

use crate::support::browser::{Browser, installed};
use crate::support::succeeds;
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Play, Position, Rules, chain, letter};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A match of four games.
struct Run {
    folder: TempDir,
    games: Vec<Value>,
}

impl Run {
    fn new() -> Run {
        let folder = TempDir::new().expect("a temporary folder");
        let out = folder.path().to_str().expect("a plain name");
        let agents = ["mcts(playout=static)", "greedy"];
        succeeds(&[
            "match",
            agents[0],
            agents[1],
            "--games",
            "4",
            "--iterations",
            "60",
            "--out",
            out,
            "--jobs",
            "1",
        ]);
        let lines = fs::read_to_string(folder.path().join("games.jsonl")).expect("there are games");
        let mut games: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        games.sort_by_key(|game| game["game"].as_u64());
        Run { folder, games }
    }

    /// The report, made with these further arguments.
    fn report(&self, arguments: &[&str]) -> PathBuf {
        let folder = self.folder.path().to_str().expect("a plain name");
        succeeds(&[&["report", folder], arguments].concat());
        self.folder.path().join("report.html")
    }

    /// The plays of a game, and the position before each and at the end.
    fn replay(&self, game: usize) -> (Vec<Play>, Vec<Position>) {
        let list = |name: &str| self.games[game][name].as_array().expect("a list").clone();
        let plays: Vec<Play> = [list("opening"), list("plays")]
            .concat()
            .iter()
            .map(|play| play.as_str().expect("a text").parse().expect("a play"))
            .collect();
        let mut positions = vec![Position::initial(BLACK, Rules::Addendum)];
        for &play in &plays {
            let mut position = *positions.last().expect("there is one");
            position.play(play);
            positions.push(position);
        }
        (plays, positions)
    }
}

/// The board on the screen, in the rules engine's own letters: where the pieces are drawn, not where
/// the script thinks they are.
fn drawn(browser: &mut Browser) -> String {
    let pieces = browser.evaluate(
        "(() => { const board = document.querySelector('#board svg').getBoundingClientRect(); \
         const place = (at, start) => ((at - start) * 692 / board.width - 26) / 40 - 0.5; \
         return [...document.querySelectorAll('#board .piece')].map(piece => { \
           const box = piece.querySelector('.body').getBoundingClientRect(); \
           return [piece.classList.contains('black') ? 'B' : 'W', \
             place(box.left + box.width / 2, board.left), place(box.top + box.height / 2, board.top)]; }); })()",
    );
    let mut rows = vec![['.'; 16]; 16];
    for piece in pieces.as_array().expect("a list") {
        let place = |at: usize| {
            let place = piece[at].as_f64().expect("a number");
            assert!((place - place.round()).abs() < 0.05, "a piece beside its square: {piece}");
            place.round() as usize
        };
        let square = &mut rows[place(2)][place(1)];
        assert_eq!(*square, '.', "two pieces on a square");
        *square = piece[0].as_str().and_then(|name| name.chars().next()).expect("a letter");
    }
    rows.into_iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let found = browser.evaluate(&format!("document.querySelector('{selector}').textContent"));
    found.as_str().expect("a text").to_string()
}

/// What the script says is on the board: the place in the list of games, and the ply.
fn shown(browser: &mut Browser) -> (u64, u64) {
    let shown = browser.evaluate(
        "[Number(document.querySelector('.row.current').dataset.place), \
         Number(document.querySelector('#board svg').dataset.ply)]",
    );
    (shown[0].as_u64().expect("a game"), shown[1].as_u64().expect("a ply"))
}

fn count(browser: &mut Browser, selector: &str) -> u64 {
    browser.evaluate(&format!("document.querySelectorAll('{selector}').length")).as_u64().expect("a count")
}

/// Gives the board the focus: the keys that step through a game work there.
fn focus_board(browser: &mut Browser) {
    browser.evaluate("document.querySelector('#board').focus()");
}

/// The page complained of nothing and asked for nothing but itself.
fn calm(browser: &mut Browser, page: &Path) {
    browser.evaluate("0");
    assert_eq!(browser.complaints, [] as [String; 0]);
    let own = format!("file://{}", page.display());
    let others = browser.requests.iter().filter(|request| **request != own && !request.starts_with("data:"));
    assert_eq!(others.count(), 0, "{:?}", browser.requests);
}

#[test]
fn a_game_is_stepped_through_by_key() {
    let Some(program) = installed() else { return };
    let run = Run::new();
    let page = run.report(&[]);
    let browser = &mut Browser::open(&program, &page);
    let (plays, positions) = run.replay(0);
    focus_board(browser);
    for (ply, position) in positions.iter().enumerate() {
        assert_eq!(drawn(browser), position.rows(), "ply {ply}");
        assert_eq!(shown(browser), (0, ply as u64));
        let hops = ply.checked_sub(1).and_then(|before| chain(&positions[before], plays[before]));
        let jumps = hops.map_or(0, |hops| hops.len() as u64 - 1);
        assert_eq!(count(browser, "#board .trail circle"), jumps, "the way of ply {ply}");
        browser.press("ArrowRight");
    }
    let last = positions.last().expect("a position");
    assert_eq!(drawn(browser), last.rows(), "there is nothing after the end");
    let Some(Outcome::Win(winner)) = last.outcome() else { panic!("the game was won") };
    let a_won = (run.games[0]["black"] == "A") == (winner == BLACK);
    let name = if a_won { "A has won" } else { "B has won" };
    assert!(text(browser, "#turn").contains(name), "{} won: {}", letter(winner), text(browser, "#turn"));

    browser.press("ArrowLeft");
    assert_eq!(drawn(browser), positions[positions.len() - 2].rows());
    browser.press("Home");
    assert_eq!(drawn(browser), positions[0].rows());
    browser.press("End");
    assert_eq!(drawn(browser), last.rows());
    calm(browser, &page);
}

#[test]
fn other_games_clicks_and_autoplay() {
    let Some(program) = installed() else { return };
    let run = Run::new();
    let page = run.report(&[]);
    let browser = &mut Browser::open(&program, &page);
    focus_board(browser);
    for game in [1, 2] {
        browser.press("ArrowDown");
        assert_eq!(shown(browser), (game, 0));
        (0..30).for_each(|_| browser.press("ArrowRight"));
        assert_eq!(drawn(browser), run.replay(game as usize).1[30].rows());
    }
    browser.press("ArrowUp");
    assert_eq!(shown(browser), (1, 0));
    browser.click(".row[data-place='3']", 0.5, 0.5);
    assert_eq!(shown(browser), (3, 0));

    let positions = run.replay(3).1;
    browser.click("#curve", 0.5, 0.5);
    let (_, ply) = shown(browser);
    let middle = positions.len() as u64 / 2;
    assert!(ply.abs_diff(middle) < middle / 5, "ply {ply} in the middle of {}", positions.len());
    assert_eq!(drawn(browser), positions[ply as usize].rows());
    browser.click("#plays button[data-ply='17']", 0.3, 0.5);
    assert_eq!((shown(browser), drawn(browser)), ((3, 17), positions[17].rows()));

    focus_board(browser);
    browser.press(" ");
    assert!(text(browser, "[data-do=play]").contains("Stop"));
    browser.press(" ");
    assert!(text(browser, "[data-do=play]").contains("Play"));
    let (_, ply) = shown(browser);
    assert!(ply > 17, "it plays on");
    calm(browser, &page);
}

#[test]
fn arrows_point_where_the_search_would_go() {
    let Some(program) = installed() else { return };
    let run = Run::new();
    let page = run.report(&[]);
    let browser = &mut Browser::open(&program, &page);
    let opening = run.games[0]["opening"].as_array().expect("a list").len();
    let candidates = run.games[0]["candidates"].as_array().expect("a list");
    assert!(candidates.iter().any(|best| best.as_array().is_some_and(|best| best.len() > 1)));
    focus_board(browser);
    for ply in 0..opening + 40 {
        let best = ply.checked_sub(opening).map(|decision| candidates[decision].as_array().expect("a list"));
        assert_eq!(count(browser, "#board .arrow"), best.map_or(0, |best| best.len() as u64), "ply {ply}");
        for (rank, candidate) in best.into_iter().flatten().enumerate() {
            let play: Play = candidate[0].as_str().expect("a text").parse().expect("a play");
            let points = browser.evaluate(&format!(
                "document.querySelector('#board .arrow.rank{rank} polygon').getAttribute('points')"
            ));
            let tip = points.as_str().and_then(|points| points.split(' ').next()).expect("a tip");
            let middle = |place: u8| 26 + 20 + 40 * u32::from(place);
            assert_eq!(tip, format!("{},{}", middle(play.to.x()), middle(play.to.y())), "ply {ply}");
        }
        browser.press("ArrowRight");
    }
    browser.press("a");
    assert_eq!(count(browser, "#board .arrow"), 0, "'a' takes them away");
    calm(browser, &page);
}

#[test]
fn names_that_look_like_markup_are_only_text_and_games_left_out_are_told() {
    let Some(program) = installed() else { return };
    let run = Run::new();
    let hostile = "</script><img src=x onerror=alert(1)><!--<script>";
    let path = run.folder.path().join("run.json");
    let settings = fs::read_to_string(&path).expect("settings");
    fs::write(&path, settings.replace("\"greedy\"", &format!("\"{hostile}\""))).expect("writable");
    let page = run.report(&["--games", "2"]);
    let browser = &mut Browser::open(&program, &page);
    assert_eq!(text(browser, ".agent.b code"), hostile);
    assert_eq!(text(browser, ".who.b code"), hostile);
    assert_eq!(count(browser, "img"), 0);
    browser.click(".row[data-place='3']", 0.5, 0.5);
    assert!(text(browser, "#turn").contains("not in this file"));
    assert_eq!(drawn(browser), Position::default().rows());
    focus_board(browser);
    browser.press("ArrowRight");
    browser.press("ArrowUp");
    assert_eq!(shown(browser), (1, 0), "the keys find those that are");
    calm(browser, &page);
}

#[test]
fn a_match_without_a_game_yet_is_no_trouble() {
    let Some(program) = installed() else { return };
    let run = Run::new();
    fs::write(run.folder.path().join("games.jsonl"), "").expect("writable");
    let page = run.report(&[]);
    let browser = &mut Browser::open(&program, &page);
    focus_board(browser);
    for key in ["ArrowRight", "ArrowDown", "End", " ", "a", "Home"] {
        browser.press(key);
    }
    browser.click("#curve", 0.5, 0.5);
    assert_eq!(text(browser, "#turn"), "No games yet.");
    assert_eq!(drawn(browser), Position::default().rows());
    calm(browser, &page);
}
