//! Reads the log of `lab referee`: one line of JSON for each game between two programs.

use super::contest::{Contest, DecisionFigures, ListedGame};
use super::replay::Replay;
use super::run_name;
use crate::play::matches::Contestant;
use anyhow::{Context, Result, ensure};
use halma::rules::{BLACK, Play, Position, Rules, WHITE};
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Of Black and of White.
#[derive(Deserialize)]
struct OfBoth<T> {
    black: T,
    white: T,
}

/// The part of a line that the report shows.
#[derive(Deserialize)]
struct LoggedGame {
    game: u64,
    programs: OfBoth<String>,
    first: String,
    time: OfBoth<f64>,
    winner: Option<String>,
    reason: String,
    detail: String,
    plies: Vec<Ply>,
}

/// One run of a program.
#[derive(Deserialize)]
struct Ply {
    play: Option<String>,
    cpu: f64,
}

/// The games in the log at `path`, as one contest for each pair of programs, with at most `replays`
/// games to replay.
///
/// # Errors
/// It can't be read, has no games, or a line is no game.
pub(super) fn read(path: &Path, replays: usize) -> Result<Vec<Contest>> {
    let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let mut contests: Vec<Contest> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let context = || format!("{}: line {number} is no game of 'lab referee'", path.display());
        let line: LoggedGame = serde_json::from_str(line).with_context(context)?;
        let game = line.game(number <= replays).with_context(context)?;
        let names = [line.programs.black, line.programs.white];
        let contest = match contests.iter().position(|contest| contest.names == names) {
            Some(place) => &mut contests[place],
            None => {
                let OfBoth { black, white } = line.time;
                contests.push(Contest {
                    name: run_name(path),
                    names,
                    facts: vec![("CPU s for a game", format!("Black {black}, White {white}"))],
                    games_planned: 0,
                    count: None,
                    summary: None,
                    games: Vec::new(),
                });
                let last = contests.len() - 1;
                &mut contests[last]
            }
        };
        contest.games.push(game);
        contest.games_planned += 1;
    }
    ensure!(!contests.is_empty(), "no games in {}", path.display());
    Ok(contests)
}

/// The contestant with this colour: the program that plays Black is A.
fn of_colour(name: &str) -> Option<Contestant> {
    match name {
        "BLACK" => Some(Contestant::A),
        "WHITE" => Some(Contestant::B),
        _ => None,
    }
}

impl LoggedGame {
    /// The game; the program that plays Black is A.
    fn game(&self, replayed: bool) -> Result<ListedGame> {
        let first = if self.first == "WHITE" { WHITE } else { BLACK };
        let black_first = usize::from(first == WHITE);
        let decisions = self.plies.iter().enumerate().map(|(ply, run)| DecisionFigures {
            who: if (ply + black_first).is_multiple_of(2) { Contestant::A } else { Contestant::B },
            ply,
            seconds: run.cpu,
            iterations: 0,
            value: None,
        });
        let mut plays = Vec::new();
        for text in self.plies.iter().map_while(|ply| ply.play.as_ref()) {
            plays.push(text.parse::<Play>().with_context(|| format!("'{text}' is no play"))?);
        }
        let made = plays.len();
        // The original rules allow all plays that any rules do.
        let start = Position::initial(first, Rules::Original);
        let replay = replayed.then(|| Replay::of_plays(plays.into_iter(), first, start)).transpose()?;
        let replay = replay.map(|(replay, _)| {
            let seconds = self.plies.iter().take(made).map(|ply| ply.cpu).collect();
            Replay { seconds, ..replay }
        });
        Ok(ListedGame {
            number: self.game,
            black: Contestant::A,
            winner: self.winner.as_deref().and_then(of_colour),
            reason: format!("{}: {}", self.reason, self.detail),
            plies: made,
            decisions: decisions.collect(),
            replay,
        })
    }
}
