//! The page of `lab serve`: nothing outdated stays on it when a game or a line changes, no line is lost, and messages
//! and row numbers are where they can be seen.

use crate::support::page::Page;
use crate::support::{Folder, string};
use serde_json::json;

const DESKTOP: (u32, u32) = (1280, 900);
const BOARD: &str = include_str!("../../tests/data/halma/3.input.txt");

/// Makes Black's first play and waits for White's.
fn first_round(page: &mut Page) {
    page.wait_for("document.querySelector('#play-board').classList.contains('open')");
    page.make("#play-board", "2,0 4,2");
    page.wait_for_count("#play-plays button", 2);
    page.wait_for_text("#status", "Your turn");
}

fn hint(page: &mut Page) {
    page.click("#hint");
    page.wait_for_more("#play-board .arrows *", 0);
    page.wait_for_text("#play-note", "would play");
}

/// Asserts that no hint is shown.
#[track_caller]
fn assert_no_hint(page: &mut Page) {
    assert_eq!(page.count("#play-board .arrows *"), 0);
    assert!(!page.text("#play-note").contains("would play"));
}

#[test]
fn hints_thoughts_and_notes_end_with_the_position_they_are_about() {
    let Some(mut page) = Page::open("#play", DESKTOP) else { return };
    page.begin("greedy", &[]);
    first_round(&mut page);
    let thought = page.text("#thought");
    assert!(thought.contains(&page.plays("#play-plays")[1].to_string()), "{thought}");
    page.go("#play");
    page.wait_for_text("#status", "Your turn");
    assert_eq!(page.text("#thought"), thought);
    // Errors and explanations also disappear with their position.
    page.click_square("#play-board", "4,2".parse().expect("a square"));
    page.type_play("play", "9,9 8,8");
    page.wait_for_text("#play-refused", "no piece");
    page.click("#take-back");
    page.wait_for_text("#play-note", "leave its camp");
    assert_eq!((page.text("#thought"), page.text("#play-refused")), (String::new(), String::new()));
    hint(&mut page);
    first_round(&mut page);
    assert_no_hint(&mut page);
    hint(&mut page);
    page.click("#take-back");
    page.wait_for_count("#play-plays button", 0);
    assert_no_hint(&mut page);
    page.wait_for_text("#status", "Your turn");
    hint(&mut page);
    page.click("#swap");
    page.wait_for_text("#status", "Your turn: White");
    assert_no_hint(&mut page);
    assert!(page.text("#thought").contains(&page.plays("#play-plays")[0].to_string()));
    // The form and the names beside the board show the swapped sides, even after a reload.
    for _ in 0..2 {
        assert_eq!(page.evaluate("document.querySelector('#colour').value"), json!("WHITE"));
        assert_eq!(page.evaluate("document.querySelector('#agent').value"), json!("greedy"));
        assert_eq!(
            (page.text("#white-side code"), page.text("#black-side code")),
            ("you".into(), "greedy".into())
        );
        page.go("#play");
        page.wait_for_text("#status", "Your turn: White");
    }
    page.begin("greedy", &[("#colour", "BLACK")]);
    assert_eq!(page.text("#thought"), "");
    page.assert_fine();
}

#[test]
fn a_game_goes_on_after_a_loss_on_time_and_after_a_wait_for_a_search() {
    let Some(mut page) = Page::open("#play", DESKTOP) else { return };
    // A clock for the whole game has its own default, not the default for a move.
    page.fill("#level", "full");
    assert_eq!(page.evaluate("document.querySelector('#seconds').value"), json!("1"));
    page.fill("#clock", "game");
    assert_eq!(page.evaluate("document.querySelector('#seconds').value"), json!("300"));
    page.begin("greedy", &[]);
    first_round(&mut page);
    let time = "document.querySelector('#black-side time').textContent";
    let wait = |seconds: u32| {
        format!(
            "(() => {{ const now = performance.now.bind(performance); \
             performance.now = () => now() + {seconds} * 1000; }})()"
        )
    };
    // Neither another view nor a reload refunds the time of the turn under way.
    page.evaluate(&wait(80));
    page.evaluate("location.hash = '#rules'");
    page.wait_for("document.body.dataset.ready === 'rules'");
    page.evaluate("location.hash = '#play'");
    page.wait_for("document.body.dataset.ready === 'play'");
    assert_eq!(page.evaluate(&format!("{time}.slice(0, 2)")), json!("3:"));
    page.go("#play");
    page.wait_for_text("#status", "Your turn");
    assert_eq!(page.evaluate(&format!("{time}.slice(0, 2)")), json!("3:"));
    page.evaluate(&wait(400));
    page.wait_for_text("#status", "You lose. Black ran out of time.");
    assert_eq!(page.evaluate(time), json!("0:00.0"));
    page.click("#take-back");
    page.wait_for_text("#status", "Your turn");
    assert_ne!(page.evaluate(time), json!("0:00.0"));
    first_round(&mut page);
    // The server has no room for a search.
    page.click("#take-back");
    page.wait_for_text("#status", "Your turn");
    page.evaluate(
        "(() => { const { fetch } = window; window.full = true; \
         const refusal = () => new Response(JSON.stringify({ error: '2 searches are running' }), { status: 429 }); \
         window.fetch = async (url, options) => \
         full && url === '/api/searches' ? refusal() : fetch(url, options); })()",
    );
    page.make("#play-board", "2,0 4,2");
    page.wait_for_text("#play-note", "2 searches are running");
    page.wait_for("!document.querySelector('#retry').hidden");
    assert!(page.text("#status").contains("can't search now"), "{}", page.text("#status"));
    page.evaluate("window.full = false");
    page.click("#retry");
    page.wait_for_count("#play-plays button", 2);
    page.wait_for("document.querySelector('#retry').hidden");
    page.wait_for_text("#status", "Your turn");
    // The server has no room for an analysis, either.
    page.evaluate("window.full = true; location.hash = '#analyse'");
    page.wait_for_text("#verdict-a .why", "2 searches are running");
    assert_eq!(page.text("#search-again"), "Retry");
    page.evaluate("window.full = false");
    page.click("#search-again");
    page.wait_for_more("#verdict-a .rows tr", 0);
    assert_eq!(page.evaluate("document.querySelector('#search-again').hidden"), json!(true));
    page.evaluate("location.hash = '#play'");
    page.wait_for_text("#status", "Your turn");
    // The error about an agent that does not exist is shown until another one is chosen.
    page.evaluate("document.querySelector('#new-game-box').open = true");
    page.fill("#agent", "mtcs");
    page.click("#start");
    page.click("#start");
    page.wait_for_text("#start-error", "there is no agent 'mtcs'");
    page.fill("#level", "club");
    assert_eq!(page.text("#start-error"), "");
}

#[test]
fn an_analysis_keeps_its_lines_and_its_files() {
    let Some(mut page) = Page::of(Folder::small_match, "run", "#play", DESKTOP) else { return };
    // Files dropped on any view are analysed.
    let file = BOARD.replacen("SINGLE", "GAME", 1);
    for view in ["#play", "#runs", "#analyse"] {
        page.go(view);
        let drop = |kind: &str| {
            format!(
                "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], 'input.txt')); \
                 return dispatchEvent(new DragEvent('{kind}', {{ dataTransfer: data, cancelable: true }})); }})()",
                json!(file)
            )
        };
        assert_eq!(page.evaluate(&drop("dragover")), json!(false), "{view}");
        assert_eq!(page.evaluate(&drop("drop")), json!(false), "{view}");
        page.wait_for_text("#verdict-a .why", "9,9 13,13");
        assert_eq!(page.evaluate("location.hash.startsWith('#analyse?')"), json!(true));
    }
    // A saved file has the mode and the time of the one that was loaded, even after a reload.
    let link = string(&page.evaluate("location.hash")).to_string();
    page.go(&link);
    page.wait_for_text("#verdict-a .why", "9,9 13,13");
    page.evaluate("URL.createObjectURL = blob => { window.saved = blob.text(); return 'data:,'; }");
    page.evaluate("document.querySelector('#view-analyse details').open = true");
    page.click("#save-input");
    let saved = string(&page.evaluate("saved")).to_string();
    assert_eq!(saved.lines().take(3).collect::<Vec<_>>(), ["GAME", "BLACK", "23.33"]);
    assert_eq!(page.evaluate("document.querySelector('#input-text').value"), json!(saved));
    // A button discards the line, and the browser's Back button restores it.
    page.go("#analyse?plays=2,0 4,2;13,15 11,13");
    page.wait_for_count("#analyse-plays button", 2);
    page.click("#analyse-start");
    page.wait_for_text("#analyse-status", "Ply 0 of 0");
    page.wait_for_text("#analyse-note", "Back button");
    page.evaluate("history.back()");
    page.wait_for_text("#analyse-status", "Ply 2 of 2");
    page.wait_for_more("#verdict-a .rows tr", 0);
    page.assert_fine();
    // Neither an empty text nor a single click on a button discards a line.
    page.evaluate("document.querySelector('#view-analyse details').open = true");
    page.fill("#input-text", " ");
    page.click("#load-input");
    page.wait_for_text("#analyse-note", "There is no text");
    assert_eq!(page.count("#analyse-plays button"), 2);
    page.click("#view-analyse [data-step=first]");
    page.click("#view-analyse [data-step=next]");
    page.wait_for_text("#analyse-status", "Ply 1 of 2: ");
    page.click("#remove");
    assert_eq!((page.text("#remove"), page.count("#analyse-plays button")), ("Really delete?".into(), 2));
    // The question is withdrawn when another position is shown.
    page.press("ArrowRight");
    page.wait_for_text("#analyse-status", "Ply 2 of 2: ");
    assert_eq!(page.text("#remove"), "Delete from here");
    // An error in the editor is shown without scrolling.
    page.click("#edit");
    page.click("#edit-clear");
    page.click("#edit-done");
    page.wait_for_text("#analyse-note", "no piece");
    let visible = "['analyse-note', 'edit-done'].map(id => document.getElementById(id).getBoundingClientRect()) \
                   .every(box => box.height > 0 && box.top >= 0 && box.bottom <= innerHeight)";
    assert_eq!(page.evaluate(visible), json!(true));
    assert_eq!(page.evaluate("document.querySelector('#editor').hidden"), json!(false));
    page.click("#edit-cancel");
    page.wait_for_text("#analyse-status", "Ply 2 of 2: ");
    assert!(!page.text("#analyse-note").contains("no piece"));
}

#[test]
fn a_finished_game_is_over_whichever_side_is_to_move() {
    let Some(mut page) = Page::open("#play", DESKTOP) else { return };
    let empty = ["16"; 10].join("/");
    let board = format!("W15/{empty}/14BB/13BBB/12BBBB/11BBBBB/11BBBBB");
    for (side, verdict) in [("BLACK", "You win."), ("WHITE", "You lose.")] {
        page.go(&format!("#analyse?first={side}&board={board}"));
        page.wait_for_text("#analyse-status", "Black has won. Black's 19 pieces fill the goal.");
        assert_eq!(page.text("#value-black"), "100.0 %");
        assert_eq!(page.text("#verdict-a .why"), "The game is over.");
        page.click("#play-from-here");
        page.wait_for_text("#status", &format!("{verdict} Black's 19 pieces fill the goal."));
        assert_eq!(
            page.evaluate("document.querySelector('#play-board').classList.contains('open')"),
            json!(false)
        );
    }
    page.assert_fine();
}

/// Asserts that the row numbers beside all boards shown are on their frames.
fn check_numbers(page: &mut Page, what: &str) {
    let outside = page.evaluate(
        "[...document.querySelectorAll('.board')].filter(board => board.checkVisibility()).flatMap(board => { \
         const frame = board.querySelector('.frame').getBoundingClientRect(); \
         const margin = 26 * frame.width / 690; \
         const fits = box => box.left >= frame.left && box.right <= frame.left + margin; \
         return [...board.querySelectorAll('.numbers text:nth-child(even)')] \
         .filter(text => !fits(text.getBoundingClientRect())) \
         .map(text => text.textContent); })",
    );
    assert_eq!(outside, json!([]), "{what}");
}

#[test]
fn row_numbers_and_views_fit() {
    const SMALL: (u32, u32) = (1024, 768);
    let Some(mut page) = Page::of(Folder::small_match, "run", "#play", DESKTOP) else { return };
    for view in ["play", "analyse", "runs"] {
        page.go(&format!("#{view}"));
        for size in [DESKTOP, SMALL, (800, 600), (400, 800), (320, 700)] {
            page.look(size, "light");
            check_numbers(&mut page, &format!("{view} {size:?}"));
            if size == SMALL {
                page.assert_fine();
            }
        }
    }
    page.go("#rules");
    page.look(SMALL, "light");
    page.assert_fine();
}
