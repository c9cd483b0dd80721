//! A run for a page that follows it: results while it is played, the list of games, and the plays of one game.

use super::contest::Contest;
use super::overview::{Overview, RunOutcome};
use super::referee_log;
use super::replay::Replay;
use super::source::{self, Reported};
use super::words::{self, minus};
use crate::runs::RecordedRun;
use crate::runs::files::{self, FileVersion};
use crate::runs::sweep::BestSetting;
use crate::runs::tournament::Standing;
use crate::stats::elo_text;
use anyhow::Result;
use indexmap::IndexSet;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A run that is read again as it grows: a folder with runs in it, or a log of `lab referee`.
pub(in crate::show) struct LiveRun {
    path: PathBuf,
    /// The runs in the folder.
    runs: Vec<RecordedRun>,
    /// The version of the log that was last read; `None` for a folder.
    log: Option<FileVersion>,
    reported: Option<Reported>,
}

impl LiveRun {
    /// The run at `path`, before it is read.
    pub fn new(path: &Path) -> LiveRun {
        LiveRun { path: path.to_path_buf(), runs: Vec::new(), log: None, reported: None }
    }

    /// The results of the run and of each of its matches.
    pub fn results(&mut self) -> Result<Value> {
        let Reported { contests, overviews, under_way, .. } = self.update()?;
        let matches: Vec<Value> = contests.iter().map(result).collect();
        let overviews: Vec<Value> = overviews.iter().map(overview).collect();
        let facts = contests.iter().flat_map(|contest| &contest.facts);
        // Every match lists the notes of its run.
        let notes: IndexSet<_> = facts.filter(|(label, _)| *label == "note").map(|(_, note)| note).collect();
        Ok(json!({ "under_way": under_way, "matches": matches, "overviews": overviews, "notes": notes }))
    }

    /// The games of the match at index `place`; `None` if it does not exist.
    pub fn games(&mut self, place: usize) -> Result<Option<Value>> {
        Ok(self.update()?.contests.get(place).map(|contest| {
            let rules = contest.rules.to_string();
            json!({ "name": contest.name, "names": contest.names, "rules": rules, "games": contest.games })
        }))
    }

    /// The plays of game `number` of the match at index `place`; `None` if it does not exist.
    pub fn replay(&mut self, mut place: usize, number: u64) -> Result<Option<Value>> {
        self.update()?;
        if self.log.is_some() {
            return Ok(referee_log::replay(&self.path, place, number)?.map(|replay| json!(replay)));
        }
        for run in &self.runs {
            if place < run.matches.len() {
                return Ok(run.record(place, number)?.map(|record| json!(Replay::of_record(&record))));
            }
            place -= run.matches.len();
        }
        Ok(None)
    }

    /// Reads what has changed.
    fn update(&mut self) -> Result<&Reported> {
        let before = self.reported.take();
        let changed = if source::is_log(&self.path)? {
            self.runs.clear();
            let version = Some(FileVersion::of(&files::open(&self.path)?)?);
            std::mem::replace(&mut self.log, version) != version
        } else {
            self.log = None;
            RecordedRun::update_all(&self.path, &mut self.runs)?
        };
        let read = || match &self.log {
            Some(_) => source::read(&self.path, 0),
            None => source::arrange(&self.path, &self.runs, |run, place| {
                run.figures(place)?.map(|game| Ok(source::listed_briefly(game?))).collect()
            }),
        };
        let reported = before.filter(|_| !changed).map_or_else(read, Ok)?;
        Ok(self.reported.insert(reported))
    }
}

fn result(contest: &Contest) -> Value {
    let summary = contest.summary.as_ref();
    json!({ "name": contest.name, "names": contest.names, "outcomes": contest.outcomes(),
        "games": contest.games.len(), "planned": contest.games_planned,
        "score": summary.map(|one| words::percent(one.estimate.score)),
        "elo": summary.map(|one| minus(one.estimate.elo_text())),
        "sprt": summary.and_then(|one| one.sprt_text()) })
}

/// The result of a run of several matches: lines, each with a name and a description.
fn overview(of: &Overview) -> Value {
    let lines: Vec<(String, String)> = match &of.outcome {
        RunOutcome::Tournament(result, _) => {
            let line = |one: &Standing| {
                let (elo, points) = (minus(elo_text(one.elo, one.elo_interval)), words::points(one.points));
                (one.agent.clone(), format!("{elo}; {points} of {} points", one.games))
            };
            result.standings.iter().map(line).collect()
        }
        RunOutcome::Sweep(result) => {
            let line = |one: &BestSetting| {
                let within = one.within.as_ref().map_or(String::new(), |within| format!(", {within}"));
                let verdict = match (one.compared, one.decided) {
                    (1, _) => "the only setting",
                    (_, true) => "the best, with 95 % confidence",
                    (_, false) => "undecided",
                };
                let text = format!("{}: {}, {verdict}", one.best, words::percent(one.score));
                (format!("{}{within}", one.budget), text)
            };
            result.verdicts.iter().map(line).collect()
        }
        RunOutcome::Tune(tune, tuned) => {
            let ends = tune.parameters.iter().zip(&tuned.values);
            ends.map(|(one, now)| (one.name.clone(), format!("{} → {now}", one.start))).collect()
        }
    };
    json!({ "name": of.name, "title": of.title(), "games": of.games, "lines": lines })
}
