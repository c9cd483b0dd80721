//! `lab serve` in a process of its own, and requests to it, byte by byte where that matters.

use super::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

/// How long to wait for an answer before a server counts as hung.
const HANGS: Duration = Duration::from_secs(60);

/// A server, which is killed when this value is dropped.
pub struct Server {
    process: Child,
    /// The folder in which it runs.
    pub folder: Folder,
    /// The address at which it listens.
    pub address: SocketAddr,
}

impl Server {
    /// Starts `lab serve` on a free port.
    pub fn start(options: &str) -> Server {
        Server::start_in(Folder::new(), 0, options)
    }

    /// Starts `lab serve` in a folder on a port, or on a free one if it is 0.
    pub fn start_in(folder: Folder, port: u16, options: &str) -> Server {
        let mut lab = folder.lab(&format!("serve --port {port} {options}"));
        let mut process = lab.stdout(Stdio::piped()).spawn().expect("lab starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line with its address");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address: {line:?}"));
        Server { process, folder, address }
    }

    pub fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The address of a view, such as `#play`.
    pub fn page(&self, rest: &str) -> String {
        format!("http://{}/{rest}", self.address)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(HANGS)).expect("a time");
        stream
    }

    /// Sends these bytes. Returns the status of the answer, 0 if there is none, and its whole text.
    pub fn send(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // A request may be refused before all of it is sent.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or(0), answer)
    }

    /// Requests `path`, with these additional header lines.
    pub fn get_with(&self, path: &str, lines: &str) -> (u16, String) {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{lines}\r\n", self.address).as_bytes())
    }

    /// Requests `path`.
    pub fn get(&self, path: &str) -> (u16, String) {
        self.get_with(path, "")
    }

    /// Posts `body` to `path`, with these additional header lines.
    pub fn post_with(&self, path: &str, body: &str, lines: &str) -> (u16, String) {
        let (address, length) = (self.address, body.len());
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n{lines}\r\n");
        self.send(format!("{head}{body}").as_bytes())
    }

    /// Posts JSON to `path`. Returns the status, and the JSON in the answer.
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, answer) = self.post_with(path, &body.to_string(), "Content-Type: application/json\r\n");
        (status, body_of(&answer))
    }
}

/// The JSON in an answer.
pub fn body_of(answer: &str) -> Value {
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or(Value::Null)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
