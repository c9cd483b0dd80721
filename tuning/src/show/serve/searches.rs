//! Searches: at most so many at a time, each on a thread of its own, each ended at once when nobody wants it.
//!
//! A search ends by its limits, when it is told to stop, when another takes its place, or when nobody has asked for
//! it for some seconds. To stop it, its clock jumps beyond every limit: agents look at the clock many times a
//! millisecond.

use super::question::{GameSoFar, Question};
use super::refusal::Refusal;
use super::{Site, specs};
use crate::figures::drawing::hops;
use crate::play::agents;
use crate::play::rules_name::RulesName;
use crate::show::analysis::{Analysis, AnalysisRequest, best_plays};
use anyhow::{Context, Result, ensure};
use halma::agent::time::game_limits;
use halma::agent::{Agent, Decision, SavedGame};
use halma::game::Game as _;
use halma::rules::{Play, Position};
use halma::search::race::board_key;
use halma::search::{Limits, Observer, Report};
use halma::support::clock::{Clock, ThreadClock};
use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

/// CPU seconds between two reports of a search.
const EVERY: f64 = 0.2;
/// No search takes longer, in seconds.
const LONGEST_SEARCH: f64 = 600.0;
/// The longest time for a game, in seconds.
const LONGEST_GAME: f64 = 86_400.0;
/// A search ends when nobody has asked for it for this long …
const FORGOTTEN: Duration = Duration::from_secs(4);
/// … and its result is forgotten after this long.
const KEPT: Duration = Duration::from_secs(30);
/// How long an answer waits for something new.
const NEWS: Duration = Duration::from_secs(5);
/// How long a search waits for another to end: longer than it takes to find out that nobody asks for one any more, for
/// a page that is loaded again stops nothing.
const ROOM: Duration = Duration::from_secs(7);
/// Results that are kept, at the most.
const MOST_KEPT: usize = 64;
/// By how much the clock of a search that is to stop jumps: more seconds than any limit has.
const BEYOND: f64 = 1e12;

/// The searches of all pages.
pub(super) struct Searches {
    most: usize,
    memory: usize,
    room: Arc<Semaphore>,
    known: Mutex<HashMap<String, Arc<Search>>>,
}

/// A search, under way or at its end.
struct Search {
    stopped: AtomicBool,
    state: watch::Sender<State>,
    /// Requests that wait for news of it, and when the last of them ended.
    asking: AtomicUsize,
    asked: Mutex<Instant>,
}

/// What is known of a search.
#[derive(Clone, Debug, Default)]
struct State {
    /// Grows with each report.
    version: u64,
    done: bool,
    report: Option<Value>,
    error: Option<String>,
}

/// What a page wants to be searched.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    position: Question,
    agent: String,
    seed: u64,
    limit: Wanted,
    /// The searches that this one takes the place of.
    replaces: Vec<String>,
}

/// How long to search.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wanted {
    /// Until it is stopped, with reports in between.
    Endless,
    /// Seconds on the wall.
    Seconds(f64),
    /// Iterations.
    Iterations(u64),
    /// This move's share of so many CPU seconds, which are left for the game.
    Game(f64),
}

/// A report as the page gets it.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    analysis: Analysis,
    /// The play decided on, with all squares that its piece touches.
    best_hops: Option<String>,
    /// The plays that get an arrow: squares, share of the visits, value.
    arrows: Vec<(String, f32, f32)>,
    /// CPU seconds that all of it took.
    cpu: f64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Searches {
    /// None yet: at most `most` at a time, each with `memory` bytes.
    pub fn new(most: usize, memory: usize) -> Searches {
        Searches { most, memory, room: Arc::new(Semaphore::new(most)), known: Mutex::default() }
    }

    /// Starts the search that is ordered, and tells its name.
    pub async fn start(&self, order: Order) -> Result<Value, Refusal> {
        let ordered = Instant::now();
        order.replaces.iter().for_each(|name| self.stop(name));
        let game = order.position.game()?;
        let limits = order.limit.limits(game.position(), self.memory)?;
        let Ok(Ok(permit)) = timeout(ROOM, self.room.clone().acquire_owned()).await else {
            let message = format!(
                "{} searches are under way, and 'lab serve --searches' allows no more: stop one, or close a page",
                self.most
            );
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, &message));
        };
        // An agent may take all its memory when it is made: so only who has a place gets one, and others are served
        // meanwhile.
        let (spec, seed, memory) = (order.agent.clone(), order.seed, self.memory);
        let making = spawn_blocking(move || specs::make(agents::registry(), &spec, seed, memory));
        let mut agent = making.await.context("the agent can't be made")??;
        restore(agent.as_mut(), &game);
        let search = Arc::new(Search::new());
        let name = format!("{:016x}{:016x}", RandomState::new().hash_one(0), RandomState::new().hash_one(1));
        self.keep(&name, search.clone());
        let job = Job { position: *game.position(), rules: order.position.rules(), order, limits, ordered };
        let thread = thread::Builder::new().name("search".to_string());
        let spawned = thread.spawn(move || job.run(agent, &search, permit));
        spawned.context("can't start a thread")?;
        Ok(json!({ "search": name }))
    }

    /// Stops a search, if there is one of this name.
    pub fn stop(&self, name: &str) {
        if let Some(search) = locked(&self.known).remove(name) {
            search.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// What is newer than version `seen` of a search, as soon as there is something.
    pub async fn news(&self, name: &str, seen: u64) -> Result<Value, Refusal> {
        let search = locked(&self.known).get(name).cloned();
        let gone = || Refusal::new(StatusCode::NOT_FOUND, "there is no such search any more");
        let search = search.ok_or_else(gone)?;
        let _asking = Asking::of(&search);
        let mut state = search.state.subscribe();
        let news = timeout(NEWS, state.wait_for(|state| state.version > seen || state.done)).await;
        let State { version, done, report, error } = match news {
            Ok(Ok(state)) => state.clone(),
            _ => search.state.borrow().clone(),
        };
        Ok(json!({ "version": version, "done": done, "report": report, "error": error }))
    }

    /// Keeps a search; of too many, those that have ended go, who was not asked for longest first.
    fn keep(&self, name: &str, search: Arc<Search>) {
        let mut known = locked(&self.known);
        while known.len() >= MOST_KEPT.max(2 * self.most) {
            let ended = known.iter().filter(|(_, search)| search.state.borrow().done);
            let Some(oldest) = ended.min_by_key(|(_, search)| *locked(&search.asked)) else { break };
            let oldest = oldest.0.clone();
            known.remove(&oldest);
        }
        known.insert(name.to_string(), search);
    }

    /// Ends the searches that nobody has asked for lately.
    fn end_forgotten(&self) {
        locked(&self.known).retain(|_, search| {
            let patience = if search.state.borrow().done { KEPT } else { FORGOTTEN };
            let wanted =
                search.asking.load(Ordering::Relaxed) > 0 || locked(&search.asked).elapsed() < patience;
            if !wanted {
                search.stopped.store(true, Ordering::Relaxed);
            }
            wanted
        });
    }
}

/// Ends forgotten searches, for as long as the server lives.
pub(super) async fn end_forgotten(site: Arc<Site>) {
    loop {
        sleep(Duration::from_secs(1)).await;
        site.searches.end_forgotten();
    }
}

/// A request that waits for news of a search.
struct Asking<'a>(&'a Search);

impl Asking<'_> {
    fn of(search: &Search) -> Asking<'_> {
        search.asking.fetch_add(1, Ordering::Relaxed);
        Asking(search)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        *locked(&self.0.asked) = Instant::now();
        self.0.asking.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Search {
    fn new() -> Search {
        Search {
            stopped: AtomicBool::new(false),
            state: watch::Sender::new(State::default()),
            asking: AtomicUsize::new(0),
            asked: Mutex::new(Instant::now()),
        }
    }

    fn tell(&self, report: Result<Value>, done: bool) {
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

impl Wanted {
    /// The limits of a search in `position`.
    fn limits(self, position: &Position, memory: usize) -> Result<Limits> {
        let in_range = |seconds: f64, most: f64| {
            ensure!(seconds > 0.0 && seconds <= most, "expected a time above 0 and up to {most} seconds");
            Ok(seconds)
        };
        let limits = match self {
            Wanted::Endless => Limits::cpu(LONGEST_SEARCH),
            Wanted::Seconds(seconds) => Limits::cpu(in_range(seconds, LONGEST_SEARCH)?),
            Wanted::Iterations(iterations) => {
                ensure!(iterations > 0, "expected one iteration or more");
                Limits::iterations(iterations)
            }
            Wanted::Game(left) => game_limits(position, in_range(left, LONGEST_GAME)?),
        };
        let cpu = limits.cpu.map_or(LONGEST_SEARCH, |cpu| cpu.min(LONGEST_SEARCH));
        // Iterations alone have no clock; they are stopped by one all the same.
        Ok(Limits { cpu: Some(cpu), memory: Some(memory), ..limits })
    }
}

/// Tells `agent` on which boards it has stood in `game`: whoever knows does not go to and fro.
fn restore(agent: &mut dyn Agent, game: &GameSoFar) {
    let side = game.position().to_move();
    let own = || (0..game.plays.len()).filter(|&ply| game.positions[ply].to_move() == side);
    let (Some(first), Some(last)) = (own().next(), own().next_back()) else { return };
    let mut boards = vec![board_key(&game.positions[first], side)];
    boards.extend(own().map(|ply| board_key(&game.positions[ply + 1], side)));
    let boards = boards[boards.len().saturating_sub(SavedGame::MOST_BOARDS)..].to_vec();
    agent.restore(SavedGame { before: game.positions[last + 1], nodes: Vec::new(), boards });
}

/// The clock of a search: of its thread, or on the wall. Once the search is stopped, each reading is beyond every
/// limit that was set at the one before, whichever of them an agent begins with.
struct StoppableClock<'a> {
    stopped: &'a AtomicBool,
    /// Where a clock on the wall began.
    wall: Option<Instant>,
    /// How often it was read since the search was stopped.
    late: Cell<f64>,
}

impl Clock for StoppableClock<'_> {
    fn seconds(&self) -> f64 {
        let seconds = self.wall.map_or_else(|| ThreadClock.seconds(), |start| start.elapsed().as_secs_f64());
        if self.stopped.load(Ordering::Relaxed) {
            self.late.set(self.late.get() + 1.0);
        }
        seconds + BEYOND * self.late.get()
    }
}

/// A search to be done.
struct Job {
    position: Position,
    rules: RulesName,
    order: Order,
    limits: Limits,
    /// When it was ordered: a time on the wall counts from there.
    ordered: Instant,
}

/// Says that a search has failed, unless it has ended well: a thread that panics says nothing else.
struct Ending<'a>(&'a Search);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if !self.0.state.borrow().done {
            self.0.tell(Err(anyhow::anyhow!("the search has failed; 'lab serve' has printed why")), true);
        }
    }
}

impl Job {
    /// Searches, and tells `search` what is found. `room` is given back when the agent's memory is.
    fn run(self, mut agent: Box<dyn Agent>, search: &Search, room: OwnedSemaphorePermit) {
        let ending = Ending(search);
        let wall = matches!(self.order.limit, Wanted::Seconds(_)).then_some(self.ordered);
        let waited = wall.map_or(0.0, |ordered| ordered.elapsed().as_secs_f64());
        let clock = StoppableClock { stopped: &search.stopped, wall, late: Cell::new(0.0) };
        let decided = match self.order.limit {
            Wanted::Endless => {
                let mut tell = |report| {
                    if let Some(told) = self.told(report) {
                        search.tell(Ok(told), false);
                    }
                };
                let observer = Observer { every: EVERY, tell: &mut tell };
                agent.decide(&self.position, &self.limits, &clock, Some(observer))
            }
            _ => agent.decide(&self.position, &self.limits.less(waited), &clock, None),
        };
        match decided {
            // The times of a search that was stopped mean nothing, and nobody wants them.
            Ok(_) if search.stopped.load(Ordering::Relaxed) => {}
            Ok(Decision { play, report }) => search.tell(self.told_of(play, report), true),
            Err(error) => search.tell(Err(error.into()), true),
        }
        drop(ending);
        drop(agent);
        drop(room);
    }

    /// What a report in between comes to: the decision that there would be now.
    fn told(&self, report: Report<Play>) -> Option<Value> {
        let play = *report.principal_variation.first()?;
        self.told_of(play, report).ok()
    }

    fn told_of(&self, play: Play, report: Report<Play>) -> Result<Value> {
        let decision = Decision { play, report };
        let arrows = best_plays(&decision).into_iter();
        let arrows =
            arrows.filter_map(|(play, share, value)| Some((hops(&self.position, play)?, share, value.get())));
        let request = AnalysisRequest {
            file: "input.txt".to_string(),
            rules: self.rules,
            agent: self.order.agent.clone(),
            seed: self.order.seed,
            cpu_limit: self.limits.cpu,
            iteration_limit: self.limits.iterations,
        };
        Ok(serde_json::to_value(Told {
            best_hops: hops(&self.position, play),
            arrows: arrows.collect(),
            cpu: ThreadClock.seconds(),
            analysis: Analysis::new(request, &self.position, &decision),
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_has_limits_of_time_and_memory() {
        let position = Position::default();
        for wanted in
            [Wanted::Endless, Wanted::Seconds(600.0), Wanted::Iterations(u64::MAX), Wanted::Game(86_400.0)]
        {
            let limits = wanted.limits(&position, 1 << 20).expect("limits");
            assert!(limits.cpu.is_some_and(|cpu| cpu > 0.0 && cpu <= LONGEST_SEARCH), "{limits:?}");
            assert_eq!(limits.memory, Some(1 << 20));
        }
        for wanted in [
            Wanted::Seconds(0.0),
            Wanted::Seconds(-1.0),
            Wanted::Seconds(f64::NAN),
            Wanted::Seconds(f64::INFINITY),
            Wanted::Seconds(601.0),
            Wanted::Game(1e6),
            Wanted::Iterations(0),
        ] {
            assert!(wanted.limits(&position, 1 << 20).is_err());
        }
    }

    #[test]
    fn a_search_that_was_stopped_before_it_began_ends() {
        let (stopped, limits) = (AtomicBool::new(true), Limits::cpu(LONGEST_SEARCH));
        for spec in ["mcts", "alphabeta"] {
            let clock = StoppableClock { stopped: &stopped, wall: None, late: Cell::new(0.0) };
            let mut agent = specs::make(agents::registry(), spec, 1, 16 << 20).expect("an agent");
            agent.decide(&Position::default(), &limits, &clock, None).expect("a play");
        }
    }
}
