//! A run for a page that follows it: its results while they are played, its games, and the plays of one game.

use super::contest::Contest;
use super::errorbar::EloAxis;
use super::overview::{Overview, RunOutcome};
use super::page::GameData;
use super::replay::Replay;
use super::source::{self, Whole};
use super::views::{EloView, ResultView};
use super::words::{percent, points};
use super::{referee_log, run_name};
use crate::runs::RecordedRun;
use crate::runs::sweep::BestSetting;
use crate::runs::tournament::Standing;
use crate::runs::tune::TunedParameter;
use anyhow::{Context, Result};
use halma::rules::Rules;
use halma::rules::{BLACK, Position};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// A run as it was when it was read.
pub struct LiveRun(Whole);

/// A match's result, as text.
#[derive(Serialize)]
struct Told {
    elo: String,
    interval: String,
    score: String,
    los: String,
    normalized: String,
    first_mover: String,
    sprt: Option<String>,
    plies: f64,
}

impl LiveRun {
    /// Reads `run`: a folder with runs in it, or a log of `lab referee`.
    ///
    /// # Errors
    /// There is no run, or a file can't be read or is broken.
    pub fn read(run: &Path) -> Result<LiveRun> {
        Ok(LiveRun(source::read(run, 0)?))
    }

    /// What the run and each of its matches has come to.
    pub fn results(&self) -> Value {
        let LiveRun(Whole { contests, overviews, under_way, .. }) = self;
        let matches: Vec<Value> = contests.iter().map(result).collect();
        let overviews: Vec<Value> = overviews.iter().map(overview).collect();
        json!({ "under_way": under_way, "matches": matches, "overviews": overviews })
    }

    /// The games of the match at `place`; `None` if there is no such match.
    pub fn games(&self, place: usize) -> Option<Value> {
        let contest = self.0.contests.get(place)?;
        let games: Vec<GameData<'_>> = contest.games.iter().map(GameData::new).collect();
        // A referee's log is by the rules of the course.
        let rules = contest.facts.iter().find(|(label, _)| *label == "rules");
        let rules = rules.map_or_else(|| Rules::default().to_string(), |(_, rules)| rules.clone());
        Some(json!({ "name": contest.name, "names": contest.names, "rules": rules, "games": games }))
    }
}

fn result(contest: &Contest) -> Value {
    let axis = EloAxis::of(contest.summary.iter().map(|summary| summary.elo_interval));
    let told = contest.summary.as_ref().map(|summary| {
        let ResultView { elo, score, los, normalized, first_mover, first_mover_range, sprt, .. } =
            ResultView::new(summary, axis);
        let EloView { estimate, interval, .. } = elo;
        Told {
            elo: estimate,
            interval,
            score,
            los,
            normalized,
            first_mover: format!("{first_mover} ({first_mover_range})"),
            sprt,
            plies: summary.mean_plies,
        }
    });
    json!({ "name": contest.name, "names": contest.names, "outcomes": contest.outcomes(),
        "games": contest.games.len(), "planned": contest.games_planned, "facts": contest.facts, "result": told })
}

/// A run as a whole: a title, and lines of a table.
fn overview(of: &Overview) -> Value {
    let (title, lines): (&str, Vec<[String; 2]>) = match &of.outcome {
        RunOutcome::Tournament(standings, _) => {
            let axis = EloAxis::of(standings.standings.iter().map(|one| one.elo_interval));
            let line = |one: &Standing| {
                let elo = EloView::new(one.elo, one.elo_interval, axis).told();
                [one.agent.clone(), format!("{elo}; {} of {} points", points(one.points), one.games)]
            };
            ("Ratings", standings.standings.iter().map(line).collect())
        }
        RunOutcome::Sweep(result) => {
            let line = |one: &BestSetting| {
                let sure = if one.decided { "the best, with 95 % confidence" } else { "undecided" };
                let within = one.within.as_ref().map_or(String::new(), |within| format!(", {within}"));
                [format!("{}{within}", one.budget), format!("{}: {}, {sure}", one.best, percent(one.score))]
            };
            ("Best settings", result.verdicts.iter().map(line).collect())
        }
        RunOutcome::Tune(tune, tuned) => {
            let lines = tune.parameters.iter().zip(&tuned.values);
            let line = |(parameter, value): (&TunedParameter, _)| {
                [parameter.name.clone(), format!("began at {}, is at {value}", parameter.start)]
            };
            ("Parameters", lines.map(line).collect())
        }
    };
    json!({ "name": of.name, "title": title, "games": of.games, "lines": lines })
}

/// The plays of a game: of that at `game` in the match at `place` of `run`. `None` if there is no such game.
///
/// # Errors
/// A file can't be read or is broken.
pub fn replay(run: &Path, place: usize, game: usize) -> Result<Option<Value>> {
    if run.is_file() {
        let contests = referee_log::read(run, usize::MAX)?;
        let found = contests.get(place).and_then(|contest| contest.games.get(game));
        return Ok(found.and_then(|game| game.replay.as_ref()).map(|replay| json!(replay)));
    }
    let mut before = 0;
    for one in RecordedRun::all_below(run)? {
        if place < before + one.matches.len() {
            let start = Position::initial(BLACK, one.matches[place - before].settings.terms.rules);
            let Some(record) = one.records(place - before)?.nth(game) else { return Ok(None) };
            let record = record?;
            let context = || format!("in {}: game {}", one.folder.display(), record.game);
            return Ok(Some(json!(Replay::of_record(&record, start).with_context(context)?)));
        }
        before += one.matches.len();
    }
    Ok(None)
}

/// What pages call `run`: its own name, wherever it is.
pub fn name(run: &Path) -> String {
    run_name(run)
}
