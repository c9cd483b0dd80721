//! `lab serve` keeps out who has no business there, and goes on working whatever comes in.

use crate::support::server::{Server, body_of};
use crate::support::{lab, play_small_match, text};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const JSON: &str = "Content-Type: application/json\r\n";

fn start_position() -> Value {
    json!({ "rules": "addendum", "first": "BLACK", "rows": null, "plays": [] })
}

fn order(agent: &str, limit: &Value) -> Value {
    json!({ "position": start_position(), "agent": agent, "seed": 1, "limit": limit, "replaces": [] })
}

/// Starts a search, and returns its name.
fn search(server: &Server, order: &Value) -> String {
    let (status, answer) = server.ask("/api/searches", order);
    assert_eq!(status, 200, "{answer}");
    answer["search"].as_str().expect("a name").to_string()
}

/// The last report of a search that ends by itself.
fn result(server: &Server, name: &str) -> Value {
    let mut seen = 0;
    loop {
        let (status, answer) = server.get(&format!("/api/searches/{name}?seen={seen}"));
        assert_eq!(status, 200, "{answer}");
        let answer = body_of(&answer);
        assert!(answer["error"].is_null(), "{answer}");
        if answer["done"] == true {
            return answer["report"].clone();
        }
        seen = answer["version"].as_u64().expect("a number");
    }
}

#[test]
fn it_listens_here_alone_unless_told_otherwise_with_a_warning() {
    let server = Server::start(&[]);
    assert!(server.address.ip().is_loopback());
    assert_eq!(server.get("/").0, 200);
    let beside = TcpStream::connect(("127.0.0.2", server.address.port()));
    assert!(beside.is_err(), "it listens on 127.0.0.1 and nowhere else");
    let mut open = lab(&["serve", "--host", "0.0.0.0", "--port", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lab starts");
    let mut byte = [0];
    std::io::Read::read_exact(open.stdout.as_mut().expect("a pipe"), &mut byte).expect("it starts");
    open.kill().expect("it runs");
    let output = open.wait_with_output().expect("it ends");
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning: whoever reaches 0.0.0.0"));
    let port = server.address.port().to_string();
    crate::support::refused(&["serve", "--port", &port], "'--port 0' takes any port that is free");
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Server::start(&[]);
    let port = server.address.port();
    for host in ["evil.example", "127.0.0.1", "127.0.0.1.nip.io", ""] {
        let host = if host.contains('.') {
            format!("{host}:{}", if host == "127.0.0.1" { 1 } else { port })
        } else {
            host.into()
        };
        let (status, answer) = server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        assert_eq!(status, 403, "{host}: {answer}");
    }
    let none = server.send(b"GET / HTTP/1.0\r\n\r\n");
    assert_eq!(none.0, 403, "no host at all: {}", none.1);
    let elsewhere = format!("GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    assert_eq!(server.send(elsewhere.as_bytes()).0, 403);
    for foreign in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        assert_eq!(server.get_with("/api/about", foreign).0, 403, "{foreign}");
        let body = start_position().to_string();
        assert_eq!(server.post_with("/api/position", &body, &format!("{JSON}{foreign}")).0, 403, "{foreign}");
    }
    // A link on another page may lead here; a form there may not.
    assert_eq!(server.get_with("/", "Sec-Fetch-Site: cross-site\r\n").0, 200);
    let form = "Content-Type: text/plain\r\n";
    assert_eq!(server.post_with("/api/position", &start_position().to_string(), form).0, 415);
    let own = format!("{JSON}Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n", server.address);
    assert_eq!(server.post_with("/api/position", &start_position().to_string(), &own).0, 200);
}

#[test]
fn bodies_and_strings_are_limited() {
    let server = Server::start(&[]);
    let (status, _) =
        server.post_with("/api/input", &format!("{{\"text\":\"{}\"}}", "x".repeat(300_000)), JSON);
    assert!(status == 413 || status == 0, "a body of 300 kB: {status}");
    let declared = format!(
        "POST /api/input HTTP/1.1\r\nHost: {}\r\n{JSON}Content-Length: 99999999999\r\n\r\n",
        server.address
    );
    assert_eq!(server.send(declared.as_bytes()).0, 413);
    let long_head = format!("X: {}\r\n", "x".repeat(100_000));
    assert!(matches!(server.get_with("/", &long_head).0, 0 | 431));
    let spec = format!("mcts(c={})", "1".repeat(5000));
    let (status, answer) = server.ask("/api/searches", &order(&spec, &json!("endless")));
    assert!(
        status == 400 && answer["error"].as_str().is_some_and(|error| error.contains("letters")),
        "{answer}"
    );
    let mut many = start_position();
    many["plays"] = json!(vec!["0,0 1,1"; 10_001]);
    assert_eq!(server.ask("/api/position", &many).0, 400);
    for seconds in [json!(1e9), json!(-1.0), json!(0.0), json!("x"), Value::Null] {
        assert_eq!(server.ask("/api/searches", &order("mcts", &json!({ "seconds": seconds }))).0, 400);
    }
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn no_text_from_a_page_becomes_a_path() {
    let folder = TempDir::new().expect("a temporary folder");
    let run = play_small_match(&folder, "inside", "1");
    fs::write(folder.path().join("secret.json"), "{}").expect("writable");
    let server = Server::start(&[text(&run)]);
    assert_eq!(server.get("/api/runs/0").0, 200);
    assert_eq!(server.get("/api/runs/0/0").0, 200);
    assert_eq!(server.get("/api/runs/0/0/0").0, 200);
    for path in [
        "/api/runs/1",
        "/api/runs/0/9",
        "/api/runs/0/0/999999",
        "/api/runs/0/0/0/0",
        "/api/runs/-1",
        "/api/runs",
        "/api/runs/..%2fsecret.json",
        "/api/runs/../secret.json",
        "/api/runs/0/../../secret.json",
        "/page/../mod.rs",
        "/page/..%2fmod.rs",
        "/page//etc/passwd",
        "/etc/passwd",
        "/../../../etc/passwd",
        "/api/runs/99999999999999999999999",
    ] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
}

#[test]
fn searches_are_counted_and_end_when_nobody_asks() {
    let server = Server::start(&["--searches", "1", "--memory", "16"]);
    let endless = order("mcts", &json!("endless"));
    let first = search(&server, &endless);
    let refused = AtomicBool::new(false);
    thread::scope(|scope| {
        // As long as somebody asks for the one, there is no room for another.
        scope.spawn(|| {
            while !refused.load(Ordering::Relaxed) {
                assert_eq!(server.get(&format!("/api/searches/{first}")).0, 200);
                thread::sleep(Duration::from_millis(100));
            }
        });
        let (status, answer) = server.ask("/api/searches", &endless);
        refused.store(true, Ordering::Relaxed);
        assert_eq!(status, 429, "{answer}");
    });
    // One that takes the place of another finds room at once.
    let second = search(
        &server,
        &json!({ "position": start_position(), "agent": "mcts", "seed": 1,
        "limit": "endless", "replaces": [first] }),
    );
    assert_eq!(server.get(&format!("/api/searches/{first}")).0, 404);
    let (status, answer) = server.get(&format!("/api/searches/{second}"));
    assert_eq!(status, 200, "{answer}");
    let report = &body_of(&answer)["report"];
    assert!(report["search"]["iterations"].as_u64().is_some_and(|count| count > 0), "{report}");
    // The page has gone without a word; who comes next waits until that is clear.
    search(&server, &endless);
}

#[test]
fn a_search_that_is_stopped_ends_at_once() {
    let server = Server::start(&["--searches", "1"]);
    for agent in ["mcts", "alphabeta", "greedy"] {
        for _ in 0..5 {
            let name = search(&server, &order(agent, &json!("endless")));
            let stop = format!("DELETE /api/searches/{name} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
            assert_eq!(server.send(stop.as_bytes()).0, 200);
        }
    }
}

#[test]
fn agents_are_numbers_and_names_never_programs_or_files() {
    let server = Server::start(&[]);
    let folder = TempDir::new().expect("a temporary folder");
    let made = folder.path().join("made");
    let touch = format!("program(touch {})", made.display());
    for agent in [
        touch.as_str(),
        "program(./homework)",
        "mcts(network=/etc/passwd)",
        "mcts(evaluation=/etc/passwd)",
        "mcts(playout=program(ls))",
        "mcts(memory=65536)",
        "alphabeta(table=4096)",
        "",
        "mcts(",
        "nobody",
    ] {
        let (status, answer) = server.ask("/api/searches", &order(agent, &json!({ "iterations": 1 })));
        assert_eq!(status, 400, "{agent}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|error| !error.is_empty()), "{agent}");
    }
    assert!(!made.exists());
    assert_eq!(
        result(&server, &search(&server, &order("mcts", &json!({ "iterations": 50 }))))["to_move"],
        "BLACK"
    );
}

#[test]
fn the_page_runs_no_script_but_its_own() {
    let server = Server::start(&[]);
    let (_, answer) = server.get("/");
    let (head, page) = answer.split_once("\r\n\r\n").expect("a page");
    let head = head.to_ascii_lowercase();
    let policy = head.lines().find(|line| line.starts_with("content-security-policy:")).expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(head.contains("x-content-type-options: nosniff"));
    for script in page.split("<script").skip(1) {
        assert!(script.starts_with(" type=\"module\" src=\"/page/"), "a script in the page");
    }
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onclick"));
    assert!(
        !page.contains("://") || !page.replace("http://www.w3.org/2000/svg", "").contains("://"),
        "it needs no network"
    );
    for link in page.split("\"/page/").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(server.get(&format!("/page/{link}")).0, 200, "{link}");
    }
}

#[test]
fn malformed_requests_are_refused_and_change_nothing() {
    let server = Server::start(&[]);
    for bytes in [
        &b"\0\x01\x02\xff\xfe"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"POST / HTTP/1.1\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /api/position HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"{}",
        b"PUT / HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let mut stream = server.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    for body in [
        "",
        "{",
        "null",
        "[]",
        "{\"rules\":1}",
        "{\"rules\":\"addendum\",\"first\":\"BLACK\",\"rows\":[],\"plays\":[]}",
    ] {
        assert_eq!(server.post_with("/api/position", body, JSON).0, 400, "{body}");
    }
    for play in ["0,0 9,9", "x", "0,0 0,0", "16,0 1,1", "é"] {
        let mut position = start_position();
        position["plays"] = json!([play]);
        assert_eq!(server.ask("/api/position", &position).0, 400, "{play}");
    }
    let mut empty = start_position();
    empty["rows"] = json!(vec![".".repeat(16); 16]);
    let (status, answer) = server.ask("/api/position", &empty);
    assert!(
        status == 400 && answer["error"].as_str().is_some_and(|error| error.contains("no piece")),
        "{answer}"
    );
    assert_eq!(server.ask("/api/input", &json!({ "text": "SINGLE\nRED" })).0, 400);
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn a_thousand_idle_and_silent_clients_keep_nobody_out() {
    let server = Server::start(&[]);
    let mut clients = Vec::new();
    for number in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(server.address) else { break };
        // Some say nothing, some half of a request, and some ask and never read.
        let request = match number % 3 {
            0 => String::new(),
            1 => "GET / HT".to_string(),
            _ => format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address),
        };
        let _ = stream.write_all(request.as_bytes());
        clients.push(stream);
    }
    assert!(clients.len() >= 500, "{} clients: this test needs more files", clients.len());
    for _ in 0..20 {
        assert_eq!(server.get("/").0, 200);
    }
    let name = search(&server, &order("mcts", &json!({ "iterations": 20 })));
    assert_eq!(result(&server, &name)["agent"], "mcts");
    // Still there: those who have been answered or thrown out find the end, the others wait.
    drop(clients);
    assert_eq!(server.get("/").0, 200);
}

/// Resident memory of a process, in kB.
fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn memory_after_many_searches_is_what_it_was_after_a_few() {
    let server = Server::start(&["--searches", "2"]);
    let many = |count: usize| {
        for number in 0..count {
            let agent = ["mcts", "alphabeta(table=1)"][number % 2];
            result(&server, &search(&server, &order(agent, &json!({ "iterations": 600 }))));
        }
        resident(server.process())
    };
    let (few, all) = (many(10), many(190));
    assert!(all < few + 8 * 1024, "{few} kB after 10 searches, {all} kB after 200");
}

#[test]
fn what_the_agent_knows_of_the_game_comes_from_the_plays() {
    let server = Server::start(&[]);
    let mut position = start_position();
    position["plays"] = json!(["2,0 4,2", "13,15 11,13"]);
    let (status, answer) = server.ask("/api/position", &position);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["plays"], json!(["2,0 4,2", "13,15 11,13"]));
    assert_eq!(answer["to_move"], "BLACK");
    assert!(answer["duty"].as_str().is_some_and(|duty| duty.contains("leave your camp first")));
    let why = server.ask("/api/why", &json!({ "position": position, "from": "4,2", "to": "5,2" })).1;
    assert!(why["why"].as_str().is_some_and(|why| why.contains("leave your camp first")), "{why}");
    for limit in [json!({ "iterations": 30 }), json!({ "game": 0.5 }), json!({ "seconds": 0.05 })] {
        let order =
            json!({ "position": position, "agent": "mcts", "seed": 7, "limit": limit, "replaces": [] });
        let report = result(&server, &search(&server, &order));
        assert!(report["best_chain"].as_str().is_some_and(|chain| chain.contains(' ')), "{report}");
    }
}
