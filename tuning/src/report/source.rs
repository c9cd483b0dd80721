//! Finds what there is to report, reads it, and changes nothing there.

use super::contest::{Contest, DecisionFigures, Game, facts};
use super::replay::{Replay, value};
use super::{referee_log, run_name};
use crate::files::read_json;
use crate::matches::folder::{GAMES, HEADER, RESULT};
use crate::matches::{Contestant, GameRecord, Recorded, Summary};
use crate::runs::Run;
use crate::{sweep, tournament};
use anyhow::{Context, Result, ensure};
use halma::halma::{BLACK, Position};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Matches are looked for so many folders deep.
const MOST_DEPTH: usize = 6;

/// All there is to report of a run.
pub(super) struct Whole {
    /// Its matches.
    pub contests: Vec<Contest>,
    /// The ratings, if it is a tournament that has ended.
    pub standings: Vec<Standing>,
    /// The plots that the run itself left, as a sweep does.
    pub pictures: Vec<Picture>,
}

/// The part of a tournament's standings that the page shows.
#[derive(Deserialize)]
pub(super) struct Standing {
    pub agent: String,
    pub elo: f64,
    pub elo_error: f64,
    pub lead: Option<f64>,
    pub lead_error: Option<f64>,
    pub games: u64,
    pub points: f64,
}

/// A file with a picture.
pub(super) struct Picture {
    pub name: String,
    pub svg: String,
}

/// All there is in `run`, with at most `replays` games to replay.
///
/// # Errors
/// There is no match, or a file can't be read or is broken.
pub(super) fn read(run: &Path, replays: usize) -> Result<Whole> {
    let kind = fs::metadata(run).with_context(|| format!("can't read {}", run.display()))?;
    if kind.is_file() {
        let contests = referee_log::read(run, replays)?;
        return Ok(Whole { contests, standings: Vec::new(), pictures: Vec::new() });
    }
    let mut folders = Vec::new();
    find_matches(run, MOST_DEPTH, &mut folders)?;
    ensure!(
        !folders.is_empty(),
        "no match in {}: expected {HEADER} and {GAMES}, as 'lab match --out' writes them, there or in a folder below",
        run.display()
    );
    let each = shares(replays, folders.len());
    let contests = folders.iter().zip(each).map(|(folder, replays)| read_match(run, folder, replays));
    Ok(Whole {
        contests: contests.collect::<Result<_>>()?,
        standings: standings(run)?,
        pictures: pictures(run)?,
    })
}

/// The ratings in the result of a tournament; none if it is none, or has not ended.
fn standings(run: &Path) -> Result<Vec<Standing>> {
    #[derive(Deserialize)]
    struct Standings {
        standings: Vec<Standing>,
    }
    let result = run.join(RESULT);
    if !run.join(tournament::HEADER).is_file() || !result.is_file() {
        return Ok(Vec::new());
    }
    Ok(read_json::<Standings>(&result)?.standings)
}

/// The SVG files in the folder itself, by name.
fn pictures(run: &Path) -> Result<Vec<Picture>> {
    let cant_read = |path: &Path| format!("can't read {}", path.display());
    let entries = fs::read_dir(run).with_context(|| cant_read(run))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "svg"));
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

/// The folders of matches at and below `folder`, in the order of their names. A run names its own,
/// for there may be its shards beside them.
fn find_matches(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    if [HEADER, tournament::HEADER, sweep::HEADER].iter().any(|name| folder.join(name).is_file()) {
        let matches = Run::read(folder)?.matches(folder).into_iter();
        found.extend(matches.filter(|one| one.join(HEADER).is_file()));
        return Ok(());
    }
    let cant_read = || format!("can't read {}", folder.display());
    let mut below = Vec::new();
    for entry in fs::read_dir(folder).with_context(cant_read)? {
        let entry = entry.with_context(cant_read)?;
        if entry.file_type().with_context(cant_read)?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    if depth > 0 {
        below.iter().try_for_each(|folder| find_matches(folder, depth - 1, found))?;
    }
    Ok(())
}

/// The match in `folder`.
fn read_match(run: &Path, folder: &Path, replays: usize) -> Result<Contest> {
    let Recorded { header, games: records } = Recorded::read(folder)?;
    let settings = &header.settings;
    let start = Position::initial(BLACK, settings.rules.into());
    let game = |(place, (number, record)): (usize, (&u64, &GameRecord))| {
        let context = || format!("in {}: game {number}", folder.join(GAMES).display());
        check_lengths(record).with_context(context)?;
        let replay = (place < replays).then(|| Replay::of_record(record, start)).transpose();
        Ok(Game { replay: replay.with_context(context)?, ..figures(record) })
    };
    let games: Result<Vec<Game>> = records.iter().enumerate().map(game).collect();
    let name = folder.strip_prefix(run).unwrap_or(folder).display().to_string();
    Ok(Contest {
        name: if name.is_empty() { run_name(run) } else { name },
        names: [settings.a.clone(), settings.b.clone()],
        facts: facts(settings, header.shard),
        games_planned: header.shard.games(settings.pairs).count() as u64,
        games: games?,
        summary: Some(Summary::of(settings, &records)),
    })
}

/// Every list has one entry for each decision; files from before candidates were kept have none.
fn check_lengths(record: &GameRecord) -> Result<()> {
    let decisions = record.plays.len();
    let GameRecord { seconds, values, iterations, inherited, candidates, .. } = record;
    let lengths = [seconds.len(), values.len(), iterations.len(), inherited.len()];
    let right = lengths == [decisions; 4] && [0, decisions].contains(&candidates.len());
    ensure!(right, "its lists are not of one length");
    Ok(())
}

/// The game in `record`, without its replay.
fn figures(record: &GameRecord) -> Game {
    let decision = |at: usize| DecisionFigures {
        who: record.decider(at),
        ply: record.opening.len() + at,
        seconds: record.seconds[at],
        iterations: record.iterations[at],
        value: value(record, at),
    };
    Game {
        number: record.game,
        black: record.black,
        winner: record.winner,
        reason: word(&record.reason),
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

/// Who a colour's name in a referee's log stands for: the program that plays Black is A.
pub(super) fn of_colour(name: &str) -> Option<Contestant> {
    match name {
        "BLACK" => Some(Contestant::A),
        "WHITE" => Some(Contestant::B),
        _ => None,
    }
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
