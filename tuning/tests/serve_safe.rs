//! `lab serve` under attack: it refuses foreign requests, and no request stops it.

use crate::support::server::{Server, body_of};
use crate::support::string;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const JSON: &str = "Content-Type: application/json\r\n";

fn start_position() -> Value {
    json!({ "rules": "addendum", "first": "BLACK", "rows": null, "plays": [] })
}

fn search_request(agent: &str, limit: &Value) -> Value {
    json!({ "position": start_position(), "agent": agent, "seed": 1, "limit": limit })
}

/// Starts a search, and returns its name.
fn search(server: &Server, request: &Value) -> String {
    let (status, answer) = server.post("/api/searches", request);
    assert_eq!(status, 200, "{answer}");
    string(&answer["search"]).to_string()
}

/// Runs a search that ends by itself, and returns its last report.
fn report(server: &Server, request: &Value) -> Value {
    let name = search(server, request);
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

/// Asserts that the server refuses `body` with status 400 and an error that contains `part`.
#[track_caller]
fn assert_bad(server: &Server, path: &str, body: &Value, part: &str) {
    let (status, answer) = server.post(path, body);
    assert_eq!(status, 400, "{body}: {answer}");
    let error = string(&answer["error"]);
    assert!(!error.is_empty() && error.contains(part), "{body}: {error}");
}

#[test]
fn it_listens_on_this_machine_alone_by_default() {
    let server = Server::start("");
    assert!(server.address.ip().is_loopback());
    assert_eq!(server.get("/").0, 200);
    let port = server.address.port();
    let beside = TcpStream::connect(("127.0.0.2", port));
    assert!(beside.is_err(), "it listens on 127.0.0.1 and nowhere else");
    let mut open = server.folder.lab("serve --host 0.0.0.0 --port 0");
    let mut open = open.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lab starts");
    open.stdout.as_mut().expect("a pipe").read_exact(&mut [0]).expect("it starts");
    open.kill().expect("it runs");
    let output = open.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("warning: ") && stderr.contains("0.0.0.0:"), "{stderr}");
    server.folder.refused(&format!("serve --port {port}"), "'--port 0' picks a free port");
    // An address reserved for documentation: no computer has it.
    server.folder.refused("serve --host 192.0.2.1 --port 0", "192.0.2.1 is not an address of this computer");
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Server::start("");
    let port = server.address.port();
    for request in [
        format!("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n".to_string(),
        format!("GET / HTTP/1.1\r\nHost: 127.0.0.1.nip.io:{port}\r\n\r\n"),
        "GET / HTTP/1.1\r\nHost: \r\n\r\n".to_string(),
        "GET / HTTP/1.0\r\n\r\n".to_string(),
        format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
    ] {
        let (status, answer) = server.send(request.as_bytes());
        assert_eq!(status, 403, "{request}: {answer}");
    }
    let body = start_position().to_string();
    let ours = format!("Origin: http://{}\r\n", server.address);
    for foreign in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        &format!("{ours}Origin: http://evil.example\r\n"),
        &format!("{ours}{ours}"),
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: \u{e9}\r\n",
    ] {
        assert_eq!(server.get_with("/api/about", foreign).0, 403, "{foreign}");
        assert_eq!(server.post_with("/api/position", &body, &format!("{JSON}{foreign}")).0, 403, "{foreign}");
    }
    let twice = format!("{JSON}Content-Type: text/plain\r\n");
    assert_eq!(server.post_with("/api/position", &body, &twice).0, 403);
    // Other pages may link here, but not submit forms to this server.
    assert_eq!(server.get_with("/", "Sec-Fetch-Site: cross-site\r\n").0, 200);
    assert_eq!(server.post_with("/api/position", &body, "Content-Type: text/plain\r\n").0, 415);
    let own = format!("{JSON}Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n", server.address);
    assert_eq!(server.post_with("/api/position", &body, &own).0, 200);
}

#[test]
fn head_is_answered_like_get_without_the_body() {
    let server = Server::start("");
    for path in ["/", "/page/start.js", "/api/about", "/nothing"] {
        let [get, head] = ["GET", "HEAD"].map(|method| {
            let request = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
            let (_, answer) = server.send(request.as_bytes());
            let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
            (head.lines().filter(|line| !line.starts_with("date:")).collect::<String>(), body.len())
        });
        assert_eq!(head, (get.0, 0), "{path}");
    }
}

#[test]
fn bodies_and_strings_are_limited() {
    let server = Server::start("");
    let body = format!("{{\"text\":\"{}\"}}", "x".repeat(300_000));
    let status = server.post_with("/api/game", &body, JSON).0;
    assert!(matches!(status, 0 | 413), "a body of 300 kB: {status}");
    let declared = format!("Host: {}\r\n{JSON}Content-Length: 99999999999\r\n\r\n", server.address);
    assert_eq!(server.send(format!("POST /api/game HTTP/1.1\r\n{declared}").as_bytes()).0, 413);
    let long_head = format!("X: {}\r\n", "x".repeat(100_000));
    assert!(matches!(server.get_with("/", &long_head).0, 0 | 431));
    let spec = format!("mcts(c={})", "1".repeat(5000));
    assert_bad(&server, "/api/searches", &search_request(&spec, &json!("endless")), "longer than 1000 bytes");
    let mut many = start_position();
    many["plays"] = json!(vec!["0,0 1,1"; 10_001]);
    assert_bad(&server, "/api/position", &many, "more than 10000 plies");
    for seconds in [json!(1e9), json!(-1.0), json!(0.0), json!("x"), Value::Null] {
        assert_bad(&server, "/api/searches", &search_request("mcts", &json!({ "seconds": seconds })), "");
    }
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn searches_are_limited_in_number_and_end_without_a_reader() {
    let server = Server::start("--searches 1 --memory 16");
    let endless = search_request("mcts", &json!("endless"));
    let first = search(&server, &endless);
    let refused = AtomicBool::new(false);
    thread::scope(|scope| {
        // As long as the first search is being read, there is no room for another.
        scope.spawn(|| {
            while !refused.load(Ordering::Relaxed) {
                assert_eq!(server.get(&format!("/api/searches/{first}")).0, 200);
                thread::sleep(Duration::from_millis(100));
            }
        });
        let (status, answer) = server.post("/api/searches", &endless);
        refused.store(true, Ordering::Relaxed);
        assert_eq!(status, 429, "{answer}");
    });
    // Nobody reads the first search any more. The next request waits until the server gives up on the first search.
    let second = search(&server, &endless);
    assert_eq!(server.get(&format!("/api/searches/{first}")).0, 404);
    let (status, answer) = server.get(&format!("/api/searches/{second}"));
    assert_eq!(status, 200, "{answer}");
    let report = &body_of(&answer)["report"];
    assert!(report["search"]["iterations"].as_u64() > Some(0), "{report}");
}

#[test]
fn a_stopped_search_ends_at_once() {
    let server = Server::start("--searches 1");
    // Each side has 615 plays here under the original rules.
    let rows = "................ .....W.......... .....W.B.B...... ..B.W...W.W..... ......WW........ .B.WB.....W..... \
                .B...B..B.B..... ...W...B........ ..W..B...B.W.... ..W.B...B..W.... ......W...B..... .......BW...W... \
                ......W...BB.... .........B...... ...........W.... ................";
    for agent in ["mcts", "alphabeta", "minimax(depth=3)", "greedy"] {
        for _ in 0..5 {
            let mut request = search_request(agent, &json!("endless"));
            request["position"]["rules"] = json!("original");
            request["position"]["rows"] = json!(rows.split(' ').collect::<Vec<_>>());
            let name = search(&server, &request);
            let stop = format!("DELETE /api/searches/{name} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
            assert_eq!(server.send(stop.as_bytes()).0, 200);
        }
    }
}

#[test]
fn agents_from_a_page_are_never_programs_or_files() {
    let server = Server::start("");
    let touch = format!("program(touch {})", server.folder.path("made").display());
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
        assert_bad(&server, "/api/searches", &search_request(agent, &json!({ "iterations": 1 })), "");
    }
    assert!(!server.folder.exists("made"));
    let report = report(&server, &search_request("mcts", &json!({ "iterations": 50 })));
    assert_eq!(report["to_move"], "BLACK");
}

#[test]
fn the_page_runs_no_script_but_its_own() {
    let server = Server::start("");
    let (_, answer) = server.get("/");
    let (head, page) = answer.split_once("\r\n\r\n").expect("a page");
    let head = head.to_ascii_lowercase();
    let policy = head.lines().find(|line| line.starts_with("content-security-policy:")).expect("a policy");
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{part}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(head.contains("x-content-type-options: nosniff"));
    for script in page.split("<script").skip(1) {
        assert!(script.starts_with(" type=\"module\" src=\"/page/"), "a script in the page");
    }
    for inline in ["<style", " style=", " onclick"] {
        assert!(!page.contains(inline), "{inline}");
    }
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("://"), "it needs no network");
    for link in page.split("\"/page/").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(server.get(&format!("/page/{link}")).0, 200, "{link}");
    }
}

#[test]
fn malformed_requests_are_refused_and_change_nothing() {
    let server = Server::start("");
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
    let mut position = start_position();
    for play in ["0,0 9,9", "x", "0,0 0,0", "16,0 1,1", "é"] {
        position["plays"] = json!([play]);
        assert_bad(&server, "/api/position", &position, "");
    }
    let mut empty = start_position();
    empty["rows"] = json!(vec![".".repeat(16); 16]);
    assert_bad(&server, "/api/position", &empty, "no piece");
    assert_bad(
        &server,
        "/api/game",
        &json!({ "text": "SINGLE\nRED", "rules": "addendum" }),
        "input.txt: line 2, column 1",
    );
    assert_eq!(server.get("/").0, 200);
}

#[test]
fn a_thousand_idle_and_silent_clients_keep_nobody_out() {
    let server = Server::start("");
    let mut clients = Vec::new();
    for number in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(server.address) else { break };
        // Some send nothing, some send half a request, and some never read the answer.
        let request = match number % 3 {
            0 => String::new(),
            1 => "GET / HT".to_string(),
            _ => format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address),
        };
        let _ = stream.write_all(request.as_bytes());
        clients.push(stream);
    }
    assert!(clients.len() >= 500, "{} clients: this test needs more open files", clients.len());
    for _ in 0..20 {
        assert_eq!(server.get("/").0, 200);
    }
    let report = report(&server, &search_request("mcts", &json!({ "iterations": 20 })));
    assert_eq!(report["agent"], "mcts");
    // The clients stay connected until here.
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
    let server = Server::start("--searches 2");
    let after = |count: usize| {
        for agent in ["mcts", "alphabeta(table=1)"].into_iter().cycle().take(count) {
            report(&server, &search_request(agent, &json!({ "iterations": 600 })));
        }
        resident(server.process_id())
    };
    let (few, all) = (after(10), after(190));
    assert!(all < few + 8 * 1024, "{few} kB after 10 searches, {all} kB after 200");
}

#[test]
fn the_agent_knows_the_game_from_its_plays() {
    let server = Server::start("");
    let mut position = start_position();
    position["plays"] = json!(["2,0 4,2", "13,15 11,13"]);
    let (status, answer) = server.post("/api/position", &position);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["plays"], position["plays"]);
    assert_eq!(answer["to_move"], "BLACK");
    assert!(string(&answer["duty"]).contains("leave its camp first"), "{answer}");
    let (_, answer) = server.post("/api/why", &json!({ "position": position, "from": "4,2", "to": "5,2" }));
    assert!(string(&answer["why"]).contains("leave its camp first"), "{answer}");
    for limit in [json!({ "iterations": 30 }), json!({ "game": 0.5 }), json!({ "seconds": 0.05 })] {
        let mut request = search_request("mcts", &limit);
        request["position"] = position.clone();
        let report = report(&server, &request);
        assert!(string(&report["best_chain"]).contains(' '), "{report}");
    }
}

/// Black has filled its goal, and either side is to move.
#[test]
fn a_finished_board_has_a_winner_and_is_not_searched() {
    let server = Server::start("");
    let mut rows = vec!["................"; 10];
    rows.extend(["...W............", "..............BB", ".............BBB", "............BBBB"]);
    rows.extend(["...........BBBBB"; 2]);
    for (first, rules) in
        [("BLACK", "addendum"), ("BLACK", "original"), ("WHITE", "addendum"), ("WHITE", "original")]
    {
        let position = json!({ "rules": rules, "first": first, "rows": rows, "plays": [] });
        let mut request = search_request("mcts", &json!({ "iterations": 30 }));
        request["position"] = position.clone();
        let (status, answer) = server.post("/api/searches", &request);
        assert_eq!((status, &answer["search"]), (200, &Value::Null), "{answer}");
        assert_eq!(answer["position"], server.post("/api/position", &position).1);
        assert_eq!(answer["position"]["end"]["winner"], "BLACK", "{answer}");
        assert_eq!(answer["position"]["legal"], json!([]), "{answer}");
        let (_, answer) =
            server.post("/api/why", &json!({ "position": position, "from": "3,10", "to": "4,10" }));
        assert_eq!(answer["why"], "The game is over.");
    }
}
