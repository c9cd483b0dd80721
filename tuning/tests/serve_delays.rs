//! The page of `lab serve` on a slow network: answers about an earlier state come late, and in any order.

use crate::support::Folder;
use crate::support::page::Page;
use halma::rules::Position;
use serde_json::json;

const SIZE: (u32, u32) = (1280, 900);
/// The server has room for one search, so a search that is left running blocks the next.
const ONE: &str = "--searches 1";

/// Waits until the human is to move and `plays` are on the board, and checks that all parts of the page agree.
#[track_caller]
fn check_game(page: &mut Page, plays: usize) {
    page.wait_for_text("#status", "Your turn");
    page.wait_for_count("#play-plays button", plays);
    page.wait_for("document.querySelector('#play-board').classList.contains('open')");
    assert_eq!(page.count("#play-board .arrows *"), 0);
    let mut position = Position::default();
    for play in page.plays("#play-plays") {
        position.try_play(play).expect("a legal play");
    }
    assert_eq!(page.board("#play-board"), position.rows());
}

#[test]
fn a_game_does_not_depend_on_the_order_of_answers() {
    let Some(mut page) = Page::of(Folder::new, ONE, "#play", SIZE) else { return };
    check_game(&mut page, 0);
    // The play is taken back before the server's answer to it arrives.
    page.hold();
    page.make("#play-board", "2,0 4,2");
    page.click("#take-back");
    page.release();
    check_game(&mut page, 0);
    page.make("#play-board", "2,0 4,2");
    check_game(&mut page, 2);
    // Two plays are taken back one after the other.
    page.make("#play-board", "3,0 5,0");
    check_game(&mut page, 4);
    page.hold();
    page.click("#take-back");
    page.click("#take-back");
    page.release();
    check_game(&mut page, 0);
    // A hint and a reason arrive after the position has changed.
    page.make("#play-board", "2,0 4,2");
    check_game(&mut page, 2);
    page.hold();
    page.click("#hint");
    page.click_square("#play-board", "4,2".parse().expect("a square"));
    page.wait_for("held.some(request => request.url.endsWith('/why'))");
    page.click("#take-back");
    page.release();
    check_game(&mut page, 0);
    assert!(page.text("#play-note").contains("leave its camp"), "{}", page.text("#play-note"));
    // The engine's answer arrives while an earlier position is shown.
    page.hold();
    page.make("#play-board", "2,0 4,2");
    page.focus("#play-board");
    page.press("Home");
    page.release();
    check_game(&mut page, 2);
    // Sides are swapped twice before the engine has answered.
    page.hold();
    page.click("#swap");
    page.click("#swap");
    page.release();
    check_game(&mut page, 2);
    // Another game begins while the previous game's agent is being checked.
    page.hold();
    page.evaluate("document.querySelector('#new-game-box').open = true");
    page.fill("#level", "");
    page.fill("#agent", "greedy");
    page.click("#start");
    page.click("#start");
    page.fill("#level", "casual");
    page.click("#start");
    page.click("#start");
    page.release();
    check_game(&mut page, 0);
    assert_eq!(page.text("#white-side code"), "casual");
    // The game survives a reload.
    page.go("#play");
    check_game(&mut page, 0);
    page.assert_fine();
}

/// Waits until the analysis shows these plays and searches their last position.
#[track_caller]
fn check_line(page: &mut Page, plays: &[&str], ply: usize) {
    page.wait_for_text("#analyse-status", &format!("Ply {ply} of {}: ", plays.len()));
    page.wait_for_more("#verdict-a .rows tr", 0);
    let note = page.text("#analyse-note");
    assert!(!note.contains("not legal"), "{note}");
    let shown: Vec<String> = page.plays("#analyse-plays").iter().map(ToString::to_string).collect();
    assert_eq!(shown, plays);
    let mut position = Position::default();
    for play in &plays[..ply] {
        position.try_play(play.parse().expect("a play")).expect("a legal play");
    }
    assert_eq!(page.board("#analyse-board"), position.rows());
}

#[test]
fn an_analysis_does_not_depend_on_the_order_of_answers() {
    let Some(mut page) = Page::of(Folder::new, ONE, "#analyse", SIZE) else { return };
    check_line(&mut page, &[], 0);
    // Two suggestions are clicked before the first is on the board: the second takes its place.
    page.hold();
    page.wait_for("held.some(request => request.url.includes('seen='))");
    let second = "#verdict-a .rows tr:nth-child(2) button";
    page.click("#verdict-a .rows tr button");
    let suggested = page.text(second);
    page.click(second);
    page.release();
    check_line(&mut page, &[&suggested], 1);
    page.go("#analyse?plays=2,0 4,2;13,15 11,13");
    let line = ["2,0 4,2", "13,15 11,13"];
    check_line(&mut page, &line, 2);
    page.focus("#analyse-board");
    page.hold();
    for key in ["Home", "End", "Home"] {
        page.press(key);
    }
    page.release();
    check_line(&mut page, &line, 0);
    // A new analysis begins while a play is being made.
    page.hold();
    page.make("#analyse-board", "2,0 4,2");
    page.click("#analyse-start");
    page.release();
    check_line(&mut page, &[], 0);
    page.go("#analyse?plays=2,0 4,2;13,15 11,13");
    check_line(&mut page, &line, 2);
    // While a file is being loaded, the user steps through the line.
    page.evaluate("document.querySelector('#view-analyse details').open = true");
    page.hold();
    page.click("#load-input");
    page.focus("#analyse-board");
    page.press("Home");
    page.release();
    check_line(&mut page, &line, 0);
    page.assert_fine();
}

#[test]
fn a_run_shows_the_game_that_was_opened_last() {
    let folder = || {
        let folder = Folder::small_match();
        folder.copy("run", "other");
        folder
    };
    let Some(mut page) = Page::of(folder, "run other", "#runs?game=0", SIZE) else { return };
    page.wait_for_text("#turn", "Ply 0");
    page.hold();
    page.click("#rows [data-place='5']");
    page.click("#rows [data-place='3']");
    page.release();
    page.wait_for("location.hash.includes('game=3')");
    assert_eq!(page.evaluate("document.querySelector('.row.current').dataset.place"), json!("3"));
    // A game of another run is opened while the results of the first run are being read.
    page.hold();
    page.wait_for("held.some(request => request.url === '/api/runs/0')");
    page.evaluate("location.hash = '#runs?run=1&match=0&game=2&ply=3'");
    page.wait_for("held.some(request => request.url === '/api/runs/1')");
    page.release();
    page.wait_for("location.hash === '#runs?run=1&match=0&game=2&ply=3'");
    page.wait_for_text("#turn", "Ply 3");
    assert_eq!(page.evaluate("document.querySelector('.row.current').dataset.place"), json!("2"));
    // A game that the server could not deliver can be opened later.
    let fail_once = |error: &str| {
        format!(
            "(() => {{ const {{ fetch }} = window; window.fetch = async () => {{ window.fetch = fetch; \
             return new Response(JSON.stringify({{ error: '{error}' }}), {{ status: 503 }}); }}; }})();"
        )
    };
    page.evaluate(
        &(fail_once("the file is gone") + "document.querySelector('#rows [data-place=\"4\"]').click()"),
    );
    page.wait_for_text("#turn", "the file is gone");
    page.click("#rows [data-place='4']");
    page.wait_for_text("#turn", "Ply 0");
    // A link waits until the server has read its run.
    page.evaluate(&(fail_once("still being read") + "location.hash = '#runs?run=0&match=0&game=3&ply=5'"));
    page.wait_for_text("#run-note", "still being read");
    page.wait_for_text("#turn", "Ply 5");
    assert_eq!(page.evaluate("location.hash"), json!("#runs?run=0&match=0&game=3&ply=5"));
    page.assert_fine();
}
