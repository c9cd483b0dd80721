//! The page of `lab serve`: its layout, its buttons and keys, the engine's switches, and the page about the rules.

use crate::support::Folder;
use crate::support::page::Page;
use halma::rules::Position;
use serde_json::json;

const DESKTOP: (u32, u32) = (1280, 900);
const SIZES: [(u32, u32); 2] = [DESKTOP, (400, 800)];

#[test]
fn board_list_and_curve_fit_into_the_window() {
    let Some(mut page) = Page::of(Folder::new, "", "#play", DESKTOP) else { return };
    for view in ["play", "analyse"] {
        for (size, scheme) in [(DESKTOP, "light"), ((1024, 768), "dark")] {
            page.look(size, scheme);
            page.go(&format!("#{view}"));
            page.wait_for(&format!("document.querySelector('#{view}-board').classList.contains('open')"));
            let scroll = page.evaluate("[document.documentElement.scrollHeight - innerHeight, scrollY]");
            assert_eq!(scroll, json!([0, 0]), "{view} {size:?}");
            let shares = page.evaluate(&format!(
                "['board', 'plays', 'curve'].map(part => {{ const box = document.querySelector(`#{view}-${{part}}`)\
                 .getBoundingClientRect(); return box.bottom <= innerHeight ? box.height / innerHeight : 0; }})"
            ));
            let [board, list, curve] = [0, 1, 2].map(|at| shares[at].as_f64().expect("a share"));
            assert!(board > 0.75 && list > 0.12 && curve > 0.09, "{view} {size:?}: {shares}");
            // The curve is as wide as its panel.
            let widths = page.evaluate(&format!(
                "['#{view}-curve svg', '#{view}-plays'].map(part => document.querySelector(part).clientWidth \
                 || document.querySelector(part).getBoundingClientRect().width)"
            ));
            let [curve, list] = [0, 1].map(|at| widths[at].as_f64().expect("a width"));
            assert!((curve - list).abs() < 4.0, "{view} {size:?}: {widths}");
        }
    }
}

#[test]
fn buttons_and_keys_step_through_a_game_and_turn_the_board() {
    for size in SIZES {
        let Some(mut page) = Page::open("#analyse?plays=c1-e3+n16-l14", size) else { return };
        let at =
            |page: &mut Page, ply: u32| page.wait_for_text("#analyse-status", &format!("Ply {ply} of 2: "));
        at(&mut page, 2);
        // On a phone the buttons are below the board and visible without scrolling.
        let bottom =
            "document.querySelector('#view-analyse .steps').getBoundingClientRect().bottom <= innerHeight";
        assert_eq!(page.evaluate(bottom), json!(true));
        for (button, ply) in [("first", 0), ("next", 1), ("last", 2), ("back", 1)] {
            page.click(&format!("#view-analyse [data-step={button}]"));
            at(&mut page, ply);
        }
        // The arrow keys step through the game even after a click on the board.
        page.wait_for("document.querySelector('#analyse-board').classList.contains('open')");
        page.click_square("#analyse-board", "7,7".parse().expect("a square"));
        for (key, ply) in
            [("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0), ("End", 2), ("ArrowLeft", 1), ("End", 2)]
        {
            page.press(key);
            at(&mut page, ply);
        }
        // Browsers let a page change its address only so often.
        page.evaluate(
            "history.replaceState = () => { throw new DOMException('too often', 'SecurityError'); }",
        );
        page.press("ArrowLeft");
        at(&mut page, 1);
        page.evaluate("delete history.replaceState");
        page.wait_for("location.hash.includes('at=1')");
        page.evaluate("document.activeElement.blur()");
        page.press("?");
        assert_eq!(page.evaluate("document.querySelector('#keys-help').open"), json!(true));
        page.click("#close-keys");
        page.press("Home");
        at(&mut page, 0);
        // On the flipped board, a click near the bottom right selects a square that is otherwise near the top left.
        page.press("f");
        page.wait_for("document.querySelector('#analyse-board').classList.contains('flipped')");
        page.wait_for("document.querySelector('#analyse-board').classList.contains('open')");
        page.make("#analyse-board", "2,0 4,2");
        page.wait_for_text("#analyse-status", "Ply 1 of 2: ");
        page.assert_fine();
    }
}

#[test]
fn the_engine_is_paused_and_switched_off() {
    for size in SIZES {
        let Some(mut page) = Page::open("#analyse", size) else { return };
        page.wait_for_more("#verdict-a .rows tr", 3);
        page.click("#pause");
        page.wait_for("document.querySelector('#pause').ariaLabel === 'Continue the search'");
        assert!(page.count("#verdict-a .rows tr") > 3, "what was found stays");
        page.make("#analyse-board", "2,0 4,2");
        page.wait_for_text("#verdict-a .why", "The engine is paused.");
        page.click("#pause");
        page.wait_for_more("#verdict-a .rows tr", 3);
        page.click("#engine");
        assert_eq!(page.text("#verdict-a .why"), "The engine is off.");
        assert_eq!(page.count("#analyse-board .arrows *"), 0);
        page.click("#view-analyse [data-step=back]");
        page.wait_for_text("#analyse-status", "Ply 0 of 1: ");
        assert_eq!(page.text("#verdict-a .why"), "The engine is off.");
        page.click("#engine");
        let effort = page.text("#verdict-a .effort");
        page.wait_for_change("#verdict-a .effort", &effort);
        page.assert_fine();
    }
}

#[test]
fn a_game_shows_what_the_engine_considers_and_has_increments_and_a_rematch() {
    let Some(mut page) = Page::open("#play", DESKTOP) else { return };
    page.wait_for_text("#status", "Your turn");
    page.click("#show-thinking");
    assert_eq!(page.evaluate("document.querySelector('#agent').value"), "mcts");
    page.begin("mcts", &[("#clock", "game"), ("#seconds", "60"), ("#increment", "30")]);
    page.wait_for_text("#white-side code", "mcts");
    page.wait_for("document.querySelector('#play-board').classList.contains('open')");
    page.make("#play-board", "2,0 4,2");
    page.wait_for("document.querySelectorAll('#play-board .arrows *').length > 0");
    page.wait_for_text("#status", "White is thinking");
    page.wait_for_count("#play-plays button", 2);
    // Both players have used less than the increment.
    let clocks = "[...document.querySelectorAll('#view-play time')].every(time => time.textContent > '1:10')";
    page.wait_for(clocks);
    page.wait_for_text("#status", "Your turn");
    // A question that is not confirmed is withdrawn when another button is clicked, or after a few seconds.
    page.click("#resign");
    page.click("#hint");
    page.wait_for("document.querySelector('#resign').textContent === 'Resign'");
    assert!(page.text("#status").starts_with("Your turn"), "it was not confirmed");
    page.click("#resign");
    assert_eq!(page.text("#resign"), "Really resign?");
    page.wait_for("document.querySelector('#resign').textContent === 'Resign'");
    // A single click does not begin a new game, either.
    page.evaluate("document.querySelector('#new-game-box').open = true");
    page.click("#start");
    assert_eq!(page.text("#start"), "Give up this game?");
    assert_eq!(page.count("#play-plays button"), 2);
    page.click("#resign");
    page.click("#resign");
    page.wait_for_text("#status", "You lose. Black resigned.");
    page.click("#rematch");
    page.wait_for_count("#play-plays button", 1);
    page.wait_for_text("#status", "Your turn: White to move");
    assert_eq!(page.text("#black-side code"), "mcts");
    page.assert_fine();
}

#[test]
fn the_first_visit_offers_the_rules_and_their_boards_can_be_tried() {
    for size in SIZES {
        let Some(mut page) = Page::open("#play", size) else { return };
        page.wait_for("!document.querySelector('#welcome').hidden");
        page.click("#welcome a");
        page.wait_for_count(".lesson .board-box.open", 3);
        let tries =
            [("6,10", "10,6", "Three jumps"), ("3,0", "5,0", "Right."), ("10,11", "12,13", "Black wins.")];
        for (at, (from, to, praise)) in tries.into_iter().enumerate() {
            let lesson = format!(".lesson:nth-of-type({})", at + 2);
            if at == 1 {
                page.click_lesson(&lesson, "4,2");
                page.wait_for_text(&format!("{lesson} .note"), "Black must leave its camp first");
            }
            if at == 2 {
                // The marked square is now filled, but another one is empty.
                page.click_lesson(&lesson, "13,13");
                page.click_lesson(&lesson, to);
                page.wait_for_text(&format!("{lesson} .note"), "it does not win");
                page.click(&format!("{lesson} .again"));
                page.wait_for_text(&format!("{lesson} .note"), "");
                page.wait_for_count(&format!("{lesson} .board-box.open"), 1);
            }
            // Selecting another piece clears the note about the previous mistake.
            page.click_lesson(&lesson, from);
            assert_eq!(page.text(&format!("{lesson} .note")), "");
            page.click_lesson(&lesson, to);
            page.wait_for_text(&format!("{lesson} .note"), praise);
        }
        page.click(".lesson .again");
        page.wait_for_text(".lesson .note", "");
        page.assert_fine();
        page.go("#play");
        page.wait_for_text("#status", "Your turn");
        assert_eq!(page.evaluate("document.querySelector('#welcome').hidden"), json!(true));
        assert_eq!(page.board("#play-board"), Position::default().rows());
    }
}

#[test]
fn sounds_are_off_until_they_are_wanted_and_then_remembered() {
    let Some(mut page) = Page::open("#play", DESKTOP) else { return };
    let count = "(() => { window.knocks = 0; const part = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; \
                 window.AudioContext = class { currentTime = 0; \
                 createOscillator() { knocks++; return { frequency: part, connect: to => to, start() {}, stop() {} }; } \
                 createGain() { return { gain: part, connect() {} }; } }; })()";
    page.evaluate(count);
    page.wait_for_text("#status", "Your turn");
    page.make("#play-board", "2,0 4,2");
    page.wait_for_count("#play-plays button", 2);
    page.wait_for_text("#status", "Your turn");
    assert_eq!(page.evaluate("knocks"), json!(0));
    page.click("#sounds");
    page.wait_for("knocks > 0");
    page.go("#play");
    page.evaluate(count);
    page.wait_for_text("#status", "Your turn");
    page.make("#play-board", "3,0 5,0");
    page.wait_for("knocks > 0");
    page.assert_fine();
}

#[test]
fn the_shares_of_arrows_stand_beside_them() {
    let Some(mut page) = Page::of(Folder::small_match, "run", "#runs?game=3&ply=4", DESKTOP) else { return };
    page.wait_for_text("#turn", "Ply 4");
    // Counts all labels at 50 plies, the labels that cover another label, and the points of arrows that labels cover.
    let counts = page.evaluate(
        "(() => { let all = 0, labels = 0, points = 0; const board = document.querySelector('#board .board'); \
         for (let ply = 4; ply < 54; ply++) { \
         const boxes = [...board.querySelectorAll('.share rect')].map(label => label.getBoundingClientRect()); \
         const meet = (one, other) => one.left < other.right && other.left < one.right \
         && one.top < other.bottom && other.top < one.bottom; \
         all += boxes.length; \
         labels += boxes.filter((one, at) => boxes.slice(0, at).some(other => meet(one, other))).length; \
         for (const path of board.querySelectorAll('.arrow path')) \
         for (let at = 0; at <= path.getTotalLength(); at += 4) { \
         const { x, y } = path.getPointAtLength(at).matrixTransform(board.getScreenCTM()); \
         points += boxes.filter(one => meet(one, { left: x, right: x, top: y, bottom: y })).length; } \
         document.querySelector('[data-do=next]').click(); } \
         return [all, labels, points]; })()",
    );
    let [all, labels, points] = [0, 1, 2].map(|at| counts[at].as_u64().expect("a count"));
    assert!(all > 50 && labels * 20 < all && points < all, "{counts}");
}
