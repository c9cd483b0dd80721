//! Finds and reads the matches to report, and changes nothing there.

use super::contest::{Contest, DecisionFigures, ListedGame, facts};
use super::overview::Overview;
use super::replay::{Replay, value};
use super::{referee_log, run_name};
use crate::play::record::GameRecord;
use crate::runs::{GAMES, HEADER, RecordedRun};
use anyhow::{Context, Result};
use halma::rules::{BLACK, Position};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The plots that sweeps and tuning runs leave in their folders.
const DRAWN: [&str; 4] = ["score.svg", "heat.svg", "matrix.svg", "tune.svg"];

/// All that a report shows of a run.
pub(super) struct Whole {
    /// Its matches.
    pub contests: Vec<Contest>,
    /// What each run as a whole has come to, if it is more than a match.
    pub overviews: Vec<Overview>,
    /// The pictures that lie beside the run.
    pub pictures: Vec<Picture>,
    /// Whether a run of it has not ended.
    pub under_way: bool,
}

/// A file with a picture.
pub(super) struct Picture {
    pub name: String,
    pub svg: String,
}

/// Reads all of `run`, with at most `replays` games to replay.
///
/// # Errors
/// There is no match, or a file can't be read or is broken.
pub(super) fn read(run: &Path, replays: usize) -> Result<Whole> {
    let kind = fs::metadata(run).with_context(|| format!("can't read {}", run.display()))?;
    if kind.is_file() {
        let contests = referee_log::read(run, replays)?;
        return Ok(Whole { contests, overviews: Vec::new(), pictures: Vec::new(), under_way: false });
    }
    let runs = RecordedRun::all_below(run)?;
    let under_way = runs.iter().any(|one| !one.has_ended());
    let mut each = shares(replays, runs.iter().map(|one| one.matches.len()).sum());
    let (mut contests, mut overviews) = (Vec::new(), Vec::new());
    for one in &runs {
        let first = contests.len();
        for place in 0..one.matches.len() {
            contests.push(read_match(run, one, place, each.next().unwrap_or(0))?);
        }
        overviews.extend(Overview::of(below(run, one), one, first, &contests[first..])?);
    }
    Ok(Whole { contests, overviews, pictures: pictures(run)?, under_way })
}

/// The SVG files in the folder itself, by name, but for those that the run drew: the page has these plots itself.
fn pictures(run: &Path) -> Result<Vec<Picture>> {
    let cant_read = |path: &Path| format!("can't read {}", path.display());
    let entries = fs::read_dir(run).with_context(|| cant_read(run))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    let of_a_run = |path: &Path| DRAWN.iter().any(|name| path.ends_with(name)) && run.join(HEADER).is_file();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "svg") && !of_a_run(path));
    paths.sort();
    let picture = |path: &PathBuf| {
        let svg = fs::read_to_string(path).with_context(|| cant_read(path))?;
        Ok(Picture { name: run_name(path), svg })
    };
    paths.iter().map(picture).collect()
}

/// `total` in `parts` that differ by one at most, the larger ones first.
fn shares(total: usize, parts: usize) -> impl Iterator<Item = usize> {
    (0..parts).map(move |part| total / parts + usize::from(part < total % parts))
}

/// The match at `place` in a run below `root`.
fn read_match(root: &Path, run: &RecordedRun, place: usize, replays: usize) -> Result<Contest> {
    let settings = &run.matches[place].settings;
    let start = Position::initial(BLACK, settings.widest_rules());
    let game = |(number, record): (usize, Result<GameRecord>)| {
        let record = record?;
        let context = || format!("in {}: game {}", run.folder.join(GAMES).display(), record.game);
        let replay = (number < replays).then(|| Replay::of_record(&record, start)).transpose();
        Ok(ListedGame { replay: replay.with_context(context)?, ..figures(&record) })
    };
    let games: Result<Vec<ListedGame>> = run.records(place)?.enumerate().map(game).collect();
    let count = run.count(place)?;
    Ok(Contest {
        name: name(root, run, place),
        names: [settings.a.clone(), settings.b.clone()],
        facts: facts(settings, &run.header),
        games_planned: run.planned(place),
        games: games?,
        // A few games between two neighbours say nothing of an agent.
        summary: (run.header.kind != "tune").then(|| count.summary(settings)),
        count: Some(count),
    })
}

/// The folder of `run` below `root`; empty if it is that.
fn below(root: &Path, run: &RecordedRun) -> String {
    run.folder.strip_prefix(root).unwrap_or(&run.folder).display().to_string()
}

/// The name of the match at `place` in a run below `root`: the run's folder, with the match's name if the
/// run has several.
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
pub(super) fn figures(record: &GameRecord) -> ListedGame {
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
        reason: match &record.fault {
            Some(fault) => format!("{}: {fault}", word(&record.reason)),
            None => word(&record.reason),
        },
        plies: record.plies(),
        decisions: (0..record.plays.len()).map(decision).collect(),
        replay: None,
    }
}

/// A name as it is in the files.
fn word(name: &impl Serialize) -> String {
    let name = serde_json::to_value(name).ok();
    name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_string()
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
