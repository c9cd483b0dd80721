//! A headless browser, driven by the Chrome DevTools Protocol.
//!
//! The protocol goes over a pair of pipes (`--remote-debugging-pipe`) as JSON messages, each ended by a zero byte. That
//! needs no port, no web socket and no crate for either, and the browser ends with the tests, however they end.
//!
//! Starting a browser takes more CPU time than most tests, so tests that run at the same time share one. Each page is in
//! a context of its own, which shares neither storage nor windows with the others.

use super::string;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::env;
use std::io::{BufRead, BufReader, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How long to wait for an answer before a browser counts as hung.
const HANGS: Duration = Duration::from_secs(120);

/// A page in a browser.
pub struct Browser {
    process: Arc<Process>,
    /// The id of its browser context.
    context: Value,
    page: Session,
    /// Errors and warnings on the page's console, and uncaught exceptions.
    pub complaints: Vec<String>,
    /// The addresses that the page requested.
    pub requests: Vec<String>,
}

/// A running browser, which is killed when its last page is closed.
struct Process {
    child: Child,
    _profile: TempDir,
    pipes: Arc<Pipes>,
    /// The session of the browser itself, which opens and closes pages.
    own: Mutex<Session>,
}

/// The pipes to and from a browser.
struct Pipes {
    commands: Mutex<ChildStdin>,
    /// The senders of messages to the sessions, by the session's name.
    inboxes: Mutex<HashMap<String, Sender<Value>>>,
}

/// A conversation with a page, or with the browser itself.
struct Session {
    pipes: Arc<Pipes>,
    /// Its name in the protocol; empty for the browser itself.
    name: String,
    messages: Receiver<Value>,
    last_id: u64,
}

/// The browser to use. Prints that the test is skipped if there is none and none is required.
pub fn installed() -> Option<PathBuf> {
    let found = find();
    if found.is_none() {
        let required = env::var_os("HALMA_BROWSER").is_some_and(|value| value == "required");
        assert!(!required, "no browser: set CHROME, or install chromium (.ci/browser does)");
        // The test runner would swallow the output of a macro.
        let _ = writeln!(stderr(), "skipped: no browser found; set CHROME, or install chromium");
    }
    found
}

/// The browser that `CHROME` names, or else the first one on `PATH` with a usual name.
fn find() -> Option<PathBuf> {
    let named = env::var_os("CHROME").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let on_path = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    named.into_iter().chain(on_path).find(|program| program.is_file())
}

/// The address of the file at `page`.
fn address_of(page: &Path) -> String {
    format!("file://{}", page.display())
}

/// Locks `mutex`, even if a test has panicked while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pipes {
    /// Passes each message on to its session.
    fn listen(&self, answers: ChildStdout) {
        for message in BufReader::new(answers).split(0).map_while(Result::ok) {
            let message: Value = serde_json::from_slice(&message).expect("the browser speaks JSON");
            let name = message["sessionId"].as_str().unwrap_or_default();
            let inbox = lock(&self.inboxes).get(name).cloned();
            // The browser may still send messages for a page that has been closed.
            let _ = inbox.map(|inbox| inbox.send(message));
        }
        // Every page now stops waiting for an answer.
        lock(&self.inboxes).clear();
    }
}

impl Session {
    fn new(pipes: &Arc<Pipes>, name: &str) -> Session {
        let (sender, messages) = channel();
        lock(&pipes.inboxes).insert(name.to_string(), sender);
        Session { pipes: Arc::clone(pipes), name: name.to_string(), messages, last_id: 0 }
    }

    fn send(&mut self, method: &str, parameters: Value) -> std::io::Result<()> {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !self.name.is_empty() {
            command["sessionId"] = json!(self.name);
        }
        lock(&self.pipes.commands).write_all(format!("{command}\0").as_bytes())
    }

    /// Sends a command and returns its answer or an error. `note` is called with each event before the answer.
    fn command(
        &mut self,
        method: &str,
        parameters: Value,
        mut note: impl FnMut(&Value),
    ) -> Result<Value, Value> {
        self.send(method, parameters).expect("the browser listens");
        loop {
            let mut message = self.messages.recv_timeout(HANGS).expect("the browser answers");
            if message["id"] == self.last_id {
                let error = message["error"].take();
                return if error.is_null() { Ok(message["result"].take()) } else { Err(error) };
            }
            note(&message);
        }
    }
}

impl Process {
    /// The browser that other tests are using, or else a new one.
    fn shared(program: &Path) -> Arc<Process> {
        static SHARED: Mutex<Weak<Process>> = Mutex::new(Weak::new());
        let mut shared = lock(&SHARED);
        shared.upgrade().unwrap_or_else(|| {
            let process = Arc::new(Process::start(program));
            *shared = Arc::downgrade(&process);
            process
        })
    }

    fn start(program: &Path) -> Process {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1"#, "sh"])
            .arg(program)
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-quic", "--window-size=1500,1200"])
            // Don't throttle background pages.
            .args(["--disable-background-timer-throttling", "--disable-renderer-backgrounding"])
            .arg("--disable-backgrounding-occluded-windows")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            // It leaves a folder for temporary files behind when it is killed.
            .env("TMPDIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let commands = Mutex::new(child.stdin.take().expect("a pipe"));
        let answers = child.stdout.take().expect("a pipe");
        let pipes = Arc::new(Pipes { commands, inboxes: Mutex::default() });
        let own = Mutex::new(Session::new(&pipes, ""));
        let listening = Arc::clone(&pipes);
        thread::spawn(move || listening.listen(answers));
        Process { child, _profile: profile, pipes, own }
    }
}

/// Records the event if it is an error, a warning or a request.
fn note(event: &Value, complaints: &mut Vec<String>, requests: &mut Vec<String>) {
    let details = &event["params"];
    let is_complaint = |kind: &Value| kind == "error" || kind == "warning";
    let complaint = match event["method"].as_str() {
        Some("Runtime.exceptionThrown") => true,
        Some("Runtime.consoleAPICalled") => is_complaint(&details["type"]),
        Some("Log.entryAdded") => is_complaint(&details["entry"]["level"]),
        Some("Network.requestWillBeSent") => {
            requests.extend(details["request"]["url"].as_str().map(str::to_string));
            false
        }
        _ => false,
    };
    if complaint {
        complaints.push(details.to_string());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    /// Opens the file at `page` in the browser `program`.
    pub fn open(program: &Path, page: &Path) -> Browser {
        Browser::open_address(program, &address_of(page))
    }

    /// Opens `address` in the browser `program`.
    pub fn open_address(program: &Path, address: &str) -> Browser {
        let process = Process::shared(program);
        let mut own = lock(&process.own);
        let mut command = |method: &str, parameters| own.command(method, parameters, |_| ()).expect(method);
        let context = command("Target.createBrowserContext", json!({}))["browserContextId"].take();
        let target =
            command("Target.createTarget", json!({ "url": "about:blank", "browserContextId": context }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = command("Target.attachToTarget", attach);
        drop(own);
        let page = Session::new(&process.pipes, string(&session["sessionId"]));
        let (complaints, requests) = (Vec::new(), Vec::new());
        let mut browser = Browser { process, context, page, complaints, requests };
        for domain in ["Runtime", "Log", "Page", "Network"] {
            browser.command(&format!("{domain}.enable"), json!({}));
        }
        // Several pages must be able to have the focus at the same time.
        browser.command("Emulation.setFocusEmulationEnabled", json!({ "enabled": true }));
        // Pieces must move without animation.
        let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        browser.command("Emulation.setEmulatedMedia", still);
        browser.go_to(address);
        browser
    }

    /// Goes to `address`, and waits until the page has loaded.
    pub fn go_to(&mut self, address: &str) {
        // Without the blank page in between, the browser would not reload a page for a different fragment.
        self.command("Page.navigate", json!({ "url": "about:blank" }));
        self.command("Page.navigate", json!({ "url": address }));
        let protocol = address.split_once(':').map_or("", |(protocol, _)| protocol);
        self.wait_for(&format!("location.protocol + document.readyState === '{protocol}:complete'"));
    }

    /// Waits until `condition` holds in the page.
    pub fn wait_for(&mut self, condition: &str) {
        // The page polls the condition itself, which is cheaper than polling from outside.
        let holds = format!(
            "new Promise((done, fail) => {{ const look = () => {{ try {{ \
             if ({condition}) done(true); else setTimeout(look, 10); \
             }} catch (error) {{ fail(error); }} }}; setTimeout(done, {}, false); look(); }})",
            HANGS.as_millis() / 2
        );
        // If the browser leaves the page, the page does not answer, but the next one may.
        let answer = (0..10).find_map(|_| self.try_evaluate(&holds).ok());
        assert!(answer == Some(json!(true)), "{condition}: {answer:?}, {:?}", self.complaints);
    }

    /// Sends a command, records the events before its answer, and returns the answer.
    pub fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.try_command(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_command(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        let Browser { page, complaints, requests, .. } = self;
        page.command(method, parameters, |event| note(event, complaints, requests))
    }

    /// Waits until the text of the element that `selector` finds contains `part`.
    pub fn wait_for_text(&mut self, selector: &str, part: &str) {
        self.wait_for(&format!("document.querySelector(`{selector}`).textContent.includes(`{part}`)"));
    }

    /// Waits until `selector` finds this number of elements.
    pub fn wait_for_count(&mut self, selector: &str, count: usize) {
        self.wait_for(&format!("document.querySelectorAll(`{selector}`).length === {count}"));
    }

    /// Waits until `selector` finds more than this number of elements.
    pub fn wait_for_more(&mut self, selector: &str, count: usize) {
        self.wait_for(&format!("document.querySelectorAll(`{selector}`).length > {count}"));
    }

    /// The text of the element that `selector` finds.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector(`{selector}`).textContent"));
        string(&text).to_string()
    }

    /// The number of elements that `selector` finds.
    pub fn count(&mut self, selector: &str) -> u64 {
        self.evaluate(&format!("document.querySelectorAll(`{selector}`).length")).as_u64().expect("a count")
    }

    pub fn focus(&mut self, selector: &str) {
        self.evaluate(&format!("document.querySelector(`{selector}`).focus()"));
    }

    /// Asserts that the page logged no errors or warnings and requested only addresses that begin with `own`, besides
    /// `data:` URLs and `about:blank`.
    #[track_caller]
    pub fn assert_calm(&mut self, own: &str) {
        // All events before this answer have then been recorded.
        self.evaluate("0");
        assert_eq!(self.complaints, [] as [String; 0]);
        let mut requests = self.requests.iter();
        let is_own = |request: &str| [own, "data:", "about:blank"].iter().any(|own| request.starts_with(own));
        assert_eq!(requests.find(|request| !is_own(request)), None);
    }

    /// The value of an expression in the page; of a promise, the value that it resolves to.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Like [`evaluate`](Self::evaluate), but returns an error if the browser leaves the page meanwhile.
    fn try_evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let answer = self.try_command(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        )?;
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].clone())
    }

    /// Goes to the file at `page` with a fragment such as `#games`, in a window of this size, for a reader who prefers
    /// the colour scheme `light` or `dark`.
    pub fn visit(&mut self, page: &Path, fragment: &str, size: (u32, u32), scheme: &str) {
        self.look(size, scheme);
        self.go_to(&(address_of(page) + fragment));
    }

    /// Sets the size of the window and the preferred colour scheme, `light` or `dark`.
    pub fn look(&mut self, (width, height): (u32, u32), scheme: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", size);
        let features = json!({ "features": [
            { "name": "prefers-reduced-motion", "value": "reduce" },
            { "name": "prefers-color-scheme", "value": scheme },
        ] });
        self.command("Emulation.setEmulatedMedia", features);
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            " " => 32,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Escape" => 27,
            _ => 65,
        };
        // A key that writes text does so between press and release, which activates controls.
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for (kind, text) in [(down, text), ("keyUp", "")] {
            let event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text });
            self.command("Input.dispatchKeyEvent", event);
        }
    }

    /// Clicks on the middle of the element that `selector` finds.
    pub fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5, 0.5);
    }

    /// Clicks on the element that `selector` finds, at these fractions of its width and height, two frames after the
    /// page has scrolled to it.
    pub fn click_at(&mut self, selector: &str, across: f64, down: f64) {
        let place = self.evaluate(&format!(
            "(async () => {{ const element = document.querySelector({}); element.scrollIntoView({{block: 'center'}}); \
             for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame); \
             const box = element.getBoundingClientRect(); \
             return [box.left + box.width * {across}, box.top + box.height * {down}]; }})()",
            json!(selector)
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.command("Input.dispatchMouseEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        lock(&self.process.pipes.inboxes).remove(&self.page.name);
        // Closes the page. The browser may have crashed.
        let close = json!({ "browserContextId": self.context });
        let _ = lock(&self.process.own).send("Target.disposeBrowserContext", close);
    }
}
