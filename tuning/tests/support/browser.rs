//! A headless browser, driven by the Chrome DevTools Protocol.
//!
//! The protocol goes over a pair of pipes (`--remote-debugging-pipe`) as JSON messages, each ended by a zero byte. That
//! needs no port, no web socket and no crate for either, and the browser ends with the test, however the test ends.

use super::string;
use serde_json::{Value, json};
use std::env;
use std::io::{BufRead, BufReader, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A browser that does not answer within this time hangs.
const HANGS: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    process: Child,
    _profile: TempDir,
    commands: ChildStdin,
    messages: Receiver<Value>,
    last_id: u64,
    session: Option<String>,
    /// Errors and warnings on the page's console, and uncaught exceptions.
    pub complaints: Vec<String>,
    /// The addresses that the page requested.
    pub requests: Vec<String>,
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

/// `CHROME`, or the first browser with a usual name on `PATH`.
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

impl Browser {
    /// Starts the browser `program` and opens the file at `page`.
    pub fn open(program: &Path, page: &Path) -> Browser {
        Browser::open_address(program, &address_of(page))
    }

    /// Starts the browser `program` and goes to `address`.
    pub fn open_address(program: &Path, address: &str) -> Browser {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut process = Command::new("sh")
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
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let commands = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in answers.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("the browser speaks JSON");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser {
            process,
            _profile: profile,
            commands,
            messages,
            last_id: 0,
            session: None,
            complaints: Vec::new(),
            requests: Vec::new(),
        };
        browser.attach();
        browser.go_to(address);
        browser
    }

    /// Opens an empty page, and listens to it.
    fn attach(&mut self) {
        let target = self.command("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.command("Target.attachToTarget", attach);
        self.session = session["sessionId"].as_str().map(str::to_string);
        for domain in ["Runtime", "Log", "Page", "Network"] {
            self.command(&format!("{domain}.enable"), json!({}));
        }
        // Pieces move without animation.
        let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        self.command("Emulation.setEmulatedMedia", still);
    }

    /// Goes to `address`, and waits until the page has loaded.
    pub fn go_to(&mut self, address: &str) {
        // The browser would not load the same page again for another fragment.
        self.command("Page.navigate", json!({ "url": "about:blank" }));
        self.command("Page.navigate", json!({ "url": address }));
        let protocol = address.split_once(':').map_or("", |(protocol, _)| protocol);
        while self.evaluate("location.protocol + document.readyState") != format!("{protocol}:complete") {
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until `condition` holds in the page.
    pub fn wait_for(&mut self, condition: &str) {
        let start = Instant::now();
        while self.evaluate(&format!("Boolean({condition})")) != true {
            assert!(start.elapsed() < HANGS, "{condition}: {:?}", self.complaints);
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a command and returns its answer, noting events meanwhile.
    pub fn command(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.commands.write_all(format!("{command}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut message = self.messages.recv_timeout(HANGS).expect("the browser answers");
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        let details = &message["params"];
        let is_complaint = |kind: &Value| kind == "error" || kind == "warning";
        let complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => is_complaint(&details["type"]),
            Some("Log.entryAdded") => is_complaint(&details["entry"]["level"]),
            Some("Network.requestWillBeSent") => {
                self.requests.extend(details["request"]["url"].as_str().map(str::to_string));
                false
            }
            _ => false,
        };
        if complaint {
            self.complaints.push(details.to_string());
        }
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

    /// Asserts that the page made no complaint and requested only addresses that begin with `own`.
    #[track_caller]
    pub fn assert_calm(&mut self, own: &str) {
        // The events before this answer have been noted.
        self.evaluate("0");
        assert_eq!(self.complaints, [] as [String; 0]);
        let mut requests = self.requests.iter();
        let is_own = |request: &str| [own, "data:", "about:blank"].iter().any(|own| request.starts_with(own));
        assert_eq!(requests.find(|request| !is_own(request)), None);
    }

    /// The value of an expression in the page; if that is a promise, the value with which it is fulfilled.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.command(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
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
        // Keys with a text write it between press and release, which activates controls.
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
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
