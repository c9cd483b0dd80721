//! Accepts connections, and limits their number and duration.

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

/// The maximum number of connections at a time. A further connection ends the oldest one.
const MAX_CONNECTIONS: u64 = 2048;

/// File descriptors reserved for other uses.
const OTHER_DESCRIPTORS: u64 = 64;

/// The maximum duration of a connection, which carries one request and its answer.
const MAX_CONNECTION_TIME: Duration = Duration::from_secs(20);

/// The maximum length of a request's head, in bytes.
const MAX_HEAD: usize = 16 * 1024;

/// How long to wait when the system can accept no more connections.
const PAUSE: Duration = Duration::from_millis(50);

/// Threads for work that blocks: one reads runs, the others make agents.
const BLOCKING_THREADS: usize = 3;

/// Answers all connections to `listener`.
pub(super) fn accept_all(listener: TcpListener, site: Arc<Site>) -> Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(BLOCKING_THREADS)
        .build();
    runtime.context("can't start the server")?.block_on(async {
        listener.set_nonblocking(true).context("can't use the port")?;
        let listener = tokio::net::TcpListener::from_std(listener).context("can't use the port")?;
        tokio::spawn(searches::end_abandoned(site.clone()));
        let max = max_connections();
        let mut open = VecDeque::new();
        loop {
            match listener.accept().await {
                Ok((stream, _)) => open.push_back(tokio::spawn(answer(stream, site.clone()))),
                // Either the client is gone already, or no descriptors are left until another connection ends.
                Err(_) => sleep(PAUSE).await,
            }
            make_room(&mut open, max);
        }
    })
}

/// Ends the oldest connections if there are too many.
fn make_room(open: &mut VecDeque<JoinHandle<()>>, max: usize) {
    if open.len() > max {
        open.retain(|connection| !connection.is_finished());
    }
    while open.len() > max {
        if let Some(oldest) = open.pop_front() {
            oldest.abort();
        }
    }
}

/// The maximum number of connections: the file descriptors available once their limit is raised.
fn max_connections() -> usize {
    let wanted = MAX_CONNECTIONS + OTHER_DESCRIPTORS;
    let allowed = getrlimit(Resource::RLIMIT_NOFILE).map_or(wanted, |(soft, hard)| {
        let more = wanted.clamp(soft.min(wanted), hard.max(soft));
        let raised = soft >= wanted || setrlimit(Resource::RLIMIT_NOFILE, more, hard).is_ok();
        if raised { more } else { soft }
    });
    usize::try_from(allowed.saturating_sub(OTHER_DESCRIPTORS).clamp(1, MAX_CONNECTIONS)).unwrap_or(1)
}

/// Answers one request. A client that disconnects early is not an error.
async fn answer(stream: TcpStream, site: Arc<Site>) {
    let service = service_fn(move |request| {
        let site = site.clone();
        async move { Ok::<_, Infallible>(routes::answer(&site, request).await) }
    });
    let mut connection = http1::Builder::new();
    connection.keep_alive(false).max_buf_size(MAX_HEAD);
    let _ = timeout(MAX_CONNECTION_TIME, connection.serve_connection(TokioIo::new(stream), service)).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[test]
    fn only_a_connection_too_many_ends_the_oldest() {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let mut open = VecDeque::new();
        for _ in 0..3 {
            open.push_back(runtime.spawn(pending()));
            make_room(&mut open, 1);
            assert_eq!(open.len(), 1);
        }
    }
}
