//! The page of `lab serve` in a real browser: playing by clicks, analysing positions, replaying runs.
//!
//! If there is no browser, the tests say "skipped"; with `HALMA_BROWSER=required` they fail.

use crate::support::page::Page;
use crate::support::server::Server;
use crate::support::{Folder, positions, string};
use halma::agent::parse;
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Position, goal};
use halma::search::Limits;
use halma::support::clock::ThreadClock;
use serde_json::json;
use std::fs;
use std::io::{Write, stderr};
use std::path::Path;

const DESKTOP: (u32, u32) = (1280, 900);
const PHONE: (u32, u32) = (400, 800);

/// The board that the README analyses.
const BOARD: &str = include_str!("../../tests/data/halma/3.input.txt");

/// The page at the start of a game, Black to move.
fn open_to_play() -> Option<Page> {
    let mut page = Page::open("#play", DESKTOP)?;
    page.wait_for_text("#status", "Your turn");
    Some(page)
}

/// Plays the game on the page from `position` to its end, by clicking plays that the engine chooses. Returns the last
/// position.
fn play_to_the_end(page: &mut Page, mut position: Position, human: Player) -> Position {
    let mut engine = parse("mcts", 1).expect("a spec");
    let mut made = page.plays("#play-plays").len();
    while position.outcome().is_none() {
        assert_eq!(position.to_move(), human);
        let decision =
            engine.decide(&position, &Limits::iterations(150), &ThreadClock, None).expect("a play");
        page.click_square("#play-board", decision.play.from);
        page.wait_for(&format!(
            "document.querySelector('#play-board [data-target=\"{}\"]')",
            decision.play.to
        ));
        page.click_square("#play-board", decision.play.to);
        position.play(decision.play);
        made += 1;
        let answered = if position.outcome().is_some() { 0 } else { 1 };
        page.wait_for(&format!(
            "document.querySelectorAll('#play-plays button').length >= {} && \
             !document.querySelector('#status').textContent.includes('thinking')",
            made + answered
        ));
        if answered == 1 {
            let answer = *page.plays("#play-plays").last().expect("an answer");
            position.try_play(answer).expect("the page's plays are legal");
            made += 1;
        }
        assert_eq!(page.board("#play-board"), position.rows());
        assert!(made < 500, "no end");
    }
    position
}

/// Asserts that the page announces the winner that the rules determine.
fn check_end(page: &mut Page, position: &Position, human: Player) {
    let status = page.text("#status");
    let Some(Outcome::Win(winner)) = position.outcome() else { panic!("the game is over") };
    assert!(status.starts_with(if winner == human { "You win." } else { "You lose." }), "{status}");
    assert!(status.contains("goal"), "{status}");
}

#[test]
fn a_whole_game_is_played_by_clicking() {
    let Some(mut page) = open_to_play() else { return };
    let start = Position::default();
    let last = play_to_the_end(&mut page, start, BLACK);
    check_end(&mut page, &last, BLACK);
    // The last play is taken back, and the game goes on from there.
    let before = page.plays("#play-plays").len();
    page.click("#take-back");
    page.wait_for_text("#status", "Your turn");
    let back = before - page.plays("#play-plays").len();
    assert!((1..=2).contains(&back), "{back} plays taken back");
    page.assert_fine();
}

/// The address of a game that begins at `position`.
fn from_here(position: &Position, view: &str) -> String {
    let rows: Vec<String> = position.rows().lines().map(packed).collect();
    let first = if position.to_move() == BLACK { "BLACK" } else { "WHITE" };
    format!("#{view}?rules=addendum&first={first}&ply=0&board={}", rows.join("%2F"))
}

/// A row as written in an address, with numbers for runs of empty squares.
fn packed(row: &str) -> String {
    (1..=16).rev().fold(row.to_string(), |row, empty| row.replace(&".".repeat(empty), &empty.to_string()))
}

/// A position near the end, Black to move: at most four pieces of one side are still outside its goal.
fn late() -> Position {
    let mut engine = parse("mcts", 5).expect("a spec");
    let mut position = Position::default();
    let is_late = |position: &Position| {
        Player::BOTH.iter().any(|&side| (position.pieces(side) & !goal(side)).count() <= 4)
    };
    while position.to_move() != BLACK || !is_late(&position) {
        let decision = engine.decide(&position, &Limits::iterations(20), &ThreadClock, None).expect("a play");
        position.play(decision.play);
        assert_eq!(position.outcome(), None);
    }
    position
}

#[test]
fn on_a_telephone_a_late_game_is_played_to_its_end() {
    let position = late();
    let view = from_here(&position, "play") + "&from=analysis";
    let Some(mut page) = Page::open(&view, PHONE) else { return };
    page.wait_for_text("#status", "Your turn");
    let last = play_to_the_end(&mut page, position, BLACK);
    check_end(&mut page, &last, BLACK);
    page.assert_fine();
}

#[test]
fn a_play_is_explained_hinted_and_made_by_keyboard_alone() {
    let Some(mut page) = open_to_play() else { return };
    page.wait_for_text("#play-note", "leave its camp first");
    page.click("#hint");
    page.wait_for_text("#play-note", "would play");
    page.focus("#play-board");
    // The cursor starts on 7,7.
    (0..5).for_each(|_| page.press("ArrowLeft"));
    (0..7).for_each(|_| page.press("ArrowUp"));
    assert!(page.text("#announce").contains("2,0: black piece"));
    page.press("Enter");
    (0..2).for_each(|_| page.press("ArrowRight"));
    (0..2).for_each(|_| page.press("ArrowDown"));
    assert!(page.text("#announce").contains("can go here"));
    page.press("Enter");
    page.wait_for_count("#play-plays button", 2);
    assert_eq!(page.plays("#play-plays")[0].to_string(), "2,0 4,2");
    assert!(page.text("#announce").contains("White plays"));
    // If a typed play is invalid, red text beside the field says why.
    for (text, part) in [
        ("4,2 5,2", "leave its camp first"),
        ("-3,0 5,0", "Write a play as two squares"),
        ("3,0", "Write a play as two squares"),
        ("3,0 5,0 7,0", "Write a play as two squares"),
        ("q1-e3", "Write a play as two squares"),
        ("3,0 16,0", "Write a play as two squares"),
    ] {
        page.type_play("play", text);
        page.wait_for_text("#play-refused", part);
        let colour = "getComputedStyle(document.querySelector('#play-refused')).color";
        assert_eq!(page.evaluate(colour), json!("rgb(180, 35, 24)"), "{text}");
    }
    page.type_play("play", " D1-F1");
    page.wait_for_count("#play-plays button", 4);
    assert_eq!(
        (page.plays("#play-plays")[2].to_string(), page.text("#play-refused")),
        ("3,0 5,0".into(), "".into())
    );
    page.assert_fine();
}

#[test]
fn a_game_against_an_unknown_agent_does_not_begin() {
    let Some(mut page) = open_to_play() else { return };
    // A game is already under way on the first visit, so the form is collapsed.
    page.click("#new-game-box summary");
    page.fill("#level", "");
    page.fill("#agent", "mtcs");
    page.click("#new-game .main");
    page.wait_for_text("#start-error", "there is no agent 'mtcs'");
    assert_eq!(page.evaluate("document.querySelector('#new-game-box').open"), json!(true));
    // The error is beside the button, in sight, and the field has the focus and a red frame.
    let seen = "[...document.querySelectorAll('#start-error, #start')].map(one => one.getBoundingClientRect()) \
                .every(box => box.height > 0 && document.elementFromPoint(box.left + 5, box.top + 5).closest('#new-game'))";
    assert_eq!(page.evaluate(seen), json!(true));
    let field = "(field => [field === document.activeElement, getComputedStyle(field).borderTopColor])\
                 (document.querySelector('#agent'))";
    assert_eq!(page.evaluate(field), json!([true, "rgb(180, 35, 24)"]));
    // A game needs a time, unless the level has none.
    page.fill("#agent", "greedy");
    page.fill("#seconds", "");
    page.evaluate("document.querySelector('#new-game-box').open = false");
    page.click("nav a[href='#analyse']");
    page.click("#play-from-here");
    page.wait_for("document.querySelector('#new-game-box').open");
    assert_eq!(page.count("#new-game:invalid"), 1);
    page.fill("#seconds", "1");
    assert_eq!(page.count("#new-game:invalid"), 0);
    page.click("#new-game .main");
    page.wait_for_text("#white-side code", "greedy");
    assert_eq!(page.evaluate("document.querySelector('#new-game-box').open"), json!(false));
    page.evaluate("document.querySelector('#new-game-box').open = true");
    page.fill("#seconds", "1000");
    page.fill("#level", "club");
    page.click("#new-game .main");
    page.wait_for_text("#white-side code", "club");
}

#[test]
fn pieces_are_dragged_sides_swapped_and_games_resigned() {
    let Some(mut page) = open_to_play() else { return };
    page.evaluate("document.querySelector('#play-board').scrollIntoView({ block: 'center' })");
    // A piece dragged to a square that it can't reach returns, and the page says why.
    page.drag("#play-board", "2,0 9,9".parse().expect("a play"));
    page.wait_for_text("#play-note", "2,0 9,9 is not possible");
    assert_eq!(page.board("#play-board"), Position::default().rows());
    page.drag("#play-board", "2,0 4,2".parse().expect("a play"));
    page.wait_for_count("#play-plays button", 2);
    page.wait_for_text("#status", "Your turn");
    // The engine takes over Black and moves.
    page.click("#swap");
    page.wait_for_count("#play-plays button", 3);
    page.wait_for_text("#status", "Your turn: White to move");
    page.click("#resign");
    assert_eq!(page.text("#resign"), "Really resign?");
    page.click("#resign");
    page.wait_for_text("#status", "You lose. White resigned");
    page.type_play("play", "13,15 11,13");
    page.wait_for_text("#play-refused", "The game is over.");
    // The page remembers the game.
    page.go("#play");
    page.wait_for_count("#play-plays button", 3);
    page.assert_fine();
}

#[test]
fn the_readmes_board_is_analysed_and_two_agents_are_compared() {
    for size in [DESKTOP, PHONE] {
        let Some(mut page) = Page::open("#analyse", size) else { return };
        page.wait_for_more("#verdict-a .rows tr", 3);
        page.evaluate("document.querySelector('#view-analyse details').open = true");
        page.fill("#input-text", BOARD);
        page.click("#load-input");
        page.wait_for_text("#verdict-a .why", "race solver");
        assert!(page.text("#verdict-a .why").starts_with("9,9 13,13"));
        page.wait_for_more("#verdict-a .rows tr", 3);
        page.wait_for_text("#value-black", "%");
        assert!(page.text("#command").starts_with("lab analyse input.txt --agent mcts"));
        page.fill("#agent-b", "greedy");
        page.wait_for_text("#differ", "play");
        // The search goes on, and its effort grows.
        let effort = page.text("#verdict-a .effort");
        page.wait_for_change("#verdict-a .effort", &effort);
        // Play the search's line, then step back.
        page.click("#verdict-a .pv button");
        page.wait_for_count("#analyse-plays button", 1);
        page.focus("#analyse-board");
        page.press("Home");
        page.wait_for_text("#analyse-status", "Ply 0 of 1");
        page.assert_fine();
    }
}

#[test]
fn positions_are_edited_dropped_and_linked() {
    for size in [DESKTOP, PHONE] {
        let Some(mut page) = Page::open("#analyse", size) else { return };
        page.wait_for_more("#verdict-a .rows tr", 3);
        page.click("#edit");
        page.click_square("#analyse-board", "4,1".parse().expect("a square"));
        page.click_square("#analyse-board", "7,7".parse().expect("a square"));
        // Neither a key nor a switch of the engine ends the editing.
        page.press("Home");
        page.evaluate("document.querySelector('#engine').click()");
        page.evaluate("document.querySelector('#engine').click()");
        assert_eq!(page.text("#verdict-a .why"), "The position is being edited.");
        let enabled = "#view-analyse :is([data-step], #promote, #remove, #play-from-here):enabled";
        assert_eq!(page.count(enabled), 0);
        page.click("#edit-done");
        page.wait_for("document.querySelector('#editor').hidden");
        page.wait_for("location.hash.includes('board=')");
        let board = page.board("#analyse-board");
        let rows: Vec<&str> = board.lines().collect();
        assert_eq!((&rows[1][..5], &rows[7][7..8]), ("BBBB.", "B"));
        // The link shows the same position.
        let link = string(&page.evaluate("location.hash")).to_string();
        page.go(&link);
        page.wait_for_more("#verdict-a .rows tr", 3);
        assert_eq!(page.board("#analyse-board"), board);
        // A file is dropped.
        page.drop_file("input.txt", BOARD);
        let wanted: String = BOARD.lines().skip(3).map(|row| row.trim_end().to_string() + "\n").collect();
        page.wait_for_text("#announce", "loaded");
        page.wait_for_text("#verdict-a .why", "race solver");
        assert_eq!(page.board("#analyse-board"), wanted);
        page.assert_fine();
    }
}

#[test]
fn a_runs_game_is_replayed_and_handed_to_analysis() {
    for size in [DESKTOP, PHONE] {
        let view = "#runs?run=0&match=0&game=3&ply=12";
        let Some(mut page) = Page::of(Folder::small_match, "run", view, size) else { return };
        let position = positions(&page.server.folder.games("run")[3])[12];
        page.wait_for_text("#turn", "Ply 12");
        assert_eq!(page.board("#board"), position.rows());
        assert!(page.text("#match-rows").contains("20 of 20"));
        page.click("#rows [data-place='5']");
        page.wait_for(
            "document.querySelector('.row.current').dataset.place === '5' && \
                          document.querySelector('#turn').textContent.startsWith('Ply 0')",
        );
        page.click("#rows [data-place='3']");
        page.wait_for("document.querySelector('.row.current').dataset.place === '3'");
        page.wait_for_more("#plays button", 12);
        page.click_at("#plays button[data-ply='12']", 0.3, 0.5);
        assert_eq!(page.board("#board"), position.rows());
        page.assert_fine();
        page.click("#analyse-game");
        page.wait_for_more("#verdict-a .rows tr", 0);
        assert_eq!(page.board("#analyse-board"), position.rows());
        page.assert_fine();
    }
}

#[test]
fn a_run_takes_the_keys_of_the_other_views_and_a_wrong_link_is_an_error() {
    let Some(mut page) = Page::of(Folder::small_match, "run", "#runs?game=3&ply=12", DESKTOP) else { return };
    page.wait_for_text("#turn", "Ply 12");
    for (key, ply) in [("ArrowRight", "Ply 13"), ("ArrowLeft", "Ply 12"), ("Home", "Ply 0"), ("f", "Ply 0")] {
        page.evaluate("document.activeElement.blur()");
        page.press(key);
        page.wait_for_text("#turn", ply);
    }
    assert_eq!(page.count("#board.flipped"), 1);
    page.click("[data-do=flip]");
    assert_eq!(page.count("#board.flipped"), 0);
    // The board and its buttons are visible without scrolling.
    page.look((1024, 768), "light");
    let bottom = "document.querySelector('#games .buttons').getBoundingClientRect().bottom <= innerHeight";
    assert_eq!(page.evaluate(bottom), json!(true));
    for (link, fault) in [
        ("run=5", "there is no run=5."),
        ("match=7&game=-3&ply=abc", "there is no match=7, no game=-3, no ply=abc."),
        ("run=0&match=length&game=99", "there is no match=length, no game=99."),
        ("game=3&ply=9999", "there is no ply=9999."),
    ] {
        page.go(&format!("#runs?{link}"));
        page.wait_for_text("#run-note", fault);
        page.wait_for_text("#turn", "Ply 0 of");
    }
    page.assert_fine();
}

#[test]
fn a_run_under_way_grows_on_the_page() {
    // Game 5 has ended, but game 4 has not.
    let folder = || {
        let folder = Folder::small_match();
        folder.copy("run", "whole");
        folder.remove("run/result.json");
        let games = folder.read("run/games.jsonl");
        let has_ended =
            |line: &&str| [0, 1, 2, 3, 5, 6].iter().any(|game| line.contains(&format!("\"game\":{game},")));
        folder.write("run/games.jsonl", games.split_inclusive('\n').filter(has_ended).collect::<String>());
        folder
    };
    let Some(mut page) = Page::of(folder, "run", "#runs?game=5", DESKTOP) else { return };
    page.wait_for_text("#match-rows", "6 of 20");
    page.wait_for("document.querySelector('.row.current .n')?.textContent === '5'");
    assert_eq!(page.text("#run-state"), "no result yet");
    // The file is replaced as a whole, since the server may read it at any time.
    let games = ["whole", "run"].map(|run| page.server.folder.path(run).join("games.jsonl"));
    fs::rename(&games[0], &games[1]).expect("writable");
    page.wait_for_text("#match-rows", "20 of 20");
    page.wait_for_count("#rows [data-place]", 20);
    // Game 4 is now listed, and game 5 is still shown.
    let numbers =
        "[...document.querySelectorAll('#rows [data-place]')].map(row => Number(row.firstChild.textContent))";
    assert_eq!(page.evaluate(numbers), json!((0..20).collect::<Vec<_>>()));
    assert_eq!(page.text(".row.current .n"), "5");
    assert_eq!(page.evaluate("location.hash.includes('game=5')"), json!(true));
    page.click("#rows [data-place='4']");
    page.wait_for("location.hash.includes('game=4')");
    page.focus("#board");
    page.press("End");
    let positions = positions(&page.server.folder.games("run")[4]);
    page.wait_for_text("#turn", &format!("After {} plies", positions.len() - 1));
    assert_eq!(page.board("#board"), positions[positions.len() - 1].rows());
    page.assert_fine();
}

#[test]
fn the_page_says_when_the_server_is_gone_and_comes_back() {
    let Some(mut page) = Page::open("#analyse", DESKTOP) else { return };
    page.wait_for_more("#verdict-a .rows tr", 3);
    let port = page.server.address.port();
    page.server.stop();
    page.wait_for("!document.querySelector('#gone').hidden");
    page.server = Server::start_in(Folder::new(), port, "");
    page.wait_for("document.querySelector('#gone').hidden");
    let effort = page.text("#verdict-a .effort");
    page.wait_for_change("#verdict-a .effort", &effort);
}

/// The source of axe-core, which `.ci/browser` gets from npm. If it is missing, prints that the test is skipped.
fn axe() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/axe/node_modules/axe-core/axe.min.js");
    let found = fs::read_to_string(path).ok();
    if found.is_none() {
        let _ = writeln!(stderr(), "skipped: no axe-core in target/axe; .ci/browser gets it from npm");
    }
    found
}

#[test]
fn axe_finds_nothing() {
    let Some(axe) = axe() else { return };
    for (size, scheme) in [(DESKTOP, "light"), ((1024, 768), "dark"), (PHONE, "dark")] {
        let Some(mut page) = Page::of(Folder::small_match, "run", "#play", size) else { return };
        page.look(size, scheme);
        for (view, ready) in [
            ("#play", "document.querySelector('#status').textContent.startsWith('Your turn')"),
            ("#analyse?b=greedy", "document.querySelectorAll('#verdict-a .rows tr').length > 3"),
            ("#runs", "document.querySelectorAll('#plays button').length > 3"),
            ("#rules", "document.querySelectorAll('.lesson .open').length === 3"),
        ] {
            page.go(view);
            page.wait_for(ready);
            page.evaluate(
                "document.querySelectorAll('details').forEach(details => { details.open = true; })",
            );
            page.evaluate(&axe);
            let found = page.evaluate(
                "axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations.map(one => [one.id, one.help, one.nodes.map(node => node.html.slice(0, 200))]))",
            );
            assert_eq!(found, json!([]), "{view} {size:?} {scheme}");
        }
    }
}

/// The plays that lead to the position in `tuning/results/serve.png`, in the format of the page's address.
const PICTURED: &str = "3,1+3,3;11,14+10,13;0,4+4,2;13,13+13,11;1,1+5,3;14,11+12,11;2,1+4,3;13,12+9,12;3,0+5,4;\
                        15,14+11,10;1,0+3,4;12,14+10,10;0,2+6,4;13,15+9,9;0,0+4,4;15,15+11,9;2,3+6,5;15,12+11,12;\
                        0,1+6,3;14,14+8,10;3,2+5,6;15,13+7,9;0,3+6,7;15,11+11,11;1,2+7,4;11,15+9,11;4,1+5,2;14,12+10,8;\
                        1,4+2,4;12,13+8,9;1,3+3,5;14,15+10,9;4,0+5,1;14,13+13,13;2,0+2,1;12,15+12,9;2,1+4,5;13,14+7,8;\
                        2,2+3,2;13,13+12,12;2,4+8,8;8,10+2,4;6,4+10,12;10,8+6,4;4,4+12,10;10,10+4,6";

#[test]
#[ignore = "writes tuning/results/serve.png"]
fn the_picture_of_the_readme() {
    let view = format!("#analyse?b=mcts(playout%3Dforward-jump)&plays={PICTURED}");
    let mut page = Page::open(&view, (1280, 860)).expect("a browser");
    for agent in ["a", "b"] {
        page.wait_for(&format!("document.querySelector('#verdict-{agent} .effort').textContent.match(/M iter|[3-9]\\d\\d k iter/)"));
    }
    page.look((1280, 860), "light");
    let clip = json!({ "x": 0, "y": 0, "width": 1280, "height": 860, "scale": 0.7 });
    let picture = page.command("Page.captureScreenshot", json!({ "format": "png", "clip": clip }));
    // The browser also decodes its base64.
    let bytes = page.evaluate(&format!("Array.from(atob({}), byte => byte.charCodeAt(0))", picture["data"]));
    let bytes: Vec<u8> = serde_json::from_value(bytes).expect("bytes");
    assert!(bytes.len() < 150_000, "{} bytes", bytes.len());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/serve.png"), bytes).expect("writable");
}
