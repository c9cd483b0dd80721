//! The report in a real browser: after every key its board agrees with the rules.
//!
//! If there is no browser, the tests say "skipped"; with `HALMA_BROWSER=required` they fail.

use crate::support::browser::{Browser, installed};
use crate::support::report::shown;
use crate::support::{Folder, list, number, plays, positions, string};
use halma::game::{Game, Outcome};
use halma::rules::{BLACK, Play, Position, chain, letter};
use std::path::Path;

/// A match of four games in the folder `run`.
fn four_games() -> Folder {
    Folder::played("match 'mcts(playout=static, race=off)' greedy --games 4 --iterations 60 --jobs 1")
}

/// A browser that shows the report of the run in a folder.
fn open(program: &Path, folder: &Folder, options: &str) -> Browser {
    folder.succeeds(&format!("report run {options}"));
    Browser::open(program, &folder.path("run/report.html"))
}

/// The only address that a report may load.
fn own(folder: &Folder) -> String {
    format!("file://{}", folder.path("run/report.html").display())
}

/// The board as rows of letters, read from where the pieces are drawn, not from the script's data.
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
    for piece in list(&pieces) {
        let place = |at: usize| {
            let place = number(&piece[at]);
            assert!((place - place.round()).abs() < 0.05, "a piece is not centred on a square: {piece}");
            place.round() as usize
        };
        let square = &mut rows[place(2)][place(1)];
        assert_eq!(*square, '.', "two pieces on a square");
        *square = string(&piece[0]).chars().next().expect("a letter");
    }
    rows.into_iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}

#[test]
fn a_game_is_stepped_through_by_key() {
    let Some(program) = installed() else { return };
    let folder = four_games();
    let browser = &mut open(&program, &folder, "");
    let game = &folder.games("run")[0];
    let (plays, positions) = (plays(game), positions(game));
    browser.focus("#board");
    for (ply, position) in positions.iter().enumerate() {
        assert_eq!(drawn(browser), position.rows(), "ply {ply}");
        assert_eq!(shown(browser), (0, ply as u64));
        let hops = ply.checked_sub(1).and_then(|before| chain(&positions[before], plays[before]));
        let jumps = hops.map_or(0, |hops| hops.len() as u64 - 1);
        assert_eq!(browser.count("#board .trail circle"), jumps, "the squares passed in ply {ply}");
        browser.press("ArrowRight");
    }
    let last = positions.last().expect("a position");
    assert_eq!(drawn(browser), last.rows(), "there is nothing after the end");
    let Some(Outcome::Win(winner)) = last.outcome() else { panic!("the game was won") };
    let a_won = (game["black"] == "A") == (winner == BLACK);
    let name = if a_won { "A has won" } else { "B has won" };
    assert!(browser.text("#turn").contains(name), "{} won: {}", letter(winner), browser.text("#turn"));

    browser.press("ArrowLeft");
    assert_eq!(drawn(browser), positions[positions.len() - 2].rows());
    browser.press("Home");
    assert_eq!(drawn(browser), positions[0].rows());
    browser.press("End");
    assert_eq!(drawn(browser), last.rows());
    browser.assert_calm(&own(&folder));
}

#[test]
fn other_games_clicks_and_autoplay() {
    let Some(program) = installed() else { return };
    let folder = four_games();
    let games: Vec<_> = folder.games("run").iter().map(positions).collect();
    let browser = &mut open(&program, &folder, "");
    browser.focus("#board");
    for game in [1, 2] {
        browser.press("ArrowDown");
        assert_eq!(shown(browser), (game, 0));
        (0..30).for_each(|_| browser.press("ArrowRight"));
        assert_eq!(drawn(browser), games[game as usize][30].rows());
    }
    browser.press("ArrowUp");
    assert_eq!(shown(browser), (1, 0));
    browser.click(".row[data-place='3']");
    assert_eq!(shown(browser), (3, 0));

    let positions = &games[3];
    browser.click("#curve");
    let (_, ply) = shown(browser);
    let middle = positions.len() as u64 / 2;
    assert!(ply.abs_diff(middle) < middle / 5, "ply {ply} in the middle of {}", positions.len());
    assert_eq!(drawn(browser), positions[ply as usize].rows());
    browser.click_at("#plays button[data-ply='17']", 0.3, 0.5);
    assert_eq!((shown(browser), drawn(browser)), ((3, 17), positions[17].rows()));

    browser.focus("#board");
    browser.press(" ");
    assert!(browser.text("[data-do=play]").contains("Stop"));
    browser.press(" ");
    assert!(browser.text("[data-do=play]").contains("Autoplay"));
    let (_, ply) = shown(browser);
    assert!(ply > 17, "it plays on");
    browser.assert_calm(&own(&folder));
}

#[test]
fn arrows_point_where_the_search_would_go() {
    let Some(program) = installed() else { return };
    let folder = four_games();
    let browser = &mut open(&program, &folder, "");
    let game = &folder.games("run")[0];
    let (opening, candidates) = (list(&game["opening"]).len(), list(&game["candidates"]));
    assert!(candidates.iter().any(|best| list(best).len() > 1));
    browser.focus("#board");
    for ply in 0..opening + 40 {
        let best = ply.checked_sub(opening).map(|decision| list(&candidates[decision]));
        assert_eq!(browser.count("#board .arrow"), best.map_or(0, |best| best.len() as u64), "ply {ply}");
        for (rank, candidate) in best.into_iter().flatten().enumerate() {
            let play: Play = string(&candidate[0]).parse().expect("a play");
            let points = browser.evaluate(&format!(
                "document.querySelector('#board .arrow.rank{rank} polygon').getAttribute('points')"
            ));
            let tip = string(&points).split(' ').next().expect("a tip");
            let middle = |place: u8| 26 + 20 + 40 * u32::from(place);
            assert_eq!(tip, format!("{},{}", middle(play.to.x()), middle(play.to.y())), "ply {ply}");
        }
        browser.press("ArrowRight");
    }
    browser.press("a");
    assert_eq!(browser.count("#board .arrow"), 0, "'a' takes them away");
    browser.assert_calm(&own(&folder));
}

#[test]
fn names_that_look_like_markup_stay_text_and_the_page_says_which_games_are_left_out() {
    let Some(program) = installed() else { return };
    let folder = four_games();
    let hostile = "</script><img src=x onerror=alert(1)><!--<script>";
    folder.replace("run/run.json", "\"greedy\"", &format!("\"{hostile}\""));
    let browser = &mut open(&program, &folder, "--games 2");
    assert_eq!(browser.text(".agent.b code"), hostile);
    assert_eq!(browser.text(".who.b code"), hostile);
    assert_eq!(browser.count("img"), 0);
    browser.click(".row[data-place='3']");
    assert!(browser.text("#turn").contains("not in this file"));
    assert_eq!(drawn(browser), Position::default().rows());
    browser.focus("#board");
    browser.press("ArrowRight");
    browser.press("ArrowUp");
    assert_eq!(shown(browser), (1, 0), "the keys find the games that are in the file");
    browser.assert_calm(&own(&folder));
}

#[test]
fn a_mistake_is_marked_and_explained() {
    let Some(program) = installed() else { return };
    let browser = &mut open(&program, &four_games(), "");
    browser.evaluate("player.game.replay.falls = [[19, 0.14]]; player.openGame(0, 20);");
    assert_eq!(browser.count("#plays .fell"), 1);
    assert!(
        browser
            .text("#mistake")
            .contains("the expected score then stayed at least 14 percentage points lower")
    );
    browser.focus("#board");
    browser.press("ArrowRight");
    assert_eq!(browser.text("#mistake"), "");
}

#[test]
fn a_match_without_a_game_has_an_empty_page() {
    let Some(program) = installed() else { return };
    let folder = four_games();
    folder.write("run/games.jsonl", "");
    let browser = &mut open(&program, &folder, "");
    browser.focus("#board");
    for key in ["ArrowRight", "ArrowDown", "End", " ", "a", "Home"] {
        browser.press(key);
    }
    browser.click("#curve");
    assert_eq!(browser.text("#turn"), "No games yet.");
    assert_eq!(drawn(browser), Position::default().rows());
    browser.assert_calm(&own(&folder));
}
