//! Games on the page of `lab serve`: variations, files and links, and the analysis of whole games.

use crate::support::page::Page;
use crate::support::server::Server;
use crate::support::{Folder, positions, string};
use serde_json::json;

const SIZES: [(u32, u32); 2] = [(1280, 900), (400, 800)];

/// Steps through the game by the button `first`, `back`, `next` or `last`.
fn step(page: &mut Page, view: &str, what: &str) {
    page.click(&format!("#view-{view} [data-step={what}]"));
    page.wait_for(&format!("document.querySelector('#{view}-board').classList.contains('open')"));
}

/// Makes a play, and waits until the page lists `count` plays, variations included, and accepts the next one.
fn play(page: &mut Page, view: &str, play: &str, count: usize) {
    page.make(&format!("#{view}-board"), play);
    page.wait_for_count(&format!("#{view}-plays button"), count);
    page.wait_for(&format!("document.querySelector('#{view}-board').classList.contains('open')"));
}

/// The plays in the page's list, with variations in parentheses.
fn listed(page: &mut Page, view: &str) -> String {
    let words = page.evaluate(&format!(
        "(() => {{ const words = box => [...box.children].flatMap(one => one.matches('button') \
         ? [one.firstChild.textContent] : ['(', ...words(one), ')']); \
         return words(document.querySelector('#{view}-plays')).join(' '); }})()"
    ));
    string(&words).to_string()
}

/// Makes the page keep the next file that it saves in `window.saved`.
fn catch_files(page: &mut Page) {
    page.evaluate("URL.createObjectURL = blob => { window.saved = blob.text(); return 'data:,'; }");
}

#[test]
fn side_lines_are_kept_promoted_deleted_linked_and_saved() {
    for size in SIZES {
        let Some(mut page) = Page::open("#analyse", size) else { return };
        page.wait_for_more("#verdict-a .rows tr", 0);
        play(&mut page, "analyse", "2,0 4,2", 1);
        play(&mut page, "analyse", "13,15 11,13", 2);
        step(&mut page, "analyse", "first");
        play(&mut page, "analyse", "3,0 5,0", 3);
        play(&mut page, "analyse", "11,15 10,14", 4);
        let game = "2,0 4,2 ( 3,0 5,0 11,15 10,14 ) 13,15 11,13";
        assert_eq!(listed(&mut page, "analyse"), game);
        // A play that is already in the game begins no new variation.
        step(&mut page, "analyse", "back");
        play(&mut page, "analyse", "11,15 10,14", 4);
        // The link and the file carry the whole game.
        let link = string(&page.evaluate("location.hash")).to_string();
        catch_files(&mut page);
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        page.click("#save-game");
        let saved = string(&page.evaluate("saved")).to_string();
        assert!(saved.contains("c1-e3 ( d1-f1 l16-k15 ) n16-l14 *\n"), "{saved}");
        page.go(&link);
        page.wait_for_text("#analyse-status", "Ply 2 of 2: ");
        assert_eq!(listed(&mut page, "analyse"), game);
        page.go("#play");
        page.drop_file("game.pgn", &saved);
        page.wait_for_text("#announce", "loaded");
        assert_eq!(listed(&mut page, "analyse"), game);
        page.go(&link);
        page.wait_for_text("#analyse-status", "Ply 2 of 2: ");
        page.click("#promote");
        page.wait_for("document.querySelector('#promote').disabled");
        assert_eq!(listed(&mut page, "analyse"), "3,0 5,0 ( 2,0 4,2 13,15 11,13 ) 11,15 10,14");
        page.click("#remove");
        page.wait_for_count("#analyse-plays button", 3);
        assert_eq!(listed(&mut page, "analyse"), "3,0 5,0 ( 2,0 4,2 13,15 11,13 )");
        page.wait_for_more("#verdict-a .rows tr", 0);
        page.assert_fine();
    }
}

#[test]
fn a_play_at_an_earlier_ply_of_a_game_keeps_the_plays_that_followed() {
    for size in SIZES {
        let Some(mut page) = Page::open("#play", size) else { return };
        page.wait_for_text("#status", "Your turn");
        play(&mut page, "play", "2,0 4,2", 2);
        page.wait_for_text("#status", "Your turn");
        let before = listed(&mut page, "play");
        step(&mut page, "play", "first");
        play(&mut page, "play", "3,0 5,0", 4);
        page.wait_for_text("#status", "Your turn");
        let game = listed(&mut page, "play");
        let (first, answer) = game.split_once(&format!(" ( {before} ) ")).expect("a side line");
        assert_eq!((first, answer.split(' ').count()), ("3,0 5,0", 2));
        // The game is the same after a reload, and in the analysis.
        page.go("#play");
        page.wait_for_text("#status", "Your turn");
        assert_eq!(listed(&mut page, "play"), game);
        let board = page.board("#play-board");
        // A saved file contains the players' names and the date, and its file name contains the date.
        catch_files(&mut page);
        page.evaluate("HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download; }");
        page.click("#play-save");
        let saved = string(&page.evaluate("saved")).to_string();
        let (_, rest) = saved.split_once("[Date \"").expect("a date");
        let date = rest[..10].replace('.', "-");
        assert!(date.starts_with("20"), "{saved}");
        assert_eq!(page.evaluate("savedAs"), json!(format!("halma-{date}.pgn")));
        assert!(saved.contains("[White \"you\"]\n[Black \"beginner\"]\n"), "{saved}");
        page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }");
        page.click("#play-link");
        page.wait_for_text("#play-note", "The link was copied.");
        let link = string(&page.evaluate("copied")).to_string();
        // Without a clipboard, the page shows the link.
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
        page.click("#play-link");
        page.wait_for_text("#play-note", &link);
        page.click("#to-analysis");
        page.wait_for_text("#analyse-status", "Ply 2 of 2: ");
        assert_eq!(listed(&mut page, "analyse"), game);
        // A single click does not replace the game under way.
        page.click("#play-from-here");
        assert_eq!(page.text("#play-from-here"), "Give up your game?");
        page.go(link.split_once('#').map(|(_, view)| format!("#{view}")).expect("a view").as_str());
        page.wait_for_text("#analyse-status", "Ply 2 of 2: ");
        assert_eq!(listed(&mut page, "analyse"), game);
        assert_eq!(page.board("#analyse-board"), board);
        page.assert_fine();
    }
}

/// Either side could win with its next play. Black steps away from its goal instead, and White wins.
const BLUNDER: &str = "board=WWWWW11/WWWWW11/WWW1W11/WWW13/WW14/16/16/16/16/16/16/14BB/13BBB/11B1BBB/11BBBBB/11BBBBB\
                       &plays=l14-k14+e3-d3";

#[test]
fn a_whole_game_is_analysed_and_its_blunders_are_marked() {
    for size in SIZES {
        let Some(mut page) = Page::open(&format!("#analyse?{BLUNDER}"), size) else { return };
        page.wait_for_text("#analyse-status", "White has won");
        page.fill("#review-effort", "200");
        page.click("#review");
        page.wait_for_text("#review-progress", "3 of 3 positions analysed");
        page.wait_for_text("#review", "Analyse game");
        assert_eq!(page.text("#analyse-plays button:first-child .fell"), " ??");
        assert_eq!(page.count("#analyse-plays .fell"), 1);
        let points =
            "document.querySelector('#analyse-curve polyline.a').getAttribute('points').split(' ').length";
        assert_eq!(page.evaluate(points), json!(3));
        assert_eq!(page.count("#analyse-curve .fall"), 1);
        // Clicking the marked play shows which play would have been better.
        page.click("#analyse-plays button");
        page.wait_for_text(
            "#analyse-note",
            "is a blunder: it costs 100 percentage points of expected score; better: 11,13 12,13.",
        );
        // The mark leads to the position before the play, with an arrow for the better play, even without the engine.
        page.click("#engine");
        page.click("#analyse-plays .fell");
        page.wait_for_text("#analyse-status", "Ply 0 of 2: ");
        page.wait_for_text("#analyse-note", "better: 11,13 12,13.");
        assert_eq!(page.count("#analyse-board .arrow.better"), 1);
        page.click("#engine");
        // A play that is added is also analysed, and nothing else is searched again.
        page.click("#view-analyse [data-step=first]");
        page.wait_for_text("#analyse-status", "Ply 0 of 2: ");
        play(&mut page, "analyse", "11,13 11,12", 3);
        page.click("#review");
        page.wait_for_text("#review-progress", "4 of 4 positions analysed");
        assert_eq!(page.count("#analyse-plays .side-line .fell"), 1);
        // Another game ends the analysis.
        page.fill("#review-effort", "20000");
        page.click("#review");
        page.wait_for_text("#review", "Stop");
        page.click("#analyse-start");
        page.wait_for_text("#review", "Analyse game");
        assert_eq!(page.text("#review-progress"), "");
        page.assert_fine();
    }
}

#[test]
fn only_like_values_that_agree_make_a_mistake() {
    let Some(mut page) = Page::open("#rules", SIZES[0]) else { return };
    // Each position on a line is `[value, race, made, visits]`: its value for Black; whether the race solver gave this
    // value; and the value and visits that its search gave the play made. The best play has the position's value and
    // 100 visits.
    let marks = "async line => { const { errorOf } = await import('/page/errors.js'); let node; \
         const nodes = line.map(([value, race, made, visits], ply) => { const sign = ply % 2 ? -1 : 1; \
         const search = { candidates: made === undefined ? [] : [{ play: 'best', value: sign * value, visits: 100 }, \
         { play: '1,1 2,2', value: sign * made, visits }] }; \
         const review = { best: 'best', arrows: [], value: sign * value, search, \
         decided_by: race ? 'race' : 'visits', to_move: ply % 2 ? 'WHITE' : 'BLACK' }; \
         const next = { ply, chain: '1,1 2,2', parent: node, children: [], review }; \
         node?.children.push(next); return node = next; }); \
         return nodes.map(node => errorOf(node)?.mark ?? '').join(','); }";
    for (line, marked) in [
        // Black loses 15 % for good.
        ("[[0.5], [0.2], [0.2], [0.2]]", ",?,,"),
        ("[[0.5], [0.09], [0.09], [0.09]]", ",??,,"),
        ("[[0.5], [0.31], [0.31]]", ",,"),
        // The next play undoes the loss, or the loss undoes a gain.
        ("[[0.5], [0.1], [0.5], [0.5]]", ",,,"),
        ("[[0.1], [0.1], [0.5], [0.1]]", ",,,"),
        // Values of the race solver are compared with each other, but not with those of searches.
        ("[[0.99, 1], [-0.7], [0.99, 1], [-0.7], [0.99, 1]]", ",,,,"),
        ("[[0.99, 1], [0.5, 1], [0.5, 1]]", ",??,"),
        // One search compares both plays if it visited both often enough, and the next search must not contradict it.
        ("[[0.5, 0, 0.2, 50], [-0.7, 1]]", ",?"),
        ("[[0.5, 0, 0.2, 1], [-0.7, 1]]", ","),
        ("[[0.5, 0, 0.2, 50], [0.2], [0.5]]", ",?,"),
        ("[[0.5, 0, 0.45, 50], [0.1], [0.1]]", ",,"),
        ("[[0.5, 0, 0.1, 50], [0.5], [0.5]]", ",,"),
        // Black's play loses value, then White's.
        ("[[0.5, 0, 0, 50], [-0.6, 1, 0, 50], [0.2]]", ",??,"),
    ] {
        assert_eq!(page.evaluate(&format!("({marks})({line})")), json!(marked), "{line}");
    }
}

#[test]
fn a_runs_game_brings_its_own_values() {
    let Some(mut page) = Page::of(Folder::small_match, "run", "#runs?game=3&ply=12", SIZES[0]) else {
        return;
    };
    page.wait_for_text("#turn", "Ply 12");
    let values = "document.querySelectorAll('#curve polyline').length && \
                  [...document.querySelectorAll('#curve polyline')].map(line => line.getAttribute('points')) \
                  .join(' ').trim().split(/\\s+/).length";
    let values = page.evaluate(values);
    page.click("#analyse-game");
    page.wait_for_text("#analyse-status", "Ply 12 of");
    let points =
        "document.querySelector('#analyse-curve polyline.c').getAttribute('points').split(' ').length";
    assert_eq!(page.evaluate(points), values);
    page.assert_fine();
}

#[test]
fn bad_links_and_files_get_a_red_error_and_change_nothing() {
    let Some(mut page) = Page::open("#analyse", SIZES[0]) else { return };
    page.wait_for_more("#verdict-a .rows tr", 0);
    play(&mut page, "analyse", "2,0 4,2", 1);
    let board = page.board("#analyse-board");
    let error = |page: &mut Page, part: &str| {
        let note = "document.querySelector('#analyse-note.warning')?.textContent";
        page.wait_for(&format!("{note}?.includes({})", json!(part)));
        let colour =
            page.evaluate("getComputedStyle(document.querySelector('#analyse-note')).borderLeftColor");
        assert_eq!(colour, json!("rgb(180, 35, 24)"));
        assert_eq!(page.board("#analyse-board"), board);
        assert_eq!(listed(page, "analyse"), "2,0 4,2");
    };
    for (link, part) in [
        ("of=2&plays=c1-e3", "The link is cut short: it has 1 of 2 plays."),
        ("plays=c1-e3+n16-", "The link: its plays, character 7: expected a play"),
        (
            "plays=c1-e3+c1-e3",
            "The link: its plays, character 7: the play 2,0 4,2 is not legal. There is no piece on 2,0",
        ),
        ("rules=house", "The link names unknown rules, \"house\": expected addendum or original."),
        ("board=B15/16", "a board has 16 rows, not 2"),
        ("at=9&plays=2,0+4,2", "The link is cut short: it has 1 of 9 plays."),
    ] {
        page.evaluate(&format!("location.hash = '#analyse?{link}'"));
        error(&mut page, part);
    }
    for (file, part) in [
        (
            "[Event \"halma\"]\n\n1. c1-e3 n16-l14",
            "line 3, column 17: the game has no result such as 1-0 or *",
        ),
        ("1. c1-e3 Nf6 *", "line 1, column 10: expected a play such as c1-e3 or 2,0 4,2, found \"Nf6\""),
        ("SINGLE\nRED\n", "input.txt: line 2, column 1: expected BLACK or WHITE"),
        (&"x".repeat(300_000), "game.pgn is too large"),
    ] {
        page.drop_file("game.pgn", file);
        error(&mut page, part);
    }
}

#[test]
fn the_games_of_a_run_are_opened_from_its_export() {
    let Some(mut page) = Page::of(Folder::small_match, "run", "#analyse", SIZES[0]) else { return };
    let records = page.server.folder.games("run");
    let games = page.server.folder.succeeds("export run");
    page.drop_file("game.pgn", &games);
    page.wait_for_text("#games-of", "of 20 in the file");
    for game in [0, 3] {
        page.fill("#game-select", &game.to_string());
        let positions = positions(&records[game]);
        page.wait_for_text("#analyse-status", &format!("Ply 0 of {}: ", positions.len() - 1));
        page.click("#view-analyse [data-step=last]");
        page.wait_for_count(&format!("#analyse-board [data-ply='{}']", positions.len() - 1), 1);
        assert_eq!(page.board("#analyse-board"), positions[positions.len() - 1].rows());
        assert_eq!(page.evaluate("document.querySelector('#game-select').value"), json!(game.to_string()));
    }
    page.click("#analyse-start");
    page.wait_for("document.querySelector('#which-game').hidden");
    page.assert_fine();
    // The select names the game shown, even after another one could not be read.
    page.drop_file("game.pgn", &(games + "\n[Event \"broken\"]\n\nc1-e3 c1-e3 *\n"));
    page.wait_for_text("#games-of", "of 21 in the file");
    page.fill("#game-select", "20");
    page.wait_for_text("#analyse-note", "not legal");
    assert_eq!(page.evaluate("document.querySelector('#game-select').value"), json!("0"));
}

#[test]
fn the_export_of_a_run_names_its_rules_and_agents() {
    let line = "match random greedy --games 2 --iterations 1 --rules original --max-plies 100";
    let folder = Folder::played(line);
    let header = folder.json("run/run.json").to_string();
    folder.write("run/run.json", header.replace("\"greedy\"", r#""gre\"e\\dy""#));
    let exported = folder.succeeds("export run");
    let server = Server::start("");
    let read = |text: &str| server.post("/api/game", &json!({ "text": text, "rules": "addendum" }));
    let (status, game) = read(&exported);
    assert_eq!(status, 200, "{game}");
    assert_eq!((&game["rules"], &game["names"]), (&json!("original"), &json!(["random", r#"gre"e\dy"#])));
    let (status, answer) = read(&exported.replace("[Rules \"original\"]\n", ""));
    assert_ne!(status, 200, "a play is not legal under the addendum: {answer}");
}
