//! The report page used in unusual ways, for every kind of run: by keyboard alone, on a phone, in the dark colour
//! scheme, with an invalid address, and by a screen reader.
//!
//! If there is no browser, the tests say "skipped"; with `HALMA_BROWSER=required` they fail.

use crate::support::browser::{Browser, installed};
use crate::support::report::{ReportPage, shown};
use crate::support::string;

const DESKTOP: (u32, u32) = (1280, 800);
const PHONE: (u32, u32) = (400, 800);

/// Asserts that `expression` returns an empty list of faults.
fn assert_none(browser: &mut Browser, fault: &str, expression: &str) {
    let found = browser.evaluate(expression);
    let found = found.as_array().unwrap_or_else(|| panic!("{fault}: expected a list"));
    assert!(found.is_empty(), "{fault}: {} of them, such as {:?}", found.len(), &found[..found.len().min(5)]);
}

#[test]
fn space_activates_the_control_that_has_the_focus() {
    let Some(program) = installed() else { return };
    let browser = &mut ReportPage::a_match().browser(&program, "", DESKTOP, "light");
    let plays = |browser: &mut Browser| {
        browser.evaluate("document.querySelector('[data-do=play]').textContent").to_string().contains("Stop")
    };
    browser.focus("[data-do=next]");
    for ply in 1..4 {
        browser.press(" ");
        assert_eq!(
            (shown(browser), plays(browser)),
            ((0, ply), false),
            "Space on the button for the next play goes on by one"
        );
    }
    browser.focus("#arrows");
    browser.press(" ");
    assert_eq!(browser.evaluate("document.querySelector('#arrows').checked"), false);
    assert!(!plays(browser), "Space switches the box and does not start playing");
    browser.focus("#plays button:nth-child(7)");
    browser.press(" ");
    assert_eq!(shown(browser), (0, 7));
    browser.focus("[data-do=play]");
    browser.press(" ");
    assert!(plays(browser));
    browser.press(" ");
    assert!(!plays(browser), "the button keeps the focus");
    browser.assert_calm("file://");
}

/// An expression for the page's scroll position once it has come to rest.
const RESTED: &str = "(async () => { let last = NaN; while (last !== scrollY) { last = scrollY; \
     for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame); } return scrollY; })()";

#[test]
fn arrow_keys_scroll_the_page_unless_the_board_has_the_focus() {
    let Some(program) = installed() else { return };
    let browser = &mut ReportPage::a_match().browser(&program, "", (1280, 500), "light");
    for key in ["ArrowDown", "ArrowRight", "ArrowDown"] {
        browser.press(key);
    }
    let scrolled = browser.evaluate(RESTED).as_f64().expect("pixels");
    assert!(scrolled > 0.0, "the page scrolls");
    assert_eq!(shown(browser), (0, 0), "and the game stays where it is");
    browser.press("End");
    let bottom = browser.evaluate(RESTED).as_f64().expect("pixels");
    assert!(bottom > scrolled && shown(browser) == (0, 0));

    browser.click("#board");
    let before = browser.evaluate(RESTED);
    for (key, wanted) in [("ArrowRight", (0, 1)), ("ArrowDown", (1, 0)), ("ArrowUp", (0, 0))] {
        browser.press(key);
        assert_eq!(shown(browser), wanted, "{key} on the board");
    }
    assert_eq!(browser.evaluate(RESTED), before, "and the page stays where it is");
    browser.assert_calm("file://");
}

/// Presses Tab until the element that `selector` finds has the focus.
fn tab_to(browser: &mut Browser, selector: &str) {
    let there = format!("!!document.activeElement.closest(`{selector}`)");
    for _ in 0..300 {
        browser.press("Tab");
        if browser.evaluate(&there) == true {
            return;
        }
    }
    panic!("Tab does not reach {selector}");
}

#[test]
fn rows_are_reached_by_tab_and_opened_by_enter_and_space() {
    let Some(program) = installed() else { return };
    let browser = &mut ReportPage::tournament().browser(&program, "", DESKTOP, "light");
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
    assert_eq!(outlined, "solid", "the focus is visible");
    browser.assert_calm("file://");
}

#[test]
fn the_address_selects_a_position_and_a_broken_one_does_no_harm() {
    let Some(program) = installed() else { return };
    let report = ReportPage::tournament();
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
        let pieces = browser.count("#board .piece");
        assert_eq!(pieces, 38, "{address}");
        let kept = browser.evaluate("/^#match=\\d+&game=\\d+&ply=\\d+$/.test(location.hash)");
        assert_eq!(kept, true, "{address}: {}", browser.evaluate("location.hash"));
        browser.assert_calm("file://");
    }
}

#[test]
fn an_edited_address_is_followed() {
    let Some(program) = installed() else { return };
    let browser = &mut ReportPage::tournament().browser(&program, "", DESKTOP, "light");
    let edit = |browser: &mut Browser, address: &str| {
        browser.evaluate(&format!(
            "(async () => {{ const changed = new Promise(done => addEventListener('hashchange', done, {{ once: true }})); \
             location.hash = '{address}'; await changed; }})()"
        ));
    };
    edit(browser, "match=2&game=1&ply=9");
    assert_eq!(shown(browser), (1, 9));
    assert_eq!(browser.evaluate("player.matchNumber"), 2);
    browser.evaluate(RESTED);
    let visible = "document.activeElement.id === 'board' && byId('board').getBoundingClientRect().top >= 0 \
                   && byId('board').getBoundingClientRect().bottom <= innerHeight";
    assert_eq!(browser.evaluate(visible), true, "the board has the focus and is visible");
    edit(browser, "match=2&game=1&ply=abc");
    assert_eq!(shown(browser), (1, 0));
    edit(browser, "match=2&game=1&ply=4");
    edit(browser, "games");
    assert_eq!(shown(browser), (1, 4), "a link to a part of the page keeps the game");
    browser.assert_calm("file://");
}

/// Elements that reach beyond the window's right edge, except inside elements that scroll or clip.
const STICKING_OUT: &str = "[...document.body.querySelectorAll('*')].filter(element => { \
     if (element.closest('.skip') || !element.getClientRects().length) return false; \
     for (let above = element.parentElement; above; above = above.parentElement) \
       if (/auto|scroll|hidden/.test(getComputedStyle(above).overflowX) && above !== document.body) return false; \
     return element.getBoundingClientRect().right > innerWidth + 0.5; \
   }).map(element => element.outerHTML.slice(0, 120))";

/// Text in drawings with a font size below 11 pixels on the screen.
const SMALL_LETTERS: &str = "[...document.querySelectorAll('svg text')].filter(text => { \
     const drawing = text.ownerSVGElement, box = drawing.getBoundingClientRect(); \
     if (!box.width || !text.textContent) return false; \
     const grown = Math.hypot(text.getScreenCTM().c, text.getScreenCTM().d); \
     return parseFloat(getComputedStyle(text).fontSize) * grown < 11; \
   }).map(text => text.textContent + ' in ' + (text.closest('figure')?.innerText ?? text.parentElement.outerHTML).slice(0, 80))";

/// Text in plots with too little contrast, below 4.5 (WCAG 2).
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

/// White backgrounds that plots keep in the dark colour scheme.
const WHITE_GROUNDS: &str = "[...document.querySelectorAll('figure svg rect, figure svg polygon, figure img')].filter(part => { \
     if (part.localName === 'img') return !part.alt.includes('from the folder'); \
     const { fill, opacity } = getComputedStyle(part); \
     return fill === 'rgb(255, 255, 255)' && opacity > 0.5; }).map(part => part.outerHTML.slice(0, 80))";

/// Drawings without a description for screen readers.
const SILENT: &str = "[...document.querySelectorAll('svg, img')].filter(drawing => { \
     if (drawing.closest('[aria-hidden=true], [hidden]')) return false; \
     const words = drawing.alt ?? drawing.closest('[role=img]')?.ariaLabel ?? ''; \
     return words.length < 8 || (drawing.closest('figure') && drawing.localName === 'svg' && !/[0-9]/.test(words)); \
   }).map(drawing => drawing.outerHTML.slice(0, 120))";

#[test]
fn everything_fits_labels_are_readable_and_drawings_are_described() {
    let Some(program) = installed() else { return };
    for (kind, report) in ReportPage::all() {
        let browser = &mut report.browser(&program, "#match=0&game=0&ply=12", PHONE, "light");
        for size in [PHONE, (761, 800), (1024, 800), DESKTOP] {
            browser.visit(&report.page, "#match=0&game=0&ply=12", size, "light");
            for scheme in ["light", "dark"] {
                browser.look(size, scheme);
                let here = |fault: &str| format!("{kind}, {} pixels, {scheme}: {fault}", size.0);
                assert_none(browser, &here("faint letters"), FAINT_LETTERS);
                // The dark scheme changes only colours.
                if scheme == "dark" {
                    assert_none(browser, &here("white backgrounds"), WHITE_GROUNDS);
                    continue;
                }
                let overflow = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
                assert!(overflow.as_f64().expect("pixels") <= 0.0, "{}", here("the page is too wide"));
                assert_none(browser, &here("sticking out"), STICKING_OUT);
                assert_none(browser, &here("small letters"), SMALL_LETTERS);
                assert_none(browser, &here("drawings without a description"), SILENT);
            }
        }
        browser.assert_calm("file://");
    }
}

#[test]
fn the_board_is_described_in_words() {
    let Some(program) = installed() else { return };
    let browser = &mut ReportPage::a_match().browser(&program, "", DESKTOP, "light");
    let described = |browser: &mut Browser| {
        let label = browser.evaluate("document.querySelector('#board svg').ariaLabel");
        label.as_str().expect("a label").to_string()
    };
    let start = described(browser);
    assert!(start.contains("no play yet") && start.contains("Black on 0,0 "), "{start}");
    browser.focus("#board");
    browser.press("ArrowRight");
    let chain = browser.evaluate("data.matches[0].games[0].replay.plays[0]");
    let chain: Vec<&str> = string(&chain).split(' ').collect();
    let after = described(browser);
    assert!(after.contains(&format!("last play {}.", chain.join(" to "))), "{after}");
    assert!(after.contains(&format!(" {}", chain[chain.len() - 1])), "{after}");
    let live = browser.evaluate("document.querySelector('#turn').ariaLive");
    assert_eq!(live, "polite", "changes are read aloud");
    browser.assert_calm("file://");
}

#[test]
fn the_likelihood_of_superiority_is_visible_at_1280_pixels() {
    let Some(program) = installed() else { return };
    let browser = &mut ReportPage::tournament().browser(&program, "", DESKTOP, "light");
    assert_none(
        browser,
        "hidden columns",
        "[...document.querySelectorAll('#matches th')].filter(cell => { \
           const box = cell.closest('.scroll').getBoundingClientRect(); \
           return cell.getBoundingClientRect().right > Math.min(box.right, innerWidth) + 0.5; }).map(cell => cell.innerText)",
    );
    assert_eq!(browser.evaluate("[...document.querySelectorAll('#matches th')].pop().innerText"), "LOS");
}
