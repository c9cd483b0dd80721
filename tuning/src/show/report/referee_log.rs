//! Reads the log of `lab referee`: one [`RefereedGame`] per line.

use super::contest::{Contest, DecisionFigures, ListedGame};
use super::replay::Replay;
use super::{run_name, source};
use crate::play::record::{ProgramRun, from_line};
use crate::play::referee::RefereedGame;
use crate::runs::files::{open, read_line};
use anyhow::{Context, Result, ensure};
use halma::rules::Rules;
use std::io::BufReader;
use std::path::Path;

/// The games in the log at `path`, as one contest for each pair of programs and their times, with at most `replays`
/// games to replay.
///
/// # Errors
/// The log can't be read, has no games, or a line can't be parsed.
pub(super) fn read(path: &Path, replays: usize) -> Result<Vec<Contest>> {
    read_with(path, |line| line <= replays as u64)
}

/// The plays of game `number` in the contest at index `place`; `None` if it does not exist.
///
/// # Errors
/// The same as for [`read`].
pub(super) fn replay(path: &Path, place: usize, number: u64) -> Result<Option<Replay>> {
    let contests = read_with(path, |line| line == number)?;
    let games = contests.into_iter().nth(place).map_or(Vec::new(), |contest| contest.games);
    Ok(games.into_iter().find(|game| game.number == number).and_then(|game| game.replay))
}

/// Reads the games. `is_replayed` picks those to replay by the numbers of their lines. These are also the numbers of
/// the games in the contests: each time the referee is run, it counts from 1 again, perhaps in the same log.
fn read_with(path: &Path, is_replayed: impl Fn(u64) -> bool) -> Result<Vec<Contest>> {
    let mut contests: Vec<Contest> = Vec::new();
    let (mut reader, mut line) = (BufReader::new(open(path)?), Vec::new());
    for number in 1_u64.. {
        let context = || format!("{}: line {number} is not a game of 'lab referee'", path.display());
        read_line(&mut reader, &mut line).with_context(context)?;
        // The last line is incomplete while it is being written.
        if !line.ends_with(b"\n") {
            break;
        }
        let game: RefereedGame = from_line(&line).with_context(context)?;
        let rules = game.programs.each_ref().map(|program| program.rules);
        game.record.check(rules, None).with_context(context)?;
        let names = game.programs.each_ref().map(|program| program.command.clone());
        let [black, white] = game.programs.each_ref().map(|program| program.time);
        let facts = vec![("CPU s for a game", format!("Black {black}, White {white}"))];
        let is_same = |contest: &Contest| contest.names == names && contest.facts == facts;
        let place = contests.iter().position(is_same).unwrap_or_else(|| {
            contests.push(Contest {
                name: run_name(path),
                names,
                rules: Rules::Addendum,
                facts,
                games_planned: 0,
                count: None,
                summary: None,
                games: Vec::new(),
            });
            contests.len() - 1
        });
        let contest = &mut contests[place];
        if rules.contains(&Rules::Original) {
            contest.rules = Rules::Original;
        }
        contest.games.push(ListedGame { number, ..listed(&game, is_replayed(number)) });
        contest.games_planned += 1;
    }
    ensure!(!contests.is_empty(), "no games in {}", path.display());
    Ok(contests)
}

/// The game as the page lists it, with the time of every run of a program.
fn listed(game: &RefereedGame, replayed: bool) -> ListedGame {
    let record = &game.record;
    let replay = replayed.then(|| Replay::of_record(record));
    let decision = |(at, run): (usize, &ProgramRun)| DecisionFigures {
        who: record.decider(at),
        ply: at,
        seconds: run.cpu,
        iterations: 0,
        value: None,
    };
    let decisions = record.runs.iter().enumerate().map(decision).collect();
    let reason = format!("{}: {}", record.reason.name(), game.ending());
    ListedGame { replay, decisions, reason, ..source::listed(record) }
}
