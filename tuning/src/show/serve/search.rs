//! One search: the page's request, and the job that a thread runs.

use super::position::{GameLine, PositionRequest};
use super::ruling::Ruling;
use super::searches::SearchHandle;
use crate::figures::drawing::chain_text;
use crate::show::analysis::{Analysis, best_plays};
use anyhow::{Result, anyhow, ensure};
use halma::agent::time::game_limits;
use halma::agent::{Agent, Decision, SavedGame};
use halma::game::Game as _;
use halma::rules::{Play, Position};
use halma::search::{Limits, Observer, Report};
use halma::support::clock::{Clock, ThreadClock};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Seconds between two reports of a search, by the search's clock.
const REPORT_INTERVAL: f64 = 0.2;
/// The maximum length of a search, in seconds.
const MAX_SEARCH: f64 = 600.0;
/// The maximum time for a game, in seconds.
const MAX_GAME: f64 = 86_400.0;

/// A page's request for a search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchRequest {
    pub position: PositionRequest,
    pub agent: String,
    pub seed: u64,
    pub limit: LimitRequest,
}

/// How long to search.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LimitRequest {
    /// Until the search is stopped, with reports in between.
    Endless,
    /// Seconds of real time.
    Seconds(f64),
    Iterations(u64),
    /// This move's share of the CPU seconds left for the game.
    Game(f64),
}

impl LimitRequest {
    /// The limits of a search in `position`.
    pub fn limits(self, position: &Position, memory: usize) -> Result<Limits> {
        let in_range = |seconds: f64, max: f64| {
            ensure!(seconds > 0.0 && seconds <= max, "expected a time above 0 and up to {max} seconds");
            Ok(seconds)
        };
        let limits = match self {
            LimitRequest::Endless => Limits::cpu(MAX_SEARCH),
            LimitRequest::Seconds(seconds) => Limits::cpu(in_range(seconds, MAX_SEARCH)?),
            LimitRequest::Iterations(iterations) => {
                ensure!(iterations > 0, "expected one iteration or more");
                Limits::iterations(iterations)
            }
            LimitRequest::Game(left) => game_limits(position, in_range(left, MAX_GAME)?),
        };
        let cpu = limits.cpu.map_or(MAX_SEARCH, |cpu| cpu.min(MAX_SEARCH));
        // Without `cpu`, `planned` is meant for a race alone.
        let planned = limits.planned.filter(|_| limits.cpu.is_some());
        Ok(Limits { cpu: Some(cpu), planned, memory: Some(memory), ..limits })
    }
}

/// A report on a search, in the form sent to the page.
#[derive(Serialize)]
struct SearchUpdate {
    #[serde(flatten)]
    analysis: Analysis,
    /// The squares that the piece of the best play touches.
    best_chain: Option<String>,
    /// The plays that get an arrow: squares, share of the visits, value.
    arrows: Vec<(String, f32, f32)>,
    /// The CPU seconds of the whole search.
    cpu: f64,
    /// The position after the best play, once the search has ended.
    next: Option<Ruling>,
}

/// A search that is ready to run.
pub(super) struct Job {
    pub line: GameLine,
    pub request: SearchRequest,
    pub limits: Limits,
    /// When the request came in: real time counts from here.
    pub requested: Instant,
}

impl Job {
    /// Runs the search and publishes its reports in `search`.
    pub fn run(mut self, agent: &mut dyn Agent, search: &SearchHandle) {
        let _failure = PublishFailure(search);
        restore(agent, &self.line);
        let limit = self.request.limit;
        let wall = matches!(limit, LimitRequest::Seconds(_)).then_some(self.requested);
        let waited = wall.map_or(0.0, |requested| requested.elapsed().as_secs_f64());
        let clock = StoppableClock { stopped: &search.stopped, wall };
        let position = *self.line.position();
        let mut tell = |report: Report<Play>| {
            // The play that the agent would choose if the search ended now.
            if let Some(&play) = report.principal_variation.first() {
                search.publish(self.update(&position, &Decision { play, report }, None), false);
            }
        };
        let observer = Observer { every: REPORT_INTERVAL, tell: &mut tell };
        let decided = agent.decide(&position, &self.limits.less(waited), &clock, Some(observer));
        match decided {
            // The page has already dropped a stopped search.
            Ok(_) if search.stopped.load(Ordering::Relaxed) => {}
            Ok(decision) => search.publish(self.last_update(&position, &decision), true),
            Err(error) => search.publish(Err(error.into()), true),
        }
    }

    fn last_update(&mut self, position: &Position, decision: &Decision) -> Result<Value> {
        self.line.play(decision.play)?;
        self.update(position, decision, Some(Ruling::of(&self.line)))
    }

    fn update(&self, position: &Position, decision: &Decision, next: Option<Ruling>) -> Result<Value> {
        let arrows = best_plays(decision).into_iter();
        let arrows =
            arrows.filter_map(|(play, share, value)| Some((chain_text(position, play)?, share, value.get())));
        Ok(serde_json::to_value(SearchUpdate {
            best_chain: chain_text(position, decision.play),
            arrows: arrows.collect(),
            cpu: ThreadClock.seconds(),
            analysis: Analysis::new(&self.request.agent, position, decision),
            next,
        })?)
    }
}

/// When dropped, publishes that the search failed, unless it has ended. This covers a panic of its thread.
struct PublishFailure<'a>(&'a SearchHandle);

impl Drop for PublishFailure<'_> {
    fn drop(&mut self) {
        if !self.0.is_done() {
            self.0.publish(Err(anyhow!("the search failed; see the output of 'lab serve'")), true);
        }
    }
}

/// Restores the boards that the side to move has had, so that `agent` does not shuffle back and forth.
fn restore(agent: &mut dyn Agent, line: &GameLine) {
    let side = line.position().to_move();
    let own = || (0..line.plays.len()).filter(|&ply| line.positions[ply].to_move() == side);
    let (Some(first), Some(last)) = (own().next(), own().next_back()) else { return };
    let mut boards = vec![line.positions[first].pieces(side)];
    boards.extend(own().map(|ply| line.positions[ply + 1].pieces(side)));
    let boards = boards[boards.len().saturating_sub(SavedGame::MAX_BOARDS)..].to_vec();
    agent.restore(SavedGame { before: line.positions[last + 1], nodes: Vec::new(), boards });
}

/// A search's clock: the CPU time of its thread, or real time. It cancels the search once `stopped` is set.
struct StoppableClock<'a> {
    stopped: &'a AtomicBool,
    /// When real time began; `None` for CPU time.
    wall: Option<Instant>,
}

impl Clock for StoppableClock<'_> {
    fn seconds(&self) -> f64 {
        self.wall.map_or_else(|| ThreadClock.seconds(), |start| start.elapsed().as_secs_f64())
    }

    fn is_cancelled(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_search_has_limits_of_time_and_memory() {
        use LimitRequest::{Endless, Game, Iterations, Seconds};
        let position = Position::default();
        for request in [Endless, Seconds(600.0), Iterations(u64::MAX), Game(86_400.0), Game(0.01)] {
            let limits = request.limits(&position, 1 << 20).expect("limits");
            assert!(limits.cpu.is_some_and(|cpu| cpu > 0.0 && cpu <= MAX_SEARCH), "{limits:?}");
            assert_eq!(limits.memory, Some(1 << 20));
            assert!(limits.planned.is_none_or(|planned| planned > 0.1), "{limits:?}");
        }
        let seconds = [0.0, -1.0, f64::NAN, f64::INFINITY, 601.0].map(Seconds);
        for request in seconds.into_iter().chain([Game(1e6), Iterations(0)]) {
            assert!(request.limits(&position, 1 << 20).is_err());
        }
    }
}
