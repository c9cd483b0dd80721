//! All searches: a limited number at a time, each on a thread of its own, each ended soon after its page is gone.
//!
//! A search ends when it reaches its limits, when it is stopped, or when no page has asked about it for a few seconds.

use super::refusal::Refusal;
use super::ruling::Ruling;
use super::search::{Job, SearchRequest};
use super::{Site, specs};
use crate::play::agents;
use anyhow::{Context, Result};
use hyper::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

/// A search ends when no page has asked about it for this long.
const ABANDONED: Duration = Duration::from_secs(4);
/// A search ends this long after the page that waited for its news has closed the connection. A page that only lost its
/// connection tries again after a second.
const CLOSED: Duration = Duration::from_millis(1500);
/// How often the server looks for searches to end.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// A result is dropped when no page has asked for it for this long.
const KEEP_TIME: Duration = Duration::from_secs(30);
/// How long a request is held open while its search has nothing new to report.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// How long a search waits until another one has ended. Reloading a page does not stop its search, so this is longer
/// than it takes to notice an abandoned search.
const WAIT_FOR_ROOM: Duration = Duration::from_secs(5);
/// The minimum number of results to keep.
const MIN_KEPT: usize = 64;

/// The searches of all pages.
pub(super) struct Searches {
    /// The maximum number of searches at a time.
    max: usize,
    /// Bytes of memory for each search.
    memory: usize,
    room: Arc<Semaphore>,
    known: Mutex<HashMap<String, Arc<SearchHandle>>>,
}

/// A running or finished search.
pub(super) struct SearchHandle {
    pub stopped: AtomicBool,
    state: watch::Sender<State>,
    /// The number of requests that wait for news.
    waiting: AtomicUsize,
    /// When the last of these requests ended.
    asked: Mutex<Instant>,
    /// How long to wait for another request after that.
    patience: Mutex<Duration>,
}

/// The latest report or error of a search, and whether the search has ended.
#[derive(Clone, Debug, Default, Serialize)]
struct State {
    /// Grows with each report.
    version: u64,
    done: bool,
    report: Option<Value>,
    error: Option<String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Searches {
    /// At most `max` searches at a time, each with `memory` bytes.
    pub fn new(max: usize, memory: usize) -> Searches {
        Searches { max, memory, room: Arc::new(Semaphore::new(max)), known: Mutex::default() }
    }

    /// Starts a search. Returns its name (null if the game is already over) and the ruling on its position.
    pub async fn start(&self, request: SearchRequest) -> Result<Value, Refusal> {
        let requested = Instant::now();
        let line = request.position.replay()?;
        let ruling = Ruling::of(&line);
        if ruling.end.is_some() {
            return Ok(json!({ "search": null, "position": ruling }));
        }
        let limits = request.limit.limits(line.position(), self.memory)?;
        let permit = self.room().await?;
        // An agent may allocate all its memory when it is made, so it needs a permit first, and keeps it even if the
        // client leaves. Other requests are answered meanwhile.
        let (spec, seed, memory) = (request.agent.clone(), request.seed, self.memory);
        let make = move || (specs::make(agents::registry(), &spec, seed, memory), permit);
        let (agent, permit) = spawn_blocking(make).await.context("can't make the agent")?;
        let mut agent = agent?;
        let search = Arc::new(SearchHandle::new());
        let name = format!("{:016x}{:016x}", RandomState::new().hash_one(0), RandomState::new().hash_one(1));
        self.keep(&name, search.clone());
        let job = Job { line, request, limits, requested };
        let thread = thread::Builder::new().name("search".to_string());
        let spawned = thread.spawn(move || {
            job.run(agent.as_mut(), &search);
            // The memory is freed before the permit is returned.
            drop(agent);
            drop(permit);
        });
        spawned.context("can't start a thread")?;
        Ok(json!({ "search": name, "position": ruling }))
    }

    /// Waits for room for one more search.
    async fn room(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        if let Ok(Ok(permit)) = timeout(WAIT_FOR_ROOM, self.room.clone().acquire_owned()).await {
            return Ok(permit);
        }
        let message = format!(
            "{} searches are running, the most that 'lab serve --searches' allows: stop one or close a page",
            self.max
        );
        Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, &message))
    }

    /// Stops the search called `name`, if there is one.
    pub fn stop(&self, name: &str) {
        if let Some(search) = locked(&self.known).remove(name) {
            search.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// The state of a search, as soon as it is newer than version `seen` or the wait is over.
    pub async fn news(&self, name: &str, seen: u64) -> Result<Value, Refusal> {
        let search = locked(&self.known).get(name).cloned();
        let gone = || Refusal::new(StatusCode::NOT_FOUND, "this search no longer exists");
        let search = search.ok_or_else(gone)?;
        let waiting = Waiting::for_news(&search);
        let mut state = search.state.subscribe();
        let news = timeout(MAX_WAIT, state.wait_for(|state| state.version > seen || state.done)).await;
        let state = match news {
            Ok(Ok(state)) => state.clone(),
            _ => search.state.borrow().clone(),
        };
        waiting.answer();
        Ok(json!(state))
    }

    /// Keeps a search. When full, evicts finished searches, least recently used first.
    fn keep(&self, name: &str, search: Arc<SearchHandle>) {
        let mut known = locked(&self.known);
        while known.len() >= MIN_KEPT.max(2 * self.max) {
            let done = known.iter().filter(|(_, search)| search.is_done());
            let Some(oldest) = done.min_by_key(|(_, search)| *locked(&search.asked)) else { break };
            let oldest = oldest.0.clone();
            known.remove(&oldest);
        }
        known.insert(name.to_string(), search);
    }

    /// Ends the searches that no page has asked about lately.
    fn end_abandoned(&self) {
        locked(&self.known).retain(|_, search| {
            let is_wanted = search.is_wanted(Instant::now());
            if !is_wanted {
                search.stopped.store(true, Ordering::Relaxed);
            }
            is_wanted
        });
    }
}

/// Ends abandoned searches and forgets abandoned runs.
pub(super) async fn end_abandoned(site: Arc<Site>) {
    loop {
        sleep(CHECK_INTERVAL).await;
        site.searches.end_abandoned();
        site.runs.forget_abandoned();
    }
}

/// A request that waits for news of a search.
struct Waiting<'a>(&'a SearchHandle);

impl Waiting<'_> {
    fn for_news(search: &SearchHandle) -> Waiting<'_> {
        search.waiting.fetch_add(1, Ordering::Relaxed);
        *locked(&search.patience) = CLOSED;
        Waiting(search)
    }

    /// Ends the wait with an answer. If the client closes the connection, the wait is dropped without one.
    fn answer(self) {
        *locked(&self.0.patience) = ABANDONED;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        *locked(&self.0.asked) = Instant::now();
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl SearchHandle {
    fn new() -> SearchHandle {
        SearchHandle {
            stopped: AtomicBool::new(false),
            state: watch::Sender::new(State::default()),
            waiting: AtomicUsize::new(0),
            asked: Mutex::new(Instant::now()),
            patience: Mutex::new(ABANDONED),
        }
    }

    /// Whether a page is waiting for news, or may still ask for it.
    fn is_wanted(&self, now: Instant) -> bool {
        let patience = if self.is_done() { KEEP_TIME } else { *locked(&self.patience) };
        let is_asked_for = self.waiting.load(Ordering::Relaxed) > 0;
        is_asked_for || now.saturating_duration_since(*locked(&self.asked)) < patience
    }

    pub fn is_done(&self) -> bool {
        self.state.borrow().done
    }

    /// Publishes a report or an error.
    pub fn publish(&self, report: Result<Value>, done: bool) {
        self.state.send_modify(|state| {
            state.version += 1;
            state.done = done;
            match report {
                Ok(report) => state.report = Some(report),
                Err(error) => state.error = Some(format!("{error:#}")),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_soon_after_its_reader_has_left() {
        let search = SearchHandle::new();
        let after = |seconds| search.is_wanted(Instant::now() + Duration::from_secs(seconds));
        assert!(after(3) && !after(5), "nobody has asked yet");
        let waiting = Waiting::for_news(&search);
        assert!(after(100), "a page waits");
        waiting.answer();
        assert!(after(3) && !after(5), "the page may ask for more");
        drop(Waiting::for_news(&search));
        assert!(after(1) && !after(2), "the page has closed the connection");
        search.publish(Ok(Value::Null), true);
        assert!(after(20) && !after(40), "a result is kept");
    }
}
