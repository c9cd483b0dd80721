//! Games and decisions as tables for pandas, Polars, R or a spreadsheet: CSV with a header.
//!
//! One table has a row per game, the other a row per decision; `match` and `game` join them. Unknown or missing values
//! are empty.

use crate::play::record::{Contestant, Ended, GameRecord, NotedPlay};
use crate::play::time_control::TimeControl;
use crate::runs::{Match, RecordedRun};
use anyhow::{Context, Result};
use halma::rules::Play;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// The file name of the games table.
pub const GAMES: &str = "games.csv";
/// The file name of the decisions table.
pub const DECISIONS: &str = "decisions.csv";

/// The columns of the games table. They are written even if there is no row, because pandas refuses an empty file.
const GAME_COLUMNS: &str = "match name game pair a b limit limit_a limit_b seed black winner points_a points_black \
                            reason illegal_play fault plies overdrafts_a overdrafts_b opening host note";
/// The columns of the decisions table.
const DECISION_COLUMNS: &str =
    "match game decision ply agent play seconds value iterations nodes boards reused candidates";

/// A row of the games table. Its fields are [`GAME_COLUMNS`].
#[derive(Serialize)]
pub(super) struct GameRow<'a> {
    r#match: u64,
    name: &'a str,
    game: u64,
    pair: u64,
    a: &'a str,
    b: &'a str,
    limit: &'static str,
    limit_a: String,
    limit_b: String,
    seed: u64,
    black: Contestant,
    winner: Option<Contestant>,
    points_a: f64,
    points_black: f64,
    reason: Ended,
    illegal_play: Option<String>,
    fault: Option<&'a str>,
    plies: usize,
    overdrafts_a: u32,
    overdrafts_b: u32,
    opening: String,
    host: Option<&'a str>,
    note: &'a str,
}

/// A row of the decisions table. Its fields are [`DECISION_COLUMNS`].
#[derive(Serialize)]
pub(super) struct DecisionRow {
    r#match: u64,
    game: u64,
    decision: usize,
    ply: usize,
    agent: Contestant,
    play: String,
    seconds: f64,
    value: Option<f32>,
    iterations: u64,
    nodes: Option<u64>,
    boards: Option<u64>,
    reused: u32,
    candidates: String,
}

/// Writes the games of the run in `folder` and their decisions.
pub fn csv(folder: &Path, games: impl Write, decisions: impl Write) -> Result<()> {
    let mut table = ::csv::WriterBuilder::new();
    table.has_headers(false);
    let (mut games, mut decisions) = (table.from_writer(games), table.from_writer(decisions));
    games.write_record(GAME_COLUMNS.split(' ')).context("can't write the games")?;
    decisions.write_record(DECISION_COLUMNS.split(' ')).context("can't write the decisions")?;
    for_each_row(
        folder,
        |row| games.serialize(row).context("can't write the games"),
        |row| decisions.serialize(row).context("can't write the decisions"),
    )?;
    games.flush().context("can't write the games")?;
    decisions.flush().context("can't write the decisions")
}

/// Calls `game` with each row of the games table of the run in `folder`, and `decision` with each row of the decisions
/// table.
pub(super) fn for_each_row(
    folder: &Path,
    mut game: impl FnMut(&GameRow<'_>) -> Result<()>,
    mut decision: impl FnMut(&DecisionRow) -> Result<()>,
) -> Result<()> {
    let run = RecordedRun::open(folder)?;
    let note = run.header.notes.join("; ");
    for (place, one) in run.matches.iter().enumerate() {
        for record in run.records(place)? {
            let record = record?;
            game(&game_row(one, &record, &note))?;
            (0..record.plays.len()).try_for_each(|place| decision(&decision_row(&record, place)))?;
        }
    }
    Ok(())
}

fn game_row<'a>(one: &'a Match, record: &'a GameRecord, note: &'a str) -> GameRow<'a> {
    let settings = &one.settings;
    let [limit_a, limit_b] = Contestant::BOTH.map(|which| settings.limit.of(which));
    GameRow {
        r#match: record.match_number,
        name: &one.name,
        game: record.game,
        pair: record.game / 2,
        a: &settings.a,
        b: &settings.b,
        limit: limit_a.kind(),
        limit_a: TimeControl::amount(limit_a),
        limit_b: TimeControl::amount(limit_b),
        seed: record.seed,
        black: record.black,
        winner: record.winner,
        points_a: f64::from(record.half_points()) / 2.0,
        points_black: f64::from(record.first_mover_half_points()) / 2.0,
        reason: record.reason,
        illegal_play: record.illegal_play.map(|play| play.to_string()),
        fault: record.fault.as_deref(),
        plies: record.plies(),
        overdrafts_a: record.overdrafts[0],
        overdrafts_b: record.overdrafts[1],
        opening: record.opening.iter().map(Play::to_string).collect::<Vec<_>>().join("; "),
        host: record.host.as_deref(),
        note,
    }
}

fn decision_row(record: &GameRecord, decision: usize) -> DecisionRow {
    let candidate = |NotedPlay(play, visits, value): &NotedPlay| format!("{play} {visits} {value}");
    DecisionRow {
        r#match: record.match_number,
        game: record.game,
        decision,
        ply: record.opening.len() + decision,
        agent: record.decider(decision),
        play: record.plays[decision].to_string(),
        seconds: record.seconds[decision],
        value: record.value(decision),
        iterations: record.iterations[decision],
        nodes: record.nodes.get(decision).copied(),
        boards: record.boards.get(decision).copied(),
        reused: record.reused[decision],
        candidates: record.candidates[decision].iter().map(candidate).collect::<Vec<_>>().join("; "),
    }
}
