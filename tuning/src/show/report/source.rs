//! Finds and reads the matches to report.

use super::contest::{Contest, DecisionFigures, ListedGame, facts};
use super::overview::Overview;
use super::replay::{Replay, value};
use super::{referee_log, run_name};
use crate::play::matches::GameFigures;
use crate::play::record::{Ended, GameRecord};
use crate::runs::{HEADER, RecordedRun, files};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The plots in the folders of sweeps and tuning runs, which the page draws itself.
const DRAWN: [&str; 4] = ["score.svg", "heat.svg", "matrix.svg", "tune.svg"];

/// Everything that a report shows.
pub(super) struct Reported {
    pub contests: Vec<Contest>,
    /// The results of runs of several matches.
    pub overviews: Vec<Overview>,
    /// Other pictures in the folder.
    pub pictures: Vec<Picture>,
    /// Whether one of the runs has no result yet; `None` for a log, which does not say whether more games follow.
    pub under_way: Option<bool>,
}

/// An SVG file.
pub(super) struct Picture {
    pub name: String,
    pub svg: String,
}

/// Reads all of `run`, with at most `replays` games to replay.
pub(super) fn read(run: &Path, replays: usize) -> Result<Reported> {
    if is_log(run)? {
        let contests = referee_log::read(run, replays)?;
        return Ok(Reported { contests, overviews: Vec::new(), pictures: Vec::new(), under_way: None });
    }
    let runs = RecordedRun::all_below(run)?;
    let mut each = shares(replays, runs.iter().map(|one| one.matches.len()).sum());
    let reported = arrange(run, &runs, |one, place| games(one, place, each.next().unwrap_or(0)))?;
    Ok(Reported { pictures: pictures(run)?, ..reported })
}

/// Whether `run` is a log of `lab referee`, not a folder.
pub(super) fn is_log(run: &Path) -> Result<bool> {
    Ok(fs::metadata(run).with_context(|| format!("can't read {}", run.display()))?.is_file())
}

/// The matches of `runs`, found below `root`, without pictures. `games` lists the games of one match of a run.
pub(super) fn arrange(
    root: &Path,
    runs: &[RecordedRun],
    mut games: impl FnMut(&RecordedRun, usize) -> Result<Vec<ListedGame>>,
) -> Result<Reported> {
    let under_way = Some(runs.iter().any(|one| !one.has_ended()));
    let (mut contests, mut overviews) = (Vec::new(), Vec::new());
    for one in runs {
        let first = contests.len();
        for place in 0..one.matches.len() {
            contests.push(contest(root, one, place, games(one, place)?)?);
        }
        overviews.extend(Overview::of(below(root, one), one, first, &contests[first..])?);
    }
    Ok(Reported { contests, overviews, pictures: Vec::new(), under_way })
}

/// The SVG files in the folder itself, by name, except the plots of a run.
fn pictures(run: &Path) -> Result<Vec<Picture>> {
    let cant_read = |path: &Path| format!("can't read {}", path.display());
    let entries = fs::read_dir(run).with_context(|| cant_read(run))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    let of_a_run = |path: &Path| DRAWN.iter().any(|name| path.ends_with(name)) && run.join(HEADER).is_file();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "svg") && !of_a_run(path));
    paths.sort();
    let picture = |path: &PathBuf| {
        let svg = String::from_utf8(files::read(path)?).with_context(|| cant_read(path))?;
        Ok(Picture { name: run_name(path), svg })
    };
    paths.iter().map(picture).collect()
}

/// Splits `total` among `parts` as evenly as possible, larger shares first.
fn shares(total: usize, parts: usize) -> impl Iterator<Item = usize> {
    (0..parts).map(move |part| total / parts + usize::from(part < total % parts))
}

/// The games of `run.matches[place]`, the first `replays` with their plays.
fn games(run: &RecordedRun, place: usize, replays: usize) -> Result<Vec<ListedGame>> {
    let game = |(number, record): (usize, Result<GameRecord>)| {
        let record = record?;
        let replay = (number < replays).then(|| Replay::of_record(&record));
        Ok(ListedGame { replay, ..listed(&record) })
    };
    run.records(place)?.enumerate().map(game).collect()
}

/// The match `run.matches[place]` of a run below `root`.
fn contest(root: &Path, run: &RecordedRun, place: usize, games: Vec<ListedGame>) -> Result<Contest> {
    let settings = &run.matches[place].settings;
    let count = run.count(place)?;
    Ok(Contest {
        name: name(root, run, place),
        names: [settings.a.clone(), settings.b.clone()],
        rules: settings.widest_rules(),
        facts: facts(settings, &run.header),
        games_planned: run.planned(place),
        games,
        // The few games of a tuning step say nothing about an agent.
        summary: (run.header.kind != "tune").then(|| count.summary(settings)),
        count: Some(count),
    })
}

/// The path of `run` below `root`; empty if it is `root`.
fn below(root: &Path, run: &RecordedRun) -> String {
    run.folder.strip_prefix(root).unwrap_or(&run.folder).display().to_string()
}

/// The name of `run.matches[place]` in a run below `root`: the run's folder, and the match's name if the run has
/// several.
fn name(root: &Path, run: &RecordedRun, place: usize) -> String {
    let below = below(root, run);
    let (alone, name) = (run.matches.len() == 1, &run.matches[place].name);
    match (below.is_empty(), alone) {
        (true, true) => run_name(root),
        (true, false) => name.clone(),
        (false, true) => below,
        (false, false) => format!("{below}: {name}"),
    }
}

/// The game in `record`, without its replay.
pub(super) fn listed(record: &GameRecord) -> ListedGame {
    let decision = |at: usize| DecisionFigures {
        who: record.decider(at),
        ply: record.opening.len() + at,
        seconds: record.seconds[at],
        iterations: record.iterations[at],
        value: value(record, at),
    };
    ListedGame {
        number: record.game,
        black: record.black,
        winner: record.winner,
        reason: reason(record.reason, record.fault.as_deref()),
        plies: record.plies(),
        decisions: (0..record.plays.len()).map(decision).collect(),
        replay: None,
    }
}

/// The game with these figures, without its decisions.
pub(super) fn listed_briefly(game: &GameFigures) -> ListedGame {
    let &GameFigures { number, black, winner, plies, .. } = game;
    let reason = reason(game.reason, game.fault.as_deref());
    ListedGame { number, black, winner, reason, plies, decisions: Vec::new(), replay: None }
}

fn reason(ended: Ended, fault: Option<&str>) -> String {
    let fault = fault.map_or(String::new(), |fault| format!(": {fault}"));
    format!("{}{fault}", ended.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_are_shared_evenly() {
        assert_eq!(shares(10, 3).collect::<Vec<_>>(), [4, 3, 3]);
        assert_eq!(shares(2, 4).collect::<Vec<_>>(), [1, 1, 0, 0]);
    }
}
