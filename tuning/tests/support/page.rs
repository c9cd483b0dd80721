//! The page of `lab serve` in a browser: its boards, fields and lists of plays.

use super::browser::{Browser, installed};
use super::server::Server;
use super::{Folder, list, number, string};
use halma::rules::{Play, Square};
use serde_json::json;
use std::ops::{Deref, DerefMut};

/// The width of a board in its own units; a square is 40 units wide.
const BOARD: f64 = 692.0;

/// Makes the page's requests wait in `window.held`, each with a function that delivers its answer. Aborting a request
/// has no effect here: on a slow network, the answer may arrive just before the abort, and the page must cope with
/// that.
const HOLD: &str = "(() => {
  const { fetch } = window;
  window.held = [];
  window.release = async () => {
    window.fetch = fetch;
    for (const request of held.reverse()) {
      request.deliver();
      await new Promise(done => setTimeout(done));
    }
  };
  window.fetch = async (url, { signal, ...rest } = {}) => {
    const answer = fetch(url, rest).then(async response => {
      const body = await response.json();
      return { ok: response.ok, status: response.status, json: async () => body };
    });
    const request = { url };
    held.push(request);
    const delivered = new Promise(done => { request.deliver = done; });
    request.answer = await answer;
    await delivered;
    return request.answer;
  };
})()";

/// A server, and a browser that shows its page.
pub struct Page {
    pub server: Server,
    pub browser: Browser,
}

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl DerefMut for Page {
    fn deref_mut(&mut self) -> &mut Browser {
        &mut self.browser
    }
}

impl Page {
    /// Opens a view of the page, served without runs, in a window of this size; `None` if there is no browser.
    pub fn open(view: &str, size: (u32, u32)) -> Option<Page> {
        Page::of(Folder::new, "", view, size)
    }

    /// Like [`Page::open`], but the server runs in `folder` and serves `runs`.
    pub fn of(folder: impl FnOnce() -> Folder, runs: &str, view: &str, size: (u32, u32)) -> Option<Page> {
        let program = installed()?;
        let server = Server::start_in(folder(), 0, runs);
        let mut browser = Browser::open_address(&program, "about:blank");
        browser.look(size, "light");
        let mut page = Page { server, browser };
        page.go(view);
        Some(page)
    }

    /// Goes to a view, and waits until it is ready.
    pub fn go(&mut self, view: &str) {
        self.browser.go_to(&self.server.page(view));
        self.wait_for("document.body.dataset.ready");
    }

    /// Clicks on a square of the board in `stage`.
    pub fn click_square(&mut self, stage: &str, square: Square) {
        let is_flipped =
            self.evaluate(&format!("document.querySelector('{stage}').matches('.flipped')")) == true;
        let across = |place: u8| {
            let share = (46.0 + 40.0 * f64::from(place)) / BOARD;
            if is_flipped { 1.0 - share } else { share }
        };
        self.click_at(&format!("{stage} .board"), across(square.x()), across(square.y()));
    }

    /// Clicks on a square of the board in `lesson`, which shows only part of the board.
    pub fn click_lesson(&mut self, lesson: &str, square: &str) {
        let place = self.evaluate(&format!(
            "(() => {{ const {{ x, y, width, height }} = document.querySelector('{lesson} .board').viewBox.baseVal; \
             const at = '{square}'.split(',').map(place => 46 + 40 * place); \
             return [(at[0] - x) / width, (at[1] - y) / height]; }})()"
        ));
        self.click_at(&format!("{lesson} .board"), number(&place[0]), number(&place[1]));
    }

    /// Drags a piece on the board in `stage`.
    pub fn drag(&mut self, stage: &str, play: Play) {
        let board = self.evaluate(&format!(
            "(() => {{ const box = document.querySelector('{stage} .board').getBoundingClientRect(); \
             return [box.left, box.top, box.width / {BOARD}]; }})()"
        ));
        let [left, top, scale] = [0, 1, 2].map(|at| number(&board[at]));
        let middle = |square: Square| {
            let at = |place: u8| scale * (46.0 + 40.0 * f64::from(place));
            (left + at(square.x()), top + at(square.y()))
        };
        let (from, to) = (middle(play.from), middle(play.to));
        let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        for (kind, (x, y)) in
            [("mousePressed", from), ("mouseMoved", between), ("mouseMoved", to), ("mouseReleased", to)]
        {
            let event =
                json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
            self.command("Input.dispatchMouseEvent", event);
        }
    }

    /// Holds back the answers to all requests from now on.
    pub fn hold(&mut self) {
        self.evaluate(HOLD);
    }

    /// Delivers the answers that [`hold`](Self::hold) held back, in reverse order, once the server has given them all.
    pub fn release(&mut self) {
        self.wait_for("held.length > 0 && held.every(request => request.answer)");
        self.evaluate("release()");
    }

    /// Makes a play on the board in `stage` by clicking the piece and its destination.
    pub fn make(&mut self, stage: &str, play: &str) {
        let Play { from, to } = play.parse().expect("a play");
        self.click_square(stage, from);
        self.click_square(stage, to);
    }

    /// Types a play into the text field of a view.
    pub fn type_play(&mut self, view: &str, text: &str) {
        self.evaluate(&format!(
            "(field => {{ field.value = {}; field.dispatchEvent(new Event('input')); }})\
             (document.querySelector('#{view}-text'))",
            json!(text)
        ));
        self.click(&format!("#{view}-say button"));
    }

    /// The plays on the buttons of a list.
    pub fn plays(&mut self, selector: &str) -> Vec<Play> {
        let texts = self.evaluate(&format!(
            "[...document.querySelectorAll('{selector} button')].map(button => button.firstChild.textContent)"
        ));
        list(&texts).iter().map(|text| string(text).parse().expect("a play")).collect()
    }

    /// The board in `stage`, as rows of letters.
    pub fn board(&mut self, stage: &str) -> String {
        let pieces = self.evaluate(&format!(
            "[...document.querySelectorAll('{stage} .piece')].map(piece => \
             [piece.classList.contains('black') ? 'B' : 'W', piece.dataset.square])"
        ));
        let mut rows = vec![['.'; 16]; 16];
        for piece in list(&pieces) {
            let square: Square = string(&piece[1]).parse().expect("a square");
            let letter = string(&piece[0]).chars().next().expect("a letter");
            rows[usize::from(square.y())][usize::from(square.x())] = letter;
        }
        rows.into_iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// Sets a field to `value` and fires its change event.
    pub fn fill(&mut self, selector: &str, value: &str) {
        self.evaluate(&format!(
            "(() => {{ const field = document.querySelector({}); field.value = {}; \
             field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(selector),
            json!(value)
        ));
    }

    /// Begins a game against the agent `spec`, with the settings in `fields`.
    pub fn begin(&mut self, spec: &str, fields: &[(&str, &str)]) {
        self.evaluate("document.querySelector('#new-game-box').open = true");
        self.fill("#level", "");
        self.fill("#agent", spec);
        for (field, value) in fields {
            self.fill(field, value);
        }
        self.click("#start");
        if self.text("#start").contains("Give up") {
            self.click("#start");
        }
        self.wait_for("!document.querySelector('#new-game-box').open");
    }

    /// Drops a file on the page.
    pub fn drop_file(&mut self, name: &str, text: &str) {
        self.evaluate(&format!(
            "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], '{name}')); \
             dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true }})); }})()",
            json!(text)
        ));
    }

    /// Waits until the text of `selector` is no longer `text`.
    pub fn wait_for_change(&mut self, selector: &str, text: &str) {
        self.wait_for(&format!("document.querySelector('{selector}').textContent !== {}", json!(text)));
    }

    /// Asserts that nothing is wider than the window, and that the page [logged no errors](Browser::assert_calm).
    #[track_caller]
    pub fn assert_fine(&mut self) {
        let widths = self.evaluate("[document.documentElement.scrollWidth, innerWidth]");
        assert!(widths[0].as_u64() <= widths[1].as_u64(), "wider than the window: {widths}");
        self.browser.assert_calm(&self.server.page(""));
    }
}
