//! Connections: how many there may be, and how long each may take.

use super::{Site, routes, searches};
use anyhow::{Context, Result};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// The most connections at a time. One more ends the oldest.
const MOST_CONNECTIONS: u64 = 2048;

/// Descriptors that the process needs beside connections.
const OTHER_DESCRIPTORS: u64 = 64;

/// A connection ends after this time, whatever its client does: one request, and its answer.
const LONGEST_CONNECTION: Duration = Duration::from_secs(20);

/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;

/// How long to wait where the system can accept no more.
const PAUSE: Duration = Duration::from_millis(50);

/// Threads that read runs.
const READERS: usize = 2;

/// Answers whoever connects to `listener`.
pub(super) fn accept_all(listener: TcpListener, site: Arc<Site>) -> Result<()> {
    let runtime =
        Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(READERS).build();
    runtime.context("can't start the server")?.block_on(async {
        listener.set_nonblocking(true).context("can't use the port")?;
        let listener = tokio::net::TcpListener::from_std(listener).context("can't use the port")?;
        tokio::spawn(searches::end_forgotten(site.clone()));
        let most = most_connections();
        let mut open = VecDeque::new();
        loop {
            match listener.accept().await {
                Ok((stream, _)) => open.push_back(tokio::spawn(answer(stream, site.clone()))),
                // The client has gone already, or there are no descriptors left: others may end.
                Err(_) => sleep(PAUSE).await,
            }
            make_room(&mut open, most);
        }
    })
}

/// Ends the oldest of too many connections.
fn make_room(open: &mut VecDeque<JoinHandle<()>>, most: usize) {
    if open.len() >= most {
        open.retain(|connection| !connection.is_finished());
    }
    while open.len() >= most {
        if let Some(oldest) = open.pop_front() {
            oldest.abort();
        }
    }
}

/// How many connections there may be: as many as there are descriptors, of which the process may ask for more.
fn most_connections() -> usize {
    let wanted = MOST_CONNECTIONS + OTHER_DESCRIPTORS;
    let allowed = getrlimit(Resource::RLIMIT_NOFILE).map_or(wanted, |(soft, hard)| {
        let more = wanted.clamp(soft.min(wanted), hard.max(soft));
        let raised = soft >= wanted || setrlimit(Resource::RLIMIT_NOFILE, more, hard).is_ok();
        if raised { more } else { soft }
    });
    usize::try_from(allowed.saturating_sub(OTHER_DESCRIPTORS).clamp(1, MOST_CONNECTIONS)).unwrap_or(1)
}

/// One request and its answer. A client that breaks off is no fault.
async fn answer(stream: TcpStream, site: Arc<Site>) {
    let service = service_fn(move |request| {
        let site = site.clone();
        async move { Ok::<_, Infallible>(routes::answer(&site, request).await) }
    });
    let mut connection = http1::Builder::new();
    connection.keep_alive(false).max_buf_size(LONGEST_HEAD);
    let _ = timeout(LONGEST_CONNECTION, connection.serve_connection(TokioIo::new(stream), service)).await;
}
