//! Reads the log of `lab referee`: one [`RefereedGame`] per line.

use super::contest::{Contest, DecisionFigures, ListedGame};
use super::replay::Replay;
use super::{run_name, source};
use crate::play::record::{ProgramRun, from_line};
use crate::play::referee::RefereedGame;
use anyhow::{Context, Result, ensure};
use halma::rules::{BLACK, Position, Rules, WHITE};
use std::fs;
use std::path::Path;

/// The games in the log at `path`, as one contest for each pair of programs, with at most `replays` games to replay.
///
/// # Errors
/// The log can't be read, has no games, or a line can't be parsed.
pub(super) fn read(path: &Path, replays: usize) -> Result<Vec<Contest>> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let mut contests: Vec<Contest> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let context = || format!("{}: line {number} is not a game of 'lab referee'", path.display());
        let game: RefereedGame = from_line(line.as_bytes()).with_context(context)?;
        let rules = game.programs.each_ref().map(|program| program.rules);
        game.record.check(rules, None).with_context(context)?;
        let listed = listed(&game, number <= replays).with_context(context)?;
        let [black, white] = game.programs;
        let names = [black.command, white.command];
        let place = contests.iter().position(|contest| contest.names == names).unwrap_or_else(|| {
            contests.push(Contest {
                name: run_name(path),
                names,
                facts: vec![("CPU s for a game", format!("Black {}, White {}", black.time, white.time))],
                games_planned: 0,
                count: None,
                summary: None,
                games: Vec::new(),
            });
            contests.len() - 1
        });
        contests[place].games.push(listed);
        contests[place].games_planned += 1;
    }
    ensure!(!contests.is_empty(), "no games in {}", path.display());
    Ok(contests)
}

/// The game as the page lists it, with the time of every run of a program.
fn listed(game: &RefereedGame, replayed: bool) -> Result<ListedGame> {
    let record = &game.record;
    let first = if record.white_first { WHITE } else { BLACK };
    // The original rules allow every play that other rules allow.
    let start = Position::initial(first, Rules::Original);
    let replay = replayed.then(|| Replay::of_record(record, start)).transpose()?;
    let decision = |(at, run): (usize, &ProgramRun)| DecisionFigures {
        who: record.decider(at),
        ply: at,
        seconds: run.cpu,
        iterations: 0,
        value: None,
    };
    let decisions = record.runs.iter().enumerate().map(decision).collect();
    let reason = format!("{}: {}", record.reason.name(), game.ending());
    Ok(ListedGame { replay, decisions, reason, ..source::listed(record) })
}
