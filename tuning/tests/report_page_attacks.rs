//! The report page under attack: by the keyboard alone, on a telephone, in the dark, with a broken address, read
//! aloud, and for every kind of run.
//!
//! What needs a real browser says "skipped" where there is none; with `HALMA_BROWSER=required` it fails.

use crate::support::browser::{Browser, installed};
use crate::support::{lab, succeeds, text as name};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const DESKTOP: (u32, u32) = (1280, 800);
const PHONE: (u32, u32) = (400, 800);

/// An agent with a long name, as experiments have them.
const LONG: &str = "mcts(select=uct, c=1, prior=progress, evaluation=fitted, playout=sampled-jump(cap=20))";

const SWEEP: &str = r#"
title = "Exploration"
agent = "mcts"
opponent = "mcts(playout=static)"
games = 4
budgets = [{ iterations = 10 }, { iterations = 20 }]
seed = 1
max_plies = 300
[grid]
c = { from = 0.5, to = 2, steps = 2, scale = "log" }
final_visits = [0.7, 1]
"#;

const TUNE: &str = r#"
title = "Exploration by games"
agent = "mcts"
budget = { iterations = 10 }
iterations = 3
pairs = 1
seed = 1
[parameters.c]
from = 0.1
to = 2
step = 0.1
[parameters.final_visits]
step = 0.1
"#;

/// A run in a folder of its own, and its report.
struct Report {
    folder: TempDir,
    page: PathBuf,
}

impl Report {
    fn of(command: &[&str]) -> Report {
        let folder = TempDir::new().expect("a temporary folder");
        succeeds(&[command, &["--jobs", "1", "--out", name(folder.path())]].concat());
        Report::again(folder)
    }

    fn of_file(command: &str, text: &str) -> Report {
        let file = TempDir::new().expect("a temporary folder");
        let path = file.path().join("file.toml");
        fs::write(&path, text).expect("writable");
        Report::of(&[command, name(&path)])
    }

    fn again(folder: TempDir) -> Report {
        succeeds(&["report", name(folder.path())]);
        let page = folder.path().join("report.html");
        Report { folder, page }
    }

    fn a_match() -> Report {
        Report::of(&["match", "mcts(playout=static)", LONG, "--games", "4", "--iterations", "20"])
    }

    fn tournament() -> Report {
        Report::of(&["tournament", "greedy", "random", LONG, "--games", "4", "--iterations", "10"])
    }

    fn sprt() -> Report {
        let test = ["--sprt", "0", "50", "--games", "12", "--iterations", "5"];
        Report::of(&[&["match", "greedy", "random"], &test[..]].concat())
    }

    /// A log of the referee has a report too.
    fn referee() -> Report {
        let folder = TempDir::new().expect("a temporary folder");
        let (log, greedy) =
            (folder.path().join("log.jsonl"), format!("{} agent greedy", env!("CARGO_BIN_EXE_lab")));
        let players = ["referee", "--black", &greedy, "--white", &greedy, "--time", "100"];
        succeeds(&[&players[..], &["--max-plies", "9", "--games", "1", "--log", name(&log)]].concat());
        succeeds(&["report", name(&log)]);
        let page = folder.path().join("log.html");
        Report { folder, page }
    }

    /// One report of each kind.
    fn all() -> Vec<(&'static str, Report)> {
        vec![
            ("match", Report::a_match()),
            ("sprt", Report::sprt()),
            ("tournament", Report::tournament()),
            ("sweep", Report::of_file("sweep", SWEEP)),
            ("sweep of each against each", {
                let each = SWEEP.replace("opponent = \"mcts(playout=static)\"", "each_other = true");
                Report::of_file("sweep", &each.replace("games = 4", "games = 2"))
            }),
            ("tune", Report::of_file("tune", TUNE)),
            ("referee", Report::referee()),
        ]
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.page).expect("a report")
    }

    fn result(&self) -> Value {
        let path = self.folder.path().join("result.json");
        serde_json::from_slice(&fs::read(path).expect("a result")).expect("JSON")
    }

    fn browser(&self, program: &Path, address: &str, size: (u32, u32), scheme: &str) -> Browser {
        let mut browser = Browser::open(program, &self.page);
        browser.visit(&self.page, address, size, scheme);
        browser
    }
}

/// What is shown: the place of the game in its list, and the ply.
fn shown(browser: &mut Browser) -> (u64, u64) {
    let shown = browser.evaluate(
        "[Number(document.querySelector('.row.current').dataset.place), \
         Number(document.querySelector('#board svg').dataset.ply)]",
    );
    (shown[0].as_u64().expect("a game"), shown[1].as_u64().expect("a ply"))
}

fn focus(browser: &mut Browser, selector: &str) {
    browser.evaluate(&format!("document.querySelector(`{selector}`).focus()"));
}

fn calm(browser: &mut Browser) {
    browser.evaluate("0");
    assert_eq!(browser.complaints, [] as [String; 0]);
}

/// The list that an expression gives must be empty; what is in it is wrong.
fn nothing(browser: &mut Browser, what: &str, expression: &str) {
    let found = browser.evaluate(expression);
    let found = found.as_array().unwrap_or_else(|| panic!("{what}: a list"));
    assert!(found.is_empty(), "{what}: {} of them, such as {:?}", found.len(), &found[..found.len().min(5)]);
}

// The keyboard.

#[test]
fn space_activates_the_control_that_has_the_focus() {
    let Some(program) = installed() else { return };
    let browser = &mut Report::a_match().browser(&program, "", DESKTOP, "light");
    let plays = |browser: &mut Browser| {
        browser.evaluate("document.querySelector('[data-do=play]').textContent").to_string().contains("stop")
    };
    focus(browser, "[data-do=next]");
    for ply in 1..4 {
        browser.press(" ");
        assert_eq!((shown(browser), plays(browser)), ((0, ply), false), "'a ply on' goes on by one");
    }
    focus(browser, "#arrows");
    browser.press(" ");
    assert_eq!(browser.evaluate("document.querySelector('#arrows').checked"), false);
    assert!(!plays(browser), "the box, and not 'play', was meant");
    focus(browser, "#plays button:nth-child(7)");
    browser.press(" ");
    assert_eq!(shown(browser), (0, 7));
    focus(browser, "[data-do=play]");
    browser.press(" ");
    assert!(plays(browser));
    browser.press(" ");
    assert!(!plays(browser), "the button keeps the focus");
    calm(browser);
}

/// Where the page has come to a rest after scrolling.
const RESTED: &str = "(async () => { let last = NaN; while (last !== scrollY) { last = scrollY; \
     for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame); } return scrollY; })()";

#[test]
fn arrow_keys_scroll_the_page_unless_the_board_has_the_focus() {
    let Some(program) = installed() else { return };
    let browser = &mut Report::a_match().browser(&program, "", (1280, 500), "light");
    for key in ["ArrowDown", "ArrowRight", "ArrowDown"] {
        browser.press(key);
    }
    let scrolled = browser.evaluate(RESTED).as_f64().expect("pixels");
    assert!(scrolled > 0.0, "the page scrolls");
    assert_eq!(shown(browser), (0, 0), "and the game stays where it is");
    browser.press("End");
    let bottom = browser.evaluate(RESTED).as_f64().expect("pixels");
    assert!(bottom > scrolled && shown(browser) == (0, 0));

    browser.click("#board", 0.5, 0.5);
    let before = browser.evaluate(RESTED);
    for (key, wanted) in [("ArrowRight", (0, 1)), ("ArrowDown", (1, 0)), ("ArrowUp", (0, 0))] {
        browser.press(key);
        assert_eq!(shown(browser), wanted, "{key} on the board");
    }
    assert_eq!(browser.evaluate(RESTED), before, "and the page stays where it is");
    calm(browser);
}

/// Presses Tab until the focus is on what `selector` finds.
fn tab_to(browser: &mut Browser, selector: &str) {
    let there = format!("!!document.activeElement.closest(`{selector}`)");
    for _ in 0..300 {
        browser.press("Tab");
        if browser.evaluate(&there) == true {
            return;
        }
    }
    panic!("Tab does not come to {selector}");
}

#[test]
fn rows_are_reached_by_tab_and_opened_by_enter_and_space() {
    let Some(program) = installed() else { return };
    let browser = &mut Report::tournament().browser(&program, "", DESKTOP, "light");
    for (place, key) in [(1, "Enter"), (2, " ")] {
        tab_to(browser, &format!("[data-select='{place}']"));
        browser.press(key);
        let match_shown =
            browser.evaluate("Number(document.querySelector('.result:not([hidden])').dataset.match)");
        assert_eq!(match_shown, place);
    }
    for (place, key) in [(1, "Enter"), (3, " ")] {
        tab_to(browser, &format!(".row[data-place='{place}']"));
        browser.press(key);
        assert_eq!(shown(browser), (place, 0));
    }
    tab_to(browser, "#board");
    let outlined = browser.evaluate("getComputedStyle(document.querySelector('#board')).outlineStyle");
    assert_eq!(outlined, "solid", "the focus is seen");
    calm(browser);
}

// The address.

#[test]
fn what_the_address_asks_for_and_what_is_no_address_at_all() {
    let Some(program) = installed() else { return };
    let report = Report::tournament();
    let browser = &mut report.browser(&program, "#match=1&game=2&ply=7", DESKTOP, "light");
    assert_eq!(shown(browser), (2, 7));
    let end = browser.evaluate("data.matches[0].games[0].plies").as_u64().expect("plies");
    let cases = [
        ("#ply=abc", (0, 0)),
        ("#ply=", (0, 0)),
        ("#ply=-3", (0, 0)),
        ("#ply=1e2", (0, 0)),
        ("#ply=3.7", (0, 0)),
        ("#match=x&game=1&ply=5", (1, 5)),
        ("#match=99&game=99&ply=5", (0, 5)),
        ("#match=0&game=0&ply=999999", (0, end)),
        ("#game=__proto__&match=constructor", (0, 0)),
        ("#%&%=%&&==", (0, 0)),
        ("#", (0, 0)),
    ];
    for (address, wanted) in cases {
        browser.visit(&report.page, address, DESKTOP, "light");
        assert_eq!(shown(browser), wanted, "{address}");
        let pieces = browser.evaluate("document.querySelectorAll('#board .piece').length");
        assert_eq!(pieces, 38, "{address}");
        let kept = browser.evaluate("/^#match=\\d+&game=\\d+&ply=\\d+$/.test(location.hash)");
        assert_eq!(kept, true, "{address}: {}", browser.evaluate("location.hash"));
        calm(browser);
    }
}

#[test]
fn an_edited_address_is_followed() {
    let Some(program) = installed() else { return };
    let browser = &mut Report::tournament().browser(&program, "", DESKTOP, "light");
    let edit = |browser: &mut Browser, address: &str| {
        browser.evaluate(&format!(
            "(async () => {{ const changed = new Promise(done => addEventListener('hashchange', done, {{ once: true }})); \
             location.hash = '{address}'; await changed; }})()"
        ));
    };
    edit(browser, "match=2&game=1&ply=9");
    assert_eq!(shown(browser), (1, 9));
    assert_eq!(browser.evaluate("player.matchNumber"), 2);
    edit(browser, "match=2&game=1&ply=abc");
    assert_eq!(shown(browser), (1, 0));
    edit(browser, "match=2&game=1&ply=4");
    edit(browser, "games");
    assert_eq!(shown(browser), (1, 4), "a link to a part of the page is no game");
    calm(browser);
}

// Every kind of run, on every screen.

/// What sticks out of the window, other than inside of something that is scrolled by itself.
const STICKING_OUT: &str = "[...document.body.querySelectorAll('*')].filter(element => { \
     if (element.closest('.skip') || !element.getClientRects().length) return false; \
     for (let above = element.parentElement; above; above = above.parentElement) \
       if (/auto|scroll|hidden/.test(getComputedStyle(above).overflowX) && above !== document.body) return false; \
     return element.getBoundingClientRect().right > innerWidth + 0.5; \
   }).map(element => element.outerHTML.slice(0, 120))";

/// Letters in drawings that are lower than 11 pixels on the screen.
const SMALL_LETTERS: &str = "[...document.querySelectorAll('svg text')].filter(text => { \
     const drawing = text.ownerSVGElement, box = drawing.getBoundingClientRect(); \
     if (!box.width || !text.textContent) return false; \
     const grown = Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b); \
     return parseFloat(getComputedStyle(text).fontSize) * grown < 11; \
   }).map(text => text.textContent + ' in ' + (text.closest('figure')?.innerText ?? text.parentElement.outerHTML).slice(0, 80))";

/// Letters in plots that can hardly be told from what is behind them: contrast below 4.5, WCAG 2.
const FAINT_LETTERS: &str = "(() => { \
     const parts = colour => colour.match(/[\\d.]+/g).map(Number); \
     const light = colour => { const [r, g, b] = parts(colour).map(part => { part /= 255; \
       return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
     return [...document.querySelectorAll('figure svg text, .curve text, .bar text')].filter(text => { \
       const fill = getComputedStyle(text).fill, card = getComputedStyle(text.closest('.card')).backgroundColor; \
       if (fill === 'rgb(255, 255, 255)' && text.closest('figure')) return false; \
       const [dark, bright] = [light(fill), light(card)].sort((one, other) => one - other); \
       return (bright + 0.05) / (dark + 0.05) < 4.5; \
     }).map(text => text.textContent + ' ' + getComputedStyle(text).fill); })()";

/// Grounds of plots that are white in the dark.
const WHITE_GROUNDS: &str = "[...document.querySelectorAll('figure svg rect, figure svg polygon, figure img')].filter(part => { \
     if (part.localName === 'img') return !part.alt.includes('lay in the folder'); \
     const { fill, opacity } = getComputedStyle(part); \
     return fill === 'rgb(255, 255, 255)' && opacity > 0.5; }).map(part => part.outerHTML.slice(0, 80))";

/// Drawings that say nothing to who can't see them.
const SILENT: &str = "[...document.querySelectorAll('svg, img')].filter(drawing => { \
     if (drawing.closest('[aria-hidden=true], [hidden]')) return false; \
     const told = drawing.alt ?? drawing.closest('[role=img]')?.ariaLabel ?? ''; \
     return told.length < 8 || (drawing.closest('figure') && drawing.localName === 'svg' && !/[0-9]/.test(told)); \
   }).map(drawing => drawing.outerHTML.slice(0, 120))";

#[test]
fn nothing_sticks_out_no_label_is_small_and_every_drawing_speaks() {
    let Some(program) = installed() else { return };
    for (kind, report) in Report::all() {
        let browser = &mut report.browser(&program, "#match=0&game=0&ply=12", PHONE, "light");
        for size in [PHONE, (761, 800), (1024, 800), DESKTOP] {
            for scheme in ["light", "dark"] {
                browser.visit(&report.page, "#match=0&game=0&ply=12", size, scheme);
                let what = |check: &str| format!("{kind}, {} pixels, {scheme}: {check}", size.0);
                let overflow = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
                assert!(overflow.as_f64().expect("pixels") <= 0.0, "{}", what("the page is too wide"));
                nothing(browser, &what("sticking out"), STICKING_OUT);
                nothing(browser, &what("small letters"), SMALL_LETTERS);
                nothing(browser, &what("faint letters"), FAINT_LETTERS);
                nothing(browser, &what("without words"), SILENT);
                if scheme == "dark" {
                    nothing(browser, &what("white grounds"), WHITE_GROUNDS);
                }
            }
        }
        calm(browser);
    }
}

#[test]
fn the_board_is_told_in_words_at_every_ply() {
    let Some(program) = installed() else { return };
    let browser = &mut Report::a_match().browser(&program, "", DESKTOP, "light");
    let told = |browser: &mut Browser| {
        let label = browser.evaluate("document.querySelector('#board svg').ariaLabel");
        label.as_str().expect("a label").to_string()
    };
    let start = told(browser);
    assert!(start.contains("no play yet") && start.contains("Black on 0,0 "), "{start}");
    focus(browser, "#board");
    browser.press("ArrowRight");
    let hops = browser.evaluate("data.matches[0].games[0].replay.plays[0].match(/../g)");
    let named = |at: &Value| {
        let digits: Vec<u32> =
            at.as_str().expect("a text").chars().filter_map(|digit| digit.to_digit(16)).collect();
        format!("{},{}", digits[0], digits[1])
    };
    let hops: Vec<String> = hops.as_array().expect("a list").iter().map(named).collect();
    let after = told(browser);
    assert!(after.contains(&format!("last play {}.", hops.join(" to "))), "{after}");
    assert!(after.contains(&format!(" {}", hops[hops.len() - 1])), "{after}");
    let live = browser.evaluate("document.querySelector('#turn').ariaLive");
    assert_eq!(live, "polite", "what has changed is read aloud");
    calm(browser);
}

#[test]
fn the_likelihood_of_superiority_is_seen_at_1280_pixels() {
    let Some(program) = installed() else { return };
    let browser = &mut Report::tournament().browser(&program, "", DESKTOP, "light");
    nothing(
        browser,
        "columns that are not seen",
        "[...document.querySelectorAll('#matches th')].filter(cell => { \
           const box = cell.closest('.scroll').getBoundingClientRect(); \
           return cell.getBoundingClientRect().right > Math.min(box.right, innerWidth) + 0.5; }).map(cell => cell.innerText)",
    );
    assert_eq!(browser.evaluate("[...document.querySelectorAll('#matches th')].pop().innerText"), "LOS");
}

// What the pages say.

#[test]
fn no_figure_has_an_error_that_its_interval_contradicts() {
    for (kind, report) in Report::all() {
        let page = report.text();
        assert!(!page.contains('±'), "{kind}: an interval is written by its ends");
    }
    // Of seventeen games won and three lost, one in each of three pairs.
    let folder = TempDir::new().expect("a temporary folder");
    let limits = ["--games", "20", "--iterations", "5", "--jobs", "1", "--out", name(folder.path())];
    let play = || succeeds(&[&["match", "greedy", "random"], &limits[..]].concat());
    play();
    let path = folder.path().join("games.jsonl");
    let mut games = fs::read_to_string(&path).expect("games");
    for lost in [0, 2, 4] {
        let number = format!("\"game\":{lost},");
        let line = games.lines().find(|line| line.contains(&number)).expect("the game").to_string();
        games = games.replace(&line, &line.replace("\"winner\":\"A\"", "\"winner\":\"B\""));
    }
    fs::write(&path, games).expect("writable");
    // What has been played is only counted again.
    play();
    let report = Report::again(folder);
    let interval = &report.result()["elo_interval"];
    let [from, to] = ["from", "to"].map(|end| interval[end].as_f64().map(|elo| format!("{elo:+.0}")));
    let interval = match (from, to) {
        (Some(from), Some(to)) => format!("{from} … {to}"),
        (Some(from), None) => format!("above {from}"),
        other => panic!("seventeen of twenty have a lower bound: {other:?}"),
    };
    let page = report.text();
    assert!(page.contains("A won <b>17</b>"), "seventeen of twenty");
    let told = format!("<p class=\"big\">+301</p><p class=\"sub\">Elo of A over B; 95 %: <b>{interval}</b>");
    assert!(page.contains(&told), "{told}");
}

#[test]
fn a_tournament_shows_its_cross_table_and_warns_of_bounds() {
    let report = Report::tournament();
    let (page, result) = (report.text(), report.result());
    assert_eq!(result["with_prior"], true, "random takes nothing from the others");
    assert!(page.contains("Bounds rather than estimates:"));
    let cross = page.split_once("<table class=\"cross\">").expect("a cross table").1;
    let cross = cross.split_once("</table>").expect("its end").0;
    let lines: Vec<&str> = cross.split("<tr>").skip(2).collect();
    let standings = result["standings"].as_array().expect("a list");
    assert_eq!(lines.len(), standings.len());
    for ((line, standing), row) in
        lines.iter().zip(standings).zip(result["cross_table"].as_array().expect("rows"))
    {
        assert!(
            line.contains(&format!("<code>{}</code>", standing["agent"].as_str().expect("a spec"))),
            "{line}"
        );
        let cells: Vec<&str> =
            line.split("</td>").filter_map(|cell| cell.rsplit_once('>')).map(|cell| cell.1).collect();
        let cells = &cells[..cells.len() - 1];
        let points = row.as_array().expect("cells").iter().map(|points| match points.as_f64() {
            None => "·".to_string(),
            Some(points) if points.fract() == 0.0 => format!("{points}"),
            Some(points) if points < 1.0 => "½".to_string(),
            Some(points) => format!("{}½", points.trunc()),
        });
        assert!(
            cells.ends_with(&points.collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>()),
            "{cells:?}"
        );
    }
    let even = Report::of(&["tournament", "mcts", "mcts(c=1)", "--games", "8", "--iterations", "4"]);
    assert_eq!(even.result()["with_prior"], false, "both took points from each other");
    assert!(!even.text().contains("Bounds rather than estimates:"), "a warning without a reason");
}

#[test]
fn a_tournament_under_way_has_its_ratings_so_far() {
    let Report { folder, .. } = Report::tournament();
    let path = folder.path().join("games.jsonl");
    let games = fs::read_to_string(&path).expect("games");
    fs::write(&path, games.lines().take(6).map(|line| format!("{line}\n")).collect::<String>())
        .expect("writable");
    fs::remove_file(folder.path().join("result.json")).expect("it is there");
    let page = Report::again(folder).text();
    assert!(page.contains("<h2>Ratings") && page.contains("6 of 12 games."));
}

#[test]
fn a_sweep_shows_its_verdict() {
    for text in [SWEEP.to_string(), SWEEP.replace("opponent = \"mcts(playout=static)\"", "each_other = true")]
    {
        let report = Report::of_file("sweep", &text);
        let page = report.text();
        let verdict = page.split_once("<h2>Verdict").expect("a verdict").1;
        let verdicts = report.result()["verdicts"].as_array().expect("a list").clone();
        assert_eq!(verdicts.len(), 2, "one for each budget");
        for one in &verdicts {
            let named = |key: &str| one[key].as_str().expect("a text").to_string();
            assert!(verdict.contains(&format!("<code>{}</code>", named("best"))), "{one}");
            assert!(verdict.contains(&named("verify").replace('\'', "&#39;")), "{one}");
            let contenders = one["contenders"].as_array().expect("a list");
            let word =
                if contenders.len() == 1 { "the best, with 95 % confidence" } else { "the best may also be" };
            assert!(verdict.contains(word), "{one}");
        }
        let rows = report.result()["rows"].as_array().expect("a list").len();
        let each_other = text.contains("each_other");
        assert_eq!(page.contains("<h3>Settings"), each_other, "a line for each setting where it met several");
        assert!(rows == 8 && page.matches("class=\"drawing\"").count() > 3, "plots");
    }
}

#[test]
fn a_sequential_test_shows_its_curve() {
    let report = Report::sprt();
    let page = report.text();
    let llr = report.result()["sprt"]["llr"].as_f64().expect("a number");
    let pairs: u64 =
        report.result()["pairs"].as_array().expect("counts").iter().filter_map(Value::as_u64).sum();
    let told = format!(
        "Log-likelihood ratio {llr:+.2} after {} games; at +2.94 the test accepts +50 Elo",
        2 * pairs
    );
    assert!(page.contains(&told.replace('-', "−").replace("Log−", "Log-")), "{told}");
    let without = Report::a_match().text();
    assert!(!without.contains("Log-likelihood ratio"), "no test, no curve");
}

#[test]
fn a_tuning_run_has_a_page_of_its_own() {
    let report = Report::of_file("tune", TUNE);
    let (page, result) = (report.text(), report.result());
    assert!(page.contains("<h2>Tuning <small>Exploration by games: 3 of 3 iterations, 2 games each"));
    for (at, parameter) in ["c", "final_visits"].iter().enumerate() {
        let (start, value) = (&result["start"][at], &result["values"][at]);
        let line = page.split_once(&format!("<code>{parameter}</code>")).expect("a line").1;
        let line = line.split_once("</tr>").expect("its end").0;
        let number = |value: &Value| value.as_f64().expect("a number").to_string();
        assert!(line.contains(&format!(">{}</td>", number(start))), "{line}");
        assert!(line.contains(&format!("<b>{}</b>", number(value))), "{line}");
        assert!(page.contains(&format!("{parameter}: {} → {}", number(start), number(value))), "its plot");
    }
    let spec = result["spec"].as_str().expect("a spec");
    assert!(page.contains(&format!("<code>{spec}</code>")), "{spec}");
    assert!(page.contains(&result["verify"].as_str().expect("a command").replace('\'', "&#39;")));
    assert_eq!(page.matches("<tr data-select").count(), 3, "a line for each iteration, and none for a match");
    assert!(!page.contains("Elo of A over B"), "two games have no Elo");

    let games = report.folder.path().join("games.jsonl");
    let played = fs::read_to_string(&games).expect("games");
    fs::write(&games, played.lines().take(3).map(|line| format!("{line}\n")).collect::<String>())
        .expect("writable");
    let page = Report::again(report.folder).text();
    assert!(page.contains("1 of 3 iterations") && page.contains("3 of 6 games."), "as far as it has come");
}

#[test]
fn a_run_with_broken_arguments_is_refused_in_words() {
    let Report { folder, .. } = Report::tournament();
    let path = folder.path().join("run.json");
    let header = fs::read_to_string(&path).expect("a header");
    fs::write(&path, header.replace("\"agents\"", "\"agent\"")).expect("writable");
    let output = lab(&["report", name(folder.path())]).output().expect("lab starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("the arguments of a run of 'lab tournament' are broken"), "{message}");
}
