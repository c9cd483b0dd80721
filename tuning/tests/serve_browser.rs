//! The page of `lab serve` in a real browser: playing by clicks, analysing positions, replaying runs.
//!
//! Where there is no browser the tests say "skipped"; with `HALMA_BROWSER=required` they fail.

use crate::support::browser::{Browser, installed};
use crate::support::server::Server;
use crate::support::{Folder, positions};
use halma::agent::parse;
use halma::game::{Game, Outcome, Player};
use halma::rules::{BLACK, Play, Position, Rules, goal};
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

/// A browser at a view of the server's page.
fn open(program: &Path, server: &Server, view: &str, size: (u32, u32)) -> Browser {
    let mut browser = Browser::open_address(program, &server.page("#runs"));
    browser.look(size, "light");
    go(&mut browser, server, view);
    browser
}

/// A browser at the start of a game, Black to move.
fn open_to_play(program: &Path, server: &Server) -> Browser {
    let mut browser = open(program, server, "#play", DESKTOP);
    browser.wait_for_text("#status", "Your turn");
    browser
}

fn go(browser: &mut Browser, server: &Server, view: &str) {
    browser.go_to(&server.page(view));
    browser.wait_for("document.body.dataset.ready");
}

/// Clicks on a square of the board in `stage`.
fn click(browser: &mut Browser, stage: &str, square: halma::rules::Square) {
    let across = |place: u8| (46.0 + 40.0 * f64::from(place)) / 692.0;
    browser.click(&format!("{stage} .board"), across(square.x()), across(square.y()));
}

/// Drags a piece from one square to another of the board in `stage`.
fn drag(browser: &mut Browser, stage: &str, play: Play) {
    let board = browser.evaluate(&format!(
        "(() => {{ const box = document.querySelector('{stage} .board').getBoundingClientRect(); \
         return [box.left, box.top, box.width / 692]; }})()"
    ));
    let [left, top, scale] = [0, 1, 2].map(|at| board[at].as_f64().expect("a number"));
    let middle = |square: halma::rules::Square| {
        let at = |place: u8| scale * (46.0 + 40.0 * f64::from(place));
        (left + at(square.x()), top + at(square.y()))
    };
    let (from, to) = (middle(play.from), middle(play.to));
    let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    for (kind, (x, y)) in
        [("mousePressed", from), ("mouseMoved", between), ("mouseMoved", to), ("mouseReleased", to)]
    {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        browser.command("Input.dispatchMouseEvent", event);
    }
}

/// The plays of the game on the page, from its buttons.
fn plays(browser: &mut Browser, list: &str) -> Vec<Play> {
    let found = browser.evaluate(&format!(
        "[...document.querySelectorAll('{list} button')].map(button => button.firstChild.textContent)"
    ));
    let texts = found.as_array().expect("a list");
    texts.iter().map(|text| text.as_str().and_then(|text| text.parse().ok()).expect("a play")).collect()
}

/// The board on the page in letters.
fn drawn(browser: &mut Browser, stage: &str) -> String {
    let pieces = browser.evaluate(&format!(
        "[...document.querySelectorAll('{stage} .piece')].map(piece => \
         [piece.classList.contains('black') ? 'B' : 'W', piece.dataset.square])"
    ));
    let mut rows = vec![['.'; 16]; 16];
    for piece in pieces.as_array().expect("a list") {
        let square: halma::rules::Square =
            piece[1].as_str().and_then(|text| text.parse().ok()).expect("a square");
        let letter = piece[0].as_str().and_then(|name| name.chars().next()).expect("a letter");
        rows[usize::from(square.y())][usize::from(square.x())] = letter;
    }
    rows.into_iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}

/// Writes `value` into a field and sends its change event.
fn fill(browser: &mut Browser, selector: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; \
         field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
        json!(selector),
        json!(value)
    ));
}

/// Nothing is wider than the window.
fn fits(browser: &mut Browser) {
    let widths = browser.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    assert!(widths[0].as_u64() <= widths[1].as_u64(), "wider than the window: {widths}");
}

/// Plays the game on the page from `position` to its end by clicking the engine's plays, and returns the last position.
fn play_to_the_end(browser: &mut Browser, mut position: Position, human: Player) -> Position {
    let mut engine = parse("mcts", 1).expect("a spec");
    let mut made = plays(browser, "#play-plays").len();
    while position.outcome().is_none() {
        assert_eq!(position.to_move(), human);
        let decision =
            engine.decide(&position, &Limits::iterations(150), &ThreadClock, None).expect("a play");
        click(browser, "#play-board", decision.play.from);
        browser.wait_for(&format!(
            "document.querySelector('#play-board [data-target=\"{}\"]')",
            decision.play.to
        ));
        click(browser, "#play-board", decision.play.to);
        position.play(decision.play);
        made += 1;
        let answered = if position.outcome().is_some() { 0 } else { 1 };
        browser.wait_for(&format!(
            "document.querySelectorAll('#play-plays button').length >= {} && \
             !document.querySelector('#status').textContent.includes('thinking')",
            made + answered
        ));
        if answered == 1 {
            let answer = *plays(browser, "#play-plays").last().expect("an answer");
            position.try_play(answer).expect("the page's plays are legal");
            made += 1;
        }
        assert_eq!(drawn(browser, "#play-board"), position.rows());
        assert!(made < 500, "no end");
    }
    position
}

/// Asserts that the page announces the end that the rules give.
fn check_end(browser: &mut Browser, position: &Position, human: Player) {
    let status = browser.text("#status");
    let Some(Outcome::Win(winner)) = position.outcome() else { panic!("the game is over") };
    assert!(status.starts_with(if winner == human { "You win." } else { "You lose." }), "{status}");
    assert!(status.contains("goal"), "{status}");
}

#[test]
fn a_whole_game_is_played_by_clicking() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    let browser = &mut open_to_play(&program, &server);
    let start = Position::initial(BLACK, Rules::Addendum);
    let last = play_to_the_end(browser, start, BLACK);
    check_end(browser, &last, BLACK);
    fits(browser);
    // The last play is taken back, and the game goes on from there.
    let before = plays(browser, "#play-plays").len();
    browser.click("#take-back", 0.5, 0.5);
    browser.wait_for_text("#status", "Your turn");
    let back = before - plays(browser, "#play-plays").len();
    assert!((1..=2).contains(&back), "{back} plays taken back");
    browser.assert_calm(&server.page(""));
}

/// The address of a game that begins at `position`.
fn from_here(position: &Position, view: &str) -> String {
    let rows: Vec<String> = position.rows().lines().map(packed).collect();
    let first = if position.to_move() == BLACK { "BLACK" } else { "WHITE" };
    format!("#{view}?rules=addendum&first={first}&ply=0&board={}", rows.join("%2F"))
}

/// A row as in an address, with numbers for runs of empty squares.
fn packed(row: &str) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for letter in row.chars().chain(['|']) {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.extend(Some(letter).filter(|&letter| letter != '|'));
    }
    text
}

/// A position near the end, Black to move: at most four pieces of one side are still outside its goal.
fn late() -> Position {
    let mut engine = parse("mcts", 5).expect("a spec");
    let mut position = Position::initial(BLACK, Rules::Addendum);
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
    let Some(program) = installed() else { return };
    let server = Server::start("");
    let position = late();
    let browser = &mut open(&program, &server, &(from_here(&position, "play") + "&from=analysis"), PHONE);
    browser.wait_for_text("#status", "Your turn");
    let last = play_to_the_end(browser, position, BLACK);
    check_end(browser, &last, BLACK);
    fits(browser);
    browser.assert_calm(&server.page(""));
}

#[test]
fn a_play_is_explained_hinted_and_made_by_keyboard_alone() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    let browser = &mut open_to_play(&program, &server);
    assert!(browser.text("#play-note").contains("leave your camp first"));
    browser.click("#hint", 0.5, 0.5);
    browser.wait_for_text("#play-note", "would play");
    browser.focus("#play-board");
    // The cursor begins on 7,7.
    (0..5).for_each(|_| browser.press("ArrowLeft"));
    (0..7).for_each(|_| browser.press("ArrowUp"));
    assert!(browser.text("#announce").contains("2,0: black piece"));
    browser.press("Enter");
    (0..2).for_each(|_| browser.press("ArrowRight"));
    (0..2).for_each(|_| browser.press("ArrowDown"));
    assert!(browser.text("#announce").contains("can go here"));
    browser.press("Enter");
    browser.wait_for_count("#play-plays button", 2);
    assert_eq!(plays(browser, "#play-plays")[0].to_string(), "2,0 4,2");
    assert!(browser.text("#announce").contains("White plays"));
    // A play that the camp rules forbid, as text.
    browser.evaluate("document.querySelector('#play-text').value = '4,2 5,2'");
    browser.click("#play-say button", 0.5, 0.5);
    browser.wait_for_text("#play-note", "leave your camp first");
    browser.assert_calm(&server.page(""));
}

#[test]
fn a_game_against_an_unknown_agent_does_not_begin() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    let browser = &mut open_to_play(&program, &server);
    browser.evaluate(
        "document.querySelector('#level').value = ''; \
         document.querySelector('#level').dispatchEvent(new Event('change', { bubbles: true }))",
    );
    fill(browser, "#agent", "mtcs");
    browser.click("#new-game .main", 0.5, 0.5);
    browser.wait_for(
        "document.querySelector('#level-about').textContent.startsWith(\"there is no agent 'mtcs'\")",
    );
    assert_eq!(browser.evaluate("document.querySelector('#new-game-box').open"), json!(true));
    fill(browser, "#agent", "greedy");
    browser.click("#new-game .main", 0.5, 0.5);
    browser.wait_for("document.querySelector('#white-side code').textContent === 'greedy'");
    assert_eq!(browser.evaluate("document.querySelector('#new-game-box').open"), json!(false));
}

#[test]
fn pieces_are_dragged_sides_swapped_and_games_resigned() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    let browser = &mut open_to_play(&program, &server);
    browser.evaluate("document.querySelector('#play-board').scrollIntoView({ block: 'center' })");
    // A piece dragged to a square that it can't reach returns, and the page says why.
    drag(browser, "#play-board", "2,0 9,9".parse().expect("a play"));
    browser.wait_for_text("#play-note", "2,0 9,9 is not possible");
    assert_eq!(drawn(browser, "#play-board"), Position::initial(BLACK, Rules::Addendum).rows());
    drag(browser, "#play-board", "2,0 4,2".parse().expect("a play"));
    browser.wait_for_count("#play-plays button", 2);
    browser.wait_for_text("#status", "Your turn");
    // Now the engine has Black, and moves.
    browser.click("#swap", 0.5, 0.5);
    browser.wait_for_count("#play-plays button", 3);
    browser.wait_for("document.querySelector('#status').textContent === 'Your turn: White to move'");
    browser.click("#resign", 0.5, 0.5);
    browser.wait_for_text("#status", "You lose. White has resigned");
    // The page remembers the game.
    go(browser, &server, "#play");
    browser.wait_for_count("#play-plays button", 3);
    browser.assert_calm(&server.page(""));
}

#[test]
fn the_readmes_board_is_analysed_and_two_agents_are_compared() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    for size in [DESKTOP, PHONE] {
        let browser = &mut open(&program, &server, "#analyse", size);
        browser.wait_for_more("#verdict-a .rows tr", 3);
        browser.evaluate("document.querySelector('#view-analyse details').open = true");
        fill(browser, "#input-text", BOARD);
        browser.click("#load-input", 0.5, 0.5);
        browser.wait_for_text("#verdict-a .why", "race solver");
        assert!(browser.text("#verdict-a .why").starts_with("9,9 13,13"));
        browser.wait_for_more("#verdict-a .rows tr", 3);
        browser.wait_for_text("#value-black", "%");
        assert!(browser.text("#command").starts_with("lab analyse input.txt --agent mcts"));
        fill(browser, "#agent-b", "greedy");
        browser.wait_for_text("#differ", "play");
        // The search goes on, and its effort grows.
        let effort = browser.text("#verdict-a .effort");
        browser.wait_for(&format!(
            "document.querySelector('#verdict-a .effort').textContent !== {}",
            json!(effort)
        ));
        // Play the search's line, then step back.
        browser.click("#verdict-a .pv button", 0.5, 0.5);
        browser.wait_for_count("#analyse-plays button", 1);
        browser.focus("#analyse-board");
        browser.press("Home");
        browser.wait_for_text("#analyse-status", "Ply 0 of 1");
        fits(browser);
        browser.assert_calm(&server.page(""));
    }
}

#[test]
fn positions_are_edited_dropped_and_linked() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    for size in [DESKTOP, PHONE] {
        let browser = &mut open(&program, &server, "#analyse", size);
        browser.wait_for_more("#verdict-a .rows tr", 3);
        browser.click("#edit", 0.5, 0.5);
        click(browser, "#analyse-board", "4,1".parse().expect("a square"));
        click(browser, "#analyse-board", "7,7".parse().expect("a square"));
        browser.click("#edit-done", 0.5, 0.5);
        browser.wait_for("document.querySelector('#editor').hidden");
        browser.wait_for("location.hash.includes('board=')");
        let board = drawn(browser, "#analyse-board");
        let rows: Vec<&str> = board.lines().collect();
        assert_eq!((&rows[1][..5], &rows[7][7..8]), ("BBBB.", "B"));
        // The link shows the same position.
        let link = browser.evaluate("location.hash").as_str().expect("a text").to_string();
        go(browser, &server, &link);
        browser.wait_for_more("#verdict-a .rows tr", 3);
        assert_eq!(drawn(browser, "#analyse-board"), board);
        // A file is dropped.
        browser.evaluate(&format!(
            "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], 'input.txt')); \
             dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true }})); }})()",
            json!(BOARD)
        ));
        let wanted: String = BOARD.lines().skip(3).map(|row| row.trim_end().to_string() + "\n").collect();
        browser.wait_for_text("#announce", "loaded");
        browser.wait_for_text("#verdict-a .why", "race solver");
        assert_eq!(drawn(browser, "#analyse-board"), wanted);
        fits(browser);
        browser.assert_calm(&server.page(""));
    }
}

#[test]
fn a_runs_game_is_replayed_and_handed_to_analysis() {
    let Some(program) = installed() else { return };
    let server = Server::start_in(Folder::small_match(), 0, "run");
    let position = positions(&server.folder.games("run")[3])[12];
    for size in [DESKTOP, PHONE] {
        let browser = &mut open(&program, &server, "#runs?run=0&match=0&game=3&ply=12", size);
        browser.wait_for_text("#turn", "Ply 12");
        assert_eq!(drawn(browser, "#board"), position.rows());
        assert!(browser.text("#match-rows").contains("20 of 20"));
        browser.click("#rows [data-place='5']", 0.5, 0.5);
        browser.wait_for(
            "document.querySelector('.row.current').dataset.place === '5' && \
                          document.querySelector('#turn').textContent.startsWith('Ply 0')",
        );
        browser.click("#rows [data-place='3']", 0.5, 0.5);
        browser.wait_for("document.querySelector('.row.current').dataset.place === '3'");
        browser.wait_for_more("#plays button", 12);
        browser.click("#plays button[data-ply='12']", 0.3, 0.5);
        assert_eq!(drawn(browser, "#board"), position.rows());
        fits(browser);
        browser.click("#analyse-game", 0.5, 0.5);
        browser.wait_for_more("#verdict-a .rows tr", 0);
        assert_eq!(drawn(browser, "#analyse-board"), position.rows());
        browser.assert_calm(&server.page(""));
    }
}

#[test]
fn a_run_under_way_grows_on_the_page() {
    let Some(program) = installed() else { return };
    let folder = Folder::small_match();
    let lines = folder.read("run/games.jsonl");
    folder.remove("run/result.json");
    folder.keep_lines("run/games.jsonl", 6);
    let server = Server::start_in(folder, 0, "run");
    let browser = &mut open(&program, &server, "#runs", DESKTOP);
    browser.wait_for_text("#match-rows", "6 of 20");
    assert_eq!(browser.text("#run-state"), "running");
    // The file is replaced as a whole, since the server may read it at any time.
    server.folder.write("grown.jsonl", lines);
    let [grown, games] = ["grown.jsonl", "run/games.jsonl"].map(|name| server.folder.path(name));
    fs::rename(grown, games).expect("writable");
    browser.wait_for_text("#match-rows", "20 of 20");
    browser.wait_for_count("#rows [data-place]", 20);
    browser.assert_calm(&server.page(""));
}

#[test]
fn the_page_says_when_the_server_is_gone_and_comes_back() {
    let Some(program) = installed() else { return };
    let server = Server::start("");
    let port = server.address.port();
    let browser = &mut open(&program, &server, "#analyse", DESKTOP);
    browser.wait_for_more("#verdict-a .rows tr", 3);
    drop(server);
    browser.wait_for("!document.querySelector('#gone').hidden");
    let server = Server::start_in(Folder::new(), port, "");
    browser.wait_for("document.querySelector('#gone').hidden");
    let effort = browser.text("#verdict-a .effort");
    browser
        .wait_for(&format!("document.querySelector('#verdict-a .effort').textContent !== {}", json!(effort)));
    drop(server);
}

/// The text of axe-core, which `.ci/browser` gets from npm. Prints that the test is skipped without it.
fn axe() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/axe/node_modules/axe-core/axe.min.js");
    let found = fs::read_to_string(path).ok();
    if found.is_none() {
        let _ = writeln!(stderr(), "skipped: no axe-core in target/axe; .ci/browser gets it from npm");
    }
    found
}

#[test]
fn axe_finds_nothing_serious() {
    let (Some(program), Some(axe)) = (installed(), axe()) else { return };
    let server = Server::start_in(Folder::small_match(), 0, "run");
    for (size, scheme) in [(DESKTOP, "light"), (PHONE, "dark")] {
        let browser = &mut open(&program, &server, "#play", size);
        browser.look(size, scheme);
        for (view, ready) in [
            ("#play", "document.querySelector('#status').textContent.startsWith('Your turn')"),
            ("#analyse?b=greedy", "document.querySelectorAll('#verdict-a .rows tr').length > 3"),
            ("#runs", "document.querySelectorAll('#plays button').length > 3"),
        ] {
            go(browser, &server, view);
            browser.wait_for(ready);
            browser.evaluate(
                "document.querySelectorAll('details').forEach(details => { details.open = true; })",
            );
            browser.evaluate(&axe);
            let found = browser.evaluate(
                "axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations \
                 .filter(one => ['serious', 'critical'].includes(one.impact)) \
                 .map(one => [one.id, one.help, one.nodes.map(node => node.html.slice(0, 200))]))",
            );
            assert_eq!(found, json!([]), "{view} {size:?} {scheme}");
        }
    }
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let whole = text.trim_end_matches('=').as_bytes();
    let bytes = |four: &[u8]| {
        let bits = four.iter().enumerate().fold(0, |bits, (at, &byte)| bits | value(byte) << (18 - 6 * at));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    whole.chunks(4).flat_map(bytes).collect()
}

/// The plays before the position that the picture shows, as in an address.
const PICTURED: &str = "3,1+3,3;11,14+10,13;0,4+4,2;13,13+13,11;1,1+5,3;14,11+12,11;2,1+4,3;13,12+9,12;3,0+5,4;\
                        15,14+11,10;1,0+3,4;12,14+10,10;0,2+6,4;13,15+9,9;0,0+4,4;15,15+11,9;2,3+6,5;15,12+11,12;\
                        0,1+6,3;14,14+8,10;3,2+5,6;15,13+7,9;0,3+6,7;15,11+11,11;1,2+7,4;11,15+9,11;4,1+5,2;14,12+10,8;\
                        1,4+2,4;12,13+8,9;1,3+3,5;14,15+10,9;4,0+5,1;14,13+13,13;2,0+2,1;12,15+12,9;2,1+4,5;13,14+7,8;\
                        2,2+3,2;13,13+12,12;2,4+8,8;8,10+2,4;6,4+10,12;10,8+6,4;4,4+12,10;10,10+4,6";

#[test]
#[ignore = "writes tuning/results/serve.png"]
fn the_picture_of_the_readme() {
    let program = installed().expect("a browser");
    let server = Server::start("");
    let address = format!("#analyse?b=mcts(playout%3Dforward-jump)&plays={PICTURED}");
    let browser = &mut open(&program, &server, &address, (1280, 860));
    for agent in ["a", "b"] {
        browser.wait_for(&format!("document.querySelector('#verdict-{agent} .effort').textContent.match(/M iter|[3-9]\\d\\d k iter/)"));
    }
    browser.look((1280, 860), "light");
    let clip = json!({ "x": 0, "y": 0, "width": 1280, "height": 860, "scale": 0.8 });
    let picture = browser.command("Page.captureScreenshot", json!({ "format": "png", "clip": clip }));
    let bytes = decoded(picture["data"].as_str().expect("a text"));
    assert!(bytes.len() < 150_000, "{} bytes", bytes.len());
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/serve.png"), bytes).expect("writable");
}
