//! A run for a page that follows it: results while it is played, the list of games, and the plays of one game.

use super::contest::Contest;
use super::overview::{Overview, RunOutcome};
use super::referee_log;
use super::replay::Replay;
use super::source::{self, Reported};
use crate::runs::RecordedRun;
use anyhow::{Context, Result};
use halma::rules::{BLACK, Position, Rules};
use serde_json::{Value, json};
use std::path::Path;

/// A run as it was when it was read.
pub(in crate::show) struct LiveRun(Reported);

impl LiveRun {
    /// Reads `run`: a folder with runs in it, or a log of `lab referee`.
    pub fn read(run: &Path) -> Result<LiveRun> {
        Ok(LiveRun(source::read(run, 0)?))
    }

    /// The results of the run and of each of its matches.
    pub fn results(&self) -> Value {
        let LiveRun(Reported { contests, overviews, under_way, .. }) = self;
        let matches: Vec<Value> = contests.iter().map(result).collect();
        let overviews: Vec<Value> = overviews.iter().map(overview).collect();
        json!({ "under_way": under_way, "matches": matches, "overviews": overviews })
    }

    /// The games of the match at `place`; `None` if it does not exist.
    pub fn games(&self, place: usize) -> Option<Value> {
        let contest = self.0.contests.get(place)?;
        // The referee knows only the rules of the course, and its log has no facts.
        let rules = contest.facts.iter().find(|(label, _)| *label == "rules");
        let rules = rules.map_or_else(|| Rules::default().to_string(), |(_, rules)| rules.clone());
        Some(json!({ "name": contest.name, "names": contest.names, "rules": rules, "games": contest.games }))
    }
}

fn result(contest: &Contest) -> Value {
    let sprt = contest.summary.as_ref().and_then(|summary| summary.sprt_text());
    json!({ "name": contest.name, "names": contest.names, "outcomes": contest.outcomes(), "sprt": sprt,
        "games": contest.games.len(), "planned": contest.games_planned, "summary": contest.summary })
}

fn overview(of: &Overview) -> Value {
    let (kind, result) = match &of.outcome {
        RunOutcome::Tournament(standings, _) => ("tournament", json!(standings)),
        RunOutcome::Sweep(result) => ("sweep", json!(result)),
        RunOutcome::Tune(_, tuned) => ("tune", json!(tuned)),
    };
    json!({ "name": of.name, "title": of.title(), "games": of.games, "kind": kind, "result": result })
}

/// The plays of the game at `game` in the list of the match at `place`; `None` if it does not exist.
pub(in crate::show) fn replay(run: &Path, place: usize, game: usize) -> Result<Option<Value>> {
    if run.is_file() {
        let contests = referee_log::read(run, usize::MAX)?;
        let found = contests.get(place).and_then(|contest| contest.games.get(game));
        return Ok(found.and_then(|game| game.replay.as_ref()).map(|replay| json!(replay)));
    }
    let mut before = 0;
    for one in RecordedRun::all_below(run)? {
        if place < before + one.matches.len() {
            let rules = one.matches[place - before].settings.widest_rules();
            let start = Position::initial(BLACK, rules);
            let Some(record) = one.records(place - before)?.nth(game) else { return Ok(None) };
            let record = record?;
            let context = || format!("in {}: game {}", one.folder.display(), record.game);
            return Ok(Some(json!(Replay::of_record(&record, start).with_context(context)?)));
        }
        before += one.matches.len();
    }
    Ok(None)
}
